/* SPDX-License-Identifier: MIT */
/*
 * DOC: Assertions
 *
 * ASSERT, ascendc_assert, and in an image assert. This header has no guard around assert: a kernel may include
 * <cassert> before or after, so an image that is compiled from preprocessed text needs ours to be the last word, as
 * kernel_operator.h includes it at its end.
 */
#ifndef UNPU_ASCENDC_PRINT_ASSERTION_H
#define UNPU_ASCENDC_PRINT_ASSERTION_H

#include "unpu_ascendc/print/print.h"

#if ASCENDC_DUMP != 0
#define ascendc_assert(condition, ...) \
	((condition) ? (void)0 \
		     : ::unpu::lang::fail_assertion(__FILE__, __LINE__, \
						    #condition __VA_OPT__(, ) __VA_ARGS__))
#else
#define ascendc_assert(condition, ...) ((void)0)
#endif
#define ASSERT(...) UNPU_ASSERT_ALL((__VA_ARGS__), #__VA_ARGS__)
#define ASCENDC_ASSERT(condition, behavior) \
	do { \
		if (!(condition)) { \
			behavior; \
		} \
	} while (0)

/* What the chip does not have. */
#define ASCENDC_REPORT_NOT_SUPPORT(condition, message) \
	ascendc_assert(condition, "%s is not supported\n", message)

/* The condition may have commas outside of brackets, as those of templates. */
#if ASCENDC_DUMP != 0
#define UNPU_ASSERT_ALL(condition, text) \
	(condition ? (void)0 : ::unpu::lang::fail_assertion(__FILE__, __LINE__, text))
#else
#define UNPU_ASSERT_ALL(condition, text) ((void)0)
#endif

#endif /* UNPU_ASCENDC_PRINT_ASSERTION_H */
