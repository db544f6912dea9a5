/* SPDX-License-Identifier: MIT */
/*
 * DOC: Calls of generated launch code
 *
 * unpu-ascendcc generates host code for each kernel: the function aclrtlaunch_NAME() and what stands for
 * NAME<<<blocks, l2ctrl, stream>>>(...). That code calls these functions; programs need not call them.
 */
#ifndef UNPU_KERNEL_H
#define UNPU_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "unpu/unpu.h"

/**
 * unpu_kernel_register_image() - tells the runtime of a kernel image that is part of the program
 * @data: the image; stays valid until unpu_kernel_unregister_image()
 * @bytes: size of @data
 *
 * A static constructor of the generated code calls it. It stores the two values and does nothing else; a
 * context loads the image at its first launch.
 *
 * Context: any thread; never blocks; works before aclInit().
 * Return: a handle for the other functions, NULL if there is no memory.
 */
UNPU_API void *unpu_kernel_register_image(const void *data, size_t bytes);

/**
 * unpu_kernel_unregister_image() - the image's library is unloaded
 * @image: from unpu_kernel_register_image(), or NULL
 *
 * Contexts that have loaded the image keep their copies until queued launches have ended.
 *
 * Context: any thread; works after aclFinalize().
 */
UNPU_API void unpu_kernel_unregister_image(void *image);

/**
 * unpu_kernel_register_function() - names the host function that stands for a kernel
 * @image: from unpu_kernel_register_image()
 * @symbol: address of the host function
 * @name: the entry's name in the image
 *
 * aclrtGetFuncBySymbol() and launches that take a function then find the kernel by @symbol.
 *
 * Context: any thread; never blocks; works before aclInit().
 * Return: 0, or 1 if the image is unknown, @symbol or @name is NULL, or there is no memory.
 */
UNPU_API uint32_t unpu_kernel_register_function(void *image, const void *symbol, const char *name);

/**
 * unpu_launch_kernel() - launches a kernel of a registered image in a stream
 * @image: from unpu_kernel_register_image()
 * @name: the entry's name in the image
 * @blocks: 1 to 65535
 * @stream: an aclrtStream, NULL for the default stream
 * @args: arguments as kernels/abi/image.h lays them out; copied before the call returns
 * @bytes: size of @args
 *
 * Context: any thread with a current context; as aclrtLaunchKernel().
 * Return: 0, or the aclError of aclrtLaunchKernel().
 */
UNPU_API uint32_t unpu_launch_kernel(void *image, const char *name, uint32_t blocks, void *stream,
				     const void *args, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* UNPU_KERNEL_H */
