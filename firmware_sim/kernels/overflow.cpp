// SPDX-License-Identifier: MIT
/**
 * DOC: Overflow
 *
 * A second pass over an operator's result, for streams that report overflow or saturate.
 */
#include "overflow.h"

#include <cstdint>
#include <cstring>

#include "uapi/tensor.h"

namespace fw {

/* struct Format - the bits of a floating type. */
template <class T> struct Format {
	T exponent; /* exponent mask; all bits set: infinite or NaN */
	T sign;
};

/* Address of element @i of a dim. The stride of a dim of size 1 may be any number and is not used. */
static std::byte *element(std::byte *first, int64_t i, int64_t stride, size_t bytes)
{
	return i == 0 ? first : first + i * stride * static_cast<int64_t>(bytes);
}

/* Checks one run of elements. */
template <class T>
static bool scan(const Format<T> &format, std::byte *first, int64_t count, int64_t stride,
		 bool saturate)
{
	bool any = false;
	for (int64_t i = 0; i < count; i++) {
		std::byte *at = element(first, i, stride, sizeof(T));
		T bits;
		std::memcpy(&bits, at, sizeof(bits));
		if ((bits & format.exponent) != format.exponent)
			continue;
		any = true;
		if (!saturate)
			return true;
		T sign = static_cast<T>(bits & format.sign);
		bool infinite = static_cast<T>(bits ^ sign) == format.exponent;
		bits = infinite ? static_cast<T>(sign | (format.exponent - 1)) : T{0};
		std::memcpy(at, &bits, sizeof(bits));
	}
	return any;
}

template <class T>
static bool walk(const unpu_operator &op, const Format<T> &format, std::byte *at, uint32_t dim,
		 bool saturate)
{
	if (op.ndim == 0)
		return scan(format, at, 1, 0, saturate);
	int64_t stride = op.operands[0].strides[dim];
	if (dim + 1 == op.ndim)
		return scan(format, at, op.dims[dim], stride, saturate);
	bool any = false;
	for (int64_t i = 0; i < op.dims[dim]; i++) {
		any = walk(op, format, element(at, i, stride, sizeof(T)), dim + 1, saturate) || any;
		if (any && !saturate)
			return true;
	}
	return any;
}

bool find_overflow(const unpu_operator &op, std::byte *result, bool saturate)
{
	switch (op.operands[0].dtype) {
	case UNPU_DTYPE_F32:
		return walk(op, Format<uint32_t>{0x7f800000u, 0x80000000u}, result, 0, saturate);
	case UNPU_DTYPE_F16:
		return walk(op, Format<uint16_t>{0x7c00u, 0x8000u}, result, 0, saturate);
	case UNPU_DTYPE_BF16:
		return walk(op, Format<uint16_t>{0x7f80u, 0x8000u}, result, 0, saturate);
	case UNPU_DTYPE_F64:
		return walk(op, Format<uint64_t>{0x7ff0000000000000u, 0x8000000000000000u}, result,
			    0, saturate);
	default:
		return false;
	}
}

} // namespace fw
