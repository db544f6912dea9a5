// SPDX-License-Identifier: MIT
/**
 * DOC: Heavy fences that are refused
 *
 * A filter of system calls that is installed after the first fence takes membarrier away, when the light
 * sides pass no fences any more. The heavy side has to make up for it, or to end the process.
 */
#include <csignal>
#include <cstddef>
#include <memory>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abilities.h"
#include "base/sync/biased_lock.h"
#include "hammer.h"

namespace {

using namespace litmus;

/* From now on the kernel refuses these calls to all threads of the process. */
bool refuse(uint32_t first, uint32_t second)
{
	sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const sock_fprog program{std::size(filter), filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
		       &program) == 0;
}

struct alignas(64) Guarded {
	base::BiasedLock lock{"test"};
	alignas(64) uint64_t count = 0;

	void enter()
	{
		base::BiasedGuard guard(lock);
		base::store_relaxed(count, base::load_relaxed(count) + 1);
	}
};

/* Return: rounds in which two threads were inside at once and lost a count. */
uint64_t take_locks_over(unsigned rounds)
{
	constexpr unsigned TURNS = 64;
	std::vector<std::unique_ptr<Guarded>> locks;
	for (unsigned i = 0; i < rounds; i++)
		locks.push_back(std::make_unique<Guarded>());
	uint64_t owner_at = 0;
	std::thread owner([&] {
		for (unsigned i = 0; i < rounds; i++) {
			locks[i]->enter();
			base::store_release(owner_at, uint64_t{i + 1});
			for (unsigned k = 1; k < TURNS; k++)
				locks[i]->enter();
		}
	});
	Jitter jitter(3);
	for (unsigned i = 0; i < rounds; i++) {
		if (!until([&] { return base::load_acquire(owner_at) > i; }))
			break;
		jitter.pause();
		locks[i]->enter();
	}
	owner.join();
	uint64_t lost = 0;
	for (const auto &lock : locks)
		lost += lock->count != TURNS + 1;
	return lost;
}

bool works_without()
{
	cpu_set_t before, after;
	const bool asked = sched_getaffinity(0, sizeof(before), &before) == 0;
	base::light_fence();
	if (!asked || !refuse(__NR_membarrier, __NR_membarrier))
		return false;
	const bool whole = take_locks_over(500) == 0;
	return whole && sched_getaffinity(0, sizeof(after), &after) == 0 &&
	       CPU_EQUAL(&before, &after);
}

TEST(RefusedFence, IsMadeByAVisitToEachCpu)
{
	if (!base::heavy_fence_available())
		GTEST_SKIP() << "this build or kernel has no membarrier";
	SKIP_WITHOUT_CALL_FILTERS();
	const pid_t child = fork();
	if (child == 0)
		_exit(works_without() ? 0 : 1);
	int status = -1;
	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(status, 0);
}

TEST(RefusedFenceDeathTest, EndsTheProcessWhereThatIsRefusedToo)
{
	if (!base::heavy_fence_available())
		GTEST_SKIP() << "this build or kernel has no membarrier";
	SKIP_WITHOUT_CALL_FILTERS();
	EXPECT_EXIT(
		{
			if (refuse(__NR_membarrier, __NR_sched_setaffinity))
				base::heavy_fence();
			_exit(1);
		},
		testing::KilledBySignal(SIGABRT), "does not allow membarrier");
}

} // namespace
