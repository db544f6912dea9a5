// SPDX-License-Identifier: MIT
#pragma once

#include "capture_calls.h"
#include "cuda/cuda.h"
#include "umd/core/capture/capture.h"
#include "umd/cuda/front.h"
#include "umd/cuda/object/graph_objects.h"

namespace umd::cuda {

/** refuse_capturing() - refuses a call that is not allowed on a capturing stream. If @stream captures, it
 * also invalidates the capture.
 * Return: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if @stream captures. */
CUresult refuse_capturing(Stream &stream, const char *call);

/** refuse_context_capturing() - the same for all streams of a context. */
CUresult refuse_context_capturing(Context &context, const char *call);

/** check_event_call() - checks that the thread may query or wait for @event: no capture contains its
 * latest record, and no capture forbids the call. Invalidates the captures that do.
 * Return: CUDA_ERROR_CAPTURED_EVENT, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED. */
CUresult check_event_call(Event &event, const char *call);

/** check_not_captured() - refuses an event whose last record was in a capture that has ended, because such an
 * event marks no submitted work. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult check_not_captured(const Event &event);

/** leave_capture() - removes a stream that will be destroyed from its capture. The capture continues without
 * it; if it was the last stream, the capture ends. Context: graphs_mutex() not held.
 * Return: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a capture of the other interface; that capture
 * continues. */
CUresult leave_capture(Stream &stream, const char *call);

/** note_violation() - if @code, the result of a call on @stream, violates the rules of the stream's
 * capture, invalidates the capture.
 * Return: @code. */
CUresult note_violation(Stream &stream, CUresult code, const char *call);

/** capture_task() - appends a node to the capture of @stream.
 * Return: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED. */
CUresult capture_task(Stream &stream, const GraphTask &task);

/** capture_memory() - appends a node that allocates or frees memory.
 * Return: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a capture of the other
 * interface, and as make_free(). */
CUresult capture_memory(Stream &stream, const MemoryNode &node);

/** capture_parts() - appends a node that consists of a graph.
 * @label: the type of node that the graph implements; 0 for a child graph */
CUresult capture_parts(Stream &stream, const Graph &parts, uint8_t label) REQUIRES(graphs_mutex());

} // namespace umd::cuda
