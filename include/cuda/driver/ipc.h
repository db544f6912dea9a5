/* SPDX-License-Identifier: MIT */
/*
 * DOC: Events and memory of other processes
 *
 * Part of cuda.h, which states what holds for every function.
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

/** struct CUipcEventHandle - names an event for other processes. */
typedef struct CUipcEventHandle_st {
	char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;

/** struct CUipcMemHandle - names an allocation for other processes. */
typedef struct CUipcMemHandle_st {
	char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;

/**
 * cuIpcGetEventHandle() - a name of an event for other processes
 * @pHandle: receives the name
 * @event: an event with CU_EVENT_INTERPROCESS
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_INVALID_HANDLE for an event without that
 * flag, CUDA_ERROR_MAP_FAILED.
 */
CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);

/**
 * cuIpcOpenEventHandle() - another process's event
 * @phEvent: receives the event; cuEventDestroy() gives it back
 * @handle: the name
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_MAP_FAILED for a name of nothing that is
 * shared, CUDA_ERROR_INVALID_CONTEXT in the process that made the name, or without a current context.
 */
CUresult CUDAAPI cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);

/**
 * cuIpcGetMemHandle() - a name of device memory for other processes
 * @pHandle: receives the name
 * @dptr: an address in the allocation
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_MAP_FAILED.
 */
CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);

/**
 * cuIpcOpenMemHandle() - another process's device memory
 * @pdptr: receives its address here; cuIpcCloseMemHandle() gives it back
 * @handle: the name
 * @Flags: CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
 *
 * The same name gives the same address, and is to be closed as often as it was opened.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_MAP_FAILED for a name of nothing that is shared,
 * CUDA_ERROR_INVALID_CONTEXT in the process that made the name, or without a current context.
 */
CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);

/**
 * cuIpcCloseMemHandle() - gives another process's memory back
 * @dptr: as cuIpcOpenMemHandle() gave it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for any other address.
 */
CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr dptr);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_IPC_H */
