// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of lowerings
 *
 * Kinds that no entry point of aclnn has in the form that a lowering needs.
 */
#pragma once

#include "umd/aclnn/rows/rows.h"

namespace models {

extern const umd::OperatorRow mul_row;	/* (self, other, out) */
extern const umd::OperatorRow pow_row;	/* (self, exponent, out) */
extern const umd::OperatorRow adds_row; /* (self, other, alpha, out) */
extern const umd::OperatorRow fill_row; /* (out, value) */

} // namespace models
