// SPDX-License-Identifier: MIT
/*
 * DOC: Soak
 *
 *	unpu_soak FIRMWARE-SIM [--seconds N] [--seed N] [--max-ms N] [--only SHAPE]
 *		[--misuse] [--no-misuse] [--stacks] [--episode SEED]
 *
 * Runs episodes, one process each, for so many seconds. An episode draws a device string, CPUs and
 * some threads, and each thread repeats a shape: something that a legal program does, or a misuse
 * that has to end in an error code. An episode is bad when it crashes, when it hangs, or when a call
 * or a result was wrong. The seeds of bad episodes are printed; --episode runs one of them again in
 * this process, for a debugger. --stacks asks gdb for the stacks of an episode that hangs.
 */
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "episode.h"
#include "folder.h"
#include "plan.h"
#include "stacks.h"

extern char **environ;

namespace {

using Clock = std::chrono::steady_clock;

/* An episode's own look at its threads comes first. */
constexpr unsigned kHungMs = 240000;

struct Options {
	std::string firmware;
	unsigned seconds = 10;
	uint64_t seed = 1;
	soak::Wishes wishes;
	std::optional<uint64_t> episode;
};

pid_t start(const std::vector<std::string> &words)
{
	std::vector<char *> argv;
	pid_t pid = -1;

	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	return posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ) == 0 ? pid : -1;
}

/* Return: false when the process has not ended after so long. */
bool ends_within(pid_t pid, unsigned ms, int &status)
{
	const auto end = Clock::now() + std::chrono::milliseconds(ms);

	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (Clock::now() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* class Daemon - a firmware-sim for one episode. */
class Daemon {
public:
	Daemon(const Options &options, const soak::Plan &plan, const Folder &folder)
		: path_(folder.file("npu-" + std::to_string(plan.seed))),
		  pid_(start({options.firmware, "--listen", path_, "--devices",
			      std::to_string(plan.devices), "--memory", "2G"}))
	{
		for (int i = 0; i < 10000 && access(path_.c_str(), F_OK) != 0; i++)
			usleep(1000);
	}
	Daemon(const Daemon &) = delete;
	Daemon &operator=(const Daemon &) = delete;

	std::string device() const { return "unix:" + path_; }

	/* stop() - Return: whether it ended as asked, and well. */
	bool stop()
	{
		int status = 0;

		if (pid_ < 0)
			return false;
		kill(pid_, SIGTERM);
		if (!ends_within(pid_, 30000, status)) {
			kill(pid_, SIGKILL);
			waitpid(pid_, &status, 0);
			return false;
		}
		return WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}

private:
	std::string path_;
	pid_t pid_;
};

/* Return: why the episode is bad, or "". */
std::string run(const Options &options, const soak::Plan &plan, const std::string &device)
{
	std::vector<std::string> words = {"/proc/self/exe", options.firmware,
					  "--episode",	    std::to_string(plan.seed),
					  "--max-ms",	    std::to_string(options.wishes.max_ms)};
	int status = 0;

	if (!options.wishes.only.empty())
		words.insert(words.end(), {"--only", options.wishes.only});
	if (options.wishes.no_misuse)
		words.push_back("--no-misuse");
	if (options.wishes.all_misuse)
		words.push_back("--misuse");
	if (options.wishes.wants_stacks)
		words.push_back("--stacks");
	setenv("UNPU_DEVICE", device.c_str(), 1);
	const pid_t pid = start(words);
	if (pid < 0)
		return "it could not be started";
	if (!ends_within(pid, kHungMs, status)) {
		if (options.wishes.wants_stacks)
			soak::print_stacks(pid);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		return "it hung";
	}
	if (WIFSIGNALED(status))
		return std::string("it crashed: ") + strsignal(WTERMSIG(status));
	switch (WEXITSTATUS(status)) {
	case soak::GOOD:
		return "";
	case soak::FAULTY:
		return "a call or a result was wrong";
	case soak::STUCK:
		return "a thread was stuck";
	default:
		return "it ended with " + std::to_string(WEXITSTATUS(status));
	}
}

std::string run_plan(const Options &options, const soak::Plan &plan, const Folder &folder)
{
	if (!plan.needs_daemon)
		return run(options, plan, plan.device);
	Daemon daemon(options, plan, folder);
	std::string why = run(options, plan, daemon.device());
	if (!daemon.stop() && why.empty())
		why = "its firmware-sim did not end well";
	return why;
}

int run_all(const Options &options)
{
	const auto end = Clock::now() + std::chrono::seconds(options.seconds);
	const Folder folder;
	unsigned good = 0;
	unsigned bad = 0;

	for (uint64_t seed = options.seed; Clock::now() < end; seed++) {
		const soak::Plan plan = soak::draw_plan(seed, options.wishes);
		if (plan.roles.empty())
			continue;
		printf("%s\n", soak::describe(plan).c_str());
		fflush(stdout);
		const std::string why = run_plan(options, plan, folder);
		if (why.empty()) {
			good++;
			continue;
		}
		bad++;
		printf("BAD: seed %lu: %s\n", static_cast<unsigned long>(seed), why.c_str());
		fflush(stdout);
	}
	printf("%u episodes were good, %u were bad\n", good, bad);
	return bad == 0 && good > 0 ? 0 : 1;
}

int run_one(const Options &options)
{
	const soak::Plan plan = soak::draw_plan(*options.episode, options.wishes);

	/* A daemon is the caller's: UNPU_DEVICE names it. */
	if (!plan.needs_daemon)
		setenv("UNPU_DEVICE", plan.device.c_str(), 1);
	return soak::run_episode(plan);
}

bool *find_flag(const std::string &word, soak::Wishes &wishes)
{
	if (word == "--misuse")
		return &wishes.all_misuse;
	if (word == "--no-misuse")
		return &wishes.no_misuse;
	return word == "--stacks" ? &wishes.wants_stacks : nullptr;
}

bool parse(int argc, char **argv, Options &options)
{
	if (argc < 2)
		return false;
	options.firmware = argv[1];
	if (access(argv[1], X_OK) != 0)
		return false;
	for (int i = 2; i < argc; i++) {
		const std::string word = argv[i];
		const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
		if (bool *flag = find_flag(word, options.wishes)) {
			*flag = true;
			continue;
		}
		if (!value)
			return false;
		if (word == "--seconds")
			options.seconds = static_cast<unsigned>(strtoul(value, nullptr, 10));
		else if (word == "--seed")
			options.seed = strtoull(value, nullptr, 10);
		else if (word == "--max-ms")
			options.wishes.max_ms = static_cast<unsigned>(strtoul(value, nullptr, 10));
		else if (word == "--only")
			options.wishes.only = value;
		else if (word == "--episode")
			options.episode = strtoull(value, nullptr, 10);
		else
			return false;
		i++;
	}
	return true;
}

} // namespace

int main(int argc, char **argv)
{
	Options options;

	if (!parse(argc, argv, options)) {
		fprintf(stderr,
			"usage: unpu_soak FIRMWARE-SIM [--seconds N] [--seed N] [--max-ms N] "
			"[--only SHAPE] [--misuse] [--no-misuse] [--stacks] [--episode SEED]\n");
		return 2;
	}
	return options.episode ? run_one(options) : run_all(options);
}
