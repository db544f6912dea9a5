/* SPDX-License-Identifier: MIT */
/*
 * DOC: Allocator hooks
 *
 * The types through which a program describes its own device-memory allocator.
 */
#ifndef ACL_ACL_RT_ALLOCATOR_H
#define ACL_ACL_RT_ALLOCATOR_H

#include <stddef.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * typedef aclrtAllocatorAllocFunc - gives a block of at least @size bytes
 * @allocator: the program's allocator object
 * @size: bytes, > 0
 *
 * Context: the thread that runs the operator.
 * Return: the block, owned by @allocator, or NULL.
 */
typedef void *(*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);

/**
 * typedef aclrtAllocatorFreeFunc - takes a block back
 * @allocator: the program's allocator object
 * @block: what the alloc function gave
 *
 * Context: the thread that runs the operator.
 */
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);

/**
 * typedef aclrtAllocatorAllocAdviseFunc - gives a block, at @addr where that is possible
 * @allocator: the program's allocator object
 * @size: bytes, > 0
 * @addr: the wished device address
 *
 * Context: the thread that runs the operator.
 * Return: the block, owned by @allocator, or NULL.
 */
typedef void *(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size,
					       aclrtAllocatorAddr addr);

/**
 * typedef aclrtAllocatorGetAddrFromBlockFunc - tells where a block lies
 * @block: what the alloc function gave
 *
 * Context: the thread that runs the operator.
 * Return: the device address of the block.
 */
typedef void *(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_ALLOCATOR_H */
