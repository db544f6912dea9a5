// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "uapi/kernel.h"

namespace base {

/* The most entries of an image. */
constexpr uint32_t KERNELS_MOST = 4096;

/** is_good_kernel() - whether the fields of an entry fit each other. Who packs arguments stores them at the offsets of
 * the entry, and what is said there is of the image, which may be anybody's. */
inline bool is_good_kernel(const unpu_kernel_info &info)
{
	if (info.args_bytes > UNPU_KERNEL_WIRE_MAX_ARGS ||
	    info.param_count > UNPU_KERNEL_WIRE_MAX_PARAMS ||
	    memchr(info.name, 0, sizeof(info.name)) == nullptr)
		return false;
	uint64_t end = 0;
	for (uint32_t i = 0; i < info.param_count; i++) {
		const unpu_kernel_param_info &param = info.params[i];
		if (param.offset < end || param.offset % sizeof(uint64_t) != 0)
			return false;
		end = uint64_t{param.offset} + param.bytes;
	}
	return end <= info.args_bytes;
}

} // namespace base
