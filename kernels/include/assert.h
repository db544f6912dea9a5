/* SPDX-License-Identifier: MIT */
/*
 * DOC: assert.h
 *
 * Includes the C library's header. In a source with kernels it then defines assert as kernel_operator.h does, whichever
 * header is included first. It has no include guard, because the C library's header has none.
 */
#include_next <assert.h>

#ifdef UNPU_ASCENDC_PRINT_ASSERTION_H
#undef assert
#define assert(...) UNPU_ASSERT_ALL((__VA_ARGS__), #__VA_ARGS__)
#endif
