// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "san/memory/shape.h"
#include "san/order/command.h"

namespace san {

/** enum class Use - what an access did. ALLOC is a write of all bytes at the beginning of their lifetime. */
enum class Use : uint8_t { READ, WRITE, REDUCE, ALLOC };

/** struct Touch - an access as the shadow keeps it. */
struct Touch {
	CommandPointer command;
	std::shared_ptr<const Shape> shape; /* nullptr: it accesses every byte of the segment */
	Use use = Use::READ;
	bool is_partial = false; /* it may access the bytes, but need not */
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
 * A sorted list of segments that do not overlap. Each segment keeps only accesses that no later access can
 * replace. Access b replaces a if a happens before b, and b conflicts with everything that a conflicts with.
 * So a segment has at most three exact accesses of each actor.
 */
class Shadow {
public:
	/** @sum: receives the total size of all shadows that were made with this counter, or nullptr. It must
	 * outlive them. */
	explicit Shadow(size_t *sum = nullptr) : sum_(sum) {}
	Shadow(const Shadow &) = delete;
	Shadow &operator=(const Shadow &) = delete;
	~Shadow() { count(0 - cells_); }

	/** Found - a function that is called for each unordered pair. @older: the older access. @bytes: the
	 * bytes of the segment. */
	using Found = std::function<void(const Touch &older, Range bytes)>;

	struct Counters {
		/* pairs of strided operands whose comparison took too long */
		uint64_t undecided = 0;
		/* segments and accesses dropped because of the bound on memory */
		uint64_t forgotten = 0;
	};

	/** access() - judges @touch on @range and remembers it. */
	void access(Range range, const Touch &touch, const Found &found);

	/** unordered() - calls @found for accesses in @range that are not ordered before @moment. */
	void unordered(Range range, const Moment &moment, const Found &found) const;

	/** reset() - forgets the accesses in @range. @defined: whether the bytes count as written. */
	void reset(Range range, bool defined);

	/** define() - from now on the bytes count as written, or as never written. */
	void define(Range range, bool defined);

	/** undefined() - the parts of @range that were never written. */
	std::vector<Range> undefined(Range range) const;

	/** clear() - makes it like a new shadow. */
	void clear();

	/** reset_history() - forgets all accesses, and counts all bytes as written. */
	void reset_history();

	/** cells() - the size of the shadow: the number of segments and of accesses in them. */
	size_t cells() const { return cells_; }

	const Counters &counters() const { return counters_; }
	/** has_lost() - whether accesses were dropped since the last reset_history(). */
	bool has_lost() const { return counters_.forgotten != forgotten_past_; }
	size_t segments() const { return segments_.size(); }

	/* The most segments of one block, and the most accesses of one segment. */
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
	uint64_t forgotten_past_ = 0; /* value of the counter at the last reset_history() */
	size_t cells_ = 0;
	size_t *sum_;
};

} // namespace san
