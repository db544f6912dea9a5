/* SPDX-License-Identifier: MIT */
/*
 * DOC: Run
 *
 * The frame around a kernel: the generated entry calls run_kernel() with a function that calls the user's kernel.
 */
#ifndef UNPU_ASCENDC_CORE_RUN_H
#define UNPU_ASCENDC_CORE_RUN_H

#include "unpu_ascendc/check/shadow.h"
#include "unpu_ascendc/tensor/global_memory.h"

namespace unpu::lang {

inline void finish_kernel()
{
	if (level() > 0)
		flush_pending();
	if (const Order *order = order_of_block())
		order->finish();
}

template <class Kernel> inline void run_kernel(Kernel kernel)
{
	if (level() > deepest)
		deepest = level();
	kernel();
	finish_kernel();
}

/* Marks for unpu-ascendcc, which reads the type of cores from the call. */
constexpr void declare_task_type(AscendC::KernelMetaType) {}
constexpr void declare_task_type_for(uint64_t, AscendC::KernelMetaType) {}

} // namespace unpu::lang

#define KERNEL_TASK_TYPE_DEFAULT(type) ::unpu::lang::declare_task_type(::AscendC::type)
#define KERNEL_TASK_TYPE(key, type) ::unpu::lang::declare_task_type_for((key), ::AscendC::type)

#endif /* UNPU_ASCENDC_CORE_RUN_H */
