/* SPDX-License-Identifier: MIT */
/*
 * DOC: CPU mode
 *
 * The functions of libtikicpulib.so; programs use them through tikicpulib.h.
 */
#ifndef UNPU_CPU_MODE_H
#define UNPU_CPU_MODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unpu_kernel_services;

#define UNPU_CPU_API __attribute__((visibility("default")))

/* Memory for kernels, aligned to 512; NULL if there is none. */
UNPU_CPU_API void *unpu_cpu_alloc(size_t bytes);
UNPU_CPU_API void unpu_cpu_free(void *memory);
UNPU_CPU_API void unpu_cpu_set_tiling_key(uint64_t key);
UNPU_CPU_API const struct unpu_kernel_services *unpu_cpu_services(void);

/* A flag in @type: the kernel was compiled for Ascend310P, whose UB is larger. */
#define UNPU_CPU_UB_310P 0x100u

/*
 * Runs @call once for each instance of a kernel of @type (enum unpu_kernel_type) and returns 0, or 1 if @blocks is not
 * 1 to 65535. A failed check ends the process with SIGABRT.
 */
UNPU_CPU_API int unpu_cpu_run(const char *kernel, uint32_t type, uint32_t blocks,
			      void (*call)(void *), void *context);

#ifdef __cplusplus
}
#endif

#endif /* UNPU_CPU_MODE_H */
