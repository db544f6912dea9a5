/* SPDX-License-Identifier: MIT */
/*
 * DOC: Cache operations
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_CACHE_H
#define ACL_RT_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of cache operations that one barrier may wait for. */
#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

/** enum aclrtCmoType - cache operations. */
typedef enum aclrtCmoType {
	ACL_RT_CMO_TYPE_PREFETCH = 0,
	ACL_RT_CMO_TYPE_WRITEBACK = 1,
	ACL_RT_CMO_TYPE_INVALID = 2,
	ACL_RT_CMO_TYPE_FLUSH = 3,
} aclrtCmoType;

/**
 * struct aclrtBarrierCmoInfo - one cache operation that a barrier waits for
 * @cmoType: kind of operation
 * @barrierId: its number, > 0
 */
typedef struct aclrtBarrierCmoInfo {
	aclrtCmoType cmoType;
	uint32_t barrierId;
} aclrtBarrierCmoInfo;

/**
 * struct aclrtBarrierTaskInfo - cache operations that a barrier waits for
 * @barrierNum: elements of @cmoInfo in use
 * @cmoInfo: the operations
 */
typedef struct aclrtBarrierTaskInfo {
	size_t barrierNum;
	aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/**
 * aclrtCmoAsync() - moves memory between the cache and device memory, in a stream's order
 * @src: the memory
 * @size: bytes, > 0
 * @cmoType: ACL_RT_CMO_TYPE_PREFETCH
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. Does not change the contents of memory.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType,
					   aclrtStream stream);

/**
 * aclrtCmoAsyncWithBarrier() - aclrtCmoAsync() that aclrtCmoWaitBarrier() can wait for
 * @src: the memory
 * @size: bytes, > 0
 * @cmoType: the operation
 * @barrierId: number to wait for, > 0 only with ACL_RT_CMO_TYPE_INVALID
 * @stream: a stream bound to a model, in which no other operation has this number
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_MODEL.
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithBarrier(void *src, size_t size, aclrtCmoType cmoType,
						      uint32_t barrierId, aclrtStream stream);

/**
 * aclrtCmoWaitBarrier() - lets a stream wait for cache operations
 * @taskInfo: numbers of operations of the model; each can be waited for only once
 * @stream: a stream bound to a model
 * @flag: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_MODEL.
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream,
						 uint32_t flag);

/**
 * aclrtCmoGetDescSize() - bytes of a cache operation's description in device memory
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoGetDescSize(size_t *size);

/**
 * aclrtCmoSetDesc() - writes a cache operation's description into device memory
 * @cmoDesc: device memory for the description
 * @src: the memory
 * @size: bytes, > 0
 *
 * Context: any thread; may block.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoSetDesc(void *cmoDesc, void *src, size_t size);

/**
 * aclrtCmoAsyncWithDesc() - runs the cache operation of a description, in a stream's order
 * @cmoDesc: the description in device memory, read when the operation runs
 * @cmoType: ACL_RT_CMO_TYPE_PREFETCH
 * @stream: a stream of the current context, or NULL
 * @reserve: NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType,
						   aclrtStream stream, const void *reserve);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_CACHE_H */
