// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/driver/graph_types.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** begin_capture(), capture_info(), update_dependencies() - implement all versions of these API
 * calls. */
CUresult begin_capture(CUstream stream, CUstreamCaptureMode mode,
		       const char *call = __builtin_FUNCTION());
CUresult capture_info(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
		      CUgraph *graph, const CUgraphNode **dependencies,
		      const CUgraphEdgeData **edges, size_t *count,
		      const char *call = __builtin_FUNCTION());
CUresult update_dependencies(CUstream stream, const CUgraphNode *dependencies,
			     const CUgraphEdgeData *edges, size_t count, unsigned flags,
			     const char *call = __builtin_FUNCTION());

} // namespace umd::cuda
