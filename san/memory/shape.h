// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "san/trace/record.h"

namespace san {

/** struct Range - the bytes [begin, end). */
struct Range {
	uint64_t begin = 0;
	uint64_t end = 0;
	bool empty() const { return begin >= end; }
	bool operator==(const Range &) const = default;
};

/** enum class Overlap - UNDECIDED: the answer needs more work than it is worth. */
enum class Overlap { NO, YES, UNDECIDED };

/**
 * class Shape - the bytes of a strided operand: runs of bytes of equal length, which begin at the points of a
 * lattice.
 *
 * Strides are positive and the largest comes first; runs that touch each other are one. A shape without
 * dimensions is a range. Some overlapping windows do not fit such a lattice. They are kept as the range
 * around them, which is inexact: a byte of the range need not be accessed.
 */
class Shape {
public:
	Shape() = default;

	/** of() - the shape of an operand. If its extent does not fit into 64 bits, the shape is empty. */
	static Shape of(const Operand &operand);

	bool empty() const { return run_ == 0; }
	bool is_exact() const { return is_exact_; }
	uint64_t run() const { return run_; }
	bool is_range() const { return dimensions_.empty() && is_exact_; }

	/** bounds() - the smallest range around it. */
	Range bounds() const;

	/** runs() - how many runs there are; UINT64_MAX if the number does not fit into 64 bits. */
	uint64_t runs() const;

	/** shifted() - the same shape at addresses that are higher by @offset. @offset may be negative,
	 * modulo 2^64. */
	Shape shifted(uint64_t offset) const;

	/** meets() - whether it has a byte in @range. */
	bool meets(Range range) const { return meets(base_, 0, range); }

	/** each_run() - calls visit(Range) for each run until it returns false. Return: true if it never
	 * returned false. */
	template <class Visit> bool each_run(Visit &&visit) const
	{
		return each_run(base_, 0, visit);
	}

	bool operator==(const Shape &) const = default;

private:
	friend Overlap overlap(const Shape &a, const Shape &b, Range window);
	friend Overlap overlap(const Shape &shape, Range range);

	void canonicalize();
	uint64_t extent(size_t dimension) const;
	bool meets(uint64_t base, size_t dimension, Range range) const;
	uint64_t gcd_of_strides(uint64_t other) const;

	template <class Visit> bool each_run(uint64_t base, size_t dimension, Visit &visit) const
	{
		if (dimension == dimensions_.size())
			return visit(Range{base, base + run_});
		const Dimension &step = dimensions_[dimension];
		for (uint64_t i = 0; i < step.count; i++) {
			if (!each_run(base + i * step.stride, dimension + 1, visit))
				return false;
		}
		return true;
	}

	uint64_t base_ = 0;
	uint64_t run_ = 0;
	std::vector<Dimension> dimensions_;
	bool is_exact_ = true;
};

/** OVERLAP_RUNS - overlap() gives up after this many runs. */
constexpr uint64_t OVERLAP_RUNS = 4096;

/** overlap() - whether both shapes have a common byte in @window. */
Overlap overlap(const Shape &a, const Shape &b, Range window);

/** overlap() - whether the shape has a byte in @range. */
Overlap overlap(const Shape &shape, Range range);

} // namespace san
