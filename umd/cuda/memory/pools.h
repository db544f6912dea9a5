// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/front.h"

namespace umd::cuda {

/** HOST_POOL - in place of the number of a device: pools of the host. */
constexpr int32_t HOST_POOL = -1;

/** current_pool() - the pool from which streams of the runtime's device @index allocate. Return:
 * CUDA_ERROR_OUT_OF_MEMORY if there are too many pools. */
CUresult current_pool(int32_t index, CUmemoryPool &pool);

/** allocate_from() - allocates for later tasks of @stream. Context: no lock is held.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY. */
CUresult allocate_from(CUmemoryPool pool, size_t bytes, Stream &stream, CUdeviceptr *out);

/** free_in_order() - frees memory of a pool for the tasks that follow those that @stream has now.
 * @here: as Pools::free(). Return: CUDA_ERROR_INVALID_VALUE. */
CUresult free_in_order(CUdeviceptr address, Stream &stream, const drv::Fence *here);

/** free_pooled() - frees memory of a pool; it goes back to the device. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult free_pooled(CUdeviceptr address);

/** struct PoolName - what tells a pool from the others of all processes. */
struct PoolName {
	uint64_t instance = 0; /* of the firmware */
	uint64_t pool = 0;     /* handle in the process that has made it */
	uint32_t pid = 0;      /* of that process, as the firmware sees it; 0: no name */
	uint32_t device = 0;   /* as the driver numbers it */

	bool operator==(const PoolName &) const = default;
};

/** struct PoolHome - what the interface knows of a pool. */
struct PoolHome {
	int32_t index = 0;	   /* the runtime's number of its device, or HOST_POOL */
	uint32_t handle_types = 0; /* as what it is exported */
	PoolName origin;	   /* of the pool that it was imported from */

	bool is_imported() const { return origin.pid != 0; }
};

/** note_pool() - @pool: a handle of the runtime's, which cuMemPoolDestroy() ends. */
void note_pool(CUmemoryPool pool, const PoolHome &home);

/** find_home() - Return: CUDA_ERROR_INVALID_VALUE. @name: of the argument, for the sentence */
CUresult find_home(CUmemoryPool pool, const char *name, PoolHome &home);

/** find_own_pool() - find_pool() for a pool that allocates.
 * Return: CUDA_ERROR_INVALID_VALUE, also for an imported one. */
CUresult find_own_pool(CUmemoryPool pool, const char *name, int32_t &index);

/** find_pool() - the runtime's number of the device of a pool, or HOST_POOL. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult find_pool(CUmemoryPool pool, const char *name, int32_t &index);

} // namespace umd::cuda
