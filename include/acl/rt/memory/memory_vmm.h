/* SPDX-License-Identifier: MIT */
/*
 * DOC: Virtual memory management
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * A program reserves device addresses, allocates physical memory, and maps the memory to the addresses.
 */
#ifndef ACL_RT_MEMORY_VMM_H
#define ACL_RT_MEMORY_VMM_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/memory/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags for the export of physical memory. */
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL

/* Links through which a device accesses memory, by index. */
#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U

/** enum aclrtMemAllocationType - kinds of physical allocations. */
typedef enum aclrtMemAllocationType {
	ACL_MEM_ALLOCATION_TYPE_PINNED = 0,
} aclrtMemAllocationType;

/** enum aclrtMemHandleType - kinds of handles that physical memory can be exported as. */
typedef enum aclrtMemHandleType {
	ACL_MEM_HANDLE_TYPE_NONE = 0,
	ACL_MEM_HANDLE_TYPE_POSIX = 2,
} aclrtMemHandleType;

/** enum aclrtMemSharedHandleType - kinds of exported handles. */
typedef enum aclrtMemSharedHandleType {
	ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
	ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2,
} aclrtMemSharedHandleType;

/** enum aclrtMemGranularityOptions - kinds of allocation granularity. */
typedef enum aclrtMemGranularityOptions {
	ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
	ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
	ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 65535,
} aclrtMemGranularityOptions;

/** enum aclrtMemAccessFlags - access rights of a device to a mapping. */
typedef enum aclrtMemAccessFlags {
	ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
	ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
	ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3,
} aclrtMemAccessFlags;

/** enum aclrtMemLinkType - links through which a device accesses memory. */
typedef enum aclrtMemLinkType {
	ACL_RT_MEM_ACCESS_LINK_SIO = 0,
	ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
	ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
	ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3,
} aclrtMemLinkType;

/** typedef aclrtDrvMemHandle - physical memory, which has no address until it is mapped. */
typedef void *aclrtDrvMemHandle;

/**
 * struct aclrtMemFabricHandle - handle of physical memory for other hosts
 * @data: opaque
 */
typedef struct aclrtMemFabricHandle {
	uint8_t data[128];
} aclrtMemFabricHandle;

/**
 * struct aclrtPhysicalMemProp - properties of physical memory
 * @handleType: kind of handle that it can be exported as
 * @allocationType: kind of allocation
 * @memAttr: kind and page size
 * @location: where it is
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
 * struct aclrtMemAccessDesc - access rights of a device to a mapping
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
 * aclrtReserveMemAddress() - reserves device addresses without memory
 * @virPtr: out, owned by the caller until aclrtReleaseMemAddress()
 * @size: bytes, > 0
 * @alignment: 0
 * @expectPtr: the address, a multiple of 2 MiB between 16 and 24 TiB; NULL for any
 * @flags: 0 or 1
 *
 * The addresses belong to the process; memory of any device may be mapped there.
 *
 * Context: any thread, with or without a context; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID for a wrong @expectPtr, or
 * ACL_ERROR_RT_MEMORY_ALLOCATION, also when the range at @expectPtr is in use.
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment,
						    void *expectPtr, uint64_t flags);

/**
 * aclrtReserveMemAddressNoUCMemory() - reserves device addresses at a fixed address
 * @virPtr: out, owned by the caller until aclrtReleaseMemAddress()
 * @size: bytes, a multiple of 1 GiB, > 0
 * @alignment: 0
 * @expectPtr: the address, a multiple of 2 MiB; the process must not use the range
 * @flags: 0 or 1
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID for a wrong address, or
 * ACL_ERROR_RT_MEMORY_ALLOCATION when the range is in use.
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size,
							      size_t alignment, void *expectPtr,
							      uint64_t flags);

/**
 * aclrtReleaseMemAddress() - releases reserved addresses
 * @virPtr: start of the reservation; nothing may be mapped in it
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void *virPtr);

/**
 * aclrtMallocPhysical() - allocates physical memory
 * @handle: out, owned by the caller until aclrtFreePhysical()
 * @size: bytes, a multiple of the granularity
 * @prop: location and kind; any device of the process. The device that the thread uses, or device 0,
 * allocates host memory.
 * @flags: 0
 *
 * The device stays open until the memory is freed and mapped nowhere.
 *
 * Context: any thread, with or without a context; may block while a device opens and pages are
 * allocated.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_DEVICEID, or
 * ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
						 const aclrtPhysicalMemProp *prop, uint64_t flags);

/**
 * aclrtFreePhysical() - drops a reference to physical memory
 * @handle: the memory
 *
 * The memory is freed when it is not mapped and has no references.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/**
 * aclrtMapMem() - maps physical memory to reserved addresses
 * @virPtr: address in a reservation
 * @size: bytes of the memory
 * @offset: 0
 * @handle: the memory
 * @flags: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void *virPtr, size_t size, size_t offset,
					 aclrtDrvMemHandle handle, uint64_t flags);

/**
 * aclrtMemMapNoAccess() - aclrtMapMem() without access rights; aclrtMemSetAccess() grants them
 * @virPtr: address in a reservation
 * @size: bytes of the memory
 * @offset: 0
 * @handle: the memory
 * @flags: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset,
						 aclrtDrvMemHandle handle, uint64_t flags);

/**
 * aclrtUnmapMem() - unmaps physical memory
 * @virPtr: the address it was mapped to
 *
 * Work that uses the mapping must be complete.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void *virPtr);

/**
 * aclrtMemSetAccess() - sets the access rights of devices to a mapping
 * @virPtr: the address of the mapping
 * @size: bytes of the mapping
 * @desc: array of @count
 * @count: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc,
					       size_t count);

/**
 * aclrtMemGetAccess() - the access rights of a device or the host to a mapping
 * @virPtr: an address of the mapping
 * @location: the device or the host
 * @flag: out, an aclrtMemAccessFlags
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location,
					       uint64_t *flag);

/**
 * aclrtMemExportToShareableHandle() - a handle with which another process can open physical memory
 * @handle: the memory
 * @handleType: ACL_MEM_HANDLE_TYPE_NONE
 * @flags: ACL_RT_VMM_EXPORT_FLAG_*
 * @shareableHandle: out
 *
 * Memory has at most one shareable handle.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle,
							     aclrtMemHandleType handleType,
							     uint64_t flags,
							     uint64_t *shareableHandle);

/**
 * aclrtMemExportToShareableHandleV2() - aclrtMemExportToShareableHandle() for both kinds of handles
 * @handle: the memory
 * @flags: ACL_RT_VMM_EXPORT_FLAG_*
 * @shareType: kind of handle
 * @shareableHandle: out, a uint64_t or an aclrtMemFabricHandle
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle,
							       uint64_t flags,
							       aclrtMemSharedHandleType shareType,
							       void *shareableHandle);

/**
 * aclrtMemSetPidToShareableHandle() - lists the processes that may open memory
 * @shareableHandle: its handle
 * @pid: array of @pidNum process ids
 * @pidNum: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid,
							     size_t pidNum);

/**
 * aclrtMemSetPidToShareableHandleV2() - aclrtMemSetPidToShareableHandle() for both kinds of handles
 * @shareableHandle: its handle, a uint64_t or an aclrtMemFabricHandle
 * @shareType: kind of handle
 * @pid: array of @pidNum process ids
 * @pidNum: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle,
							       aclrtMemSharedHandleType shareType,
							       int32_t *pid, size_t pidNum);

/**
 * aclrtMemImportFromShareableHandle() - opens another process's memory
 * @shareableHandle: its handle
 * @deviceId: the device it will be mapped on
 * @handle: out, owned by the caller until aclrtFreePhysical()
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, also for memory of the same process,
 * ACL_ERROR_RT_NO_PERMISSION, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle,
							       int32_t deviceId,
							       aclrtDrvMemHandle *handle);

/**
 * aclrtMemImportFromShareableHandleV2() - aclrtMemImportFromShareableHandle() for both kinds of handles
 * @shareableHandle: its handle, a uint64_t or an aclrtMemFabricHandle
 * @shareType: kind of handle
 * @flags: 0
 * @handle: out, owned by the caller until aclrtFreePhysical()
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_NO_PERMISSION, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle,
								 aclrtMemSharedHandleType shareType,
								 uint64_t flags,
								 aclrtDrvMemHandle *handle);

/**
 * aclrtMemGetAllocationGranularity() - the granularity of the size of physical memory
 * @prop: location and kind
 * @option: minimum or recommended
 * @granularity: out, bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
							      aclrtMemGranularityOptions option,
							      size_t *granularity);

/**
 * aclrtMemRetainAllocationHandle() - the physical memory that is mapped to an address, with one more
 * reference
 * @virPtr: a mapped address
 * @handle: out, owned by the caller until aclrtFreePhysical()
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemRetainAllocationHandle(void *virPtr,
							    aclrtDrvMemHandle *handle);

/**
 * aclrtMemGetAllocationPropertiesFromHandle() - location and kind of physical memory
 * @handle: the memory
 * @prop: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
								       aclrtPhysicalMemProp *prop);

/**
 * aclrtMemGetAddressRange() - the allocation or mapping that an address is in
 * @ptr: an address in it
 * @pbase: out, its first address; may be NULL
 * @psize: out, its bytes; may be NULL
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for any other address.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

/**
 * aclrtMemMapSelectedLink() - maps memory that is already mapped to another address range too, over a
 * selected link
 * @virPtrDst: a reserved address; aclrtUnmapMem() removes the mapping
 * @size: bytes, all of the memory
 * @virPtrSrc: where the memory is mapped
 * @linkIdx: ACL_RT_MEM_LINK_IDX_1, HCCS; the device has no other link
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID for addresses, or
 * ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemMapSelectedLink(void *virPtrDst, size_t size, void *virPtrSrc,
						     uint32_t linkIdx);

/**
 * aclrtMemMapSetLink() - selects the link for access to memory
 * @handle: the memory
 * @adviceLink: the link
 *
 * The device has only one link to all memory, HCCS.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID for a handle that is not physical
 * memory, or
 * ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle,
						aclrtMemLinkType adviceLink);

/**
 * aclrtMemP2PMap() - prepares another device's access to memory
 * @devPtr: the address
 * @size: bytes, > 0
 * @dstDevId: the device that will use it; aclrtDeviceEnablePeerAccess() comes first
 * @flags: 0
 *
 * A device with access to another device's memory has already mapped it, so this call only checks its
 * arguments.
 *
 * Context: any thread; may wait while another device opens.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_DEVICEID, ACL_ERROR_RT_PARAM_INVALID for
 * memory that is not the device's or a peer that was not enabled, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for memory mapped by aclrtMapMem().
 */
ACL_FUNC_VISIBILITY aclError aclrtMemP2PMap(void *devPtr, size_t size, int32_t dstDevId,
					    uint64_t flags);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MEMORY_VMM_H */
