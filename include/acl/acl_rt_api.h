/* SPDX-License-Identifier: MIT */
/*
 * DOC: Shorter names for the runtime, C++ only
 *
 * Overloads and templates of functions of acl/acl_rt.h. They take pointers to any type and call the
 * function that their comment names; see that function for the description. Note: the overload
 * aclrtCreateEvent(event, flag) creates an event of the new kind, aclrtCreateEvent(event) one of the
 * old kind.
 */
#ifndef ACL_ACL_RT_API_H
#define ACL_ACL_RT_API_H

#include "acl/acl_rt.h"

#ifdef __cplusplus

/* aclrtSynchronizeDeviceWithTimeout() */
static inline aclError aclrtSynchronizeDevice(int32_t timeout)
{
	return aclrtSynchronizeDeviceWithTimeout(timeout);
}

/* aclrtSynchronizeStreamWithTimeout() */
static inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout)
{
	return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

/* aclrtSynchronizeEventWithTimeout() */
static inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout)
{
	return aclrtSynchronizeEventWithTimeout(event, timeout);
}

/* aclrtStreamWaitEventWithTimeout() */
static inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout)
{
	return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

/* aclrtCreateStreamWithConfig() */
static inline aclError aclrtCreateStream(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
	return aclrtCreateStreamWithConfig(stream, priority, flag);
}

/* aclrtSetOpExecuteTimeOutV2() */
static inline aclError aclrtSetOpExecuteTimeOut(uint64_t timeout, uint64_t *actualTimeout)
{
	return aclrtSetOpExecuteTimeOutV2(timeout, actualTimeout);
}

/* aclrtCreateEventExWithFlag() */
static inline aclError aclrtCreateEvent(aclrtEvent *event, uint32_t flag)
{
	return aclrtCreateEventExWithFlag(event, flag);
}

/* aclrtMallocWithCfg() */
template <typename T>
static inline aclError aclrtMalloc(T **devPtr, size_t size,
				   aclrtMemMallocPolicy policy = ACL_MEM_MALLOC_HUGE_FIRST,
				   aclrtMallocConfig *cfg = nullptr)
{
	return aclrtMallocWithCfg((void **)devPtr, size, policy, cfg);
}

/* aclrtMallocHostWithCfg() */
template <typename T>
static inline aclError aclrtMallocHost(T **hostPtr, size_t size, aclrtMallocConfig *cfg = nullptr)
{
	return aclrtMallocHostWithCfg((void **)hostPtr, size, cfg);
}

/* aclrtMemcpy() */
template <typename T, typename U>
static inline aclError aclrtMemcpy(T *dst, size_t destMax, const U *src, size_t count,
				   aclrtMemcpyKind kind)
{
	return aclrtMemcpy((void *)dst, destMax, (const void *)src, count, kind);
}

/* aclrtMemcpyAsync() */
template <typename T, typename U>
static inline aclError aclrtMemcpyAsync(T *dst, size_t destMax, const U *src, size_t count,
					aclrtMemcpyKind kind, aclrtStream stream)
{
	return aclrtMemcpyAsync((void *)dst, destMax, (const void *)src, count, kind, stream);
}

/* aclrtMemcpy2d() */
template <typename T, typename U>
static inline aclError aclrtMemcpy2d(T *dst, size_t dpitch, const U *src, size_t spitch,
				     size_t width, size_t height, aclrtMemcpyKind kind)
{
	return aclrtMemcpy2d((void *)dst, dpitch, (const void *)src, spitch, width, height, kind);
}

/* aclrtMemcpy2dAsync() */
template <typename T, typename U>
static inline aclError aclrtMemcpy2dAsync(T *dst, size_t dpitch, const U *src, size_t spitch,
					  size_t width, size_t height, aclrtMemcpyKind kind,
					  aclrtStream stream)
{
	return aclrtMemcpy2dAsync((void *)dst, dpitch, (const void *)src, spitch, width, height,
				  kind, stream);
}

/* aclrtMemcpyBatchV2() with one attribute for all copies */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
					size_t numBatches, aclrtMemcpyBatchAttr attr)
{
	size_t first = 0;

	return aclrtMemcpyBatchV2((void **)dsts, destMaxs, (void **)srcs, sizes, numBatches, &attr,
				  &first, 1);
}

/* aclrtMemcpyBatchV2() */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
					size_t numBatches, aclrtMemcpyBatchAttr *attrs,
					size_t *attrsIndexes, size_t numAttrs)
{
	return aclrtMemcpyBatchV2((void **)dsts, destMaxs, (void **)srcs, sizes, numBatches, attrs,
				  attrsIndexes, numAttrs);
}

/* aclrtMemcpyBatch() */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
					size_t numBatches, aclrtMemcpyBatchAttr *attrs,
					size_t *attrsIndexes, size_t numAttrs, size_t *failIndex)
{
	return aclrtMemcpyBatch((void **)dsts, destMaxs, (void **)srcs, sizes, numBatches, attrs,
				attrsIndexes, numAttrs, failIndex);
}

/* aclrtMemcpyBatchAsyncV2() with one attribute for all copies */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
					     size_t numBatches, aclrtMemcpyBatchAttr attr,
					     aclrtStream stream)
{
	size_t first = 0;

	return aclrtMemcpyBatchAsyncV2((void **)dsts, destMaxs, (void **)srcs, sizes, numBatches,
				       &attr, &first, 1, stream);
}

/* aclrtMemcpyBatchAsyncV2() */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
					     size_t numBatches, aclrtMemcpyBatchAttr *attrs,
					     size_t *attrsIndexes, size_t numAttrs,
					     aclrtStream stream)
{
	return aclrtMemcpyBatchAsyncV2((void **)dsts, destMaxs, (void **)srcs, sizes, numBatches,
				       attrs, attrsIndexes, numAttrs, stream);
}

/* aclrtMemcpyBatchAsync() */
template <typename T, typename U>
static inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
					     size_t numBatches, aclrtMemcpyBatchAttr *attrs,
					     size_t *attrsIndexes, size_t numAttrs,
					     size_t *failIndex, aclrtStream stream)
{
	return aclrtMemcpyBatchAsync((void **)dsts, destMaxs, (void **)srcs, sizes, numBatches,
				     attrs, attrsIndexes, numAttrs, failIndex, stream);
}

/* aclrtPointerGetAttributes() */
template <typename T>
static inline aclError aclrtPointerGetAttributes(const T *ptr, aclrtPtrAttributes *attributes)
{
	return aclrtPointerGetAttributes((const void *)ptr, attributes);
}

/* aclrtHostRegister() */
template <typename T>
static inline aclError aclrtHostRegister(T *ptr, uint64_t size, aclrtHostRegisterType type,
					 T **devPtr)
{
	return aclrtHostRegister((void *)ptr, size, type, (void **)devPtr);
}

/* aclrtHostRegisterV2() */
template <typename T>
static inline aclError aclrtHostRegister(T *ptr, uint64_t size, uint32_t flag)
{
	return aclrtHostRegisterV2((void *)ptr, size, flag);
}

/* aclrtHostGetDevicePointer() */
template <typename T>
static inline aclError aclrtHostGetDevicePointer(T *pHost, T **pDevice, uint32_t flag)
{
	return aclrtHostGetDevicePointer((void *)pHost, (void **)pDevice, flag);
}

/* aclrtHostUnregister() */
template <typename T> static inline aclError aclrtHostUnregister(T *ptr)
{
	return aclrtHostUnregister((void *)ptr);
}

/* aclrtMemAllocManaged() */
template <typename T>
static inline aclError aclrtMemAllocManaged(T **ptr, uint64_t size,
					    uint32_t flags = ACL_RT_MEM_ATTACH_GLOBAL)
{
	return aclrtMemAllocManaged((void **)ptr, size, flags);
}

/* aclrtMemManagedPrefetchAsync() */
template <typename T>
static inline aclError aclrtMemManagedPrefetchAsync(const T *ptr, size_t size,
						    aclrtMemManagedLocation location,
						    uint32_t flags, aclrtStream stream)
{
	return aclrtMemManagedPrefetchAsync((const void *)ptr, size, location, flags, stream);
}

/* aclrtMemManagedPrefetchBatchAsync() */
template <typename T>
static inline aclError
aclrtMemManagedPrefetchBatchAsync(const T **ptrs, size_t *sizes, size_t count,
				  aclrtMemManagedLocation *prefetchLocs, size_t *prefetchLocIdxs,
				  size_t numPrefetchLocs, uint64_t flags, aclrtStream stream)
{
	return aclrtMemManagedPrefetchBatchAsync((const void **)ptrs, sizes, count, prefetchLocs,
						 prefetchLocIdxs, numPrefetchLocs, flags, stream);
}

/* aclrtGetSymbolAddress(); this and all following templates take the variable itself */
template <typename T> static inline aclError aclrtGetSymbolAddress(const T &symbol, void **devPtr)
{
	return aclrtGetSymbolAddress((const void *)&symbol, devPtr);
}

/* aclrtGetSymbolSize() */
template <typename T> static inline aclError aclrtGetSymbolSize(const T &symbol, size_t *size)
{
	return aclrtGetSymbolSize((const void *)&symbol, size);
}

/* aclrtMemcpyFromSymbol() */
template <typename T>
static inline aclError aclrtMemcpyFromSymbol(void *dst, size_t dstMax, const T &symbol,
					     size_t count, size_t offset, aclrtMemcpyKind kind)
{
	return aclrtMemcpyFromSymbol(dst, dstMax, (const void *)&symbol, count, offset, kind);
}

/* aclrtMemcpyFromSymbolAsync() */
template <typename T>
static inline aclError aclrtMemcpyFromSymbolAsync(void *dst, size_t dstMax, const T &symbol,
						  size_t count, size_t offset,
						  aclrtMemcpyKind kind, aclrtStream stream)
{
	return aclrtMemcpyFromSymbolAsync(dst, dstMax, (const void *)&symbol, count, offset, kind,
					  stream);
}

/* aclrtMemcpyToSymbol() */
template <typename T>
static inline aclError aclrtMemcpyToSymbol(const T &symbol, const void *src, size_t count,
					   size_t offset, aclrtMemcpyKind kind)
{
	return aclrtMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}

/* aclrtMemcpyToSymbolAsync() */
template <typename T>
static inline aclError aclrtMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
						size_t offset, aclrtMemcpyKind kind,
						aclrtStream stream)
{
	return aclrtMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}

#endif /* __cplusplus */

#endif /* ACL_ACL_RT_API_H */
