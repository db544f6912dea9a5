/* SPDX-License-Identifier: MIT */
/*
 * DOC: Libraries of code and their kernels
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_LIBRARY_H
#define CUDA_DRIVER_LIBRARY_H

#include "kernel_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuLibraryEnumerateKernels() - lists the kernels
 * @kernels: receives them
 * @numKernels: how many fit
 * @lib: a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels,
					   CUlibrary lib);

/**
 * cuLibraryGetGlobal() - finds a variable of the device
 * @dptr: receives the address
 * @bytes: receives the size
 * @library: a library
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
				    const char *name);

/**
 * cuLibraryGetKernel() - finds a kernel
 * @pKernel: receives the kernel
 * @library: a library
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name);

/**
 * cuLibraryGetKernelCount() - counts the kernels
 * @count: receives how many
 * @lib: a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);

/**
 * cuLibraryGetManaged() - finds a managed variable
 * @dptr: receives the address
 * @bytes: receives the size
 * @library: a library
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
				     const char *name);

/**
 * cuLibraryGetModule() - the module of a library in the current context
 * @pMod: receives the module
 * @library: a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryGetModule(CUmodule *pMod, CUlibrary library);

/**
 * cuLibraryGetUnifiedFunction() - finds a function that host and device have
 * @fptr: receives the function
 * @library: a library
 * @symbol: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol);

/**
 * cuLibraryLoadData() - loads a library from memory
 * @library: receives the library
 * @code: code in memory
 * @jitOptions: options of the compiler
 * @jitOptionsValues: their values
 * @numJitOptions: how many
 * @libraryOptions: options of the library
 * @libraryOptionValues: their values
 * @numLibraryOptions: how many
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
				   void **jitOptionsValues, unsigned int numJitOptions,
				   CUlibraryOption *libraryOptions, void **libraryOptionValues,
				   unsigned int numLibraryOptions);

/**
 * cuLibraryLoadFromFile() - loads a library from a file
 * @library: receives the library
 * @fileName: the path of a file
 * @jitOptions: options of the compiler
 * @jitOptionsValues: their values
 * @numJitOptions: how many
 * @libraryOptions: options of the library
 * @libraryOptionValues: their values
 * @numLibraryOptions: how many
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
				       CUjit_option *jitOptions, void **jitOptionsValues,
				       unsigned int numJitOptions, CUlibraryOption *libraryOptions,
				       void **libraryOptionValues, unsigned int numLibraryOptions);

/**
 * cuLibraryUnload() - unloads a library
 * @library: a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLibraryUnload(CUlibrary library);

/**
 * cuKernelGetAttribute() - an attribute on a device
 * @pi: receives the value
 * @attrib: which attribute
 * @kernel: a kernel of a library
 * @dev: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel,
				      CUdevice dev);

/**
 * cuKernelGetFunction() - the kernel in the current context
 * @pFunc: receives the kernel
 * @kernel: a kernel of a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel);

/**
 * cuKernelGetLibrary() - the library that has a kernel
 * @pLib: receives the library
 * @kernel: a kernel of a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel);

/**
 * cuKernelGetName() - the name of a kernel
 * @name: receives the name
 * @hfunc: a kernel of a library
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelGetName(const char **name, CUkernel hfunc);

/**
 * cuKernelGetParamInfo() - where a parameter lies
 * @kernel: a kernel of a library
 * @paramIndex: the number of the parameter, from 0
 * @paramOffset: receives its offset
 * @paramSize: receives its size
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset,
				      size_t *paramSize);

/**
 * cuKernelSetAttribute() - sets an attribute on a device
 * @attrib: which attribute
 * @val: the value
 * @kernel: a kernel of a library
 * @dev: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
				      CUdevice dev);

/**
 * cuKernelSetCacheConfig() - prefers a division of the cache
 * @kernel: a kernel of a library
 * @config: what is preferred
 * @dev: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_LIBRARY_H */
