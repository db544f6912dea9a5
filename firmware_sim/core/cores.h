// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fw {

/** struct CoreFacts - properties of a core; 0 if the host does not report one. */
struct CoreFacts {
	uint64_t local_bytes;  /* a core's own data memory */
	uint64_t core_bytes;   /* second-level memory of the core */
	uint64_t shared_bytes; /* shared by the cores */
	uint32_t clock_mhz;
};

/** core_facts() - properties of the host's cores. Context: any thread; reads files once. */
const CoreFacts &core_facts();

} // namespace fw
