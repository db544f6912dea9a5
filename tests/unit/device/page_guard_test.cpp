// SPDX-License-Identifier: MIT
/*
 * DOC: guards of pages
 *
 * A file that becomes shorter under a mapping leaves a hole that the kernel cannot fill. The
 * guard's signal handler stays in a process, so each test runs in a process of its own.
 */
#include <gtest/gtest.h>

#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

#include "base/os/shm.h"
#include "firmware_sim/memory/page_guard.h"

namespace {

constexpr size_t PAGES = 4;

/* Pages that are there and then not. */
class Holes {
public:
	Holes() : fd_(memfd_create("holes", MFD_CLOEXEC))
	{
		const bool made = ftruncate(fd_.get(), PAGES * base::PAGE_BYTES) == 0;
		auto map = base::map_shared(fd_, PAGES * base::PAGE_BYTES, true, UNPU_PAGE_4K);
		if (!made || !map)
			_exit(99);
		map_ = map.take();
	}

	void make() const
	{
		if (ftruncate(fd_.get(), 0) != 0)
			_exit(99);
	}

	char &byte(size_t at) const { return map_.as<char>()[at]; }
	const std::byte *data() const { return map_.data(); }

private:
	base::Fd fd_;
	base::Mapping map_;
};

/* Return: 0, or which thing was wrong. */
int touch_holes()
{
	const Holes guarded;
	fw::PageGuard::install();
	fw::PageGuard guard = fw::PageGuard::take();
	fw::PageGuard other = fw::PageGuard::take();
	const Holes fine;
	if (!guard.valid() || !other.valid())
		return 1;
	guard.watch(guarded.data(), PAGES * base::PAGE_BYTES, base::PAGE_BYTES);
	other.watch(fine.data(), PAGES * base::PAGE_BYTES, base::PAGE_BYTES);
	guarded.byte(5000) = 7;
	if (guard.is_lost() || fw::PageGuard::lost_count() != 0)
		return 2;
	guarded.make();
	if (guarded.byte(5000) != 0)
		return 3;
	guarded.byte(5001) = 3;
	guarded.byte(3 * base::PAGE_BYTES) = 9;
	if (guarded.byte(5001) != 3 || guarded.byte(3 * base::PAGE_BYTES) != 9)
		return 4;
	return guard.is_lost() && !other.is_lost() && fw::PageGuard::lost_count() == 2 ? 0 : 5;
}

TEST(PageGuardDeathTest, GivesZerosForPagesThatAreGone)
{
	GTEST_FLAG_SET(death_test_style, "threadsafe");
	EXPECT_EXIT(_exit(touch_holes()), testing::ExitedWithCode(0), "");
}

/* An address without a guard, and one whose guard has ended. */
void touch_unguarded(bool after)
{
	const Holes holes;
	fw::PageGuard::install();
	if (after)
		fw::PageGuard::take().watch(holes.data(), PAGES * base::PAGE_BYTES,
					    base::PAGE_BYTES);
	holes.make();
	holes.byte(1) = 1;
	_exit(0);
}

TEST(PageGuardDeathTest, LeavesOtherAddressesToTheProcess)
{
	GTEST_FLAG_SET(death_test_style, "threadsafe");
	EXPECT_DEATH(touch_unguarded(false), "");
	EXPECT_DEATH(touch_unguarded(true), "");
}

TEST(PageGuard, IsAbsentUntilItIsInstalled)
{
	EXPECT_FALSE(fw::PageGuard::installed());
	EXPECT_FALSE(fw::PageGuard::take().valid());
}

} // namespace
