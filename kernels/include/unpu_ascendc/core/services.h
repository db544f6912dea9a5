/* SPDX-License-Identifier: MIT */
/*
 * DOC: Services
 *
 * The worker that runs the block, as the language sees it: its functions, the block, and the way to end a kernel with
 * a sentence.
 */
#ifndef UNPU_ASCENDC_CORE_SERVICES_H
#define UNPU_ASCENDC_CORE_SERVICES_H

#include <stdarg.h>
#include <stdio.h>

#include "kernels/abi/block.h"
#include "unpu_ascendc/core/where.h"

namespace unpu::lang {

/* The image sets it when a worker attaches to it. */
inline const unpu_kernel_services *services = nullptr;

/* The running block. It does not change during the life of a fiber. */
inline unpu_kernel_block &block()
{
	return *services->block();
}

/* The level of checks, 0 to 3. */
inline uint32_t level()
{
	return block().check;
}

/* Whether the kernel must not access the bytes that the device has behind allocations and tensors. */
inline bool is_exact()
{
	return block().exact;
}

/* Ends the kernel with a sentence about the call in @file at @line. Debuggers stop here (share/gdb/unpu.py). */
[[noreturn]] __attribute__((noinline, cold)) inline void end_kernel(uint32_t failure,
								    const char *file, uint32_t line,
								    const char *sentence)
{
	services->fail(failure, file, line, sentence);
}

/* Ends the kernel with a sentence about the call at @where. */
[[noreturn]] __attribute__((noinline, cold, format(printf, 2, 3))) inline void fail(
	Where where, const char *format, ...)
{
	char sentence[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	end_kernel(UNPU_KERNEL_FAIL_CHECK, where.file, static_cast<uint32_t>(where.line), sentence);
}

/* Ends the kernel like the instruction trap. */
[[noreturn]] __attribute__((noinline, cold)) inline void trap(Where where = Where::here())
{
	end_kernel(UNPU_KERNEL_FAIL_TRAP, where.file, static_cast<uint32_t>(where.line),
		   "the kernel called trap");
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CORE_SERVICES_H */
