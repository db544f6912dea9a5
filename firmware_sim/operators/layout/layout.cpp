// SPDX-License-Identifier: MIT
/*
 * DOC: Layout kinds
 *
 * They move elements and compute nothing. Slot 0 is the result. A unit is a run of its elements in row-major
 * order, of which each kind copies or fills parts of rows.
 */
#include "layout.h"

namespace fw::tensor {

uint64_t layout_cost(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).count() * element_bytes(call.view(0)));
}

Bits to_element(const Scalar &scalar, uint32_t dtype)
{
	Bits element;
	if (scalar.is_floating)
		store_row<double>(dtype, element.bytes, 0, 1, &scalar.real);
	else
		store_row<int64_t>(dtype, element.bytes, 0, 1, &scalar.integer);
	return element;
}

void copy_part(const View &out, const Index &at, const View &in, const Index &from, int64_t n)
{
	std::byte *target = place(out, at);
	const std::byte *source = place(in, from);
	if (target != source)
		copy_row(target, inner_stride(out), source, inner_stride(in),
			 static_cast<size_t>(n), static_cast<unsigned>(element_bytes(out)));
}

void fill_part(const View &out, const Index &at, const Bits &element, int64_t n)
{
	copy_row(place(out, at), inner_stride(out), element.bytes, 0, static_cast<size_t>(n),
		 static_cast<unsigned>(element_bytes(out)));
}

} // namespace fw::tensor
