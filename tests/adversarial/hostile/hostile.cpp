// SPDX-License-Identifier: MIT
/*
 * DOC: lies
 *
 *	hostile FIRMWARE-SIM [SECONDS [SEED]]
 *
 * A client that writes what it likes into every line it can map, at a firmware that serves another one
 * as well: first crafted lies, each with its defined end, then random ones for so many seconds. The
 * other client's results are checked all the while, and afterwards the firmware is as it was. It
 * prints what was done and ends with 0 when every end was the right one.
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "hostile.h"
#include "tests/adversarial/stress/clients.h"

extern char **environ;

namespace {

using hostile::Place;

constexpr unsigned kPatience = 30;

pid_t start(std::vector<std::string> words)
{
	std::vector<char *> argv;
	pid_t pid = -1;

	for (std::string &word : words)
		argv.push_back(word.data());
	argv.push_back(nullptr);
	if (posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
		return -1;
	return pid;
}

/* A client that follows the protocol. It works and checks its results until the test stops it. */
class Neighbour {
public:
	Neighbour()
	{
		void *page = mmap(nullptr, sizeof(stress::Board), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		board_ = new (page) stress::Board{};
		board_->deadline_ns = uint64_t{60} * 1000000000;
	}

	/* A fork, before this process has used the library. */
	void start()
	{
		pid_ = fork();
		if (pid_ == 0)
			_exit(stress::stay(*board_, 0, 7));
		for (unsigned i = 0; i < kPatience * 100 && rounds() == 0; ++i)
			usleep(10000);
	}

	uint64_t rounds() const { return board_->seats[0].rounds; }

	/* Whether it gets on. */
	bool moves() const
	{
		const uint64_t before = rounds();

		for (unsigned i = 0; i < kPatience * 1000; ++i) {
			if (rounds() > before)
				return true;
			usleep(1000);
		}
		return false;
	}

	bool stop() const
	{
		const stress::Seat &seat = board_->seats[0];
		int status = 0;

		board_->stop = 1;
		waitpid(pid_, &status, 0);
		printf("the other client: %ju rounds, %ju wrong results, %ju failed calls\n",
		       uintmax_t(rounds()), uintmax_t(seat.wrong), uintmax_t(seat.failures));
		return status == 0 && seat.wrong + seat.failures == 0;
	}

private:
	stress::Board *board_;
	pid_t pid_ = -1;
};

/* Whether unpu-info would show why the client was cut off. */
bool is_shown(const hostile::Peer &peer, const Place &place)
{
	const auto other = hostile::Peer::attach(place.path);
	base::FdMessage message;

	message.message.type = UNPU_SOCKET_SNAPSHOT;
	if (!other || other->exchange(message) != hostile::Answer::REPLY || message.count != 1)
		return false;
	const uint64_t bytes = message.message.snapshot.bytes;
	auto window = base::map_shared(message.descriptors[0], bytes, false, UNPU_PAGE_4K);

	if (!window)
		return false;
	const std::string text(window->as<const char>(), bytes);
	const std::string name = "\"client\":" + std::to_string(peer.number()) + ",";
	const std::string why =
		"\"broken\":\"" + std::string(base::status_name(peer.broken())) + "\"";
	const size_t at = text.find(name);

	return at != text.npos && text.find(why, at) != text.npos &&
	       text.find(why, at) < text.find("\"memory_used_bytes\"", at);
}

bool run_cases(const Place &place, const Neighbour &neighbour)
{
	bool good = true;

	for (const hostile::Case &each : hostile::cases()) {
		auto peer = hostile::Peer::attach(place.path);
		const char *wrong = peer ? each.run(*peer, place) : "the firmware lets nobody in";

		if (!wrong && peer->broken() != base::Status::OK && !is_shown(*peer, place))
			wrong = "the reason is not shown";
		if (!wrong && !neighbour.moves())
			wrong = "the other client stands still";
		printf("%-40s %s\n", each.name, wrong ? wrong : "good");
		good = good && !wrong;
	}
	return good;
}

bool wait_for_socket(const Place &place)
{
	for (unsigned i = 0; i < kPatience * 100; ++i) {
		if (hostile::connect_to(place.path).valid())
			return true;
		usleep(10000);
	}
	return false;
}

bool run(const std::string &firmware, unsigned seconds, uint64_t seed)
{
	const Folder folder;
	const Place place{folder.file("firmware")};
	hostile::Tally tally;
	Neighbour neighbour;
	int status = 0;

	setenv("UNPU_DEVICE", ("unix:" + place.path).c_str(), 1);
	const pid_t pid = start({firmware, "--listen", place.path, "--memory", "1G", "--engines",
				 "1", "--quota-memory", "256M", "--watchdog-ms", "2000",
				 "--attach-ms", hostile::ATTACH_MS, "--quota-clients",
				 std::to_string(hostile::USER_CLIENTS), "--log-level", "off"});
	if (pid <= 0) {
		printf("the firmware can't be started\n");
		return false;
	}
	bool good = wait_for_socket(place);

	neighbour.start();
	good = good && run_cases(place, neighbour);
	if (seconds && !hostile::lie_at_random(place, seconds * base::NS_PER_S, seed, tally)) {
		printf("the firmware lets nobody in any more\n");
		good = false;
	}
	printf("%u s of random lies, seed %ju: %ju clients, of which %ju were cut off, %ju "
	       "packets, "
	       "%ju requests, %ju messages, %ju writes\n",
	       seconds, uintmax_t(seed), uintmax_t(tally.attaches), uintmax_t(tally.cut_off),
	       uintmax_t(tally.packets), uintmax_t(tally.requests), uintmax_t(tally.messages),
	       uintmax_t(tally.writes));
	good = neighbour.moves() && good;
	good = neighbour.stop() && good;
	kill(pid, SIGTERM);
	good = waitpid(pid, &status, 0) == pid && status == 0 && good;
	printf("the firmware ended with %#x\n", status);
	return good;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s FIRMWARE-SIM [SECONDS [SEED]]\n", argv[0]);
		return 2;
	}
	setvbuf(stdout, nullptr, _IOLBF, 0);
	return run(argv[1], argc > 2 ? static_cast<unsigned>(atoi(argv[2])) : 3,
		   argc > 3 ? strtoull(argv[3], nullptr, 0) : 1)
		       ? 0
		       : 1;
}
