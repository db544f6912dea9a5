// SPDX-License-Identifier: MIT
/*
 * DOC: Fragmentation, tested
 *
 * The bound of Documentation/memory.rst: with at most `live` units in use at any time, a heap uses
 * no address beyond three times `live` for each doubling of size. Adverse programs: each doubles
 * the size of its allocations and keeps just those old ones that are in the way. And a long random
 * program, beside a heap that searches all holes one by one.
 */
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "drv/attachment/heap.h"

namespace {

constexpr uint64_t UNIT = 64;

/* class Program - allocates in a heap that has room for everything, and notes how far it got. */
class Program {
public:
	explicit Program(uint64_t live_units) : live_(live_units), heap_(uint64_t{1} << 40) {}

	bool fits(uint64_t units) const { return used_ + units <= live_; }

	uint64_t allocate(uint64_t units)
	{
		auto offset = heap_.allocate(units * UNIT, UNIT);
		EXPECT_TRUE(offset.ok());
		uint64_t at = *offset / UNIT;
		used_ += units;
		largest_ = std::max(largest_, units);
		reach_ = std::max(reach_, at + units);
		blocks_[at] = units;
		return at;
	}

	void release(uint64_t at)
	{
		auto found = blocks_.find(at);
		ASSERT_NE(found, blocks_.end());
		EXPECT_EQ(heap_.release(at * UNIT), found->second * UNIT);
		used_ -= found->second;
		blocks_.erase(found);
	}

	void fill(uint64_t units)
	{
		while (fits(units))
			allocate(units);
	}

	/* Keeps the blocks that have a certain place of each @period units in them: that which most have,
	 * of the one that was kept before and the one half way to the next. */
	void thin(uint64_t period)
	{
		if (covered(phase_ + period / 2, period) > covered(phase_, period))
			phase_ += period / 2;
		phase_ %= period;
		std::vector<uint64_t> gone;
		for (const auto &[at, units] : blocks_) {
			if (!covers(at, units, phase_, period))
				gone.push_back(at);
		}
		for (uint64_t at : gone)
			release(at);
	}

	const std::map<uint64_t, uint64_t> &blocks() const { return blocks_; }
	uint64_t reach() const { return reach_; }
	uint64_t live() const { return live_; }

	/* The bound: a unit alone is at its best, and each doubling adds three times what lives. */
	uint64_t bound() const
	{
		uint64_t doublings = 0;
		while (largest_ > uint64_t{1} << doublings)
			doublings++;
		return live_ * (1 + 3 * doublings);
	}

private:
	static bool covers(uint64_t at, uint64_t units, uint64_t phase, uint64_t period)
	{
		return (phase % period + period - at % period) % period < units;
	}

	uint64_t covered(uint64_t phase, uint64_t period) const
	{
		uint64_t units_kept = 0;
		for (const auto &[at, units] : blocks_)
			units_kept += covers(at, units, phase, period) ? units : 0;
		return units_kept;
	}

	const uint64_t live_;
	uint64_t phase_ = 0;
	drv::Heap heap_;
	std::map<uint64_t, uint64_t> blocks_;
	uint64_t used_ = 0;
	uint64_t reach_ = 0;
	uint64_t largest_ = 0;
};

void expect_bounded(const Program &program)
{
	EXPECT_LE(program.reach(), program.bound());
	EXPECT_GE(program.reach(), program.live() / 2) << "it did nothing";
	testing::Test::RecordProperty("reach", std::to_string(program.reach() / program.live()));
}

/* Robson's: blocks of 1, 2, 4 ... units, and of the old ones those that make each hole too small. */
TEST(Fragmentation, DoublingProgramsStayBelowTheBound)
{
	for (uint64_t live : {1u << 10, 1u << 14, 1u << 16}) {
		Program program(live);
		for (uint64_t size = 1; size <= live / 4; size *= 2) {
			program.fill(size);
			program.thin(2 * size);
		}
		expect_bounded(program);
		EXPECT_GE(program.reach(), 4 * live) << "it does not do its worst";
	}
}

/* The same with blocks just above half of the next size, so that holes are as useless as can be. */
TEST(Fragmentation, OddSizesStayBelowTheBound)
{
	for (uint64_t live : {1u << 10, 1u << 14, 1u << 16}) {
		Program program(live);
		for (uint64_t size = 1; size <= live / 4; size *= 2) {
			program.fill(size + size / 2 + 1);
			program.thin(2 * size);
		}
		expect_bounded(program);
		EXPECT_GE(program.reach(), 2 * live) << "it does not do its worst";
	}
}

/* What ruins a heap that takes the best fit: a hole a little larger than each thing that is wanted. */
TEST(Fragmentation, SlowlyGrowingSizesStayBelowTheBound)
{
	Program program(1 << 12);
	for (uint64_t size = 1; size < 256; size++) {
		program.fill(size);
		std::vector<uint64_t> odd;
		unsigned n = 0;
		for (const auto &[at, units] : program.blocks()) {
			if (n++ % 2)
				odd.push_back(at);
		}
		for (uint64_t at : odd)
			program.release(at);
	}
	expect_bounded(program);
}

TEST(Fragmentation, RandomProgramsStayFarBelowTheBound)
{
	std::mt19937_64 random(4711);
	Program program(1 << 16);
	std::vector<uint64_t> all;
	for (unsigned n = 0; n < 100000; n++) {
		uint64_t units = uint64_t{1} << random() % 12;
		units += random() % units;
		while (!program.fits(units) && !all.empty()) {
			size_t victim = random() % all.size();
			program.release(all[victim]);
			all[victim] = all.back();
			all.pop_back();
		}
		all.push_back(program.allocate(units));
	}
	expect_bounded(program);
	EXPECT_LT(program.reach(), 2 * program.live());
}

/* class Plain - textbook first fit: all holes, in address order. */
class Plain {
public:
	explicit Plain(uint64_t bytes) { holes_[0] = bytes; }

	/* Return: UINT64_MAX for none. */
	uint64_t allocate(uint64_t bytes)
	{
		auto hole = std::find_if(holes_.begin(), holes_.end(),
					 [&](const auto &entry) { return entry.second >= bytes; });
		if (hole == holes_.end())
			return UINT64_MAX;
		auto [offset, size] = *hole;
		holes_.erase(hole);
		if (size > bytes)
			holes_[offset + bytes] = size - bytes;
		return offset;
	}

	void release(uint64_t offset, uint64_t bytes)
	{
		auto hole = holes_.emplace(offset, bytes).first;
		auto after = std::next(hole);
		if (after != holes_.end() && offset + bytes == after->first) {
			hole->second += after->second;
			holes_.erase(after);
		}
		if (hole == holes_.begin())
			return;
		auto before = std::prev(hole);
		if (before->first + before->second == offset) {
			before->second += hole->second;
			holes_.erase(hole);
		}
	}

private:
	std::map<uint64_t, uint64_t> holes_;
};

/* UNPU_SOAK_OPERATIONS says how many operations; the suite does a few. */
TEST(Fragmentation, ALongRandomProgramAgreesWithAPlainHeap)
{
	constexpr uint64_t BYTES = uint64_t{32} << 20;
	const char *told = getenv("UNPU_SOAK_OPERATIONS");
	const uint64_t operations = told ? strtoull(told, nullptr, 10) : 50000;
	struct Range {
		uint64_t offset;
		uint64_t bytes;
	};
	std::mt19937_64 random(operations);
	drv::Heap heap(BYTES);
	Plain plain(BYTES);
	std::vector<Range> live;
	uint64_t refused = 0;
	uint64_t used = 0;
	for (uint64_t n = 0; n < operations; n++) {
		bool wanted = live.size() < 4 || random() % 1000 < 510;
		if (!wanted) {
			size_t victim = random() % live.size();
			Range range = live[victim];
			ASSERT_EQ(heap.release(range.offset), range.bytes) << "operation " << n;
			plain.release(range.offset, range.bytes);
			used -= range.bytes;
			live[victim] = live.back();
			live.pop_back();
			continue;
		}
		uint64_t bytes = UNIT << random() % 15;
		bytes += random() % bytes / UNIT * UNIT;
		auto offset = heap.allocate(bytes, UNIT);
		uint64_t expected = plain.allocate(bytes);
		ASSERT_EQ(offset ? *offset : UINT64_MAX, expected) << "operation " << n;
		ASSERT_EQ(heap.used_bytes(), used + (offset ? bytes : 0));
		if (!offset) {
			refused++;
			continue;
		}
		used += bytes;
		live.push_back({*offset, bytes});
	}
	for (const Range &range : live)
		ASSERT_EQ(heap.release(range.offset), range.bytes);
	EXPECT_TRUE(heap.empty());
	EXPECT_EQ(heap.largest(), BYTES);
	RecordProperty("refused", std::to_string(refused));
}

} // namespace
