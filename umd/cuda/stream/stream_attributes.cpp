// SPDX-License-Identifier: MIT
/**
 * DOC: Attributes of streams
 */
#include "cuda/cuda.h"
#include "stream.h"

using namespace umd::cuda;
using umd::Stream;

static CUresult refuse_attribute(CUstreamAttrID attr)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("attr is {}; streams have SYNCHRONIZATION_POLICY (3) and "
				  "PRIORITY (8)",
				  static_cast<int>(attr)));
}

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out)
{
	TRY(enter());
	if (!value_out)
		return null_argument("value_out");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	switch (static_cast<int>(attr)) {
	case CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY:
		value_out->syncPolicy =
			static_cast<CUsynchronizationPolicy>(stream->wait_policy.load());
		return CUDA_SUCCESS;
	case CU_STREAM_ATTRIBUTE_PRIORITY:
		value_out->priority = priority_of(*stream);
		return CUDA_SUCCESS;
	}
	return refuse_attribute(attr);
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
	TRY(enter());
	if (!value)
		return null_argument("value");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	if (attr == CU_STREAM_ATTRIBUTE_PRIORITY) {
		if (value->priority == priority_of(*stream))
			return CUDA_SUCCESS;
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      fmt::format("priority is {}, but the stream was made with {} and "
					  "keeps it",
					  value->priority, priority_of(*stream)));
	}
	if (attr != CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY)
		return refuse_attribute(attr);
	int policy = static_cast<int>(value->syncPolicy);
	if (policy < CU_SYNC_POLICY_AUTO || policy > CU_SYNC_POLICY_BLOCKING_SYNC)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("syncPolicy is {}; it must be AUTO (1), SPIN (2), YIELD "
					  "(3) or BLOCKING_SYNC (4)",
					  policy));
	stream->wait_policy = static_cast<uint8_t>(policy);
	return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
	TRY(enter());
	Held<Stream> to;
	Held<Stream> from;
	TRY(find_stream(dst, to));
	TRY(find_stream(src, from));
	if (to->context != from->context)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "dst and src are of different contexts; copy between streams of one");
	to->wait_policy = from->wait_policy.load();
	return CUDA_SUCCESS;
}
