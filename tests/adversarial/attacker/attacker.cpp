// SPDX-License-Identifier: MIT
/*
 * DOC: attackers at random
 *
 *	unpu_attacker FIRMWARE-SIM [--seconds N] [--seed N] [--clients N] [--good N]
 *
 * Clients that send valid sequences with one field changed, write into shared lines at the same time,
 * punch holes, load spoilt images, run hostile kernels and are killed. Good clients work beside them, one of them by
 * kernels. The program prints what was done, and ends with 0 when the good clients' results are right, the firmware has
 * lost no descriptor, and the firmware ends in order.
 */
#include <algorithm>
#include <csignal>
#include <cstdio>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "actor.h"
#include "firmware.h"
#include "folder.h"
#include "good_client.h"
#include "tests/adversarial/hostile/kernels/good_kernels.h"

namespace {

using namespace attacker;

struct Options {
	std::string firmware;
	unsigned seconds = 60;
	uint64_t seed = 1;
	unsigned clients = 3;
	unsigned good = 8;
};

[[noreturn]] void be_attacker(const Settings &settings, Tally &tally)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	Actor actor(settings, tally);
	for (unsigned tries = 0; !actor.attach(); tries++) {
		if (tries == 1000)
			_exit(1);
		usleep(10000);
	}
	for (uint64_t left = 50 + actor.below(1000); left > 0; left--) {
		if (!actor.run()) {
			tally.cut_off++;
			break;
		}
	}
	_exit(0);
}

/* An attacker and when it is killed, if it has not ended before. */
struct Place {
	pid_t pid = -1;
	uint64_t end_ns = 0;
};

/* attack() - false when an attacker was not let in. */
bool attack(const Options &options, Settings settings, Tally &tally)
{
	Mutator random(options.seed);
	std::vector<Place> places(options.clients);
	const uint64_t end_ns = base::deadline_after(options.seconds * base::NS_PER_S);
	bool good = true;
	while (base::now_ns() < end_ns && good) {
		for (Place &place : places) {
			int status = 0;
			if (place.pid > 0 && base::now_ns() > place.end_ns) {
				kill(place.pid, SIGKILL);
				tally.kills++;
			}
			if (place.pid > 0 && waitpid(place.pid, &status, WNOHANG) == 0)
				continue;
			good = good && (!WIFEXITED(status) || WEXITSTATUS(status) == 0);
			settings.seed = random.draw();
			place.end_ns =
				base::deadline_after((20 + random.below(3000)) * base::NS_PER_MS);
			place.pid = fork();
			if (place.pid == 0)
				be_attacker(settings, tally);
		}
		usleep(5000);
	}
	for (const Place &place : places) {
		if (place.pid > 0 && kill(place.pid, SIGKILL) == 0)
			waitpid(place.pid, nullptr, 0);
	}
	if (!good)
		printf("the firmware lets nobody in\n");
	return good;
}

void print(const Options &options, const Tally &tally)
{
	printf("%u s, seed %ju: %ju clients, %ju killed, %ju cut off; %ju sequences: %ju packets, "
	       "%ju requests (%ju granted, %ju not answered), %ju graphs, %ju messages; %ju fields "
	       "changed, %ju words written, %ju holes, %ju images, %ju kernels\n",
	       options.seconds, uintmax_t(options.seed), uintmax_t(tally.clients),
	       uintmax_t(tally.kills), uintmax_t(tally.cut_off), uintmax_t(tally.sequences),
	       uintmax_t(tally.packets), uintmax_t(tally.requests), uintmax_t(tally.granted),
	       uintmax_t(tally.unanswered), uintmax_t(tally.graphs), uintmax_t(tally.messages),
	       uintmax_t(tally.changed), uintmax_t(tally.writes), uintmax_t(tally.holes),
	       uintmax_t(tally.images), uintmax_t(tally.kernels));
}

bool run(const Options &options)
{
	const Folder folder;
	const Settings settings{folder.file("firmware"), folder.path(), 0};
	void *page = mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	auto *tally = new (page) Tally{};
	Firmware firmware;
	std::vector<GoodClient> clients(options.good);
	attack::GoodKernels kernels;
	if (!firmware.start(
		    options.firmware, settings.socket,
		    {"--quota-memory", "128M", "--quota-clients", "40", "--quota-graphs", "64"}) ||
	    !std::all_of(clients.begin(), clients.end(),
			 [&](GoodClient &client) { return client.start(settings.socket); }) ||
	    !kernels.start(settings.socket)) {
		printf("the firmware can't be started\n");
		return false;
	}
	const uint64_t descriptors = firmware.count_descriptors();
	bool good = attack(options, settings, *tally);
	good = firmware.has_at_most(descriptors) && good;
	for (GoodClient &client : clients)
		good = client.stop() && good;
	good = kernels.stop() && good;
	print(options, *tally);
	for (const GoodClient &client : clients)
		client.print();
	kernels.print();
	return firmware.end() && good;
}

} // namespace

int main(int argc, char **argv)
{
	Options options;
	CLI::App app("Attacks a firmware-sim at random, beside a good client.");
	app.add_option("firmware", options.firmware, "The firmware-sim to start")->required();
	app.add_option("--seconds", options.seconds, "How long; 60 if not given");
	app.add_option("--seed", options.seed, "What the attackers draw from; 1 if not given");
	app.add_option("--clients", options.clients, "Attackers at once; 3 if not given");
	app.add_option("--good", options.good,
		       "Good clients, besides that of kernels; 8 if not given");
	CLI11_PARSE(app, argc, argv);
	setvbuf(stdout, nullptr, _IOLBF, 0);
	return run(options) ? 0 : 1;
}
