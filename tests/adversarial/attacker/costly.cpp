// SPDX-License-Identifier: MIT
/*
 * DOC: costly requests, beside a good client
 *
 *	unpu_costly FIRMWARE-SIM [--only NAME]
 *
 * The program prints how long the good client waited at worst while each request was served, and ends
 * with 0 when each request ended as it has to, all results of the good client are right, and the firmware
 * ends in order. How long is too long depends on the machine, so the program only prints it.
 */
#include "costly.h"

#include <cstdio>

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "firmware.h"
#include "folder.h"
#include "good_client.h"

namespace {

using namespace attacker;

/* What the allocator may keep after all requests together: free pieces between live ones, which it uses again. A
 * request that leaks what it asks for leaves more. */
constexpr uint64_t KEPT_KILOBYTES = 64 << 10;

constexpr unsigned ATTEMPTS = 120;
constexpr useconds_t PAUSE_US = 500000;

double to_ms(uint64_t ns)
{
	return static_cast<double>(ns) / 1e6;
}

/* Lets the attacker in and makes what the request needs. Return: whether both are there. */
bool prepare(const Costly &request, Attack &attack)
{
	attack.peer = hostile::Peer::attach(attack.socket);
	return attack.peer &&
	       attack.channel.open(*attack.peer, UNPU_SEM_FIRST_FREE) == base::Status::OK &&
	       (!request.prepare || request.prepare(attack));
}

/* The same. All attackers are one user with one quota, and the firmware frees some of what the last one had a while
 * after it left; so a refusal is no answer before the last attempt. */
bool prepare_patiently(const Costly &request, Attack &attack)
{
	for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
		if (prepare(request, attack))
			return true;
		attack = Attack{attack.socket, nullptr, {}};
		usleep(PAUSE_US);
	}
	return false;
}

/* Return: whether the request ended as it has to. */
bool run(const Costly &request, const std::string &socket, GoodClient &client)
{
	Attack attack;
	attack.socket = socket;
	(void)client.take_waits();
	if (!prepare_patiently(request, attack)) {
		printf("%-28s what it needs is refused\n", request.name);
		return false;
	}
	const uint64_t before_ns = client.take_waits().worst_ns, begin_ns = base::now_ns();
	const char *wrong = request.run(attack);
	attack = Attack{};
	/* The client has left when another one gets its answer. */
	const auto after = hostile::Peer::attach(socket);
	const uint64_t end_ns = base::now_ns();
	/* Some of what it left behind may be freed later. */
	usleep(300000);
	const GoodClient::Waits waits = client.take_waits();
	printf("%-24s %8.1f ms, the good client waits %6.2f ms at 99 %%, %6.1f ms at worst "
	       "(%.1f ms before)%s%s\n",
	       request.name, to_ms(end_ns - begin_ns), to_ms(waits.p99_ns), to_ms(waits.worst_ns),
	       to_ms(before_ns), wrong ? "; does not hold: " : "", wrong ? wrong : "");
	return !wrong && after;
}

bool run_all(const std::string &program, const std::string &only)
{
	const Folder folder;
	const std::string socket = folder.file("firmware");
	Firmware firmware;
	GoodClient client;
	if (!firmware.start(program, socket,
			    {"--quota-memory", "256M", "--quota-entries", "8192",
			     "--quota-descriptors", "1024"}) ||
	    !client.start(socket)) {
		printf("the firmware can't be started\n");
		return false;
	}
	const uint64_t descriptors = firmware.count_descriptors();
	const uint64_t kilobytes = firmware.resident_kilobytes();
	bool good = true;
	for (const Costly &request : costly_requests()) {
		if (only.empty() || only == request.name)
			good = run(request, socket, client) && good;
	}
	good = firmware.has_at_most(descriptors) && good;
	good = firmware.gives_back(kilobytes + KEPT_KILOBYTES) && good;
	good = client.stop() && good;
	client.print();
	return firmware.end() && good;
}

} // namespace

int main(int argc, char **argv)
{
	std::string program, only;
	CLI::App app("Asks a firmware-sim for what costs it most, beside a good client.");
	app.add_option("firmware", program, "The firmware-sim to start")->required();
	app.add_option("--only", only, "One request; all if not given");
	CLI11_PARSE(app, argc, argv);
	setvbuf(stdout, nullptr, _IOLBF, 0);
	return run_all(program, only) ? 0 : 1;
}
