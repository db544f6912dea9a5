/* SPDX-License-Identifier: MIT */
/*
 * DOC: Contexts
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * A thread's current context is the explicit context that it set or created last, else the primary
 * context of the device that it selected.
 */
#ifndef ACL_RT_CONTEXT_H
#define ACL_RT_CONTEXT_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclrtCreateContext() - creates an explicit context and makes it the thread's current one
 * @context: out, owned by the caller
 * @deviceId: the device of the context
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_DEVICEID, ACL_ERROR_RT_MEMORY_ALLOCATION, or
 * ACL_ERROR_RT_LOST_HEARTBEAT for a lost device.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/**
 * aclrtDestroyContext() - destroys an explicit context with all its streams
 * @context: context that aclrtCreateContext() returned; invalid afterwards
 *
 * If it was the current context of a thread, that thread has no explicit context afterwards.
 *
 * Context: any thread; may block until the work is done.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_CONTEXT_NULL for a destroyed or a primary context,
 * or
 * ACL_ERROR_RT_CONTEXT_RELEASE_ERROR while another thread destroys it.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/**
 * aclrtSetCurrentContext() - makes a context, and its device, the calling thread's current one
 * @context: a live context, explicit or primary
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_CONTEXT_NULL for a destroyed context.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/**
 * aclrtGetCurrentContext() - the calling thread's current context
 * @context: out, not a new reference
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

/**
 * aclrtCtxGetCurrentDefaultStream() - the handle of the current context's default stream
 * @stream: out, owned by the context; must not be destroyed
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);

/**
 * aclrtGetPrimaryCtxState() - whether a device's primary context exists
 * @deviceId: the device
 * @flags: reserved, NULL
 * @active: out, 1 when it exists, else 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags,
						     int32_t *active);

/**
 * aclrtCtxGetFloatOverflowAddr() - device memory for the overflow status in saturation mode
 * @overflowAddr: out, owned by the context
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_CONTEXT_H */
