// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "drv/memory/memory.h"
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
	uint32_t flags = 0; /* the call that allocated it */
	/* handle of the context that allocated it; 0: it belongs to no context */
	uint64_t context = 0;
	uint64_t id = 0; /* unique in the process */
	bool sync_copies = false;
	/* POOL: size that the program asked for; for other kinds the object has it */
	uint64_t bytes = 0;
	uint64_t pool = 0;	  /* POOL: handle of the pool */
	bool is_exported = false; /* POOL: other processes may import the memory */
	bool is_imported = false; /* POOL: the memory belongs to another process */
};

/** note_allocation(), forget_allocation() - store and remove the properties of the allocation that
 * starts at @address. Context: any thread. */
void note_allocation(uint64_t address, Allocation allocation);
void forget_allocation(uint64_t address);

/** find_allocation() - the properties of the allocation that starts at @address; kind NONE if there is
 * none. */
Allocation find_allocation(uint64_t address);

/** live_object() - the object at @address; none if the program has freed it and a pool only keeps the
 * memory. */
drv::Bo live_object(drv::Device &device, uint64_t address);

/** free_allocations() - frees all memory that was allocated, registered or imported in a context that has
 * ended.
 * @context: its handle. Context: no lock is held. */
void free_allocations(uint64_t context);

} // namespace umd::cuda
