// SPDX-License-Identifier: MIT
/*
 * DOC: deaths
 *
 *	stress FIRMWARE-SIM [--client-kills N] [--firmware-kills N] [--deadline-ms N] [--seed N]
 *
 * First so many clients are killed at one firmware, each at a random moment of what it does, while
 * clients that stay check their results. Then so many firmwares are killed under clients that stay.
 * What is counted: calls that took longer than the deadline, results that were wrong, calls that
 * failed and should not have, and what is left over: descriptors, threads and bytes of shared memory
 * of the firmware, and of the clients that stay. The counts are printed; it ends with 0 when all of
 * them are 0.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "clients.h"
#include "folder.h"
#include "unpu/unpu.h"

extern char **environ;

namespace stress {

namespace {

/* They start when there is work for them: four by default at most, and as many that are polite. */
constexpr uint64_t kMostEngines = 8;
constexpr unsigned kSurvivors = 3;
constexpr unsigned kSecond = 1000;
/* Where a client finds its page. */
constexpr const char *kBoardFd = "3";

struct Options {
	std::string firmware;
	unsigned client_kills = 20;
	unsigned firmware_kills = 5;
	unsigned deadline_ms = kSecond;
	unsigned seed = 1;
};

struct Counts {
	uint64_t kills = 0;
	uint64_t rounds = 0;
	uint64_t hangs = 0;
	uint64_t wrong = 0;
	uint64_t failures = 0;
	uint64_t leaks = 0;
	uint64_t slowest_ns = 0;
};

std::string self()
{
	char path[4096];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));

	return std::string(path, length > 0 ? static_cast<size_t>(length) : 0);
}

pid_t start(const std::vector<std::string> &words, int board_fd, int ready)
{
	posix_spawn_file_actions_t actions;
	std::vector<char *> argv;
	pid_t pid = -1;

	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	posix_spawn_file_actions_init(&actions);
	if (ready >= 0)
		posix_spawn_file_actions_adddup2(&actions, ready, 4);
	if (board_fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, board_fd, 3);
	if (posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0)
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

/* Returns false when the process is still there after so long; it is killed then. */
bool ends_within(pid_t pid, unsigned ms, int &status)
{
	if (pid <= 0)
		return false;
	for (unsigned waited = 0;; ++waited) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return true;
		if (waited >= ms)
			break;
		usleep(1000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return false;
}

/* A firmware at a path of its own. */
class Firmware {
public:
	Firmware(const Options &options, const Folder &folder)
		: options_(options), path_(folder.file("firmware"))
	{
		setenv("UNPU_DEVICE", ("unix:" + path_).c_str(), 1);
	}

	bool start();
	void die();
	int stop();
	pid_t pid() const { return pid_; }

private:
	const Options &options_;
	const std::string path_;
	pid_t pid_ = -1;
};

bool Firmware::start()
{
	constexpr int kPatienceMs = 30000;
	sockaddr_un name = {};
	socklen_t bytes = sizeof(name);
	const int manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char text[256] = {};

	name.sun_family = AF_UNIX;
	if (bind(manager, reinterpret_cast<sockaddr *>(&name), sizeof(name.sun_family)) != 0)
		return false;
	getsockname(manager, reinterpret_cast<sockaddr *>(&name), &bytes);
	setenv("NOTIFY_SOCKET",
	       ("@" + std::string(name.sun_path + 1, bytes - offsetof(sockaddr_un, sun_path) - 1))
		       .c_str(),
	       1);
	pid_ = stress::start({options_.firmware, "--listen", path_, "--memory", "2G", "--engines",
			      "1", "--log-level", "error"},
			     -1, -1);
	unsetenv("NOTIFY_SOCKET");
	pollfd entry = {manager, POLLIN, 0};
	const bool ready = pid_ > 0 && poll(&entry, 1, kPatienceMs) == 1 &&
			   recv(manager, text, sizeof(text) - 1, 0) > 0 &&
			   strncmp(text, "READY=1", 7) == 0;

	close(manager);
	return ready;
}

void Firmware::die()
{
	if (pid_ <= 0)
		return;
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
}

int Firmware::stop()
{
	int status = 0;

	if (pid_ <= 0)
		return -1;
	kill(pid_, SIGTERM);
	if (!ends_within(pid_, 10 * kSecond, status))
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* How many clients the firmware has; -1 when it does not say. */
int clients_of_firmware()
{
	std::string text(1 << 20, 0);
	size_t needed = 0;
	int count = 0;

	if (unpu_snapshot(0, text.data(), text.size(), &needed) != 0)
		return -1;
	for (size_t at = text.find("\"client\":"); at != text.npos;
	     at = text.find("\"client\":", at + 1))
		++count;
	return count;
}

class Driver {
public:
	explicit Driver(const Options &options);
	~Driver();

	bool run();

private:
	bool kill_clients();
	bool kill_firmwares();
	bool kill_one_client();
	bool kill_one_firmware(unsigned number);
	void open_board();
	void start_survivors();
	void end_survivors(Counts &counts, bool census_too);
	bool wait_for(uint64_t ms, const std::function<bool()> &what) const;
	void settle(Counts &counts, const Census &before);
	bool print(const char *what, const Counts &counts) const;

	const Options options_;
	std::mt19937 random_;
	const Folder folder_;
	int board_fd_ = -1;
	Board *board_ = nullptr;
	std::vector<pid_t> survivors_;
	std::unique_ptr<Firmware> firmware_;
};

Driver::Driver(const Options &options) : options_(options), random_(options.seed)
{
	board_fd_ = memfd_create("board", MFD_CLOEXEC);
	if (ftruncate(board_fd_, sizeof(Board)) != 0)
		abort();
	board_ = static_cast<Board *>(
		mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, board_fd_, 0));
	firmware_ = std::make_unique<Firmware>(options_, folder_);
}

Driver::~Driver()
{
	munmap(board_, sizeof(Board));
	close(board_fd_);
}

void Driver::open_board()
{
	new (board_) Board{};
	board_->deadline_ns = uint64_t{options_.deadline_ms} * 1000000;
}

bool Driver::wait_for(uint64_t ms, const std::function<bool()> &what) const
{
	const uint64_t end_ns = now_ns() + ms * 1000000;

	while (!what()) {
		if (now_ns() > end_ns)
			return false;
		usleep(500);
	}
	return true;
}

void Driver::start_survivors()
{
	open_board();
	survivors_.clear();
	for (unsigned i = 0; i < kSurvivors; ++i)
		survivors_.push_back(start(
			{self(), "survivor", std::to_string(i), std::to_string(options_.seed + i)},
			board_fd_, -1));
	(void)wait_for(60 * kSecond, [this] {
		for (unsigned i = 0; i < kSurvivors; ++i) {
			if (board_->seats[i].rounds < 5)
				return false;
		}
		return true;
	});
}

void Driver::end_survivors(Counts &counts, bool census_too)
{
	board_->stop = 1;
	for (unsigned i = 0; i < kSurvivors; ++i) {
		const Seat &seat = board_->seats[i];
		int status = 0;

		if (!ends_within(survivors_[i], 20 * options_.deadline_ms, status)) {
			fprintf(stderr, "survivor %u does not end\n", i);
			++counts.hangs;
		} else if (status != 0) {
			fprintf(stderr, "survivor %u ended with %#x\n", i, status);
			++counts.failures;
		}
		counts.rounds += seat.rounds;
		counts.hangs += seat.hangs;
		counts.wrong += seat.wrong;
		counts.failures += seat.failures;
		counts.slowest_ns = std::max(counts.slowest_ns, seat.slowest_ns.load());
		if (!census_too)
			continue;
		const auto grew = [&](const char *what, const std::atomic<uint64_t>(&pair)[2]) {
			if (pair[1] <= pair[0])
				return;
			fprintf(stderr, "survivor %u: %s: %ju at first, %ju at last\n", i, what,
				uintmax_t(pair[0]), uintmax_t(pair[1]));
			++counts.leaks;
		};
		grew("descriptors", seat.fds);
		grew("threads", seat.threads);
		grew("memfd bytes", seat.memfd_bytes);
	}
}

bool Driver::kill_one_client()
{
	int ready[2];
	int status = 0;
	char byte = 0;

	if (pipe2(ready, O_CLOEXEC) != 0)
		return false;
	const pid_t pid = start({self(), "victim", std::to_string(random_() % kVictimKinds),
				 std::to_string(random_())},
				-1, ready[1]);

	close(ready[1]);
	if (pid <= 0) {
		close(ready[0]);
		return false;
	}
	/* One in four is killed on its way in. */
	if (random_() % 4 != 0) {
		pollfd entry = {ready[0], POLLIN, 0};

		if (poll(&entry, 1, 30 * kSecond) != 1 || read(ready[0], &byte, 1) != 1)
			fprintf(stderr, "a victim did not get a device\n");
		usleep(random_() % 8000);
	} else {
		usleep(random_() % 40000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(ready[0]);
	return true;
}

/* All that died is gone from the firmware. */
void Driver::settle(Counts &counts, const Census &before)
{
	if (!wait_for(options_.deadline_ms, [] { return clients_of_firmware() == 0; })) {
		fprintf(stderr, "the firmware has %d clients left\n", clients_of_firmware());
		++counts.leaks;
	}
	Census after;
	const auto clean = [&] {
		after = census(firmware_->pid());
		return after.fds <= before.fds && after.threads <= before.threads &&
		       after.engines <= kMostEngines && after.memfd_bytes <= before.memfd_bytes;
	};

	(void)wait_for(options_.deadline_ms, clean);
	printf("  firmware: descriptors %ju -> %ju, threads %ju -> %ju, %ju engines, "
	       "memfd bytes %ju -> %ju\n",
	       uintmax_t(before.fds), uintmax_t(after.fds), uintmax_t(before.threads),
	       uintmax_t(after.threads), uintmax_t(after.engines), uintmax_t(before.memfd_bytes),
	       uintmax_t(after.memfd_bytes));
	counts.leaks += !clean();
}

bool Driver::print(const char *what, const Counts &counts) const
{
	printf("%ju kills of %s: %ju hangs, %ju leaks, %ju wrong results, %ju failed calls in %ju "
	       "rounds of %u survivors; the slowest took %ju ms of %u\n",
	       uintmax_t(counts.kills), what, uintmax_t(counts.hangs), uintmax_t(counts.leaks),
	       uintmax_t(counts.wrong), uintmax_t(counts.failures), uintmax_t(counts.rounds),
	       kSurvivors, uintmax_t(counts.slowest_ns / 1000000), options_.deadline_ms);
	fflush(stdout);
	return counts.hangs + counts.leaks + counts.wrong + counts.failures == 0;
}

bool Driver::kill_clients()
{
	Counts counts;

	if (!firmware_->start())
		return false;
	/* Threads that the firmware starts with the first work are no leak. */
	for (unsigned i = 0; i < 2 * kVictimKinds; ++i)
		(void)kill_one_client();
	(void)wait_for(10 * kSecond, [] { return clients_of_firmware() == 0; });
	usleep(50000);
	const Census before = census(firmware_->pid());

	start_survivors();
	for (; counts.kills < options_.client_kills; ++counts.kills) {
		if (!kill_one_client())
			++counts.failures;
	}
	end_survivors(counts, true);
	settle(counts, before);
	if (firmware_->stop() != 0)
		++counts.failures;
	return print("clients", counts);
}

bool Driver::kill_one_firmware(unsigned number)
{
	usleep(random_() % 30000);
	board_->killed_ns = now_ns();
	board_->killed = number;
	firmware_->die();
	usleep(random_() % 5000);
	if (!firmware_->start())
		return false;
	return wait_for(20 * options_.deadline_ms, [&] {
		for (unsigned i = 0; i < kSurvivors; ++i) {
			if (board_->seats[i].comebacks < number)
				return false;
		}
		return true;
	});
}

bool Driver::kill_firmwares()
{
	Counts counts;

	if (!firmware_->start())
		return false;
	start_survivors();
	while (counts.kills < options_.firmware_kills) {
		++counts.kills;
		if (kill_one_firmware(static_cast<unsigned>(counts.kills)))
			continue;
		fprintf(stderr, "after kill %ju not everybody came back\n",
			uintmax_t(counts.kills));
		++counts.hangs;
		break;
	}
	end_survivors(counts, true);
	if (firmware_->stop() != 0)
		++counts.failures;
	return print("firmwares", counts);
}

bool Driver::run()
{
	bool good = true;

	if (options_.client_kills)
		good = kill_clients() && good;
	if (options_.firmware_kills)
		good = kill_firmwares() && good;
	return good;
}

bool read_options(int argc, char **argv, Options &options)
{
	if (argc < 2)
		return false;
	options.firmware = argv[1];
	for (int i = 2; i + 1 < argc; i += 2) {
		const std::string name = argv[i];
		unsigned *value = name == "--client-kills"     ? &options.client_kills
				  : name == "--firmware-kills" ? &options.firmware_kills
				  : name == "--deadline-ms"    ? &options.deadline_ms
				  : name == "--seed"	       ? &options.seed
							       : nullptr;

		if (!value)
			return false;
		*value = static_cast<unsigned>(strtoul(argv[i + 1], nullptr, 0));
	}
	return argc % 2 == 0;
}

Board *find_board()
{
	void *page =
		mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(kBoardFd), 0);

	return page == MAP_FAILED ? nullptr : static_cast<Board *>(page);
}

} // namespace

} // namespace stress

int main(int argc, char **argv)
{
	stress::Options options;

	if (argc == 4 && strcmp(argv[1], "victim") == 0)
		stress::be_victim(4, static_cast<unsigned>(atoi(argv[2])), 0);
	if (argc == 4 && strcmp(argv[1], "survivor") == 0) {
		stress::Board *board = stress::find_board();
		const auto number = static_cast<unsigned>(atoi(argv[2]));
		const auto seed = static_cast<unsigned>(strtoul(argv[3], nullptr, 0));

		if (!board)
			return 3;
		/* The last one uses the other interface. */
		return number + 1 == stress::kSurvivors
			       ? stress::stay_with_cuda(*board, number, seed)
			       : stress::stay(*board, number, seed);
	}
	if (!stress::read_options(argc, argv, options)) {
		fprintf(stderr,
			"usage: %s FIRMWARE-SIM [--client-kills N] [--firmware-kills N] "
			"[--deadline-ms N] [--seed N]\n",
			argv[0]);
		return 2;
	}
	return stress::Driver(options).run() ? 0 : 1;
}
