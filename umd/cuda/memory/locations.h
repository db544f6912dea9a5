// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/cuda.h"
#include "umd/core/memory/vmm.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

inline void *handle_pointer(CUmemGenericAllocationHandle handle)
{
	return reinterpret_cast<void *>(handle);
}

inline CUresult check_flags(unsigned long long flags)
{
	return flags == 0 ? CUDA_SUCCESS
			  : refuse(CUDA_ERROR_INVALID_VALUE,
				   fmt::format("flags is {:#x}; it must be 0", flags));
}

/** node_exists() - whether the machine has the NUMA node. */
bool node_exists(int node);

/** location_of() - the location of memory, with the numbers of the interface. */
CUmemLocation location_of(const PhysicalProperties &properties);

/** read_location() - the host or the device that @location names.
 * @name: name of the argument, for the error message. @index: receives the device, if the location is a
 * device
 * Return: CUDA_ERROR_INVALID_VALUE for another kind of location, CUDA_ERROR_INVALID_DEVICE. */
CUresult read_location(const CUmemLocation &location, const char *name, bool &host, int32_t &index);

} // namespace umd::cuda
