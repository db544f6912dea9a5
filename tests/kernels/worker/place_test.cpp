// SPDX-License-Identifier: MIT
/**
 * DOC: Memories of a core
 *
 * A kernel that leaves a local memory has to stop there, at both ends of each, whatever the size of the kernel's pages.
 */
#include <gtest/gtest.h>

#include "kernels/runner/core.h"

namespace {

void write_to(unsigned char *where)
{
	*where = 1;
}

void expect_guards(const runner::Instance &instance)
{
	for (const unpu_kernel_local &memory : instance.block.local) {
		unsigned char *first = memory.base;
		write_to(first);
		write_to(first + memory.bytes - 1);
		EXPECT_DEATH(write_to(first - 1), "");
		EXPECT_DEATH(write_to(first + memory.bytes), "");
	}
}

TEST(PlaceDeathTest, EachMemoryHasAGuardAtBothEnds)
{
	/* Its memory is never freed. */
	static runner::Instance instance;
	ASSERT_TRUE(instance.init());
	expect_guards(instance);
	ASSERT_TRUE(instance.set_ub(UNPU_KERNEL_UB_BYTES));
	expect_guards(instance);
	write_to(instance.state);
	write_to(instance.state + UNPU_KERNEL_STATE_BYTES - 1);
	EXPECT_DEATH(write_to(instance.state - 1), "");
}

} // namespace
