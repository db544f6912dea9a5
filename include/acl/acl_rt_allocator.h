/* SPDX-License-Identifier: MIT */
/*
 * DOC: Allocator hooks
 *
 * A program may describe its own device-memory allocator, for the operators of a stream to use.
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
 * aclrtAllocatorSetAllocFuncToDesc() - sets the function that gives a block
 * @allocatorDesc: the description
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
							      aclrtAllocatorAllocFunc func);

/**
 * aclrtAllocatorSetFreeFuncToDesc() - sets the function that takes a block back
 * @allocatorDesc: the description
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
							     aclrtAllocatorFreeFunc func);

/**
 * aclrtAllocatorSetAllocAdviseFuncToDesc() - sets the function that gives a block at a wished
 * address
 * @allocatorDesc: the description
 * @func: the function
 *
 * The one function that a description may lack.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocAdviseFuncToDesc(
	aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);

/**
 * aclrtAllocatorSetGetAddrFromBlockFuncToDesc() - sets the function that tells a block's address
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
 * The last registration counts.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorRegister(aclrtStream stream,
						    aclrtAllocatorDesc allocatorDesc);

/**
 * aclrtAllocatorGetByStream() - what is registered for a stream
 * @stream: a stream of the current context, or NULL
 * @allocatorDesc: out
 * @allocator: out
 * @allocFunc: out
 * @freeFunc: out
 * @allocAdviseFunc: out
 * @getAddrFromBlockFunc: out
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM when nothing is.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorGetByStream(
	aclrtStream stream, aclrtAllocatorDesc *allocatorDesc, aclrtAllocator *allocator,
	aclrtAllocatorAllocFunc *allocFunc, aclrtAllocatorFreeFunc *freeFunc,
	aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
	aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc);

/**
 * aclrtAllocatorUnregister() - takes aclrtAllocatorRegister() back; also when nothing is registered
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
