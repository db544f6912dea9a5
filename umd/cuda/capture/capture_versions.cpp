// SPDX-License-Identifier: MIT
/**
 * DOC: Old versions of capture calls
 */
#define CUDA_API_EXACT_NAMES
#include "capture_calls.h"

using namespace umd::cuda;

extern "C" {

CUresult CUDAAPI cuStreamBeginCapture(CUstream stream);
CUresult CUDAAPI cuStreamBeginCapture_ptsz(CUstream stream);
CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
					cuuint64_t *id);
CUresult CUDAAPI cuStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus *status,
					     cuuint64_t *id);
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status,
					   cuuint64_t *id, CUgraph *graph,
					   const CUgraphNode **dependencies, size_t *count);
CUresult CUDAAPI cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, CUstreamCaptureStatus *status,
						cuuint64_t *id, CUgraph *graph,
						const CUgraphNode **dependencies, size_t *count);
CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
						   size_t count, unsigned flags);
CUresult CUDAAPI cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode *dependencies,
							size_t count, unsigned flags);
}

static CUstream own(CUstream stream)
{
	return stream ? stream : CU_STREAM_PER_THREAD;
}

CUresult cuStreamBeginCapture(CUstream stream)
{
	return begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamBeginCapture_ptsz(CUstream stream)
{
	return cuStreamBeginCapture(own(stream));
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
	return capture_info(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
	return cuStreamGetCaptureInfo(own(stream), status, id);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
				   CUgraph *graph, const CUgraphNode **dependencies, size_t *count)
{
	return capture_info(stream, status, id, graph, dependencies, nullptr, count);
}

CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, CUstreamCaptureStatus *status,
					cuuint64_t *id, CUgraph *graph,
					const CUgraphNode **dependencies, size_t *count)
{
	return cuStreamGetCaptureInfo_v2(own(stream), status, id, graph, dependencies, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count,
					   unsigned flags)
{
	return update_dependencies(stream, dependencies, nullptr, count, flags);
}

CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode *dependencies,
						size_t count, unsigned flags)
{
	return cuStreamUpdateCaptureDependencies(own(stream), dependencies, count, flags);
}
