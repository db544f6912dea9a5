// SPDX-License-Identifier: MIT
#pragma once

#include "row.h"

namespace models::wide {

/* is_unsigned() - a type whose elements the device can only move. */
inline bool is_unsigned(ir::Type type)
{
	return type == ir::Type::UINT16 || type == ir::Type::UINT32 || type == ir::Type::UINT64;
}

/* flip() - @tensor as signed numbers in the same order, by the other first bit. Twice gives the numbers again. */
bool flip(Lowering &l, Tensor &tensor);

/* widen() - integers of at most 32 bits as INT64. UINT64 keeps its bits. */
bool widen(Lowering &l, Tensor &tensor);

/* narrow() - the lowest bits of INT64 as the type of @out. */
bool narrow(Lowering &l, const Tensor &from, const Tensor &out);

} // namespace models::wide
