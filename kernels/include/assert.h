/* SPDX-License-Identifier: MIT */
/*
 * DOC: assert.h
 *
 * The C library's, without its assert: in a source with kernels that of kernel_operator.h stays, wherever <cassert> is
 * included. There is no guard, since there is none in the C library's.
 */
#include_next <assert.h>

#ifdef UNPU_ASCENDC_PRINT_ASSERTION_H
#undef assert
#define assert(...) UNPU_ASSERT_ALL((__VA_ARGS__), #__VA_ARGS__)
#endif
