// SPDX-License-Identifier: MIT
/**
 * DOC: Rules and boxes of copies
 */
#include "copy_rules.h"

namespace umd::cuda {

namespace {

/* One end of a copy, from CUDA_MEMCPY2D or CUDA_MEMCPY3D. */
struct End {
	const char *name;
	CUmemorytype type;
	const void *host;
	CUdeviceptr device;
	size_t x;
	size_t y;
	size_t z;
	size_t pitch;
	size_t height;
};

/* A pitch of 0 means that there are no gaps between the rows. */
CUresult start_of(const End &end, size_t width, uint64_t &start, size_t &pitch, size_t &slice)
{
	pitch = end.pitch != 0 ? end.pitch : width + end.x;
	if (pitch < width + end.x)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("{}Pitch is {}, less than a row of {} bytes at {}",
					  end.name, end.pitch, width, end.x));
	slice = pitch * end.height;
	switch (end.type) {
	case CU_MEMORYTYPE_HOST:
		start = reinterpret_cast<uint64_t>(end.host);
		break;
	case CU_MEMORYTYPE_DEVICE:
	case CU_MEMORYTYPE_UNIFIED:
		start = end.device;
		break;
	default:
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("{}MemoryType is {}; it must be HOST (1), DEVICE (2) or "
					  "UNIFIED (4), there are no arrays",
					  end.name, static_cast<int>(end.type)));
	}
	if (start == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("the address of the {} is NULL",
					  end.name[0] == 's' ? "source" : "destination"));
	start += end.z * slice + end.y * pitch + end.x;
	return CUDA_SUCCESS;
}

Claim claim_of(CUmemorytype type)
{
	if (type == CU_MEMORYTYPE_HOST)
		return Claim::NOTHING;
	return type == CU_MEMORYTYPE_DEVICE ? Claim::DEVICE : Claim::MAPPED;
}

} // namespace

CopyRules rules_of(CudaCall call, const CUDA_MEMCPY3D &copy)
{
	return named(call, copy_rules(claim_of(copy.dstMemoryType), claim_of(copy.srcMemoryType)));
}

CUresult box_of(const CUDA_MEMCPY3D &copy, Box &box, bool &empty)
{
	End src{"src",	   copy.srcMemoryType, copy.srcHost,  copy.srcDevice, copy.srcXInBytes,
		copy.srcY, copy.srcZ,	       copy.srcPitch, copy.srcHeight};
	End dst{"dst",	   copy.dstMemoryType, copy.dstHost,  copy.dstDevice, copy.dstXInBytes,
		copy.dstY, copy.dstZ,	       copy.dstPitch, copy.dstHeight};
	if (copy.srcLOD != 0 || copy.dstLOD != 0 || copy.reserved0 || copy.reserved1)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "srcLOD, dstLOD and the reserved pointers must be 0");
	for (End *end : {&src, &dst}) {
		if (end->height == 0)
			end->height = copy.Height;
		if (end->height < copy.Height && copy.Depth > 1)
			return refuse(
				CUDA_ERROR_INVALID_VALUE,
				fmt::format("{}Height is {}, less than the {} rows of a slice",
					    end->name, end->height, copy.Height));
	}
	uint64_t from = 0;
	uint64_t to = 0;
	size_t src_pitch = 0;
	size_t dst_pitch = 0;
	size_t src_slice = 0;
	size_t dst_slice = 0;
	empty = copy.WidthInBytes == 0 || copy.Height == 0 || copy.Depth == 0;
	TRY(start_of(src, copy.WidthInBytes, from, src_pitch, src_slice));
	TRY(start_of(dst, copy.WidthInBytes, to, dst_pitch, dst_slice));
	box = Box{reinterpret_cast<void *>(to),
		  dst_pitch,
		  dst_slice,
		  reinterpret_cast<const void *>(from),
		  src_pitch,
		  src_slice,
		  copy.WidthInBytes,
		  copy.Height,
		  copy.Depth};
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
