/* SPDX-License-Identifier: MIT */
/*
 * DOC: Assertions
 *
 * ASSERT, ascendc_assert and assert. Kernels call assert without including a header. The <assert.h> beside
 * kernel_operator.h includes that of the C library, and then defines assert for kernels again.
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
#undef assert
#define assert(...) UNPU_ASSERT_ALL((__VA_ARGS__), #__VA_ARGS__)
#define ASSERT(...) UNPU_ASSERT_ALL((__VA_ARGS__), #__VA_ARGS__)
/* Without ASCENDC_CPU_DEBUG it expands to nothing, as on the device: kernels name variables in it that do not exist
 * there. */
#ifdef ASCENDC_CPU_DEBUG
#define ASCENDC_ASSERT(condition, ...) \
	do { \
		if (!(condition)) { \
			__VA_ARGS__; \
		} \
	} while (0)
#else
#define ASCENDC_ASSERT(...) ((void)0)
#endif

/* KERNEL_LOG(KERNEL_ERROR, "%d tiles", n): a line of the kernel's output. */
#define KERNEL_LOG(level, format, ...) \
	((void)::AscendC::printf("[" #level "] " format "\n" __VA_OPT__(, ) __VA_ARGS__))

/* Reports what the chip does not have. It is a whole statement, because programs write it with and without a
 * semicolon. */
#define ASCENDC_REPORT_NOT_SUPPORT(condition, message) \
	ascendc_assert(condition, "%s is not supported\n", message);

/* The condition may have commas outside of parentheses, for example in template arguments. */
#if ASCENDC_DUMP != 0
#define UNPU_ASSERT_ALL(condition, text) \
	(condition ? (void)0 : ::unpu::lang::fail_assertion(__FILE__, __LINE__, text))
#else
#define UNPU_ASSERT_ALL(condition, text) ((void)0)
#endif

#endif /* UNPU_ASCENDC_PRINT_ASSERTION_H */
