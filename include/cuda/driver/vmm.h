/* SPDX-License-Identifier: MIT */
/*
 * DOC: Virtual memory
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A program reserves addresses, creates memory without an address, and maps one to the other. Addresses and
 * memory come in units of 2 MiB, the granularity. A mapping covers all memory of its handle, and nothing has
 * access to it before cuMemSetAccess(). No function here needs a context.
 */
#ifndef CUDA_DRIVER_VMM_H
#define CUDA_DRIVER_VMM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A handle of memory without an address. */
typedef unsigned long long CUmemGenericAllocationHandle_v1;
typedef CUmemGenericAllocationHandle_v1 CUmemGenericAllocationHandle;

/** enum CUmemAllocationHandleType - what memory is exported as; numbers that can be combined. */
typedef enum CUmemAllocationHandleType_enum {
	CU_MEM_HANDLE_TYPE_NONE = 0x0,
	CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 0x1,
	CU_MEM_HANDLE_TYPE_WIN32 = 0x2,	    /* not supported */
	CU_MEM_HANDLE_TYPE_WIN32_KMT = 0x4, /* not supported */
	CU_MEM_HANDLE_TYPE_FABRIC = 0x8,    /* not supported */
	CU_MEM_HANDLE_TYPE_MAX = 0x7fffffff,
} CUmemAllocationHandleType;

/** enum CUmemAccess_flags - what a location may do with memory. */
typedef enum CUmemAccess_flags_enum {
	CU_MEM_ACCESS_FLAGS_PROT_NONE = 0x0,
	CU_MEM_ACCESS_FLAGS_PROT_READ = 0x1,
	CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 0x3,
	CU_MEM_ACCESS_FLAGS_PROT_MAX = 0x7fffffff,
} CUmemAccess_flags;

/** enum CUmemAllocationType - kinds of memory. */
typedef enum CUmemAllocationType_enum {
	CU_MEM_ALLOCATION_TYPE_INVALID = 0x0,
	CU_MEM_ALLOCATION_TYPE_PINNED = 0x1,
	CU_MEM_ALLOCATION_TYPE_MANAGED = 0x2, /* not supported */
	CU_MEM_ALLOCATION_TYPE_MAX = 0x7fffffff,
} CUmemAllocationType;

/** enum CUmemAllocationGranularity_flags - which granularity is asked for; both are the same. */
typedef enum CUmemAllocationGranularity_flags_enum {
	CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0x0,
	CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 0x1,
} CUmemAllocationGranularity_flags;

/** enum CUmemAllocationCompType - compression. It is a wish, which the device never fulfils. */
typedef enum CUmemAllocationCompType_enum {
	CU_MEM_ALLOCATION_COMP_NONE = 0x0,
	CU_MEM_ALLOCATION_COMP_GENERIC = 0x1,
} CUmemAllocationCompType;

/* Uses of memory in CUmemAllocationProp; not supported. */
#define CU_MEM_CREATE_USAGE_TILE_POOL 0x1
#define CU_MEM_CREATE_USAGE_HW_DECOMPRESS 0x2

/** struct CUmemAllocationProp - what memory is like. */
typedef struct CUmemAllocationProp_st {
	CUmemAllocationType type;
	CUmemAllocationHandleType requestedHandleTypes;
	CUmemLocation location;	   /* a device, or the host */
	void *win32HandleMetaData; /* ignored */
	struct {
		unsigned char compressionType;	    /* CUmemAllocationCompType */
		unsigned char gpuDirectRDMACapable; /* 0 */
		unsigned short usage;		    /* 0 */
		unsigned char reserved[4];	    /* 0 */
	} allocFlags;
} CUmemAllocationProp_v1;
typedef CUmemAllocationProp_v1 CUmemAllocationProp;

/** struct CUmemAccessDesc - the access that a location gets. */
typedef struct CUmemAccessDesc_st {
	CUmemLocation location;
	CUmemAccess_flags flags;
} CUmemAccessDesc_v1;
typedef CUmemAccessDesc_v1 CUmemAccessDesc;

/**
 * cuMemAddressReserve() - reserves addresses for memory of any device
 * @ptr: receives the first one; cuMemAddressFree() frees them
 * @size: bytes, a positive multiple of 4096
 * @alignment: of the first address, a power of two; 0 for the granularity
 * @addr: where the program wishes them, a multiple of 4096; 0 for anywhere
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment,
				     CUdeviceptr addr, unsigned long long flags);

/**
 * cuMemAddressFree() - frees reserved addresses
 * @ptr: the first one, as cuMemAddressReserve() gave it
 * @size: bytes, as they were reserved
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also while memory is mapped there.
 */
CUresult CUDAAPI cuMemAddressFree(CUdeviceptr ptr, size_t size);

/**
 * cuMemCreate() - allocates memory without an address
 * @handle: receives a handle with one reference; cuMemRelease() drops it
 * @size: bytes, a positive multiple of the granularity
 * @prop: what it is like. Host memory belongs to the device of the current context, or to device 0, and can't
 *	be exported
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_OUT_OF_MEMORY,
 * CUDA_ERROR_NOT_SUPPORTED for host memory of a NUMA node, managed memory, memory that other drivers use, and
 * handle types other than file descriptors.
 */
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
			     const CUmemAllocationProp *prop, unsigned long long flags);

/**
 * cuMemRelease() - drops a reference; memory without references is freed when it is mapped nowhere
 * @handle: a handle of memory
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for another handle.
 */
CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle);

/**
 * cuMemMap() - maps memory at reserved addresses, without access to it
 * @ptr: the first address, a multiple of the granularity; nothing is mapped there
 * @size: bytes; all of the memory
 * @offset: 0
 * @handle: a handle of memory
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
			  CUmemGenericAllocationHandle handle, unsigned long long flags);

/**
 * cuMemUnmap() - waits for the work that was submitted to the memory's devices, and unmaps it
 * @ptr: the first address of a mapping
 * @size: bytes of one mapping, or of several that follow each other
 *
 * Context: any thread. Waits.
 * Return: CUDA_ERROR_INVALID_VALUE for any other range.
 */
CUresult CUDAAPI cuMemUnmap(CUdeviceptr ptr, size_t size);

/**
 * cuMemSetAccess() - sets the access rights of mapped memory. The rights change at once; if the call refuses an entry,
 * it changes none.
 * @ptr: the first address of a mapping
 * @size: bytes of one mapping, or of several that follow each other
 * @desc: locations with their access; others keep theirs
 * @count: entries of @desc, positive
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_NOT_SUPPORTED for access by a
 * location that does not reach the memory: a device reaches what is its own, the host reaches host memory.
 */
CUresult CUDAAPI cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc,
				size_t count);

/**
 * cuMemGetAccess() - the access that a location has to mapped memory
 * @flags: receives a CUmemAccess_flags
 * @location: a device, or the host
 * @ptr: any address inside a mapping
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
				CUdeviceptr ptr);

/**
 * cuMemGetAllocationGranularity() - the unit of memory and addresses
 * @granularity: receives bytes
 * @prop: memory as for cuMemCreate()
 * @option: which one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, and what cuMemCreate() returns for @prop.
 */
CUresult CUDAAPI cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
					       CUmemAllocationGranularity_flags option);

/**
 * cuMemGetAllocationPropertiesFromHandle() - what memory is like
 * @prop: receives it
 * @handle: a handle of memory
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
							CUmemGenericAllocationHandle handle);

/**
 * cuMemRetainAllocationHandle() - adds a reference to mapped memory
 * @handle: receives the handle that the memory was mapped with
 * @addr: any address inside a mapping
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr);

/**
 * cuMemExportToShareableHandle() - a handle of memory for other processes
 * @shareableHandle: receives an int, a file descriptor. Another process gets it by a socket, pidfd_getfd() or as
 *	a child. The memory lives until all copies of the descriptor are closed, and not only until its last
 *	cuMemRelease()
 * @handle: memory that was made with this type in requestedHandleTypes
 * @handleType: CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED for other types and for memory that was imported,
 * CUDA_ERROR_OUT_OF_MEMORY without room for a descriptor.
 */
CUresult CUDAAPI cuMemExportToShareableHandle(void *shareableHandle,
					      CUmemGenericAllocationHandle handle,
					      CUmemAllocationHandleType handleType,
					      unsigned long long flags);

/**
 * cuMemImportFromShareableHandle() - makes memory of another process, or of this one, available
 * @handle: receives a handle with one reference; cuMemRelease() drops it
 * @osHandle: the file descriptor as a pointer; the caller may close it afterwards
 * @shHandleType: CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for another descriptor and for memory that is gone, CUDA_ERROR_NOT_SUPPORTED
 * for other types and for memory of a device that this process does not have.
 */
CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle,
						void *osHandle,
						CUmemAllocationHandleType shHandleType);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_VMM_H */
