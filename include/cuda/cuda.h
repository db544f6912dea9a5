/* SPDX-License-Identifier: MIT */
/*
 * DOC: The supported part of the driver interface
 *
 * Devices, contexts, streams, events, memory, captured and explicit graphs, and sharing between
 * processes, with the names, numbers and layouts of version 13.0 of the interface. There are no
 * modules, kernels, arrays or textures: their functions return CUDA_ERROR_NOT_SUPPORTED.
 *
 * Rules for all functions:
 *
 * - Before cuInit() it returns CUDA_ERROR_NOT_INITIALIZED, as in a fork of a process that called
 *   cuInit(); when the process is exiting, CUDA_ERROR_DEINITIALIZED. cuGetErrorName(),
 *   cuGetErrorString(), cuDriverGetVersion() and cuGetProcAddress() work at any time.
 * - Inside a host function of a stream or a graph it returns CUDA_ERROR_NOT_PERMITTED.
 * - After a task of a context has failed, functions that use the context return the error of that task,
 * until the context is destroyed.
 * - Any thread may call it. Threads that use different objects do not affect each other.
 * - It refuses a stale or invalid handle and does not read memory through it.
 *
 * A stream is a handle from cuStreamCreate(); or NULL or CU_STREAM_LEGACY for the legacy stream, which
 * all threads share and which takes turns with the blocking streams of its context; or
 * CU_STREAM_PER_THREAD for the calling thread's own stream. If CUDA_API_PER_THREAD_DEFAULT_STREAM is
 * defined, NULL means the calling thread's own stream.
 *
 * With UNPU_LOG_ERRORS=1 in the environment, each failure prints an error sentence to the standard
 * error stream; with UNPU_LOG_ERRORS=2, the result "not ready" does so too.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__ /* programs test this name */

#include "driver/array_types.h"
#include "driver/capture.h"
#include "driver/context.h"
#include "driver/copy.h"
#include "driver/device.h"
#include "driver/error.h"
#include "driver/event.h"
#include "driver/fill.h"
#include "driver/graph.h"
#include "driver/graph_exec.h"
#include "driver/graph_memory.h"
#include "driver/graph_nodes.h"
#include "driver/graph_params.h"
#include "driver/init.h"
#include "driver/ipc.h"
#include "driver/kernel_types.h"
#include "driver/managed.h"
#include "driver/memory.h"
#include "driver/memory_pool.h"
#include "driver/names.h"
#include "driver/pointer.h"
#include "driver/stream.h"
#include "driver/stream_memory.h"
#include "driver/types.h"
#include "driver/vmm.h"
#if !defined( \
	CUDA_API_EXACT_NAMES) /* then a function that is refused may be declared without parameters */
#include "driver/array.h"
#include "driver/function.h"
#include "driver/launch.h"
#include "driver/library.h"
#include "driver/module.h"
#include "driver/tensor_map.h"
#include "driver/texture.h"
#endif

#endif /* __cuda_cuda_h__ */
