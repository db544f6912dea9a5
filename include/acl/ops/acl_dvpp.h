/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory for images
 *
 * Programs that run models allocate their buffers here too, also those that never decode an image. Of this header's
 * functions elsewhere, which decode and scale images and video, there are none: programs that name them do not compile.
 */
#ifndef ACL_OPS_ACL_DVPP_H
#define ACL_OPS_ACL_DVPP_H

#include <stddef.h>

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * acldvppMalloc() - allocates device memory
 * @devPtr: out, the address
 * @size: bytes; not 0
 *
 * As aclrtMalloc() with ACL_MEM_MALLOC_HUGE_FIRST.
 *
 * Context: any thread; may block.
 * Return: as aclrtMalloc().
 */
ACL_FUNC_VISIBILITY aclError acldvppMalloc(void **devPtr, size_t size);

/**
 * acldvppFree() - frees memory of acldvppMalloc()
 * @devPtr: the address
 *
 * Context: as aclrtFree().
 * Return: as aclrtFree().
 */
ACL_FUNC_VISIBILITY aclError acldvppFree(void *devPtr);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_H */
