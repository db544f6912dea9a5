// SPDX-License-Identifier: MIT
/*
 * DOC: Reach of operands
 *
 * What the firmware checks of each view when it decodes a descriptor. The host checks it as well, so that a
 * program gets an error message about its tensor before the stream fails.
 */
#include "reach.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "uapi/tensor.h"

namespace umd {

using Wide = __int128;

namespace {

constexpr const char *leaves = "its view leaves the address space";
constexpr const char *shares = "its elements share memory, so the result would be lost";

/*
 * class SelfOverlap - finds out whether two indices of a view have the same address. They have, if there are steps x,
 * not all 0, with |x[d]| < size[d] and the sum of x[d] * stride[d] = 0.
 *
 * If each stride is longer than all smaller strides times their most steps, there are no such steps. Else a search
 * tries steps, beginning with the longest stride, as long as the other dims can still make the sum 0. For the last two
 * dims it solves an equation with one unknown.
 */
class SelfOverlap {
public:
	SelfOverlap(std::span<const int64_t> dims, const int64_t *strides);

	/* is_there() - also true if the search gives up. */
	bool is_there();
	bool has_given_up() const { return left_ == 0; }

private:
	struct Dim {
		Wide steps, stride; /* the most steps, and the distance of one step */
	};

	/* insert() - adds a dim behind those with a longer stride. */
	void insert(const Dim &dim);
	bool solve(size_t first, Wide sum, bool has_steps);
	bool solve_two(size_t first, Wide sum, bool has_steps) const;

	std::array<Dim, UNPU_TENSOR_MAX_DIMS> all_;
	/* for each dim, the sum of stride * most steps over this dim and all later ones */
	std::array<Wide, UNPU_TENSOR_MAX_DIMS + 1> reach_{};
	size_t count_ = 0;
	unsigned left_ = 1u << 20; /* trials */
};

SelfOverlap::SelfOverlap(std::span<const int64_t> dims, const int64_t *strides)
{
	for (size_t d = 0; d < dims.size(); d++)
		if (dims[d] > 1)
			insert({Wide(dims[d]) - 1,
				strides[d] < 0 ? -Wide(strides[d]) : Wide(strides[d])});
	for (size_t d = count_; d-- > 0;)
		reach_[d] = reach_[d + 1] + all_[d].steps * all_[d].stride;
}

/* There are at most 8 dims. std::sort() is not used, because gcc warns about its code for more than 16 elements. */
void SelfOverlap::insert(const Dim &dim)
{
	size_t at = count_++;

	for (; at > 0 && all_[at - 1].stride < dim.stride; at--)
		all_[at] = all_[at - 1];
	all_[at] = dim;
}

Wide divide_down(Wide a, Wide b)
{
	return a / b - (a % b < 0);
}

/* The steps x, y of the last two dims, with x * stride + y * other = @sum. */
bool SelfOverlap::solve_two(size_t first, Wide sum, bool has_steps) const
{
	const Dim &one = all_[first], &two = all_[first + 1];
	/* Extended Euclid: inverse * one.stride = divisor, modulo two.stride. */
	Wide divisor = one.stride, rest = two.stride, inverse = 1, next = 0;
	while (rest != 0) {
		const Wide times = divisor / rest;
		divisor = std::exchange(rest, divisor - times * rest);
		inverse = std::exchange(next, inverse - times * next);
	}
	if (sum % divisor != 0)
		return false;
	const Wide period = two.stride / divisor;
	if (!has_steps) /* sum is 0, and 0 steps don't count. */
		return period <= one.steps && one.stride / divisor <= two.steps;
	const Wide some = sum / divisor % period * (inverse % period) % period;
	/* For x from low to high, steps of the second dim can make the sum 0. */
	const Wide far = two.steps * two.stride;
	const Wide low = std::max(-one.steps, -divide_down(far - sum, one.stride));
	const Wide high = std::min(one.steps, divide_down(sum + far, one.stride));
	return low <= high && some + divide_down(high - some, period) * period >= low;
}

bool SelfOverlap::solve(size_t first, Wide sum, bool has_steps)
{
	if (count_ - first == 0)
		return has_steps && sum == 0;
	if (count_ - first == 1)
		return has_steps && sum % all_[first].stride == 0 &&
		       sum / all_[first].stride >= -all_[first].steps &&
		       sum / all_[first].stride <= all_[first].steps;
	if (count_ - first == 2)
		return solve_two(first, sum, has_steps);
	const Dim &dim = all_[first];
	const Wide rest = reach_[first + 1];
	/* The first dim with steps only goes forward, because the opposite steps give the same two indices. */
	const Wide low = has_steps ? std::max(-dim.steps, -divide_down(rest - sum, dim.stride)) : 0;
	const Wide high = std::min(dim.steps, divide_down(sum + rest, dim.stride));
	for (Wide x = low; x <= high; x++) {
		if (left_ == 0)
			return true;
		left_--;
		if (solve(first + 1, sum - x * dim.stride, has_steps || x != 0))
			return true;
	}
	return false;
}

bool SelfOverlap::is_there()
{
	bool is_nested = true;
	for (size_t d = 0; d < count_; d++) {
		if (all_[d].stride == 0)
			return true;
		is_nested = is_nested && all_[d].stride > reach_[d + 1];
	}
	return !is_nested && solve(0, 0, false);
}

/* struct Extent - the elements that a view touches, counted from its first one. */
struct Extent {
	int64_t low = 0, high = 0;
	int64_t count = 1; /* number of elements, with dims of size 0 counted as size 1 */
	bool is_empty = false;
};

/* find_extent() - Return: what is wrong, or nullptr. */
const char *find_extent(const WireView &view, Extent &extent)
{
	bool is_far = false;
	for (size_t d = 0; d < view.dims.size(); d++) {
		const int64_t size = view.dims[d];
		int64_t span = 0;
		if (size == 0)
			extent.is_empty = true;
		if (size <= 1)
			continue;
		if (__builtin_mul_overflow(extent.count, size, &extent.count) ||
		    extent.count > UNPU_TENSOR_MAX_ELEMENTS)
			return "with the dims that are broadcast it has more than 2^48 elements";
		is_far |= __builtin_mul_overflow(view.strides[d], size - 1, &span);
		int64_t &edge = span < 0 ? extent.low : extent.high;
		is_far |= __builtin_add_overflow(edge, span, &edge);
	}
	return is_far && !extent.is_empty ? leaves : nullptr;
}

} // namespace

int64_t element_bits(uint32_t dtype)
{
	switch (dtype) {
#define ELEMENT_BITS(name, number, bytes) \
	case number: \
		return 8 * bytes;
		UNPU_DTYPE_LIST(ELEMENT_BITS)
#undef ELEMENT_BITS
#define ELEMENT_BITS(name, number, bits) \
	case number: \
		return bits;
		UNPU_TENSOR_DTYPE_LIST(ELEMENT_BITS)
#undef ELEMENT_BITS
	}
	return 0;
}

const char *find_shared(std::span<const int64_t> dims, const int64_t *strides)
{
	SelfOverlap overlap(dims, strides);
	if (!overlap.is_there())
		return nullptr;
	return overlap.has_given_up() ? "it would take too long to find out whether its elements "
					"share memory; a result needs simpler strides"
				      : shares;
}

const char *check_any_reach(const WireView &view, bool has_address)
{
	Extent extent;
	if (const char *wrong = find_extent(view, extent))
		return wrong;
	if (extent.is_empty)
		return nullptr;
	const Wide bits = element_bits(view.dtype);
	const Wide low = extent.low * bits, high = (Wide(extent.high) + 1) * bits;
	if (low % 8 != 0)
		return "a dim with a negative stride must begin with a whole byte";
	const Wide bytes = (high + 7) / 8 - low / 8;
	const Wide first = Wide(view.address) + low / 8;
	if (bytes > INT64_MAX ||
	    (has_address && (first < 0 || first + bytes > Wide(UINT64_MAX) + 1)))
		return leaves;
	if (!view.is_written)
		return nullptr;
	return extent.count * bits > bytes * 8 + 7 ? shares : find_shared(view.dims, view.strides);
}

const char *check_operand(const uint64_t *words)
{
	unpu_tensor_operand operand;
	std::memcpy(&operand, words, sizeof(operand));
	const auto *dims =
		reinterpret_cast<const int64_t *>(words + sizeof(operand) / sizeof(*words));
	return check_reach({operand.address,
			    operand.dtype,
			    (operand.access & UNPU_ACCESS_WRITE) != 0,
			    {dims, operand.ndim},
			    dims + operand.ndim});
}

} // namespace umd
