// SPDX-License-Identifier: MIT
/*
 * DOC: Strided copy
 *
 * Rows (shape.h) that are contiguous in source and target are copied as bytes. Other rows are copied element
 * by element.
 */
#include "strided_copy.h"

#include <cstring>

#include "shape.h"

namespace fw {

namespace {

using CopyShape = StridedShape<2>;

template <class Bits>
void copy_elements(const CopyShape &shape, const std::array<std::byte *, 4> &base)
{
	const int64_t(&strides)[2] = shape.strides[shape.ndim - 1];
	const int64_t length = shape.dims[shape.ndim - 1];

	for_each_row(shape, base, [&](const std::array<std::byte *, 2> &at) {
		for (int64_t i = 0; i < length; i++)
			std::memcpy(at[0] + i * strides[0], at[1] + i * strides[1], sizeof(Bits));
	});
}

void copy_rows(const CopyShape &shape, const std::array<std::byte *, 4> &base,
	       int64_t element_bytes)
{
	const size_t bytes = static_cast<size_t>(shape.dims[shape.ndim - 1] * element_bytes);

	for_each_row(shape, base, [&](const std::array<std::byte *, 2> &at) {
		std::memmove(at[0], at[1], bytes);
	});
}

} // namespace

void copy_strided(const unpu_operator &op, const std::array<std::byte *, 4> &base)
{
	const int64_t element_bytes = dtype_bytes(op.operands[0].dtype);
	CopyShape shape;

	flatten(op, shape);
	const int64_t(&strides)[2] = shape.strides[shape.ndim - 1];
	if (strides[0] == element_bytes && strides[1] == element_bytes)
		return copy_rows(shape, base, element_bytes);
	lengthen_rows(shape);
	switch (element_bytes) {
	case 1:
		return copy_elements<uint8_t>(shape, base);
	case 2:
		return copy_elements<uint16_t>(shape, base);
	case 4:
		return copy_elements<uint32_t>(shape, base);
	default:
		return copy_elements<uint64_t>(shape, base);
	}
}

} // namespace fw
