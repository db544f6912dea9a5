// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/front.h"

namespace umd::cuda {

/** HOST_POOL - stands for the host where a function expects the number of a device. */
constexpr int32_t HOST_POOL = -1;

/** current_pool() - the pool from which streams of the runtime's device @index allocate. Return:
 * CUDA_ERROR_OUT_OF_MEMORY if there are too many pools. */
CUresult current_pool(int32_t index, CUmemoryPool &pool);

/** allocate_from() - allocates for later tasks of @stream. Context: no lock is held.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY. */
CUresult allocate_from(CUmemoryPool pool, size_t bytes, Stream &stream, CUdeviceptr *out);

/** free_in_order() - frees memory of a pool in stream order: tasks submitted to @stream after this call may
 * use it.
 * @here: as Pools::free(). Return: CUDA_ERROR_INVALID_VALUE. */
CUresult free_in_order(CUdeviceptr address, Stream &stream, const drv::Fence *here);

/** free_pooled() - frees memory of a pool; the memory returns to the device, not to the pool. Return:
 * CUDA_ERROR_INVALID_VALUE. */
CUresult free_pooled(CUdeviceptr address);

/** struct PoolName - a unique name of a pool among the pools of all processes. */
struct PoolName {
	uint64_t instance = 0; /* number of the firmware instance */
	uint64_t pool = 0;     /* handle in the process that has made the pool */
	/* id of that process, as the firmware sees it; 0: the pool has no name */
	uint32_t pid = 0;
	uint32_t device = 0; /* number that the driver gives to the device */

	bool operator==(const PoolName &) const = default;
};

/** struct PoolHome - properties of a pool that only the interface needs. */
struct PoolHome {
	int32_t index = 0;	   /* the runtime's number of its device, or HOST_POOL */
	uint32_t handle_types = 0; /* how the pool is exported */
	PoolName origin;	   /* name of the pool from which it was imported */

	bool is_imported() const { return origin.pid != 0; }
};

/** note_pool() - stores the properties of a pool. @pool: handle of the runtime; cuMemPoolDestroy() ends
 * it. */
void note_pool(CUmemoryPool pool, const PoolHome &home);

/** find_home() - finds the properties of a pool. @name: name of the argument, for the error message. Return:
 * CUDA_ERROR_INVALID_VALUE */
CUresult find_home(CUmemoryPool pool, const char *name, PoolHome &home);

/** find_own_pool() - as find_pool(), but refuses an imported pool, which can't allocate.
 * Return: CUDA_ERROR_INVALID_VALUE, also for an imported one. */
CUresult find_own_pool(CUmemoryPool pool, const char *name, int32_t &index);

/** find_pool() - the runtime's number of the device of a pool, or HOST_POOL. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult find_pool(CUmemoryPool pool, const char *name, int32_t &index);

} // namespace umd::cuda
