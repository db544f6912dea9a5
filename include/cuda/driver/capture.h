/* SPDX-License-Identifier: MIT */
/*
 * DOC: Capture
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * While a stream captures, its tasks do not run: they become nodes of a graph. A stream that waits for
 * an event that a capturing stream recorded joins the capture; it may be of another context or device.
 * At the end, all captured nodes must lead to the last node of the stream where the capture began.
 *
 * A call that a capture does not allow fails with one of CUDA_ERROR_STREAM_CAPTURE_ and invalidates
 * that capture: its streams then return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED until
 * cuStreamEndCapture(), which returns the same error and no graph. Unsafe calls are calls that might
 * affect work in progress: synchronising, querying, allocating and freeing. The mode that
 * cuThreadExchangeStreamCaptureMode() set for the thread determines when they are refused:
 *
 *	GLOBAL		while this thread has a capture whose mode is not RELAXED, or another thread has
 *			one whose mode is GLOBAL
 *	THREAD_LOCAL	while this thread has a capture whose mode is not RELAXED
 *	RELAXED		never
 */
#ifndef CUDA_DRIVER_CAPTURE_H
#define CUDA_DRIVER_CAPTURE_H

#include "graph_types.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUstreamUpdateCaptureDependencies_flags - whether nodes are added or replace the present
 * ones. */
typedef enum CUstreamUpdateCaptureDependencies_flags_enum {
	CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0x0,
	CU_STREAM_SET_CAPTURE_DEPENDENCIES = 0x1,
} CUstreamUpdateCaptureDependencies_flags;

/**
 * cuStreamBeginCapture() - starts a capture in a stream
 * @hStream: a stream from cuStreamCreate(), or the calling thread's own
 * @mode: which unsafe calls the capture forbids
 *
 * Context: any thread.
 * Return: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for the legacy stream, CUDA_ERROR_ILLEGAL_STATE for a
 * stream that captures, CUDA_ERROR_INVALID_VALUE for another mode, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);

/**
 * cuStreamBeginCaptureToGraph() - starts a capture into an existing graph
 * @hStream: as cuStreamBeginCapture()
 * @hGraph: the graph, which may be that of a child node; cuStreamEndCapture() returns it. Until then it
 * can't be destroyed or instantiated, and no node can be removed from it.
 * @dependencies: nodes of the graph that the first task follows; may be NULL if @numDependencies is 0
 * @dependencyData: NULL, or all zero
 * @numDependencies: how many
 * @mode: which unsafe calls the capture forbids
 *
 * Context: any thread.
 * Return: as cuStreamBeginCapture(), and CUDA_ERROR_INVALID_VALUE for other nodes.
 */
CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
					     const CUgraphNode *dependencies,
					     const CUgraphEdgeData *dependencyData,
					     size_t numDependencies, CUstreamCaptureMode mode);

/**
 * cuStreamEndCapture() - ends a capture
 * @hStream: the stream where it began
 * @phGraph: receives the graph, NULL after a failure; cuGraphDestroy() destroys it. May be NULL: a program
 * that captured into a graph of its own, or asked cuStreamGetCaptureInfo() for the graph, has it already.
 *
 * Context: any thread for mode RELAXED, else the thread that began the capture.
 * Return: CUDA_ERROR_ILLEGAL_STATE for a stream that does not capture,
 * CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD and
 * CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, after which the capture is still active,
 * CUDA_ERROR_STREAM_CAPTURE_UNJOINED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED.
 */
CUresult CUDAAPI cuStreamEndCapture(CUstream hStream, CUgraph *phGraph);

/**
 * cuStreamIsCapturing() - whether a stream takes part in a capture
 * @hStream: a stream
 * @captureStatus: receives the answer
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @captureStatus is NULL, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for
 * the legacy stream while a stream that it takes turns with captures; the call does not invalidate that
 * capture.
 */
CUresult CUDAAPI cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus);

/**
 * cuStreamGetCaptureInfo() - the capture that a stream takes part in
 * @hStream: a stream
 * @captureStatus_out: receives whether the stream captures; the other results are set only if it does
 * @id_out: receives a number that is unique among all captures of the process; may be NULL
 * @graph_out: receives the graph; the program may add nodes, but not remove one; may be NULL
 * @dependencies_out: receives the nodes that the next task follows, valid until the next such call for
 * the stream; may be NULL
 * @edgeData_out: receives the same number of edges, all zero; may be NULL
 * @numDependencies_out: receives how many; may be NULL
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @captureStatus_out is NULL, and for @edgeData_out without
 * @dependencies_out; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT as cuStreamIsCapturing().
 */
CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
					cuuint64_t *id_out, CUgraph *graph_out,
					const CUgraphNode **dependencies_out,
					const CUgraphEdgeData **edgeData_out,
					size_t *numDependencies_out);

/**
 * cuStreamUpdateCaptureDependencies() - changes the nodes that the next task of a stream follows
 * @hStream: a stream that captures. Nodes that it follows no more because of SET need not lead to the
 * origin.
 * @dependencies: nodes of the capture's graph; may be NULL if @numDependencies is 0
 * @dependencyData: NULL, or all zero
 * @numDependencies: how many
 * @flags: one of CUstreamUpdateCaptureDependencies_flags
 *
 * Context: any thread.
 * Return: CUDA_ERROR_ILLEGAL_STATE for a stream that does not capture, CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
						   const CUgraphEdgeData *dependencyData,
						   size_t numDependencies, unsigned int flags);

/**
 * cuThreadExchangeStreamCaptureMode() - sets which unsafe calls of the calling thread are refused
 * @mode: the new mode; receives the old one, which is initially GLOBAL
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL or another mode.
 */
CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_CAPTURE_H */
