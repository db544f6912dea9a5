// SPDX-License-Identifier: MIT
/**
 * DOC: Memories of CPU mode
 *
 * A kernel that leaves a local memory has to stop there, at both ends of each, whatever the size of the kernel's pages.
 */
#include <gtest/gtest.h>

#include "kernels/host/cpu/runner.h"

namespace {

void write_to(unsigned char *where)
{
	*where = 1;
}

TEST(PlaceDeathTest, EachMemoryHasAGuardAtBothEnds)
{
	cpu::Place place;
	for (const unpu_kernel_local &memory : place.local) {
		unsigned char *first = memory.base;
		write_to(first);
		write_to(first + memory.bytes - 1);
		EXPECT_DEATH(write_to(first - 1), "");
		EXPECT_DEATH(write_to(first + memory.bytes), "");
	}
	write_to(place.state);
	write_to(place.state + UNPU_KERNEL_STATE_BYTES - 1);
	EXPECT_DEATH(write_to(place.state - 1), "");
}

} // namespace
