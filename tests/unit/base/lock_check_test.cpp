// SPDX-License-Identifier: MIT
/*
 * DOC: Lock checker, tested
 *
 * In a build that checks the rules for locks, a process that breaks a rule ends with a sentence
 * that names the lock and the wait. A build without the checks does not contain them.
 */
#include <gtest/gtest.h>

#include "base/sync/biased_lock.h"
#include "base/sync/mutex.h"
#include "drv/channel/channel.h"
#include "drv/device.h"
#include "drv/packet/packets.h"
#include "hal/options.h"

namespace {

using base::HeldOver;
using base::Mutex;
using base::RecursiveMutex;
using base::Wait;

#ifndef UNPU_LOCK_CHECK
static_assert(sizeof(Mutex) == sizeof(std::mutex) && alignof(Mutex) == alignof(std::mutex));
static_assert(sizeof(RecursiveMutex) == sizeof(std::recursive_mutex));
static_assert(std::is_empty_v<base::LockMark>);
static_assert(std::is_trivially_destructible_v<Mutex>);
#else

TEST(LockCheck, WaitsWithoutALockAreAllowed)
{
	Mutex mutex("test");
	{
		std::lock_guard lock(mutex);
	}
	base::assert_unlocked("work");
	base::assert_unlocked("an answer", Wait::ANSWER);
}

TEST(LockCheck, AWaitUnderALockEndsTheProcessAndNamesBoth)
{
	Mutex mutex("test");
	std::lock_guard lock(mutex);
	EXPECT_DEATH(base::assert_unlocked("work"), "waits for work and holds the lock test");
	EXPECT_DEATH(base::assert_unlocked("a reply", Wait::ANSWER),
		     "waits for a reply and holds the lock test");
}

TEST(LockCheck, ALockThatAllowsAnswersForbidsWork)
{
	Mutex mutex("test", HeldOver::ANSWERS);
	std::lock_guard lock(mutex);
	base::assert_unlocked("a reply", Wait::ANSWER);
	EXPECT_DEATH(base::assert_unlocked("work"), "waits for work and holds the lock test");
}

TEST(LockCheck, ALockThatAllowsWorkForbidsNothing)
{
	Mutex mutex("test", HeldOver::WORK);
	std::lock_guard lock(mutex);
	base::assert_unlocked("work");
}

TEST(LockCheck, ABiasedLockIsCheckedToo)
{
	base::BiasedLock owned("test");
	base::BiasedGuard lock(owned);
	EXPECT_DEATH(base::assert_unlocked("work"), "waits for work and holds the lock test");
	lock.unlock();
	base::assert_unlocked("work");
}

TEST(LockCheck, LocksAreTakenInTheirOrder)
{
	Mutex context("Context::mutex");
	Mutex channel("Channel::lock_");
	Mutex inner("an inner lock");
	std::lock_guard one(context);
	std::lock_guard other(channel);
	std::lock_guard last(inner);
}

TEST(LockCheck, ALockAgainstTheOrderEndsTheProcessAndNamesBoth)
{
	Mutex context("Context::mutex");
	Mutex channel("Channel::lock_");
	std::lock_guard lock(channel);
	EXPECT_DEATH(context.lock(),
		     "holds the lock Channel::lock_ and takes Context::mutex, against");
}

TEST(LockCheck, TwoLocksOfOneKindHaveNoOrder)
{
	Mutex one("Context::mutex");
	Mutex other("Context::mutex");
	std::lock_guard lock(one);
	EXPECT_DEATH(other.lock(),
		     "holds the lock Context::mutex and takes Context::mutex, against");
}

TEST(LockCheck, TheHolderOfAnInnerLockTakesNoOther)
{
	Mutex inner("an inner lock");
	Mutex another("another inner lock");
	std::lock_guard lock(inner);
	EXPECT_DEATH(another.lock(), "holds the lock an inner lock and takes another inner lock");
}

TEST(LockCheck, LocksMayBeGivenBackInAnyOrder)
{
	Mutex first("Context::mutex");
	Mutex second("Channel::lock_");
	std::unique_lock one(first);
	std::unique_lock other(second, std::try_to_lock);
	one.unlock();
	EXPECT_DEATH(base::assert_unlocked("work"), "holds the lock Channel::lock_");
	other.unlock();
	base::assert_unlocked("work");
}

TEST(LockCheck, ARecursiveLockIsHeldUntilTheLastUnlock)
{
	RecursiveMutex mutex("test");
	std::unique_lock one(mutex);
	std::unique_lock other(mutex);
	other.unlock();
	EXPECT_DEATH(base::assert_unlocked("work"), "holds the lock test");
	one.unlock();
	base::assert_unlocked("work");
}

TEST(LockCheck, AThreadThatLocksAMutexTwiceEndsTheProcess)
{
	Mutex mutex("test");
	std::lock_guard lock(mutex);
	EXPECT_DEATH(mutex.lock(), "locks test, which it holds already");
}

/* The places where threads wait have the check: one of each kind. */
TEST(LockCheck, WaitsOfTheDriverAreChecked)
{
	hal::Options options;
	options.backend = hal::Backend::STEP;
	std::string why;
	auto device = drv::Device::open(options, 0, why);
	ASSERT_TRUE(device) << why;
	auto channel = drv::Channel::create(**device, {});
	ASSERT_TRUE(channel);
	Mutex mutex("test");
	std::lock_guard lock(mutex);
	EXPECT_DEATH((void)(*device)->wait((*channel)->last(), base::NO_DEADLINE),
		     "waits for work of the device and holds the lock test");
	EXPECT_DEATH((void)(*channel)->submit(drv::nop_packet(0)),
		     "waits for room in a ring and holds the lock test");
	EXPECT_DEATH((void)(*device)->memory_info(),
		     "waits for a reply to a request and holds the lock test");
}

#endif

} // namespace
