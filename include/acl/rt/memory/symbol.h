/* SPDX-License-Identifier: MIT */
/*
 * DOC: Variables of kernels
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * The address that a variable has in the program identifies it.
 */
#ifndef ACL_RT_SYMBOL_H
#define ACL_RT_SYMBOL_H

#include <stddef.h>

#include "acl/acl_base.h"
#include "acl/rt/memory/copy.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclrtGetSymbolAddress() - the device address of a variable of a kernel source
 * @symbol: the variable
 * @devPtr: out
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolAddress(const void *symbol, void **devPtr);

/**
 * aclrtGetSymbolSize() - bytes of a variable of a kernel source
 * @symbol: the variable
 * @size: out
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolSize(const void *symbol, size_t *size);

/**
 * aclrtMemcpyFromSymbol() - copies from a variable of a kernel source
 * @dst: where to copy
 * @dstMax: bytes of room at @dst
 * @symbol: the variable
 * @count: bytes
 * @offset: bytes from the start of the variable
 * @kind: to the host, or ACL_MEMCPY_DEFAULT
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbol(void *dst, size_t dstMax, const void *symbol,
						   size_t count, size_t offset,
						   aclrtMemcpyKind kind);

/**
 * aclrtMemcpyFromSymbolAsync() - copies from a variable of a kernel source in a stream's order
 * @dst: where to copy
 * @dstMax: bytes of room at @dst
 * @symbol: the variable
 * @count: bytes
 * @offset: bytes from the start of the variable
 * @kind: to the host, or ACL_MEMCPY_DEFAULT
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbolAsync(void *dst, size_t dstMax,
							const void *symbol, size_t count,
							size_t offset, aclrtMemcpyKind kind,
							aclrtStream stream);

/**
 * aclrtMemcpyToSymbol() - copies to a variable of a kernel source
 * @symbol: the variable
 * @src: what to copy
 * @count: bytes
 * @offset: bytes from the start of the variable
 * @kind: to the device, or ACL_MEMCPY_DEFAULT
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbol(const void *symbol, const void *src, size_t count,
						 size_t offset, aclrtMemcpyKind kind);

/**
 * aclrtMemcpyToSymbolAsync() - copies to a variable of a kernel source in a stream's order
 * @symbol: the variable
 * @src: what to copy
 * @count: bytes
 * @offset: bytes from the start of the variable
 * @kind: to the device, or ACL_MEMCPY_DEFAULT
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbolAsync(const void *symbol, const void *src,
						      size_t count, size_t offset,
						      aclrtMemcpyKind kind, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_SYMBOL_H */
