// SPDX-License-Identifier: MIT
/*
 * DOC: Kinds that work along rows
 *
 * Slot 0 is the result, slot 1 the operand. A unit is as many rows of the operand as have about 16 Ki elements.
 */
#include "reduction.h"

namespace fw::tensor {

uint64_t row_units(const Call &call)
{
	return units_of_rows(call.view(1));
}

uint64_t row_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(call.view(1).count()) * 2 * sizeof(float));
}

bool have_rows(const Call &call)
{
	if (!call.has(0) || !call.has(1))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	if (out.ndim != self.ndim || element_bits(out.dtype) < 8 || element_bits(self.dtype) < 8)
		return false;
	View same = out;
	if (out.ndim)
		same.dims[out.ndim - 1] = self.dims[out.ndim - 1];
	return same.has_shape_of(self);
}

} // namespace fw::tensor
