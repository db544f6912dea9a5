// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fw {

/** struct CoreFacts - what a core has around it; 0 for what the host does not tell. */
struct CoreFacts {
	uint64_t local_bytes;  /* a core's own data memory */
	uint64_t core_bytes;   /* the next one, of the core too */
	uint64_t shared_bytes; /* shared by the cores */
	uint32_t clock_mhz;
};

/** core_facts() - of the host that the device runs on. Context: any thread; reads files once. */
const CoreFacts &core_facts();

} // namespace fw
