// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/* Kernel::units, cost_bytes of the kinds that work on each row of slot 1, along its last dim. */
uint64_t row_units(const Call &call);
uint64_t row_cost(const Call &call);

/** for_unit_rows() - calls @row with the numbers of the rows of some units. */
template <class Row> void for_unit_rows(const Call &call, uint64_t first, uint64_t count, Row row)
{
	const auto rows = static_cast<uint64_t>(row_count(call.view(1)));
	const auto each = static_cast<uint64_t>(rows_per_unit(row_length(call.view(1))));
	const uint64_t end = std::min(rows, (first + count) * each);
	for (uint64_t at = first * each; at < end; at++)
		row(at);
}

/** have_rows() - whether slots 0 and 1 are there with whole bytes for an element and equal dims but for the
 * last one. A view without dims is one row. */
bool have_rows(const Call &call);

} // namespace fw::tensor
