// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/core/context/context.h"

namespace umd::cuda {

/** struct Allocation - properties of an allocation other than its address and size. */
struct Allocation {
	enum class Kind : uint8_t { NONE, DEVICE, HOST, MANAGED, REGISTERED, IMPORTED, GRAPH };

	Kind kind = Kind::NONE;
	uint32_t flags = 0;   /* of the call that allocated it */
	uint64_t context = 0; /* handle of the context that allocated it; 0: it belongs to none */
	uint64_t id = 0;      /* unique in the process */
	bool sync_copies = false;
};

/** note_allocation(), forget_allocation() - store and remove the properties of the allocation that
 * starts at @address. Context: any thread. */
void note_allocation(uint64_t address, Allocation allocation);
void forget_allocation(uint64_t address);

/** find_allocation() - the properties of the allocation that starts at @address; kind NONE if there is
 * none. */
Allocation find_allocation(uint64_t address);

/** free_allocations() - frees what was allocated, registered or imported in a context that has ended.
 * @context: its handle. Context: no lock is held. */
void free_allocations(uint64_t context);

} // namespace umd::cuda
