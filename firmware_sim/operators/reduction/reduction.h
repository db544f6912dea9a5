// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/* Kernel::units, cost_bytes of the kinds that work on each row of slot 1, along its last dim. */
uint64_t row_units(const Call &call);
uint64_t row_cost(const Call &call);

/** units_of_rows() - the same for the rows of @self. */
inline uint64_t units_of_rows(const View &self)
{
	const auto each = static_cast<uint64_t>(rows_per_unit(row_length(self)));
	return (static_cast<uint64_t>(row_count(self)) + each - 1) / each;
}

/** for_rows_of() - calls @row with the numbers of the rows of @self that are in some units. */
template <class Row> void for_rows_of(const View &self, uint64_t first, uint64_t count, Row row)
{
	const auto rows = static_cast<uint64_t>(row_count(self));
	const auto each = static_cast<uint64_t>(rows_per_unit(row_length(self)));
	const uint64_t end = std::min(rows, (first + count) * each);
	for (uint64_t at = first * each; at < end; at++)
		row(at);
}

/** for_unit_rows() - the same for the rows of slot 1. */
template <class Row> void for_unit_rows(const Call &call, uint64_t first, uint64_t count, Row row)
{
	for_rows_of(call.view(1), first, count, row);
}

/** is_index_type() - whether elements of the type can be indices. */
inline bool is_index_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_I32 || dtype == UNPU_DTYPE_I64;
}

/** have_rows() - whether slots 0 and 1 are there with whole bytes for an element and equal dims but for the
 * last one. A view without dims is one row. */
bool have_rows(const Call &call);

} // namespace fw::tensor
