// SPDX-License-Identifier: MIT
/*
 * DOC: Heap, tested
 *
 * A model of the range with one flag for each unit. Each allocation lies inside the range, is
 * aligned and overlaps no other; after all are freed the range is whole again.
 */
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "drv/attachment/heap.h"

namespace {

using base::Status;

struct Range {
	uint64_t offset;
	uint64_t bytes;
};

TEST(Heap, GivesEverythingAndTakesItBack)
{
	drv::Heap heap(4096);
	auto all = heap.allocate(4096, 64);
	ASSERT_TRUE(all.ok());
	EXPECT_EQ(*all, 0u);
	EXPECT_EQ(heap.allocate(1, 1).status(), Status::NO_MEMORY);
	EXPECT_EQ(heap.release(0), 4096u);
	EXPECT_TRUE(heap.empty());
	EXPECT_TRUE(heap.allocate(4096, 4096).ok());
}

TEST(Heap, RefusesWhatIsNotARange)
{
	drv::Heap heap(4096);
	auto range = heap.allocate(128, 64);
	ASSERT_TRUE(range.ok());
	EXPECT_EQ(heap.release(*range + 64), 0u);
	EXPECT_EQ(heap.release(UINT64_MAX), 0u);
	EXPECT_EQ(heap.release(*range), 128u);
	EXPECT_EQ(heap.release(*range), 0u) << "twice";
	EXPECT_EQ(heap.allocate(4097, 1).status(), Status::NO_MEMORY);
	EXPECT_EQ(heap.allocate(UINT64_MAX, 64).status(), Status::NO_MEMORY);
	EXPECT_EQ(drv::Heap(0).allocate(1, 1).status(), Status::NO_MEMORY);
}

TEST(Heap, TakesTheFirstFit)
{
	drv::Heap heap(4096);
	auto a = heap.allocate(1024, 64), wall = heap.allocate(64, 64), b = heap.allocate(256, 64),
	     wall2 = heap.allocate(64, 64);
	ASSERT_TRUE(a.ok() && wall.ok() && b.ok() && wall2.ok());
	heap.release(*b);
	heap.release(*a);
	auto fit = heap.allocate(200, 64);
	ASSERT_TRUE(fit.ok());
	EXPECT_EQ(*fit, *a) << "though the other one suits better";
}

TEST(Heap, CoalescesOnBothSides)
{
	drv::Heap heap(3 * 64);
	auto a = heap.allocate(64, 64), b = heap.allocate(64, 64), c = heap.allocate(64, 64);
	ASSERT_TRUE(a.ok() && b.ok() && c.ok());
	heap.release(*a);
	heap.release(*c);
	EXPECT_FALSE(heap.allocate(128, 64).ok());
	heap.release(*b);
	EXPECT_TRUE(heap.allocate(192, 64).ok());
}

TEST(Heap, KeepsTheGapBeforeAnAlignedRange)
{
	drv::Heap heap(8192);
	ASSERT_TRUE(heap.allocate(64, 64).ok());
	auto aligned = heap.allocate(4096, 4096);
	ASSERT_TRUE(aligned.ok());
	EXPECT_EQ(*aligned, 4096u);
	auto gap = heap.allocate(4032, 64);
	ASSERT_TRUE(gap.ok());
	EXPECT_EQ(*gap, 64u);
	EXPECT_EQ(heap.used_bytes(), 8192u);
}

/* class Picture - one flag per 16 bytes. */
class Picture {
public:
	explicit Picture(uint64_t bytes) : taken_(bytes / UNIT) {}

	bool free(const Range &range) const
	{
		auto first = taken_.begin() + static_cast<long>(range.offset / UNIT);
		return std::none_of(first, first + static_cast<long>(range.bytes / UNIT),
				    [](bool flag) { return flag; });
	}

	void mark(const Range &range, bool flag)
	{
		for (uint64_t at = 0; at < range.bytes; at += UNIT)
			taken_[(range.offset + at) / UNIT] = flag;
	}

	/* fits() - whether a range of @bytes at a multiple of @alignment is free anywhere. */
	bool fits(uint64_t bytes, uint64_t alignment) const
	{
		for (uint64_t at = 0; at + bytes <= taken_.size() * UNIT; at += alignment) {
			if (free({at, bytes}))
				return true;
		}
		return false;
	}

	static constexpr uint64_t UNIT = 16;

private:
	std::vector<bool> taken_;
};

TEST(Heap, AgreesWithAPictureOfItself)
{
	constexpr uint64_t BYTES = 8192;
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	drv::Heap heap(BYTES);
	Picture picture(BYTES);
	std::vector<Range> live;
	uint64_t used = 0;
	for (unsigned n = 0; n < 20000; n++) {
		if (!live.empty() && random() % 100 < (used > BYTES / 2 ? 60 : 40)) {
			size_t victim = random() % live.size();
			ASSERT_EQ(heap.release(live[victim].offset), live[victim].bytes);
			picture.mark(live[victim], false);
			used -= live[victim].bytes;
			live[victim] = live.back();
			live.pop_back();
		} else {
			uint64_t bytes = (random() % 40 + 1) * Picture::UNIT;
			uint64_t alignment = Picture::UNIT << random() % 6;
			auto offset = heap.allocate(bytes, alignment);
			ASSERT_EQ(offset.ok(), picture.fits(bytes, alignment));
			if (!offset)
				continue;
			Range range{*offset, bytes};
			ASSERT_EQ(*offset % alignment, 0u);
			ASSERT_LE(*offset + bytes, BYTES);
			ASSERT_TRUE(picture.free(range));
			picture.mark(range, true);
			live.push_back(range);
			used += bytes;
		}
		ASSERT_EQ(heap.used_bytes(), used);
		ASSERT_EQ(heap.empty(), live.empty());
	}
	for (const Range &range : live)
		EXPECT_EQ(heap.release(range.offset), range.bytes);
	EXPECT_TRUE(heap.empty());
	EXPECT_TRUE(heap.allocate(BYTES, BYTES).ok()) << "it is one piece again";
}

} // namespace
