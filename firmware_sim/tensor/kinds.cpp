// SPDX-License-Identifier: MIT
/*
 * DOC: Kinds of tensor operators
 *
 * The list of uapi/tensor.h by number.
 */
#include "kinds.h"

#include <iterator>

namespace fw {

namespace {

#define FW_TENSOR_ROW(name, number, slots, attributes) {number, #name, slots, attributes},
constexpr TensorKind ROWS[] = {UNPU_TENSOR_LIST(FW_TENSOR_ROW)};
#undef FW_TENSOR_ROW

constexpr bool is_in_order()
{
	for (size_t i = 0; i < std::size(ROWS); i++)
		if (ROWS[i].kind != i + 1)
			return false;
	return true;
}

static_assert(is_in_order(), "the kinds are numbered from 1 without a gap");

} // namespace

const TensorKind *tensor_kind(uint32_t kind)
{
	return kind - 1 < std::size(ROWS) ? &ROWS[kind - 1] : nullptr;
}

} // namespace fw
