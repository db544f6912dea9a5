/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory
 *
 * Part of acl/acl_rt.h, which states what holds for every function. Sizes are in bytes.
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

/* Flags of exporting and importing memory between processes. */
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1UL
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL

/* Flags of registering host memory. */
#define ACL_HOST_REG_MAPPED 0x2UL
#define ACL_HOST_REG_IOMEMORY 0x4UL
#define ACL_HOST_REG_READONLY 0x8UL
#define ACL_HOST_REG_PINNED 0x10000000UL

/* Managed memory is visible to every stream. */
#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U

/* Links through which a device reaches memory, by index. */
#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U

/* Links through which another process reaches exported memory. */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO 0
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS 1
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH 2
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH 3

/* Kinds of device memory, one bit each. */
#define ACL_RT_MEM_TYPE_DEV 0x2U
#define ACL_RT_MEM_TYPE_DVPP 0x8U
#define ACL_RT_MEM_TYPE_RSVD 0x10U

/** enum aclrtMemMallocPolicy - page sizes and properties an allocation wishes for. */
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

/** enum aclrtMallocAttrType - extra wishes of an allocation. */
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

/** enum aclrtHostRegisterType - how registered host memory is made visible. */
typedef enum aclrtHostRegisterType {
	ACL_HOST_REGISTER_MAPPED = 0,
	ACL_HOST_REGISTER_IOMEMORY = 4,
	ACL_HOST_REGISTER_READONLY = 8,
} aclrtHostRegisterType;

/** enum aclrtIpcMemAttrType - attributes of exported memory. */
typedef enum aclrtIpcMemAttrType {
	ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0,
} aclrtIpcMemAttrType;

/** enum aclrtMemLocationType - where memory lies. */
typedef enum aclrtMemLocationType {
	ACL_MEM_LOCATION_TYPE_HOST = 0,
	ACL_MEM_LOCATION_TYPE_DEVICE = 1,
	ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,
	ACL_MEM_LOCATION_TYPE_MANAGED = 3,
	ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4,
} aclrtMemLocationType;

/** enum aclrtMemAllocationType - how physical memory is held. */
typedef enum aclrtMemAllocationType {
	ACL_MEM_ALLOCATION_TYPE_PINNED = 0,
} aclrtMemAllocationType;

/** enum aclrtMemHandleType - what physical memory can be exported as. */
typedef enum aclrtMemHandleType {
	ACL_MEM_HANDLE_TYPE_NONE = 0,
	ACL_MEM_HANDLE_TYPE_POSIX = 2,
} aclrtMemHandleType;

/** enum aclrtMemSharedHandleType - kinds of exported handles. */
typedef enum aclrtMemSharedHandleType {
	ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
	ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2,
} aclrtMemSharedHandleType;

/** enum aclrtMemGranularityOptions - which allocation granule is asked for. */
typedef enum aclrtMemGranularityOptions {
	ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
	ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
	ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 65535,
} aclrtMemGranularityOptions;

/** enum aclrtMemAccessFlags - what a device may do with a mapping. */
typedef enum aclrtMemAccessFlags {
	ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
	ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
	ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3,
} aclrtMemAccessFlags;

/** enum aclrtMemManagedAdviseType - hints about how managed memory is used. */
typedef enum aclrtMemManagedAdviseType {
	ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
	ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
	ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
	ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
	ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
	ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5,
} aclrtMemManagedAdviseType;

/** enum aclrtMemManagedLocationType - where managed memory should lie. */
typedef enum aclrtMemManagedLocationType {
	ACL_MEM_LOCATIONTYPE_INVALID = 0,
	ACL_MEM_LOCATIONTYPE_DEVICE = 1,
	ACL_MEM_LOCATIONTYPE_HOST = 2,
	ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
	ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4,
} aclrtMemManagedLocationType;

/** enum aclrtMemManagedRangeAttribute - what can be asked of managed memory. */
typedef enum aclrtMemManagedRangeAttribute {
	ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
	ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8,
} aclrtMemManagedRangeAttribute;

/** enum aclrtHacType - accelerators that may reach host memory. */
typedef enum aclrtHacType {
	ACL_RT_HAC_TYPE_STARS = 0,
	ACL_RT_HAC_TYPE_AICPU = 1,
	ACL_RT_HAC_TYPE_AIC = 2,
	ACL_RT_HAC_TYPE_AIV = 3,
	ACL_RT_HAC_TYPE_PCIEDMA = 4,
	ACL_RT_HAC_TYPE_RDMA = 5,
	ACL_RT_HAC_TYPE_SDMA = 6,
	ACL_RT_HAC_TYPE_DVPP = 7,
	ACL_RT_HAC_TYPE_UDMA = 8,
	ACL_RT_HAC_TYPE_CCU = 9,
} aclrtHacType;

/** enum aclrtHostMemMapCapability - whether an accelerator reaches host memory. */
typedef enum aclrtHostMemMapCapability {
	ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
	ACL_RT_HOST_MEM_MAP_SUPPORTED = 1,
} aclrtHostMemMapCapability;

/** enum aclrtMemLinkType - links through which a device reaches memory. */
typedef enum aclrtMemLinkType {
	ACL_RT_MEM_ACCESS_LINK_SIO = 0,
	ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
	ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
	ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3,
} aclrtMemLinkType;

/** typedef aclrtDrvMemHandle - physical memory without an address. */
typedef void *aclrtDrvMemHandle;

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
 * struct aclrtMallocAttribute - one extra wish of an allocation
 * @attr: which
 * @value: its value
 */
typedef struct aclrtMallocAttribute {
	aclrtMallocAttrType attr;
	aclrtMallocAttrValue value;
} aclrtMallocAttribute;

/**
 * struct aclrtMallocConfig - extra wishes of an allocation
 * @attrs: array, owned by the caller
 * @numAttrs: elements of @attrs
 */
typedef struct aclrtMallocConfig {
	aclrtMallocAttribute *attrs;
	size_t numAttrs;
} aclrtMallocConfig;

/**
 * struct aclrtMemManagedLocation - where managed memory should lie
 * @type: kind of place
 * @id: device or NUMA node
 */
typedef struct aclrtMemManagedLocation {
	aclrtMemManagedLocationType type;
	int32_t id;
} aclrtMemManagedLocation;

/**
 * struct aclrtMemLocation - where memory lies
 * @id: device or NUMA node
 * @type: kind of place
 */
typedef struct aclrtMemLocation {
	uint32_t id;
	aclrtMemLocationType type;
} aclrtMemLocation;

/**
 * struct aclrtPtrAttributes - what an address points to
 * @location: where the memory lies
 * @pageSize: bytes of a page
 * @rsv: zero
 */
typedef struct aclrtPtrAttributes {
	aclrtMemLocation location;
	uint32_t pageSize;
	uint32_t rsv[4];
} aclrtPtrAttributes;

/**
 * struct aclrtMemUsageInfo - memory one component uses
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
 * struct aclrtMemFabricHandle - name of physical memory for other hosts
 * @data: opaque
 */
typedef struct aclrtMemFabricHandle {
	uint8_t data[128];
} aclrtMemFabricHandle;

/**
 * struct aclrtServerPid - processes of one server that may import memory
 * @sdid: the server
 * @pid: array of process ids, owned by the caller
 * @num: elements of @pid
 */
typedef struct aclrtServerPid {
	uint32_t sdid;
	int32_t *pid;
	size_t num;
} aclrtServerPid;

/**
 * struct aclrtPhysicalMemProp - properties of physical memory
 * @handleType: what it can be exported as
 * @allocationType: how it is held
 * @memAttr: kind and page size
 * @location: where it lies
 * @reserve: zero
 */
typedef struct aclrtPhysicalMemProp {
	aclrtMemHandleType handleType;
	aclrtMemAllocationType allocationType;
	aclrtMemAttr memAttr;
	aclrtMemLocation location;
	uint64_t reserve;
} aclrtPhysicalMemProp;

/**
 * struct aclrtMemAccessDesc - what a device may do with a mapping
 * @flags: rights
 * @location: the device
 * @rsv: zero
 */
typedef struct aclrtMemAccessDesc {
	aclrtMemAccessFlags flags;
	aclrtMemLocation location;
	uint8_t rsv[12];
} aclrtMemAccessDesc;

/**
 * struct MemAttrMapping - one row of the table from kind and page size to aclrtMemAttr
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
 * @devPtr: out, address aligned to 64 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0; rounded up to 32 and padded by 32
 * @policy: wished page size
 *
 * Context: any thread; may block while pages are got.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * aclrtMallocAlign32() - aclrtMalloc() without the padding
 * @devPtr: out, address aligned to 64 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0; rounded up to 32
 * @policy: wished page size
 *
 * Context: as aclrtMalloc().
 * Return: as aclrtMalloc().
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void **devPtr, size_t size,
						aclrtMemMallocPolicy policy);

/**
 * aclrtMallocCached() - aclrtMalloc() of memory that the device caches
 * @devPtr: out, address aligned to 64 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0
 * @policy: HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY or HUGE1G_ONLY
 *
 * Context: as aclrtMalloc().
 * Return: as aclrtMalloc(), or ACL_ERROR_RT_PARAM_INVALID for another @policy.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void **devPtr, size_t size,
					       aclrtMemMallocPolicy policy);

/**
 * aclrtFree() - frees device memory
 * @devPtr: what an allocation gave; dead afterwards
 *
 * Doesn't wait for work that uses the memory.
 *
 * Context: any thread; never waits for streams.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_PARAM_INVALID for an address that no
 * allocation gave.
 */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/**
 * aclrtFreeWithDevSync() - waits for the device, then frees device memory
 * @devPtr: what an allocation gave; dead afterwards
 *
 * Context: any thread; may block until the work is done.
 * Return: as aclrtFree().
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void *devPtr);

/**
 * aclrtMallocHost() - allocates pinned host memory
 * @hostPtr: out, address aligned to 64 bytes, owned by the caller; contents are undefined
 * @size: bytes, > 0
 *
 * Copies to and from it are asynchronous where the function is.
 *
 * Context: any thread; may block while pages are got.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/**
 * aclrtFreeHost() - frees pinned host memory
 * @hostPtr: what aclrtMallocHost() gave; dead afterwards
 *
 * Doesn't wait for work that uses the memory.
 *
 * Context: any thread; never waits for streams.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_PARAM_INVALID for an address that
 * aclrtMallocHost() didn't give.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/**
 * aclrtFreeHostWithDevSync() - waits for the device, then frees pinned host memory
 * @hostPtr: what aclrtMallocHost() gave; dead afterwards
 *
 * Context: any thread; may block until the work is done.
 * Return: as aclrtFreeHost().
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void *hostPtr);

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
 * aclrtPointerGetAttributes() - what an address points to
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
