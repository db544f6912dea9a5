/* SPDX-License-Identifier: MIT */
/*
 * DOC: Allocator hooks
 *
 * A program may register its own device-memory allocator for the operators of a stream.
 */
#ifndef ACL_ACL_RT_ALLOCATOR_H
#define ACL_ACL_RT_ALLOCATOR_H

#include <stddef.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * typedef aclrtAllocatorAllocFunc - allocates a block of at least @size bytes
 * @allocator: the program's allocator object
 * @size: bytes, > 0
 *
 * Context: the thread that runs the operator.
 * Return: the block, owned by @allocator, or NULL.
 */
typedef void *(*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);

/**
 * typedef aclrtAllocatorFreeFunc - frees a block
 * @allocator: the program's allocator object
 * @block: what the alloc function gave
 *
 * Context: the thread that runs the operator.
 */
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);

/**
 * typedef aclrtAllocatorAllocAdviseFunc - allocates a block, at @addr if possible
 * @allocator: the program's allocator object
 * @size: bytes, > 0
 * @addr: the preferred device address
 *
 * Context: the thread that runs the operator.
 * Return: the block, owned by @allocator, or NULL.
 */
typedef void *(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size,
					       aclrtAllocatorAddr addr);

/**
 * typedef aclrtAllocatorGetAddrFromBlockFunc - returns the address of a block
 * @block: what the alloc function gave
 *
 * Context: the thread that runs the operator.
 * Return: the device address of the block.
 */
typedef void *(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

/**
 * aclrtAllocatorCreateDesc() - makes an empty description of an allocator
 *
 * Context: any thread; never blocks.
 * Return: the description, owned by the caller until aclrtAllocatorDestroyDesc(), or NULL when
 * there is no memory.
 */
ACL_FUNC_VISIBILITY aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/**
 * aclrtAllocatorDestroyDesc() - destroys a description
 * @allocatorDesc: the description
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/**
 * aclrtAllocatorSetObjToDesc() - sets the object that the program's functions are called with
 * @allocatorDesc: the description
 * @allocator: the object; must live as long as the description is used
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc,
							aclrtAllocator allocator);

/**
 * aclrtAllocatorSetAllocFuncToDesc() - sets the function that allocates a block
 * @allocatorDesc: the description
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
							      aclrtAllocatorAllocFunc func);

/**
 * aclrtAllocatorSetFreeFuncToDesc() - sets the function that frees a block
 * @allocatorDesc: the description
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
							     aclrtAllocatorFreeFunc func);

/**
 * aclrtAllocatorSetAllocAdviseFuncToDesc() - sets the function that allocates a block at a preferred
 * address
 * @allocatorDesc: the description
 * @func: the function
 *
 * This function is optional; a description needs all the others.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocAdviseFuncToDesc(
	aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);

/**
 * aclrtAllocatorSetGetAddrFromBlockFuncToDesc() - sets the function that returns a block's address
 * @allocatorDesc: the description
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
	aclrtAllocatorDesc allocatorDesc, aclrtAllocatorGetAddrFromBlockFunc func);

/**
 * aclrtAllocatorRegister() - lets work of a stream use the program's allocator
 * @stream: the stream; NULL is refused
 * @allocatorDesc: a description with all required functions
 *
 * A later registration replaces an earlier one.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorRegister(aclrtStream stream,
						    aclrtAllocatorDesc allocatorDesc);

/**
 * aclrtAllocatorGetByStream() - the allocator that is registered for a stream
 * @stream: a stream of the current context, or NULL
 * @allocatorDesc: out
 * @allocator: out
 * @allocFunc: out
 * @freeFunc: out
 * @allocAdviseFunc: out
 * @getAddrFromBlockFunc: out
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM when no allocator is registered.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorGetByStream(
	aclrtStream stream, aclrtAllocatorDesc *allocatorDesc, aclrtAllocator *allocator,
	aclrtAllocatorAllocFunc *allocFunc, aclrtAllocatorFreeFunc *freeFunc,
	aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
	aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc);

/**
 * aclrtAllocatorUnregister() - undoes aclrtAllocatorRegister(); succeeds also when nothing is
 * registered
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorUnregister(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_ALLOCATOR_H */
