// SPDX-License-Identifier: MIT
/*
 * DOC: A storm of bad kernels on one firmware
 *
 * Eight programs run kernels that crash, trap, loop, lie and scribble, beside one whose results are checked. It runs
 * under tests/with_firmware.py. Afterwards the firmware has neither workers nor threads, files or memory of them.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abilities.h"
#include "storm.h"

using namespace storm;

namespace {

constexpr unsigned PROGRAMS = 8;
constexpr uint64_t BLOCKS = 100;
/* What an allocator may keep. */
constexpr uint64_t KEPT_KB = 32 << 10, SHARED_KB = 4 << 10;
/* The thread that frees much memory starts when there is some. */
constexpr unsigned LAZY_THREADS = 1;
constexpr int SETTLE_MS = 10000, LOOK_MS = 10;

/* Whether the firmware has no more than @before; nullptr: no worker. */
bool is_settled(const Daemon &now, const Daemon *before)
{
	return now.workers == 0 && (!before || (now.threads <= before->threads + LAZY_THREADS &&
						now.files <= before->files &&
						now.shared_kb <= before->shared_kb + SHARED_KB));
}

/* The firmware notices a moment later that a program has ended. This sleeps in poll() on a pipe without data. */
Daemon settle(const Daemon *before)
{
	int ends[2];
	if (pipe(ends) != 0)
		std::exit(2);
	Daemon now = Daemon::look();
	for (int left = SETTLE_MS; left > 0 && !is_settled(now, before); left -= LOOK_MS) {
		pollfd nothing{ends[0], POLLIN, 0};
		(void)poll(&nothing, 1, LOOK_MS);
		now = Daemon::look();
	}
	close(ends[0]);
	close(ends[1]);
	return now;
}

/* One launch whose results are known. Return: how many of them are wrong. */
unsigned check_once(const Program &program)
{
	uint64_t words[BLOCKS] = {};
	program.write(words, BLOCKS);
	unsigned wrong = program.run("blocks", BLOCKS,
				     {reinterpret_cast<uint64_t>(program.memory)}) != ACL_SUCCESS;
	program.read(words, BLOCKS);
	for (uint64_t i = 0; i < BLOCKS; i++)
		wrong += words[i] != 1 + i + (BLOCKS << 32);
	return wrong;
}

/* Runs a program of its own. */
pid_t start(unsigned seed, unsigned kernels)
{
	const pid_t pid = fork();
	if (pid == 0)
		std::exit(be_bad(seed, kernels) == 0 ? 0 : 1);
	return pid;
}

/* Runs good kernels until all programs have ended. Return: how many things were wrong. */
unsigned run(unsigned kernels)
{
	std::vector<pid_t> bad;
	for (unsigned i = 0; i < PROGRAMS; i++)
		bad.push_back(start(i * 3, kernels / PROGRAMS + (i < kernels % PROGRAMS)));
	unsigned wrong = 0, launches = 0, failed = 0;
	{
		const Program good;
		while (!bad.empty()) {
			wrong += check_once(good);
			launches++;
			int how = 0;
			if (waitpid(bad.back(), &how, WNOHANG) <= 0)
				continue;
			failed += !WIFEXITED(how) || WEXITSTATUS(how) != 0;
			bad.pop_back();
		}
	}
	std::printf("%u bad kernels of %u programs, %u of them not as told; %u good launches, %u "
		    "wrong\n",
		    kernels, PROGRAMS, failed, launches, wrong);
	return wrong + failed;
}

} // namespace

int main(int argc, char **argv)
{
	const bool has_count = argc == 3 && std::strcmp(argv[1], "--kernels") == 0;
	const unsigned kernels =
		has_count ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 1000;
	if (!can_confine()) {
		std::printf("skipped: this kernel can't confine a process, so that no kernel of a "
			    "user runs\n");
		return 77;
	}
	/* The firmware's threads and libraries that come with the first kernel. This process must not open the device
	 * before it forks. */
	int how = 0;
	waitpid(start(2, 1), &how, 0);
	const Daemon before = settle(nullptr);
	const unsigned wrong = run(kernels);
	const Daemon after = settle(&before);
	std::printf("workers %u, threads %u and %u before, files %u and %u before, memory %llu KiB "
		    "and %llu before, "
		    "shared %llu KiB and %llu before\n",
		    after.workers, after.threads, before.threads, after.files, before.files,
		    static_cast<unsigned long long>(after.anonymous_kb),
		    static_cast<unsigned long long>(before.anonymous_kb),
		    static_cast<unsigned long long>(after.shared_kb),
		    static_cast<unsigned long long>(before.shared_kb));
	const bool is_clean =
		is_settled(after, &before) && after.anonymous_kb <= before.anonymous_kb + KEPT_KB;
	return wrong == 0 && is_clean ? 0 : 1;
}
