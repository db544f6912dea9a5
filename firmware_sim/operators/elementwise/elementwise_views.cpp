// SPDX-License-Identifier: MIT
/*
 * DOC: Element-wise kinds
 *
 * The result and the operands have one shape; a dim that is broadcast has stride 0. A unit is a run of
 * elements of the result.
 */
#include "elementwise_views.h"

namespace fw::tensor {

uint64_t elementwise_units(const Call &call)
{
	const auto count = static_cast<uint64_t>(call.view(0).count());
	return (count + Blocks::UNIT - 1) / Blocks::UNIT;
}

uint64_t elementwise_cost(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).count()) * 2 * sizeof(float);
}

bool have_one_shape(const Call &call, unsigned slots)
{
	for (unsigned slot = 0; slot < slots; slot++) {
		if (!call.has(slot) || !call.view(slot).has_shape_of(call.view(0)) ||
		    element_bits(call.view(slot).dtype) < 8)
			return false;
	}
	return true;
}

} // namespace fw::tensor
