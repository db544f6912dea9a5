// SPDX-License-Identifier: MIT
/**
 * DOC: Copies by the fastest method
 */
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "base/copy/copy.h"

namespace {

/* As many as are needed to have tried each method several times. */
constexpr int COPIES = 30;

class Copy : public testing::TestWithParam<size_t> {};

TEST_P(Copy, MovesEveryByteByWhateverMethod)
{
	const size_t bytes = GetParam();
	constexpr size_t GUARD = 64;
	std::vector<unsigned char> from(bytes + GUARD);
	std::vector<unsigned char> to(bytes + 2 * GUARD);
	for (int i = 0; i < COPIES; i++) {
		const size_t shift = static_cast<size_t>(i) % GUARD;
		std::iota(from.begin(), from.end(), static_cast<unsigned char>(i));
		std::fill(to.begin(), to.end(), 0xa5);
		base::copy_bytes(to.data() + shift, from.data() + GUARD - shift, bytes);
		ASSERT_EQ(memcmp(to.data() + shift, from.data() + GUARD - shift, bytes), 0);
		for (size_t at = 0; at < shift; at++)
			ASSERT_EQ(to[at], 0xa5);
		for (size_t at = shift + bytes; at < to.size(); at++)
			ASSERT_EQ(to[at], 0xa5);
	}
	EXPECT_STRNE(base::copy_method(bytes), "");
}

INSTANTIATE_TEST_SUITE_P(Sizes, Copy,
			 testing::Values(1, 4095, 4096, 4097, 16384, 65537, 1 << 20,
					 (4 << 20) + 3));

/* A page that is touched for the first time takes longer than its bytes, whatever the method is. */
TEST(CopyPages, ThatAreTouchedFirstChooseNoMethod)
{
	/* No other test of this program copies as much. */
	constexpr size_t BYTES = size_t{1} << 18;
	const std::vector<std::byte> from(BYTES, std::byte{0x5a});
	for (int i = 0; i < COPIES; i++) {
		void *fresh = mmap(nullptr, BYTES, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ASSERT_NE(fresh, MAP_FAILED);
		base::copy_bytes(fresh, from.data(), BYTES);
		EXPECT_EQ(memcmp(fresh, from.data(), BYTES), 0);
		munmap(fresh, BYTES);
	}
	EXPECT_STREQ(base::copy_method(BYTES), "");
	std::vector<std::byte> to(BYTES);
	for (int i = 0; i < COPIES; i++)
		base::copy_bytes(to.data(), from.data(), BYTES);
	EXPECT_STRNE(base::copy_method(BYTES), "");
}

TEST(CopyOverlap, IsAMove)
{
	constexpr size_t BYTES = 8192;
	for (size_t distance : {1, 63, 4096}) {
		std::vector<unsigned char> memory(BYTES + distance);
		std::iota(memory.begin(), memory.end(), static_cast<unsigned char>(0));
		std::vector<unsigned char> expected(memory.begin(), memory.begin() + BYTES);
		base::copy_bytes(memory.data() + distance, memory.data(), BYTES);
		EXPECT_EQ(memcmp(memory.data() + distance, expected.data(), BYTES), 0);
	}
}

} // namespace
