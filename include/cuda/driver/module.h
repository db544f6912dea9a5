/* SPDX-License-Identifier: MIT */
/*
 * DOC: Modules and links
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_MODULE_H
#define CUDA_DRIVER_MODULE_H

#include "kernel_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuModuleEnumerateFunctions() - lists the kernels
 * @functions: receives them
 * @numFunctions: how many fit
 * @mod: a module
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions,
					    CUmodule mod);

/**
 * cuModuleGetFunction() - finds a kernel
 * @hfunc: receives the kernel
 * @hmod: a module
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);

/**
 * cuModuleGetFunctionCount() - counts the kernels
 * @count: receives how many
 * @mod: a module
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int *count, CUmodule mod);

/**
 * cuModuleGetGlobal() - finds a variable
 * @dptr: receives the address
 * @bytes: receives the size
 * @hmod: a module
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod,
				   const char *name);

/**
 * cuModuleGetSurfRef() - finds a surface reference
 * @pSurfRef: receives the reference
 * @hmod: a module
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name);

/**
 * cuModuleGetTexRef() - finds a texture reference
 * @pTexRef: receives the reference
 * @hmod: a module
 * @name: its name
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name);

/**
 * cuModuleLoad() - loads code from a file
 * @module: receives the module
 * @fname: the path of a file
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleLoad(CUmodule *module, const char *fname);

/**
 * cuModuleLoadData() - loads code from memory
 * @module: receives the module
 * @image: code in memory
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image);

/**
 * cuModuleLoadDataEx() - loads code from memory, with options of the compiler
 * @module: receives the module
 * @image: code in memory
 * @numOptions: how many options
 * @options: which options
 * @optionValues: their values
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
				    CUjit_option *options, void **optionValues);

/**
 * cuModuleLoadFatBinary() - loads the code of several chips
 * @module: receives the module
 * @fatCubin: code for several chips
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin);

/**
 * cuModuleUnload() - unloads code
 * @hmod: a module
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuModuleUnload(CUmodule hmod);

/**
 * cuLinkAddData() - adds code from memory
 * @state: a link
 * @type: what kind of code it is
 * @data: the code
 * @size: its bytes
 * @name: a name for messages, or NULL
 * @numOptions: how many options
 * @options: which options
 * @optionValues: their values
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
			       const char *name, unsigned int numOptions, CUjit_option *options,
			       void **optionValues);

/**
 * cuLinkAddFile() - adds code from a file
 * @state: a link
 * @type: what kind of code it is
 * @path: the path of a file
 * @numOptions: how many options
 * @options: which options
 * @optionValues: their values
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
			       unsigned int numOptions, CUjit_option *options, void **optionValues);

/**
 * cuLinkComplete() - ends the link
 * @state: a link
 * @cubinOut: receives the code
 * @sizeOut: receives its size
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut);

/**
 * cuLinkCreate() - begins to link code
 * @numOptions: how many options
 * @options: which options
 * @optionValues: their values
 * @stateOut: receives the link
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
			      CUlinkState *stateOut);

/**
 * cuLinkDestroy() - frees a link
 * @state: a link
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLinkDestroy(CUlinkState state);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_MODULE_H */
