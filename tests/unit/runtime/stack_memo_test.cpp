// SPDX-License-Identifier: MIT
/**
 * DOC: the memo of call stacks, with legs that are made up
 */
#include "umd/core/recorder/stack_memo.h"

#include <gtest/gtest.h>

#include "base/os/shm.h"

namespace umd::recorder {

static uint64_t address(const uint64_t &word)
{
	return reinterpret_cast<uint64_t>(&word);
}

/* Two calls of the program begin alike within the library, and go different ways there. Each stays known. */
TEST(StackMemo, LegsThatBeginAlikeTakeTurns)
{
	uint64_t stack[8] = {};
	StackMemo *const memo = StackMemo::mine();
	ASSERT_NE(memo, nullptr);
	const Registers start{0x1000, address(stack[0]), 0};
	const auto walk = [&](uint64_t way) {
		stack[1] = way;
		stack[3] = 0x2000 + way;
		stack[5] = 0;
	};
	for (const uint64_t way : {1, 2}) {
		walk(way);
		Leg own(start);
		own.read(address(stack[1]), stack[1]);
		own.read(address(stack[3]), stack[3]);
		const Registers boundary{stack[3], address(stack[4]), 0};
		own.end(boundary);
		Leg program(boundary);
		program.read(address(stack[5]), stack[5]);
		program.end(static_cast<uint32_t>(way));
		memo->keep(start, own, boundary, program);
	}
	for (const uint64_t way : {1, 2, 1, 2}) {
		uint32_t number = 0;
		walk(way);
		EXPECT_TRUE(memo->find(start, number)) << way;
		EXPECT_EQ(number, way);
	}
}

} // namespace umd::recorder
