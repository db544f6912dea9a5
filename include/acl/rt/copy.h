/* SPDX-License-Identifier: MIT */
/*
 * DOC: Copying, filling, reducing
 *
 * Part of acl/acl_rt.h, which states what holds for every function. Sizes are in bytes. Where
 * memory lies is found out from its address; the kind of a copy is only checked to be an
 * enumerator.
 */
#ifndef ACL_RT_COPY_H
#define ACL_RT_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cache operations one barrier may wait for. */
#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

/** enum aclrtMemcpyKind - direction of a copy. */
typedef enum aclrtMemcpyKind {
	ACL_MEMCPY_HOST_TO_HOST = 0,
	ACL_MEMCPY_HOST_TO_DEVICE = 1,
	ACL_MEMCPY_DEVICE_TO_HOST = 2,
	ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
	ACL_MEMCPY_DEFAULT = 4,
	ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
	ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,
	ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7,
} aclrtMemcpyKind;

/** enum aclrtReduceKind - how a reducing copy combines source and destination. */
typedef enum aclrtReduceKind {
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13,
} aclrtReduceKind;

/** enum aclrtCmoType - cache operations. */
typedef enum aclrtCmoType {
	ACL_RT_CMO_TYPE_PREFETCH = 0,
	ACL_RT_CMO_TYPE_WRITEBACK = 1,
	ACL_RT_CMO_TYPE_INVALID = 2,
	ACL_RT_CMO_TYPE_FLUSH = 3,
} aclrtCmoType;

/**
 * struct aclrtMemcpyBatchAttr - where the two sides of copies in a batch lie
 * @dstLoc: destination
 * @srcLoc: source
 * @rsv: zero
 */
typedef struct aclrtMemcpyBatchAttr {
	aclrtMemLocation dstLoc;
	aclrtMemLocation srcLoc;
	uint8_t rsv[16];
} aclrtMemcpyBatchAttr;

/**
 * struct aclrtBarrierCmoInfo - one cache operation a barrier waits for
 * @cmoType: kind of operation
 * @barrierId: its number, > 0
 */
typedef struct aclrtBarrierCmoInfo {
	aclrtCmoType cmoType;
	uint32_t barrierId;
} aclrtBarrierCmoInfo;

/**
 * struct aclrtBarrierTaskInfo - cache operations a barrier waits for
 * @barrierNum: elements of @cmoInfo in use
 * @cmoInfo: the operations
 */
typedef struct aclrtBarrierTaskInfo {
	size_t barrierNum;
	aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/**
 * aclrtMemcpy() - copies memory and returns when it is done
 * @dst: destination
 * @destMax: bytes that fit at @dst
 * @src: source
 * @count: bytes to copy; 0 succeeds before any other check
 * @kind: direction, HOST_TO_HOST .. HOST_TO_BUF_TO_DEVICE
 *
 * Doesn't wait for streams.
 *
 * Context: any thread; may block until the copy is done.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID when @count > @destMax, or
 * ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT when the capture mode forbids it.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
					 aclrtMemcpyKind kind);

/**
 * aclrtMemcpyAsync() - copies memory in a stream's order
 * @dst: destination; must live until the copy is done
 * @destMax: bytes that fit at @dst
 * @src: source; must live and stay unchanged until the copy is done, unless it is pageable
 * @count: bytes to copy; 0 succeeds before any other check
 * @kind: direction, HOST_TO_HOST .. HOST_TO_BUF_TO_DEVICE
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous between device and pinned memory. With pageable host memory the call waits for the
 * stream, copies and returns.
 *
 * Context: any thread; may wait for room in the stream's queue, or for the stream with pageable
 * memory.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_CONTEXT, ACL_ERROR_RT_PARAM_INVALID when
 * @count > @destMax or for pageable memory on a capturing stream, ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 * from host to host, or ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src,
					      size_t count, aclrtMemcpyKind kind,
					      aclrtStream stream);

/**
 * aclrtMemset() - fills memory and returns when it is done
 * @devPtr: device or host memory
 * @maxCount: bytes that fit at @devPtr
 * @value: its low 8 bits fill every byte
 * @count: bytes to fill; 0 succeeds before any other check
 *
 * Doesn't wait for streams.
 *
 * Context: any thread; may block until the fill is done.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID when @count > @maxCount, or
 * ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT when the capture mode forbids it.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value,
					 size_t count);

/**
 * aclrtMemsetAsync() - fills memory in a stream's order
 * @devPtr: memory; must live until the fill is done
 * @maxCount: bytes that fit at @devPtr
 * @value: its low 8 bits fill every byte
 * @count: bytes to fill; 0 succeeds before any other check
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_CONTEXT, or ACL_ERROR_RT_PARAM_INVALID
 * when
 * @count > @maxCount.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value,
					      size_t count, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_COPY_H */
