// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "san/memory/shape.h"
#include "san/order/command.h"

namespace san {

/** enum class Use - what an access did. ALLOC is a write of everything, by which memory begins. */
enum class Use : uint8_t { READ, WRITE, REDUCE, ALLOC };

/** struct Touch - an access as the shadow keeps it. */
struct Touch {
	CommandPointer command;
	std::shared_ptr<const Shape> shape; /* nullptr: every byte of the segment */
	Use use = Use::READ;
	bool is_partial = false; /* may touch, need not */
	uint32_t role = 0;

	bool operator==(const Touch &other) const
	{
		return command == other.command && use == other.use && shape == other.shape;
	}
};

/** conflicts() - whether two accesses of a byte need an order. */
inline bool conflicts(Use a, Use b)
{
	return a != b || (a != Use::READ && a != Use::REDUCE);
}

/**
 * class Shadow - the accesses to one physical block that a later access may conflict with.
 *
 * A sorted list of segments that do not overlap. Each keeps the accesses that no later one stands for: b
 * stands for a when a happens before b and b conflicts with all that a conflicts with. So a segment has at
 * most three accesses of each actor that are exact.
 */
class Shadow {
public:
	/** @sum: counts the cells of all shadows that were made with it, and outlives them; or nullptr. */
	explicit Shadow(size_t *sum = nullptr) : sum_(sum) {}
	Shadow(const Shadow &) = delete;
	Shadow &operator=(const Shadow &) = delete;
	~Shadow() { count(0 - cells_); }

	/** Found - called for each pair without order: the older access and the bytes of the segment. */
	using Found = std::function<void(const Touch &older, Range bytes)>;

	struct Counters {
		uint64_t undecided = 0; /* strided pairs that were too much work */
		uint64_t forgotten = 0; /* segments and accesses given up for the bound on memory */
	};

	/** access() - judges @touch on @range and remembers it. */
	void access(Range range, const Touch &touch, const Found &found);

	/** unordered() - calls @found for accesses in @range that are not before @moment. */
	void unordered(Range range, const Moment &moment, const Found &found) const;

	/** reset() - forgets the accesses in @range, whose bytes are then @defined or not. */
	void reset(Range range, bool defined);

	/** define() - from now on the bytes have values, or have none. */
	void define(Range range, bool defined);

	/** undefined() - the parts of @range that were never written. */
	std::vector<Range> undefined(Range range) const;

	/** clear() - as a new shadow. */
	void clear();

	/** forget_past() - forgets all accesses, and says that all bytes have values. */
	void forget_past();

	/** cells() - segments, and accesses of segments. */
	size_t cells() const { return cells_; }

	const Counters &counters() const { return counters_; }
	/** has_lost() - whether accesses were given up since the last forget_past(). */
	bool has_lost() const { return counters_.forgotten != forgotten_past_; }
	size_t segments() const { return segments_.size(); }

	/* More segments than this are not kept for one block, nor more accesses for one segment. */
	static constexpr size_t MAX_SEGMENTS = 4096;
	static constexpr size_t MAX_TOUCHES = 256;

private:
	struct Segment {
		Range range;
		std::vector<Touch> touches;
		bool is_defined = true;
	};

	void count(size_t more)
	{
		cells_ += more;
		if (sum_)
			*sum_ += more;
	}
	size_t lower(uint64_t begin) const;
	void split(uint64_t place);
	void cover(Range range);
	void merge(Range range);
	void judge(const Segment &segment, const Touch &touch, const Found &found);
	void remember(Segment &segment, const Touch &touch);

	std::vector<Segment> segments_;
	Counters counters_;
	uint64_t forgotten_past_ = 0; /* of the counter, by forget_past() */
	size_t cells_ = 0;
	size_t *sum_;
};

} // namespace san
