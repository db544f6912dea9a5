// SPDX-License-Identifier: MIT
/*
 * DOC: Waits for a device that is made up, tested
 *
 * What a thread does that waits, and for how long, when each turn of the device is known.
 */
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "hal/device.h"
#include "tests/common/abilities.h"

namespace {

using base::Status;

constexpr uint32_t SEM = UNPU_SEM_FIRST_FREE;

/* class MadeUp - a device of which nothing is there but the memory. */
class MadeUp final : public hal::Device, public hal::Stepper {
public:
	MadeUp(hal::CallerRuns mode, uint64_t spin_ns)
	{
		stepper_ = this;
		bar_ = base::map_private_zeroed(sizeof(unpu_bar)).take();
		completion_ = base::map_private_zeroed(sizeof(unpu_completion)).take();
		client_ = base::map_private_zeroed(sizeof(unpu_client)).take();
		fence_ = base::process_scope();
		waits_.configure(mode, spin_ns, false);
	}

	base::Result<hal::SharedSegment> take_segment(uint64_t) override
	{
		return Status::NOT_SUPPORTED;
	}
	base::Result<hal::GivenFile> give_file(const base::Fd &, const base::Fd &,
					       uint32_t) override
	{
		return Status::NOT_SUPPORTED;
	}
	base::Result<std::string> snapshot() override { return Status::NOT_SUPPORTED; }
	void kick() override
	{
		kicks++;
		base::store_relaxed(bar_.as<unpu_bar>()->heartbeat, uint64_t{1 + beats * kicks});
	}
	Turn run_turn(bool) override { return turn(); }

	/** be_asked() - the device is silent until it is kicked; @answers: and beats then. */
	void be_asked(uint64_t patience_ns, bool answers)
	{
		patience_ns_ = patience_ns;
		beats = answers;
		base::store_relaxed(bar_.as<unpu_bar>()->heartbeat, uint64_t{1});
	}

	std::function<Turn()> turn = [] { return Turn::LEFT; };
	unsigned kicks = 0;
	unsigned beats = 0;
};

TEST(Waits, ThatMoveTheDeviceEndAfterTheTurnInWhichTheirTimeIsOver)
{
	constexpr uint64_t TURN_NS = 5 * base::NS_PER_MS;
	/* The clock of turns is that of the kernel's ticks. */
	constexpr uint64_t TICKS_NS = 25 * base::NS_PER_MS;
	MadeUp device(hal::CallerRuns::ON, 0);
	const uint64_t deadline_ns = base::deadline_after(4 * TURN_NS);
	unsigned turns = 0, late = 0;
	device.turn = [&] {
		turns++;
		late += base::now_ns() > deadline_ns + TICKS_NS;
		for (const uint64_t end_ns = base::deadline_after(TURN_NS);
		     base::now_ns() < end_ns;)
			base::cpu_relax();
		return hal::Stepper::Turn::WORKED;
	};
	EXPECT_EQ(hal::wait_semaphore(device, SEM, 1, deadline_ns), Status::TIMEOUT);
	EXPECT_GE(turns, 1u);
	EXPECT_LE(late, 1u);
}

TEST(Waits, ThatAreNotToPollDoNotPollForAnotherCallerEither)
{
	MadeUp device(hal::CallerRuns::ON, base::NS_PER_S);
	unsigned turns = 0;
	device.turn = [&] {
		turns++;
		return hal::Stepper::Turn::TAKEN;
	};
	const uint64_t deadline_ns = base::deadline_after(50 * base::NS_PER_MS);
	EXPECT_EQ(hal::wait_semaphore(device, SEM, 1, deadline_ns, hal::WaitWay::SLEEP),
		  Status::TIMEOUT);
	EXPECT_LE(turns, 2u);
}

/* How often the thread went to sleep by itself. */
long sleeps()
{
	rusage used{};
	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nvcsw;
}

TEST(Waits, ThatPollToTheEndDoNotSleep)
{
	MadeUp device(hal::CallerRuns::OFF, 0);
	for (hal::WaitWay way : {hal::WaitWay::SPIN, hal::WaitWay::YIELD}) {
		const long before = sleeps();
		const uint64_t deadline_ns = base::deadline_after(5 * base::NS_PER_MS);
		EXPECT_EQ(hal::wait_semaphore(device, SEM, 1, deadline_ns, way), Status::TIMEOUT);
		EXPECT_EQ(sleeps(), before);
	}
}

/* A thread that looks late, as one that got no CPU, has not asked the device meanwhile. */
TEST(Waits, ThatFindADeviceSilentAskItBeforeTheyGiveItUp)
{
	/* Less than the time between two looks. */
	constexpr uint64_t PATIENCE_NS = 100 * base::NS_PER_MS;
	MadeUp living(hal::CallerRuns::OFF, 0), dead(hal::CallerRuns::OFF, 0);
	living.be_asked(PATIENCE_NS, true);
	EXPECT_EQ(hal::wait_semaphore(living, SEM, 1, base::deadline_after(base::NS_PER_S),
				      hal::WaitWay::SLEEP),
		  Status::TIMEOUT);
	EXPECT_GE(living.kicks, 1u);
	dead.be_asked(PATIENCE_NS, false);
	EXPECT_EQ(hal::wait_semaphore(dead, SEM, 1, base::NO_DEADLINE, hal::WaitWay::SLEEP),
		  Status::DEVICE_LOST);
	EXPECT_GE(dead.kicks, 1u);
}

/* What the handler of a refused call sees. */
const uint64_t *sleepers = nullptr;
std::atomic<unsigned> fences{0};

void note_fence(int, siginfo_t *, void *context)
{
	auto &machine = static_cast<ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
	machine.gregs[REG_RAX] = 0;
#elif defined(__aarch64__)
	machine.regs[0] = 0;
#endif
	if (base::load_relaxed(*sleepers) != 0)
		fences++;
}

/* The calling thread's fences come to note_fence() from now on. */
bool trap_fences()
{
	sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const sock_fprog program{std::size(filter), filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* Without it the device may miss the sleeper, which no test can provoke on purpose (D2). */
TEST(Waits, ThatSleepPassAHeavyFenceAfterTheirEntry)
{
	if (base::process_scope() != base::FenceScope::PROCESS)
		GTEST_SKIP() << "this kernel has no membarrier";
	SKIP_WITHOUT_CALL_FILTERS();
	struct sigaction action = {}, before = {};
	action.sa_sigaction = note_fence;
	action.sa_flags = SA_SIGINFO;
	ASSERT_EQ(sigaction(SIGSYS, &action, &before), 0);
	MadeUp device(hal::CallerRuns::OFF, 0);
	sleepers = &device.client().semaphores[SEM].sleepers;
	std::thread([&] {
		ASSERT_TRUE(trap_fences());
		const uint64_t deadline_ns = base::deadline_after(base::NS_PER_MS);
		EXPECT_EQ(hal::wait_semaphore(device, SEM, 1, deadline_ns, hal::WaitWay::SLEEP),
			  Status::TIMEOUT);
	}).join();
	EXPECT_EQ(fences.load(), 1u);
	EXPECT_EQ(base::load_relaxed(*sleepers), 0u);
	EXPECT_EQ(sigaction(SIGSYS, &before, nullptr), 0);
}

} // namespace
