// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "umd/context.h"

namespace umd::cuda {

/** struct Allocation - what the interface knows of one beyond its address and size. */
struct Allocation {
	enum class Kind : uint8_t { NONE, DEVICE, HOST, MANAGED, REGISTERED };

	Kind kind = Kind::NONE;
	uint32_t flags = 0;   /* it was made with */
	uint64_t context = 0; /* handle of the one it was made in */
	uint64_t id = 0;      /* never the same twice */
	bool sync_copies = false;
};

/** note_allocation(), forget_allocation() - @address is the start. Context: any thread. */
void note_allocation(uint64_t address, Allocation allocation);
void forget_allocation(uint64_t address);

/** find_allocation() - that starts at @address; kind NONE for others. */
Allocation find_allocation(uint64_t address);

} // namespace umd::cuda
