// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "firmware_sim/operators/blocks.h"
#include "firmware_sim/operators/elementwise/elementwise_views.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/* Kernel::cost_bytes of the layout kinds that use elementwise_units(). */
uint64_t layout_cost(const Call &call);

/** for_units() - calls for_rows() with @row for the elements of the result that belong to units @first ..
 * @first + @count - 1. */
template <class Row> void for_units(const Call &call, uint64_t first, uint64_t count, Row row)
{
	const View &out = call.view(0);
	const auto all = static_cast<uint64_t>(out.count());
	for_rows(out, first * Blocks::UNIT, std::min(all, (first + count) * Blocks::UNIT), row);
}

/** have_one_type() - whether slots 0 and 1 are there, with one type of whole bytes. */
inline bool have_one_type(const Call &call)
{
	return call.has(0) && call.has(1) && call.view(0).dtype == call.view(1).dtype &&
	       element_bits(call.view(0).dtype) >= 8;
}

/** struct Bits - one element of any type. */
struct Bits {
	std::byte bytes[8] = {};
};

/** to_element() - a scalar as an element of the type, rounded or wrapped once. */
Bits to_element(const Scalar &scalar, uint32_t dtype);

/** copy_part() - copies @n elements of a row. Rows of one type. @from may be @to. */
void copy_part(const View &out, const Index &at, const View &in, const Index &from, int64_t n);

/** fill_part() - puts @element into @n elements of a row of @out. */
void fill_part(const View &out, const Index &at, const Bits &element, int64_t n);

} // namespace fw::tensor
