// SPDX-License-Identifier: MIT
/**
 * DOC: strided operands
 *
 * Whether two lattices have a common point is a problem of integer programming. Programs have only two cases
 * in practice. The first is columns of one matrix; the remainder modulo the common divisor of the strides
 * distinguishes them. The second is operands with few runs, which are compared one by one.
 */
#include "san/memory/shape.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace san {

/* Sorts the strides, merges runs that touch, and merges dimensions of the same stride. */
void Shape::canonicalize()
{
	std::sort(dimensions_.begin(), dimensions_.end(),
		  [](const Dimension &a, const Dimension &b) { return a.stride > b.stride; });
	while (!dimensions_.empty()) {
		const Dimension inner = dimensions_.back();
		if (static_cast<uint64_t>(inner.stride) > run_)
			break;
		/* The runs touch or overlap, so they form one run. */
		run_ += (inner.count - 1) * inner.stride;
		dimensions_.pop_back();
	}
	for (size_t i = 1; i < dimensions_.size();) {
		if (dimensions_[i - 1].stride != dimensions_[i].stride) {
			i++;
			continue;
		}
		dimensions_[i - 1].count += dimensions_[i].count - 1;
		dimensions_.erase(dimensions_.begin() + static_cast<ptrdiff_t>(i));
	}
	for (size_t i = 0; i < dimensions_.size(); i++)
		is_exact_ =
			is_exact_ && extent(i + 1) <= static_cast<uint64_t>(dimensions_[i].stride);
	if (!is_exact_) {
		run_ = extent(0);
		dimensions_.clear();
	}
}

Shape Shape::of(const Operand &operand)
{
	Shape shape;
	unsigned __int128 extent = operand.run;
	unsigned __int128 below = 0;
	for (Dimension dimension : operand.dimensions) {
		if (dimension.count == 0)
			return {};
		if (dimension.count == 1 || dimension.stride == 0)
			continue;
		const bool negative = dimension.stride < 0;
		const uint64_t stride = negative ? -static_cast<uint64_t>(dimension.stride)
						 : static_cast<uint64_t>(dimension.stride);
		const auto length = static_cast<unsigned __int128>(dimension.count - 1) * stride;
		if (stride > INT64_MAX || length > UINT64_MAX)
			return {};
		extent += length;
		below += negative ? length : 0;
		shape.dimensions_.push_back({dimension.count, static_cast<int64_t>(stride)});
	}
	if (below > operand.address || operand.address - below + extent > UINT64_MAX)
		return {};
	shape.base_ = operand.address - static_cast<uint64_t>(below);
	shape.run_ = operand.run;
	if (operand.run == 0)
		return {};
	shape.canonicalize();
	return shape;
}

uint64_t Shape::extent(size_t dimension) const
{
	uint64_t bytes = run_;
	for (size_t i = dimension; i < dimensions_.size(); i++)
		bytes += (dimensions_[i].count - 1) * dimensions_[i].stride;
	return bytes;
}

Range Shape::bounds() const
{
	return {base_, base_ + (empty() ? 0 : extent(0))};
}

uint64_t Shape::runs() const
{
	unsigned __int128 runs = 1;
	for (const Dimension &dimension : dimensions_) {
		runs *= dimension.count;
		if (runs > UINT64_MAX)
			return UINT64_MAX;
	}
	return static_cast<uint64_t>(runs);
}

Shape Shape::shifted(uint64_t offset) const
{
	Shape shape = *this;
	shape.base_ += offset;
	return shape;
}

bool Shape::meets(uint64_t base, size_t dimension, Range range) const
{
	const uint64_t bytes = extent(dimension);
	if (range.empty() || base >= range.end || base + bytes <= range.begin)
		return false;
	if (dimension == dimensions_.size() || range.begin <= base)
		return true; /* the first byte of @shape is one of this shape's bytes */
	const uint64_t stride = dimensions_[dimension].stride;
	const uint64_t inner = extent(dimension + 1);
	/* Only steps whose extent may touch the range are tried. All of them except the first and the last
	 * begin inside of the range. */
	const uint64_t reach = base + inner;
	const uint64_t first = range.begin < reach ? 0 : (range.begin - reach) / stride + 1;
	const uint64_t last =
		std::min(dimensions_[dimension].count - 1, (range.end - 1 - base) / stride);
	for (uint64_t i = first; i <= last; i++) {
		if (meets(base + i * stride, dimension + 1, range))
			return true;
	}
	return false;
}

uint64_t Shape::gcd_of_strides(uint64_t divisor) const
{
	for (const Dimension &dimension : dimensions_)
		divisor = std::gcd(divisor, static_cast<uint64_t>(dimension.stride));
	return divisor;
}

/* Whether runs of @a bytes from @p on and of @b bytes from @q on never meet, whichever multiples of
 * @divisor are added to p and q. */
static bool never_meet(uint64_t p, uint64_t a, uint64_t q, uint64_t b, uint64_t divisor)
{
	if (divisor == 0 || a >= divisor || b >= divisor)
		return false;
	const uint64_t ahead = (q % divisor + divisor - p % divisor) % divisor;
	return ahead >= a && divisor - ahead >= b;
}

Overlap overlap(const Shape &a, const Shape &b, Range window)
{
	if (!a.meets(window) || !b.meets(window))
		return Overlap::NO;
	if (never_meet(a.base_, a.run_, b.base_, b.run_, b.gcd_of_strides(a.gcd_of_strides(0))))
		return Overlap::NO;
	if (!a.is_exact_ || !b.is_exact_)
		return Overlap::UNDECIDED;
	const bool first = a.runs() <= b.runs();
	const Shape &few = first ? a : b;
	const Shape &many = first ? b : a;
	uint64_t left = OVERLAP_RUNS;
	bool found = false;
	const bool all = few.each_run([&](Range run) {
		if (left-- == 0)
			return false;
		found = many.meets(
			{std::max(run.begin, window.begin), std::min(run.end, window.end)});
		return !found;
	});
	if (found)
		return Overlap::YES;
	return all ? Overlap::NO : Overlap::UNDECIDED;
}

Overlap overlap(const Shape &shape, Range range)
{
	if (!shape.meets(range))
		return Overlap::NO;
	return shape.is_exact_ ? Overlap::YES : Overlap::UNDECIDED;
}

} // namespace san
