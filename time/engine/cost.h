// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "time/graph/selector.h"
#include "time/graph/steps.h"
#include "time/profile/profile.h"

namespace timing {

/** enum class Engine - a part of a device that a task takes. */
enum class Engine : uint8_t { NONE, COPY_IN, COPY_OUT, COPY_HERE, CUBE, VECTOR, COUNT };

/** engine_name() - as reports call it. */
const char *engine_name(Engine engine);

/** struct Cost - what a step takes. */
struct Cost {
	Picoseconds time = 0; /* when it has the memory's whole rate */
	Engine engine = Engine::NONE;
	uint32_t units = 0;  /* how many cores, or 1 */
	uint64_t memory = 0; /* bytes a second of the device's memory */
};

/** struct Speed - steps that are to be faster: @of times @over. */
struct Speed {
	Selector steps;
	uint64_t of = 1; /* millionths */
};

/** cost_of() - the cost of a step by a profile. */
Cost cost_of(const Graph &graph, const Vertex &vertex, const Profile &profile,
	     const std::vector<Speed> &speeds = {});

/** costs_of() - the costs of all steps. */
std::vector<Cost> costs_of(const Graph &graph, const Profile &profile,
			   const std::vector<Speed> &speeds = {});

/** units_of() - how many units an engine of a device has. */
uint64_t units_of(Engine engine, const Profile &profile);

} // namespace timing
