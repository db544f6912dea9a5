/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory
 *
 * Part of acl/acl_rt.h, which states the rules for all functions. Sizes are in bytes.
 */
#ifndef ACL_RT_MEMORY_H
#define ACL_RT_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of device memory, one bit each. */
#define ACL_RT_MEM_TYPE_DEV 0x2U
#define ACL_RT_MEM_TYPE_DVPP 0x8U
#define ACL_RT_MEM_TYPE_RSVD 0x10U

/** enum aclrtMemMallocPolicy - preferred page size and properties of an allocation. */
typedef enum aclrtMemMallocPolicy {
	ACL_MEM_MALLOC_HUGE_FIRST = 0,
	ACL_MEM_MALLOC_HUGE_ONLY = 1,
	ACL_MEM_MALLOC_NORMAL_ONLY = 2,
	ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
	ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
	ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
	ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
	ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
	ACL_MEM_TYPE_LOW_BAND_WIDTH = 256,
	ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096,
	ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000,
} aclrtMemMallocPolicy;

/** enum aclrtMallocAttrType - extra options of an allocation. */
typedef enum aclrtMallocAttrType {
	ACL_RT_MEM_ATTR_RSV = 0,
	ACL_RT_MEM_ATTR_MODULE_ID = 1,
	ACL_RT_MEM_ATTR_DEVICE_ID = 2,
	ACL_RT_MEM_ATTR_VA_FLAG = 3,
} aclrtMallocAttrType;

/** enum aclrtMemAttr - memory by kind and page size. */
typedef enum aclrtMemAttr {
	ACL_DDR_MEM = 0,
	ACL_HBM_MEM = 1,
	ACL_DDR_MEM_HUGE = 2,
	ACL_DDR_MEM_NORMAL = 3,
	ACL_HBM_MEM_HUGE = 4,
	ACL_HBM_MEM_NORMAL = 5,
	ACL_DDR_MEM_P2P_HUGE = 6,
	ACL_DDR_MEM_P2P_NORMAL = 7,
	ACL_HBM_MEM_P2P_HUGE = 8,
	ACL_HBM_MEM_P2P_NORMAL = 9,
	ACL_HBM_MEM_HUGE1G = 10,
	ACL_HBM_MEM_P2P_HUGE1G = 11,
	ACL_MEM_NORMAL = 12,
	ACL_MEM_HUGE = 13,
	ACL_MEM_HUGE1G = 14,
	ACL_MEM_P2P_NORMAL = 15,
	ACL_MEM_P2P_HUGE = 16,
	ACL_MEM_P2P_HUGE1G = 17,
} aclrtMemAttr;

/** enum aclrtMemPgType - page sizes. */
typedef enum aclrtMemPgType {
	NORMAL_PAGE_TYPE = 0,
	HUGE_PAGE_TYPE = 1,
	HUGE1G_PAGE_TYPE = 2,
} aclrtMemPgType;

/** enum aclrtMemType - kinds of memory. */
typedef enum aclrtMemType {
	HBM_TYPE = 0,
	DDR_TYPE = 1,
	P2P_HBM_TYPE = 2,
	P2P_DDR_TYPE = 3,
} aclrtMemType;

/** enum aclrtMemLocationType - where memory is. */
typedef enum aclrtMemLocationType {
	ACL_MEM_LOCATION_TYPE_HOST = 0,
	ACL_MEM_LOCATION_TYPE_DEVICE = 1,
	ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,
	ACL_MEM_LOCATION_TYPE_MANAGED = 3,
	ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4,
} aclrtMemLocationType;

/**
 * union aclrtMallocAttrValue - value of one aclrtMallocAttrType
 * @moduleId: number of the component that allocates
 * @deviceId: device
 * @vaFlag: 1 for an address that is the same on host and device
 * @rsv: zero
 */
typedef union aclrtMallocAttrValue {
	uint16_t moduleId;
	uint32_t deviceId;
	uint32_t vaFlag;
	uint8_t rsv[8];
} aclrtMallocAttrValue;

/**
 * struct aclrtMallocAttribute - one extra option of an allocation
 * @attr: the option
 * @value: its value
 */
typedef struct aclrtMallocAttribute {
	aclrtMallocAttrType attr;
	aclrtMallocAttrValue value;
} aclrtMallocAttribute;

/**
 * struct aclrtMallocConfig - extra options of an allocation
 * @attrs: array, owned by the caller
 * @numAttrs: elements of @attrs
 */
typedef struct aclrtMallocConfig {
	aclrtMallocAttribute *attrs;
	size_t numAttrs;
} aclrtMallocConfig;

/**
 * struct aclrtMemLocation - where memory is
 * @id: device or NUMA node
 * @type: kind of location
 */
typedef struct aclrtMemLocation {
	uint32_t id;
	aclrtMemLocationType type;
} aclrtMemLocation;

/**
 * struct aclrtPtrAttributes - attributes of an address
 * @location: where the memory is
 * @pageSize: bytes of a page
 * @rsv: zero
 */
typedef struct aclrtPtrAttributes {
	aclrtMemLocation location;
	uint32_t pageSize;
	uint32_t rsv[4];
} aclrtPtrAttributes;

/**
 * struct aclrtMemUsageInfo - memory that one component uses
 * @name: the component
 * @curMemSize: bytes now
 * @memPeakSize: most bytes so far
 * @reserved: zero
 */
typedef struct aclrtMemUsageInfo {
	char name[32];
	uint64_t curMemSize;
	uint64_t memPeakSize;
	size_t reserved[8];
} aclrtMemUsageInfo;

/**
 * struct MemAttrMapping - one row of the table that maps kind and page size to aclrtMemAttr
 * @pgType: an aclrtMemPgType
 * @memType: an aclrtMemType
 * @isHostAlloc: true for host memory
 * @memAttr: the combination
 */
typedef struct MemAttrMapping {
	uint32_t pgType;
	uint32_t memType;
	bool isHostAlloc;
	aclrtMemAttr memAttr;
} MemAttrMapping;

/**
 * aclrtMalloc() - allocates device memory in the current context
 * @devPtr: out, address aligned to 512 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0; rounded up to 32, and padded by 32 unless pages of 1 GiB are asked for
 * @policy: preferred page size
 *
 * Context: any thread; may block while pages are allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * aclrtMallocAlign32() - aclrtMalloc() without the padding
 * @devPtr: out, address aligned to 512 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0; rounded up to 32
 * @policy: preferred page size
 *
 * Context: as aclrtMalloc().
 * Return: as aclrtMalloc().
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void **devPtr, size_t size,
						aclrtMemMallocPolicy policy);

/**
 * aclrtMallocCached() - aclrtMalloc() of memory that the device caches
 * @devPtr: out, address aligned to 512 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0
 * @policy: preferred page size; a number that is no policy is as HUGE_FIRST
 *
 * Context: as aclrtMalloc().
 * Return: as aclrtMalloc().
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void **devPtr, size_t size,
					       aclrtMemMallocPolicy policy);

/**
 * aclrtMallocWithCfg() - aclrtMalloc() with extra options
 * @devPtr: out, address aligned to 512 bytes, owned by the caller
 * @size: bytes, > 0
 * @policy: page size, optionally with ACL_MEM_TYPE_* and ACL_MEM_ACCESS_USER_SPACE_READONLY
 * @cfg: the options, or NULL
 *
 * Context: any thread; may block while pages are allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void **devPtr, size_t size,
						aclrtMemMallocPolicy policy,
						aclrtMallocConfig *cfg);

/**
 * aclrtMallocForTaskScheduler() - allocates device memory that the task scheduler can reach
 * @devPtr: out, address aligned to 512 bytes, owned by the caller
 * @size: bytes, > 0
 * @policy: preferred page size
 * @cfg: the options, or NULL
 *
 * Context: any thread; may block while pages are allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size,
							 aclrtMemMallocPolicy policy,
							 aclrtMallocConfig *cfg);

/**
 * aclrtFree() - frees device memory
 * @devPtr: address that an allocation returned; invalid afterwards
 *
 * Doesn't wait for work that uses the memory.
 *
 * Context: any thread; never waits for streams.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_PARAM_INVALID for an address that no
 * allocation returned.
 */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/**
 * aclrtFreeWithDevSync() - waits for the device, then frees device memory
 * @devPtr: address that an allocation returned; invalid afterwards
 *
 * Context: any thread; may block until the work is done.
 * Return: as aclrtFree().
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void *devPtr);

/**
 * aclrtMemFlush() - writes cached changes of device memory back
 * @devPtr: the address
 * @size: bytes, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void *devPtr, size_t size);

/**
 * aclrtMemInvalidate() - drops cached copies of device memory
 * @devPtr: the address
 * @size: bytes, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void *devPtr, size_t size);

/**
 * aclrtGetMemInfo() - how much memory the current device has
 * @attr: kind of memory
 * @free: out, bytes that can still be allocated
 * @total: out, bytes in all
 *
 * Context: any thread; never blocks.
 * Return: 0, with 0 and 0 for a kind the device doesn't have, or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/**
 * aclrtGetMemUsageInfo() - how much memory each component uses on a device, the largest first
 * @deviceId: the device
 * @memUsageInfo: out, array of @inputNum
 * @inputNum: elements of the array, > 0
 * @outputNum: out, elements written
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo,
						  size_t inputNum, size_t *outputNum);

/**
 * aclrtCheckMemType() - whether all addresses are in device memory of one kind
 * @addrList: array of @size addresses
 * @size: elements, > 0
 * @memType: bits of ACL_RT_MEM_TYPE_*
 * @checkResult: out, 1 when all of them are, else 0
 * @reserve: 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType,
					       uint32_t *checkResult, uint32_t reserve);

/**
 * aclrtMallocHost() - allocates pinned host memory
 * @hostPtr: out, address aligned to 64 bytes, or to 512 bytes if @size is 512 or more; owned by the
 * caller; contents are undefined
 * @size: bytes, > 0
 *
 * Asynchronous copy functions do not block for this memory.
 *
 * Context: any thread; may block while pages are allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/**
 * aclrtMallocHostWithCfg() - aclrtMallocHost() with extra options
 * @ptr: out, address aligned to 64 bytes, or to 512 bytes if @size is 512 or more; owned by the caller
 * @size: bytes, > 0
 * @cfg: the options, or NULL
 *
 * Context: any thread; may block while pages are allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size,
						    aclrtMallocConfig *cfg);

/**
 * aclrtFreeHost() - frees pinned host memory
 * @hostPtr: address that aclrtMallocHost() returned; invalid afterwards
 *
 * Doesn't wait for work that uses the memory.
 *
 * Context: any thread; never waits for streams.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_PARAM_INVALID for an address that
 * aclrtMallocHost() did not return.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/**
 * aclrtFreeHostWithDevSync() - waits for the device, then frees pinned host memory
 * @hostPtr: address that aclrtMallocHost() returned; invalid afterwards
 *
 * Context: any thread; may block until the work is done.
 * Return: as aclrtFreeHost().
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void *hostPtr);

/**
 * aclrtHostUnregister() - removes a registration of host memory
 * @ptr: the address that was registered
 *
 * Work that uses the memory must be complete.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_HOST_MEMORY_NOT_REGISTERED.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void *ptr);

/**
 * aclrtPointerGetAttributes() - attributes of an address
 * @ptr: any address
 * @attributes: out; the type is UNREGISTERED for memory the library doesn't know
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void *ptr,
						       aclrtPtrAttributes *attributes);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MEMORY_H */
