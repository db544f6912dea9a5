/* SPDX-License-Identifier: MIT */
/*
 * DOC: Events and memory shared with other processes
 *
 * Part of cuda.h, which states the rules for all functions.
 */
#ifndef CUDA_DRIVER_IPC_H
#define CUDA_DRIVER_IPC_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CU_IPC_HANDLE_SIZE 64

/** enum CUipcMem_flags - flags of cuIpcOpenMemHandle(). */
typedef enum CUipcMem_flags_enum {
	CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1,
} CUipcMem_flags;

/** struct CUipcEventHandle - identifies an event for other processes. */
typedef struct CUipcEventHandle_st {
	char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;

/** struct CUipcMemHandle - identifies an allocation for other processes. */
typedef struct CUipcMemHandle_st {
	char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;

/**
 * cuIpcGetEventHandle() - a handle of an event for other processes
 * @pHandle: receives the handle
 * @event: an event with CU_EVENT_INTERPROCESS
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_INVALID_HANDLE for an event without that
 * flag, CUDA_ERROR_MAP_FAILED.
 */
CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);

/**
 * cuIpcOpenEventHandle() - opens another process's event
 * @phEvent: receives the event; cuEventDestroy() closes it
 * @handle: the handle
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_MAP_FAILED for a handle of no shared event,
 * CUDA_ERROR_INVALID_CONTEXT in the process that made the handle, or without a current context.
 */
CUresult CUDAAPI cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);

/**
 * cuIpcGetMemHandle() - a handle of device memory for other processes
 * @pHandle: receives the handle
 * @dptr: an address in the allocation
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_MAP_FAILED.
 */
CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);

/**
 * cuIpcOpenMemHandle() - opens another process's device memory
 * @pdptr: receives its address in this process; cuIpcCloseMemHandle() closes it
 * @handle: the handle
 * @Flags: CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
 *
 * The same handle gives the same address. Close it as many times as it was opened.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_MAP_FAILED for a handle of no shared memory,
 * CUDA_ERROR_INVALID_CONTEXT in the process that made the handle, or without a current context.
 */
CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);

/**
 * cuIpcCloseMemHandle() - closes another process's memory
 * @dptr: address that cuIpcOpenMemHandle() returned
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for any other address.
 */
CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr dptr);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_IPC_H */
