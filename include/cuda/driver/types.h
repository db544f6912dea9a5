/* SPDX-License-Identifier: MIT */
/*
 * DOC: Handles and small types
 *
 * Part of cuda.h.
 */
#ifndef CUDA_DRIVER_TYPES_H
#define CUDA_DRIVER_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "names.h"
#include "result.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

/* Address of memory that the device can access; the same number on host and device. */
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;

/* The number of a device, from 0. */
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;

/* Handles are opaque; only the functions of the interface interpret them. */
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUarray_st *CUarray;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUmemPoolHandle_st *CUmemoryPool;

/* The two predefined streams. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

/* Numbers that stand for no device: the processor, and none at all. */
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)

/* Other headers that have this structure test the macro. */
#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
/** struct CUuuid - identifies a device. */
typedef struct CUuuid_st {
	char bytes[16];
} CUuuid;
#endif

/** enum CUmemLocationType - where memory is, or who uses it. */
typedef enum CUmemLocationType_enum {
	CU_MEM_LOCATION_TYPE_INVALID = 0x0,
	CU_MEM_LOCATION_TYPE_NONE = 0x0,
	CU_MEM_LOCATION_TYPE_DEVICE = 0x1,
	CU_MEM_LOCATION_TYPE_HOST = 0x2,
	CU_MEM_LOCATION_TYPE_HOST_NUMA = 0x3,
	CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 0x4,
	CU_MEM_LOCATION_TYPE_MAX = 0x7fffffff,
} CUmemLocationType;

/** struct CUmemLocation - a location. */
typedef struct CUmemLocation_st {
	CUmemLocationType type;
	int id; /* of a device or a NUMA node; else ignored */
} CUmemLocation_v1;
typedef CUmemLocation_v1 CUmemLocation;

/** enum CUmem_advise - hints for managed memory. */
typedef enum CUmem_advise_enum {
	CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
	CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
	CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
	CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
	CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
	CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6,
} CUmem_advise;

/** CUhostFn - a function that a stream or a graph calls with the program's argument. */
typedef void(CUDA_CB *CUhostFn)(void *userData);

/** CUstreamCallback - a function that a stream calls even if an earlier task has failed. */
typedef void(CUDA_CB *CUstreamCallback)(CUstream hStream, CUresult status, void *userData);

#endif /* CUDA_DRIVER_TYPES_H */
