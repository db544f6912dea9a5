/* SPDX-License-Identifier: MIT */
/*
 * DOC: tikicpulib
 *
 * Kernels as functions of the program: compile them with ASCENDC_CPU_DEBUG, link tikicpulib, and launch them with
 * ICPU_RUN_KF().
 */
#ifndef UNPU_TIKICPULIB_H
#define UNPU_TIKICPULIB_H

#include <tuple>

#include "kernel_operator.h"
#include "securec.h"

#include "unpu_cpu_mode.h"

enum class KernelMode {
	MIX_MODE = 0,
	AIC_MODE,
	AIV_MODE,
};

namespace AscendC {

using ::KernelMode;

/* Memory for parameters of kernels; free it with GmFree(). */
inline uint8_t *GmAlloc(size_t bytes)
{
	return static_cast<uint8_t *>(unpu_cpu_alloc(bytes));
}

inline void GmFree(void *memory)
{
	unpu_cpu_free(memory);
}

} /* namespace AscendC */

namespace unpu {

/* enum unpu_kernel_type that SetKernelMode() has chosen. Without it the code of the program's kernels says it. */
inline constexpr uint32_t CPU_TYPE_OF_CODE = 0xffffffffu;
inline uint32_t cpu_kernel_type = CPU_TYPE_OF_CODE;

template <typename... P> struct CpuCall {
	void (*kernel)(P...);
	std::tuple<P...> args;

	static void run(void *context)
	{
		CpuCall *self = static_cast<CpuCall *>(context);
		lang::run_kernel([self] { std::apply(self->kernel, self->args); });
	}
};

template <typename... P, typename... A>
int run_on_cpu(const char *name, void (*kernel)(P...), uint32_t blocks, A &&...args)
{
	static_assert(sizeof...(A) == sizeof...(P),
		      "the launch does not have one argument for each parameter");
	lang::services = unpu_cpu_services();
	CpuCall<P...> call = {kernel, std::tuple<P...>((P)args...)};
	const uint32_t type =
		cpu_kernel_type == CPU_TYPE_OF_CODE ? cpu_type_of_code() : cpu_kernel_type;
#if defined(UNPU_ASCEND310P)
	const uint32_t chip = UNPU_CPU_UB_310P;
#else
	const uint32_t chip = 0;
#endif
	return unpu_cpu_run(name, type | chip, blocks, &CpuCall<P...>::run, &call);
}

} /* namespace unpu */

namespace AscendC {

inline void SetKernelMode(KernelMode mode)
{
	unpu::cpu_kernel_type = mode == KernelMode::MIX_MODE   ? 5
				: mode == KernelMode::AIC_MODE ? 1
							       : 0;
}

} /* namespace AscendC */

/* Runs all blocks and returns when they have ended. */
#define ICPU_RUN_KF(func, blockdim, ...) ::unpu::run_on_cpu(#func, func, blockdim, ##__VA_ARGS__)
#define ICPU_SET_TILING_KEY(key) unpu_cpu_set_tiling_key(key)

#endif /* UNPU_TIKICPULIB_H */
