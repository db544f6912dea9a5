/* SPDX-License-Identifier: MIT */
/*
 * DOC: Unsigned types
 *
 * ADD, MUL, MAX and MIN of uapi/operator.h compute these in the type itself: compute and all operands have the type,
 * and the scalar of ADD is 1. The same holds for F64. A scalar of a tensor operator may be a U64, too.
 */
#ifndef UNPU_UAPI_UNSIGNED_H
#define UNPU_UAPI_UNSIGNED_H

#include "uapi/tensor.h"

/* X(name, number, bytes). */
#define UNPU_UNSIGNED_DTYPE_LIST(X) \
	X(U64, 12, 8) \
	X(U16, 13, 2) \
	X(U32, 14, 4)

#define UNPU_DTYPE_U16 13u
#define UNPU_DTYPE_U32 14u

#endif /* UNPU_UAPI_UNSIGNED_H */
