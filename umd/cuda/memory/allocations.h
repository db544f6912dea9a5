// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/cuda/front.h"

namespace umd::cuda {

/** struct Allocation - properties of an allocation other than its address and size. */
struct Allocation {
	enum class Kind : uint8_t {
		NONE,
		DEVICE,
		HOST,
		MANAGED,
		REGISTERED,
		IMPORTED,
		GRAPH,
		POOL
	};

	Kind kind = Kind::NONE;
	uint32_t flags = 0;   /* of the call that allocated it */
	uint64_t context = 0; /* handle of the context that allocated it; 0: it belongs to none */
	uint64_t id = 0;      /* unique in the process */
	bool sync_copies = false;
	uint64_t bytes = 0; /* POOL: that the program asked for; else the object says it */
	uint64_t pool = 0;  /* POOL: handle of the pool */
};

/** note_allocation(), forget_allocation() - store and remove the properties of the allocation that
 * starts at @address. Context: any thread. */
void note_allocation(uint64_t address, Allocation allocation);
void forget_allocation(uint64_t address);

/** find_allocation() - the properties of the allocation that starts at @address; kind NONE if there is
 * none. */
Allocation find_allocation(uint64_t address);

/** live_object() - the object at @address; none where a pool keeps memory that the program has freed. */
drv::Bo live_object(drv::Device &device, uint64_t address);

/** free_allocations() - frees what was allocated, registered or imported in a context that has ended.
 * @context: its handle. Context: no lock is held. */
void free_allocations(uint64_t context);

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

/** find_pool() - the runtime's number of the device of a pool, or HOST_POOL. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult find_pool(CUmemoryPool pool, const char *name, int32_t &index);

} // namespace umd::cuda
