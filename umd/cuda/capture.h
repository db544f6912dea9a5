// SPDX-License-Identifier: MIT
#pragma once

#include "capture_calls.h"
#include "cuda/cuda.h"
#include "front.h"
#include "graph_objects.h"
#include "umd/capture.h"

namespace umd::cuda {

/** refuse_capturing() - for a call that has no place in a capture: if @stream captures, its capture is
 * invalid from now on. Return: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if it does. */
CUresult refuse_capturing(Stream &stream, const char *call);

/** refuse_context_capturing() - the same for all streams of a context. */
CUresult refuse_context_capturing(Context &context, const char *call);

/** check_event_call() - whether a thread may look at @event now: it is no part of a capture, and no
 * capture forbids the call.
 * Return: CUDA_ERROR_CAPTURED_EVENT, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED. */
CUresult check_event_call(Event &event, const char *call);

/** check_not_captured() - CUDA_ERROR_INVALID_VALUE for an event whose last record was in a capture
 * that has ended: it says nothing about any work. */
CUresult check_not_captured(const Event &event);

/** note_violation() - a call on @stream returned @code: if that is a violation of its capture's rules,
 * the capture is invalid from now on. Return: @code. */
CUresult note_violation(Stream &stream, CUresult code, const char *call);

/** capture_task() - appends a node to the capture of @stream, which has one.
 * Return: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED. */
CUresult capture_task(Stream &stream, const GraphTask &task);

/** capture_parts() - the same for a node that is a graph. @label: what it stands for; 0 for a graph.
 * Context: graphs_lock(). */
CUresult capture_parts(Stream &stream, const Graph &parts, uint8_t label);

} // namespace umd::cuda
