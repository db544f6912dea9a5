/* SPDX-License-Identifier: MIT */
/*
 * DOC: Initialisation and versions
 *
 * Part of cuda.h, which states the rules for all functions.
 */
#ifndef CUDA_DRIVER_INIT_H
#define CUDA_DRIVER_INIT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUdriverProcAddress_flags - selects the entry point that cuGetProcAddress() returns. */
typedef enum CUdriverProcAddress_flags_enum {
	CU_GET_PROC_ADDRESS_DEFAULT = 0,
	CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
	CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2,
} CUdriverProcAddress_flags;

/** enum CUdriverProcAddressQueryResult - result of a look-up by cuGetProcAddress(). */
typedef enum CUdriverProcAddressQueryResult_enum {
	CU_GET_PROC_ADDRESS_SUCCESS = 0,
	CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
	CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2,
} CUdriverProcAddressQueryResult;

/** enum CUmoduleLoadingMode - when code is loaded; this device has no code to load. */
typedef enum CUmoduleLoadingMode_enum {
	CU_MODULE_EAGER_LOADING = 1,
	CU_MODULE_LAZY_LOADING = 2,
} CUmoduleLoadingMode;

/**
 * cuInit() - initialises the interface; the other functions need it
 * @Flags: 0
 *
 * May be called again. If the machine has a driver for real devices, cuInit() fails, unless
 * UNPU_CUDA_BESIDE_NVIDIA is set in the environment.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for other flags, CUDA_ERROR_NO_DEVICE for a device string without
 * devices, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH beside a real driver, CUDA_ERROR_NOT_INITIALIZED in
 * a fork.
 */
CUresult CUDAAPI cuInit(unsigned int Flags);

/**
 * cuDriverGetVersion() - the version of the interface
 * @driverVersion: receives 1000 * major + 10 * minor
 *
 * Context: any thread, at any time.
 * Return: CUDA_ERROR_INVALID_VALUE when @driverVersion is NULL.
 */
CUresult CUDAAPI cuDriverGetVersion(int *driverVersion);

/**
 * cuGetProcAddress() - the address of a function by its name
 * @symbol: the name without a suffix for version or stream
 * @pfn: receives the address of the newest variant in version @cudaVersion, or NULL
 * @cudaVersion: at most that of cuDriverGetVersion()
 * @flags: CUdriverProcAddress_flags; PER_THREAD_DEFAULT_STREAM prefers the variant for which NULL means
 * the calling thread's own stream
 * @symbolStatus: receives a CUdriverProcAddressQueryResult; may be NULL
 *
 * An unknown name is not an error: @pfn becomes NULL and @symbolStatus gives the reason.
 * Context: any thread, at any time.
 * Return: CUDA_ERROR_INVALID_VALUE for a NULL pointer, unknown flags or a version that is too high.
 */
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
				  CUdriverProcAddressQueryResult *symbolStatus);

/**
 * cuModuleGetLoadingMode() - when code is loaded
 * @mode: receives CU_MODULE_EAGER_LOADING
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @mode is NULL.
 */
CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_INIT_H */
