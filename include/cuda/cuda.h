/* SPDX-License-Identifier: MIT */
/*
 * DOC: The driver interface, the part that the device has
 *
 * Devices, contexts, streams, events, memory, captured and explicit graphs, and sharing between
 * processes, with the names, numbers and layouts of version 13.0 of the interface. There are no
 * modules, kernels, arrays or textures: cuGetProcAddress() says of their functions that they are not
 * found.
 *
 * What holds for every function:
 *
 * - Before cuInit() it returns CUDA_ERROR_NOT_INITIALIZED, as in a fork of a process that called
 *   cuInit(); when the process is exiting, CUDA_ERROR_DEINITIALIZED. cuGetErrorName(),
 *   cuGetErrorString(), cuDriverGetVersion() and cuGetProcAddress() work at any time.
 * - Inside a function that a stream or a graph calls it returns CUDA_ERROR_NOT_PERMITTED.
 * - After a task of a context has failed, functions that use the context return what it failed with,
 *   until the context is destroyed.
 * - It may be called by any thread, and threads do not disturb each other but for what they share.
 * - A handle that is stale or was never one is refused; nothing is read through it.
 *
 * A stream is a handle of cuStreamCreate(), or NULL or CU_STREAM_LEGACY for the stream that all
 * threads share and that takes turns with all other streams, or CU_STREAM_PER_THREAD for the stream
 * of the calling thread. With CUDA_API_PER_THREAD_DEFAULT_STREAM defined NULL is the latter.
 *
 * With UNPU_LOG_ERRORS=1 in the environment each failure is explained by a sentence on the standard
 * error stream; with UNPU_LOG_ERRORS=2, "not ready" is too.
 */
#ifndef CUDA_CUDA_H
#define CUDA_CUDA_H

#include "driver/names.h"
#include "driver/types.h"
#include "driver/error.h"
#include "driver/init.h"
#include "driver/device.h"
#include "driver/context.h"
#include "driver/memory.h"
#include "driver/copy.h"
#include "driver/fill.h"
#include "driver/pointer.h"
#include "driver/stream.h"
#include "driver/stream_memory.h"
#include "driver/event.h"
#include "driver/capture.h"
#include "driver/graph.h"
#include "driver/graph_nodes.h"
#include "driver/graph_exec.h"
#include "driver/ipc.h"

#endif /* CUDA_CUDA_H */
