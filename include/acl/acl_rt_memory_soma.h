/* SPDX-License-Identifier: MIT */
/*
 * DOC: Stream-ordered memory pools
 *
 * acl/acl_rt.h states the rules for all functions. Memory is allocated and freed in the order of a
 * stream. A pool keeps freed memory for later allocations.
 */
#ifndef ACL_ACL_RT_MEMORY_SOMA_H
#define ACL_ACL_RT_MEMORY_SOMA_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** typedef aclrtMemPool - a pool of device memory that streams allocate from. */
typedef void *aclrtMemPool;

/** enum aclrtMemPoolAttr - attributes of a pool. */
typedef enum aclrtMemPoolAttr {
	ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
	ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
	ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
	ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
	ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,
	ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
	ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,
	ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8,
} aclrtMemPoolAttr;

/**
 * struct aclrtMemPoolProps - properties of a pool
 * @allocType: how the memory is held
 * @handleType: ACL_MEM_HANDLE_TYPE_NONE
 * @location: a device
 * @maxSize: maximum bytes; 0: limited only by the device's memory
 * @reserved: zero
 */
typedef struct aclrtMemPoolProps {
	aclrtMemAllocationType allocType;
	aclrtMemHandleType handleType;
	aclrtMemLocation location;
	size_t maxSize;
	unsigned char reserved[32];
} aclrtMemPoolProps;

/**
 * aclrtMemPoolCreate() - creates a pool that streams allocate from
 * @memPool: out, owned by the caller
 * @poolProps: properties of the pool
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or
 * ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool *memPool,
						const aclrtMemPoolProps *poolProps);

/**
 * aclrtMemPoolDestroy() - destroys a pool
 * @memPool: the pool, with no block of it in use
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_INTERNAL_ERROR for an unknown pool or one in use.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);

/**
 * aclrtMemPoolSetAttr() - changes an attribute of a pool
 * @memPool: the pool
 * @attr: the attribute; a high-water mark can only be set to 0
 * @value: an int for the reuse policies, a uint64_t for the rest
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
						 void *value);

/**
 * aclrtMemPoolGetAttr() - an attribute of a pool
 * @memPool: the pool
 * @attr: the attribute
 * @value: out, an int for the reuse policies, a uint64_t for the rest
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
						 void *value);

/**
 * aclrtMemPoolMallocAsync() - allocates device memory in a stream's order
 * @ptr: out; the address is known at once and may be used in the stream's order
 * @size: bytes, > 0
 * @memPool: the pool
 * @stream: a stream; NULL is refused
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool,
						     aclrtStream stream);

/**
 * aclrtMemPoolFreeAsync() - returns memory to its pool in a stream's order
 * @ptr: address that aclrtMemPoolMallocAsync() returned
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream);

/**
 * aclrtMemPoolTrimTo() - returns unused memory of a pool to the device
 * @memPool: the pool
 * @minBytesToKeep: bytes the pool may keep
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_MEMORY_SOMA_H */
