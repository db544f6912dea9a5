// SPDX-License-Identifier: MIT
/**
 * DOC: Litmus test of the trace ring
 *
 * T1: one thread writes into a small ring as fast as it can, another copies the ring. Each entry of the
 * copy must be complete, and the entries must be in the order of the writes.
 */
#include <thread>
#include <vector>

#include "base/trace/trace_ring.h"
#include "hammer.h"

namespace {

using namespace litmus;

constexpr uint32_t SLOTS = base::TraceRing::MIN_ENTRIES;

/* Every word of entry @number follows from it. */
unpu_trace_entry make_entry(uint64_t number)
{
	auto low = static_cast<uint32_t>(number);
	return {number,
		~number,
		number * 3,
		low,
		static_cast<uint16_t>(low),
		static_cast<uint8_t>(low),
		UNPU_TRACE_MARK};
}

bool whole(const unpu_trace_entry &entry)
{
	unpu_trace_entry wanted = make_entry(entry.time_ns);
	return memcmp(&entry, &wanted, sizeof(entry)) == 0;
}

TEST(TraceRingLitmus, T1ACopyIsWholeAndInOrder)
{
	base::TraceRing ring;
	ASSERT_EQ(ring.init(SLOTS), base::Status::OK);
	uint32_t done = 0;
	std::thread writer([&] {
		Jitter jitter(1);
		for (uint64_t i = 0; i < STREAM_ROUNDS; i++) {
			ring.put(make_entry(i));
			if (i % SLOTS == 0)
				jitter.pause();
		}
		base::store_release(done, uint32_t{1});
	});
	uint64_t looked = 0;
	bool last = false;
	do {
		last = base::load_acquire(done) != 0;
		std::vector<unpu_trace_entry> copy;
		uint64_t first = ring.copy(copy);
		ASSERT_LE(copy.size(), SLOTS);
		for (size_t i = 0; i < copy.size(); i++) {
			ASSERT_TRUE(whole(copy[i])) << "a torn entry at " << i;
			ASSERT_EQ(copy[i].time_ns, first + i) << "out of order";
		}
		looked += copy.size();
	} while (!last);
	writer.join();
	EXPECT_GE(looked, SLOTS);
	EXPECT_EQ(ring.total(), STREAM_ROUNDS);
}

} // namespace
