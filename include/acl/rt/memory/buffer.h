/* SPDX-License-Identifier: MIT */
/*
 * DOC: Buffers
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * Buffers are host memory with a reference count. Each reference has a private area of 96 bytes, and
 * buffers can be chained.
 */
#ifndef ACL_RT_BUFFER_H
#define ACL_RT_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclrtAllocBuf() - allocates a buffer
 * @buf: out, owned by the caller
 * @size: bytes, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocBuf(aclrtMbuf *buf, size_t size);

/**
 * aclrtFreeBuf() - drops a reference to a buffer
 * @buf: the buffer; freeing the first buffer of a chain frees the others too
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeBuf(aclrtMbuf buf);

/**
 * aclrtSetBufDataLen() - sets the size of the data in a buffer
 * @buf: the buffer
 * @len: bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);

/**
 * aclrtGetBufDataLen() - the size of the data in a buffer
 * @buf: the buffer
 * @len: out, bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t *len);

/**
 * aclrtGetBufData() - the memory of a buffer
 * @buf: the buffer
 * @dataPtr: out, its address
 * @size: out, its bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufData(const aclrtMbuf buf, void **dataPtr, size_t *size);

/**
 * aclrtSetBufUserData() - writes into the private area of a buffer
 * @buf: the buffer
 * @dataPtr: what to write, copied
 * @size: bytes at @dataPtr
 * @offset: where in the area; it has 96 bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, size_t size,
						 size_t offset);

/**
 * aclrtGetBufUserData() - reads from the private area of a buffer
 * @buf: the buffer
 * @dataPtr: out
 * @size: bytes at @dataPtr
 * @offset: where in the area; it has 96 bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufUserData(const aclrtMbuf buf, void *dataPtr, size_t size,
						 size_t offset);

/**
 * aclrtCopyBufRef() - one more reference to the memory of a buffer
 * @buf: the buffer
 * @newBuf: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf *newBuf);

/**
 * aclrtAppendBufChain() - adds a buffer to a chain
 * @headBuf: the first buffer of the chain
 * @buf: the buffer, which must not be in a chain yet; it is freed with @headBuf
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for a member of a chain.
 */
ACL_FUNC_VISIBILITY aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);

/**
 * aclrtGetBufChainNum() - how many buffers a chain has
 * @headBuf: the first buffer of the chain
 * @num: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num);

/**
 * aclrtGetBufFromChain() - a buffer of a chain
 * @headBuf: the first buffer of the chain
 * @index: which
 * @buf: out, not a new reference
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index,
						  aclrtMbuf *buf);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_BUFFER_H */
