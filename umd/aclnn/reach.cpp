// SPDX-License-Identifier: MIT
/*
 * DOC: Reach of operands
 *
 * What the firmware checks of each view when it decodes a descriptor. The host checks it as well, so that a program
 * gets a sentence about its tensor, and not a stream that has failed.
 */
#include "reach.h"

#include <cstring>

#include "uapi/tensor.h"

namespace umd {

using Wide = __int128;

namespace {

constexpr const char *leaves = "its view leaves the address space";

/* struct Extent - the elements that a view touches, counted from its first one. */
struct Extent {
	int64_t low = 0, high = 0;
	int64_t count = 1; /* of elements, where a dim of size 0 counts as one of size 1 */
	bool is_empty = false;
	bool is_shared = false; /* elements along a dim are one */
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
		extent.is_shared |= span == 0;
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
	if (view.is_written && (extent.is_shared || extent.count * bits > bytes * 8 + 7))
		return "its elements share memory, so the result would be lost";
	return nullptr;
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
