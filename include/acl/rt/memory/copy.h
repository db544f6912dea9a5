/* SPDX-License-Identifier: MIT */
/*
 * DOC: Copies
 *
 * Part of acl/acl_rt.h, which states the rules for all functions. Sizes are in bytes.
 */
#ifndef ACL_RT_COPY_H
#define ACL_RT_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/memory/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/**
 * struct aclrtMemcpyBatchAttr - locations of the two sides of copies in a batch
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
 * aclrtMemcpy() - copies memory and returns when it is done
 * @dst: destination
 * @destMax: bytes that fit at @dst
 * @src: source
 * @count: bytes to copy; 0 succeeds before any other check
 * @kind: direction, HOST_TO_HOST .. INTER_DEVICE_TO_DEVICE; the addresses decide
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
 * @src: source; must live and stay unchanged until the copy is done, unless it is pageable or @kind is
 * HOST_TO_BUF_TO_DEVICE
 * @count: bytes to copy; 0 succeeds before any other check
 * @kind: direction, HOST_TO_HOST .. INTER_DEVICE_TO_DEVICE; the addresses decide
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous between device and pinned memory. With pageable host memory the call waits for the
 * stream, copies and returns. With HOST_TO_BUF_TO_DEVICE the call reads host memory of any kind into a buffer,
 * and the copy, also each launch of a captured one, is of that buffer.
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
 * aclrtMemcpyAsyncWithCondition() - aclrtMemcpyAsync() by another name; host memory gets no further
 * checks
 * @dst: where to copy
 * @destMax: bytes of room at @dst
 * @src: what to copy
 * @count: bytes
 * @kind: direction; the addresses decide where the memory is
 * @stream: a stream of the current context, or NULL
 *
 * Deprecated; new programs use aclrtMemcpyAsync(). Asynchronous when host memory is pinned.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtMemcpyAsync().
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax,
							   const void *src, size_t count,
							   aclrtMemcpyKind kind,
							   aclrtStream stream);

/**
 * aclrtMemcpyBatch() - several copies in one call, in no order among them
 * @dsts: array of @numBatches addresses to copy to
 * @destMaxs: array of @numBatches sizes of the room there, in bytes
 * @srcs: array of @numBatches addresses to copy from
 * @sizes: array of @numBatches sizes to copy, in bytes
 * @numBatches: copies, > 0
 * @attrs: array of @numAttrs places
 * @attrsIndexes: array of @numAttrs indexes: the first copy that a place is of; the first is 0, and
 * they grow
 * @numAttrs: elements, 1 .. @numBatches
 * @failIndex: out, the copy that failed, or the first one of a wrong place; SIZE_MAX when none can be named
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or
 * ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs,
					      size_t *sizes, size_t numBatches,
					      aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
					      size_t numAttrs, size_t *failIndex);

/**
 * aclrtMemcpyBatchV2() - aclrtMemcpyBatch() without @failIndex
 * @dsts: array of @numBatches addresses to copy to
 * @destMaxs: array of @numBatches sizes of the room there, in bytes
 * @srcs: array of @numBatches addresses to copy from
 * @sizes: array of @numBatches sizes to copy, in bytes
 * @numBatches: copies, > 0
 * @attrs: array of @numAttrs places
 * @attrsIndexes: array of @numAttrs indexes: the first copy that a place is of; the first is 0, and
 * they grow
 * @numAttrs: elements, 1 .. @numBatches
 *
 * Context: any thread; may block.
 * Return: as aclrtMemcpyBatch().
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs,
						size_t *sizes, size_t numBatches,
						aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
						size_t numAttrs);

/**
 * aclrtMemcpyBatchAsync() - several copies in a stream's order, in no order among them
 * @dsts: array of @numBatches addresses to copy to
 * @destMaxs: array of @numBatches sizes of the room there, in bytes
 * @srcs: array of @numBatches addresses to copy from
 * @sizes: array of @numBatches sizes to copy, in bytes
 * @numBatches: copies, > 0
 * @attrs: array of @numAttrs places
 * @attrsIndexes: array of @numAttrs indexes: the first copy that a place is of; the first is 0, and
 * they grow
 * @numAttrs: elements, 1 .. @numBatches
 * @failIndex: out, the copy that failed, or SIZE_MAX when none can be named
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous when host memory is pinned.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtMemcpyBatch().
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs,
						   size_t *sizes, size_t numBatches,
						   aclrtMemcpyBatchAttr *attrs,
						   size_t *attrsIndexes, size_t numAttrs,
						   size_t *failIndex, aclrtStream stream);

/**
 * aclrtMemcpyBatchAsyncV2() - aclrtMemcpyBatchAsync() without @failIndex
 * @dsts: array of @numBatches addresses to copy to
 * @destMaxs: array of @numBatches sizes of the room there, in bytes
 * @srcs: array of @numBatches addresses to copy from
 * @sizes: array of @numBatches sizes to copy, in bytes
 * @numBatches: copies, > 0
 * @attrs: array of @numAttrs places
 * @attrsIndexes: array of @numAttrs indexes: the first copy that a place is of; the first is 0, and
 * they grow
 * @numAttrs: elements, 1 .. @numBatches
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous when host memory is pinned.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtMemcpyBatch().
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs,
						     size_t *sizes, size_t numBatches,
						     aclrtMemcpyBatchAttr *attrs,
						     size_t *attrsIndexes, size_t numAttrs,
						     aclrtStream stream);

/**
 * aclrtMemcpy2d() - copies rows between host and device
 * @dst: where to copy
 * @dpitch: bytes from one row to the next at @dst
 * @src: what to copy
 * @spitch: bytes from one row to the next at @src
 * @width: bytes of a row
 * @height: rows
 * @kind: to the device, to the host, or ACL_MEMCPY_DEFAULT
 *
 * Returns when the copy is done. Width or height 0 succeeds.
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_INVALID_PARAM also for any other @kind, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for rows on the
 * device and for addresses of another direction, or ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch,
					   size_t width, size_t height, aclrtMemcpyKind kind);

/**
 * aclrtMemcpy2dAsync() - copies rows in a stream's order
 * @dst: where to copy
 * @dpitch: bytes from one row to the next at @dst
 * @src: what to copy
 * @spitch: bytes from one row to the next at @src
 * @width: bytes of a row
 * @height: rows
 * @kind: to, from or on the device, or ACL_MEMCPY_DEFAULT
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous when host memory is pinned. At most 5000000 bytes a row and 5242880 rows.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for addresses
 * of the host alone, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src,
						size_t spitch, size_t width, size_t height,
						aclrtMemcpyKind kind, aclrtStream stream);

/**
 * aclrtGetMemcpyDescSize() - bytes of a copy's description in device memory
 * @kind: ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
 * @descSize: out
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM for another @kind.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t *descSize);

/**
 * aclrtSetMemcpyDesc() - writes a copy's description into device memory
 * @desc: device memory for the description
 * @kind: ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
 * @srcAddr: what to copy
 * @dstAddr: where to copy
 * @count: bytes
 * @config: NULL
 *
 * Context: any thread; may block.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr,
						void *dstAddr, size_t count, void *config);

/**
 * aclrtMemcpyAsyncWithDesc() - runs the copy of a description in device memory, in a stream's order
 * @desc: the description, read when the copy runs
 * @kind: ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind,
						      aclrtStream stream);

/**
 * aclrtMemcpyAsyncWithOffset() - copies between addresses that are stored in device memory, in a
 * stream's order
 * @dst: device memory with the address of the destination, read when the copy runs
 * @destMax: bytes of room at the destination
 * @dstDataOffset: bytes to add to the destination
 * @src: device memory with the address of the source, read when the copy runs
 * @count: bytes
 * @srcDataOffset: bytes to add to the source
 * @kind: ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithOffset(void **dst, size_t destMax,
							size_t dstDataOffset, const void **src,
							size_t count, size_t srcDataOffset,
							aclrtMemcpyKind kind, aclrtStream stream);

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

/**
 * aclrtMemsetD32() - fills memory with words
 * @ptr: a multiple of 4, from aclrtMalloc() or aclrtMallocHost()
 * @memSize: bytes at @ptr
 * @value: the word
 * @N: words to write; 0 succeeds
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N);

/**
 * aclrtMemsetD32Async() - fills memory with words in a stream's order
 * @ptr: a multiple of 4, from aclrtMalloc() or aclrtMallocHost()
 * @memSize: bytes at @ptr
 * @value: the word
 * @N: words to write; 0 succeeds
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous for device memory; host memory is filled before the call returns.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value,
						 size_t N, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_COPY_H */
