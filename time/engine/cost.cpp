// SPDX-License-Identifier: MIT
/**
 * DOC: costs
 *
 * An operator takes its overhead, and then the longer one of its operations and its bytes. A kernel's operations are
 * unknown, so its bytes alone count.
 */
#include "cost.h"

#include <algorithm>

#include "uapi/operator.h"

namespace timing {

using san::WorkClass;

/* The longest time of one step. */
static constexpr Picoseconds MOST_TIME = 1000 * SECOND;

const char *engine_name(Engine engine)
{
	switch (engine) {
	case Engine::COPY_IN:
		return "copies in";
	case Engine::COPY_OUT:
		return "copies out";
	case Engine::COPY_HERE:
		return "copies on the device";
	case Engine::CUBE:
		return "cube cores";
	case Engine::VECTOR:
		return "vector cores";
	case Engine::NONE:
	case Engine::COUNT:
		break;
	}
	return "none";
}

uint64_t units_of(Engine engine, const Profile &profile)
{
	if (engine == Engine::CUBE)
		return profile[Figure::CUBE_CORES];
	return engine == Engine::VECTOR ? profile[Figure::VECTOR_CORES] : 1;
}

/* The time for so many bytes or operations, rounded up. */
static Picoseconds time_for(uint64_t amount, uint64_t rate)
{
	const unsigned __int128 product = static_cast<unsigned __int128>(amount) * SECOND;
	const unsigned __int128 time = (product + rate - 1) / rate;
	return static_cast<Picoseconds>(std::min<unsigned __int128>(time, MOST_TIME));
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t cube_speed(const Work &work, const Profile &profile)
{
	if (work.dtype == UNPU_DTYPE_F32 || work.dtype == UNPU_DTYPE_I32)
		return profile[Figure::CUBE_SPEED_F32];
	if (work.dtype == UNPU_DTYPE_I8 || work.dtype == UNPU_DTYPE_U8)
		return profile[Figure::CUBE_SPEED_I8];
	return profile[Figure::CUBE_SPEED];
}

static Cost copy_cost(const Work &work, const Profile &profile)
{
	const uint64_t bytes = std::max(work.read, work.written);
	const Picoseconds latency = profile[Figure::COPY_LATENCY];
	if (work.is_from_host && work.is_to_host)
		return {latency + time_for(bytes, profile[Figure::COPY_HOST_RATE])};
	const bool is_inside = !work.is_from_host && !work.is_to_host;
	const uint64_t rate = profile[work.is_from_host ? Figure::COPY_IN_RATE
				      : is_inside	? Figure::COPY_HERE_RATE
							: Figure::COPY_OUT_RATE];
	return {latency + time_for(bytes, rate),
		work.is_from_host ? Engine::COPY_IN
		: is_inside	  ? Engine::COPY_HERE
				  : Engine::COPY_OUT,
		1, is_inside ? sum(work.read, work.written) : bytes};
}

static Cost compute_cost(const Work &work, const Profile &profile)
{
	const bool is_cube = work.what == WorkClass::CUBE;
	const uint64_t bytes = sum(work.read, work.written);
	const uint64_t speed = is_cube ? cube_speed(work, profile) : profile[Figure::VECTOR_SPEED];
	const Picoseconds busy = std::max(time_for(work.operations, speed),
					  time_for(bytes, profile[Figure::MEMORY_RATE]));
	const Engine engine = is_cube ? Engine::CUBE : Engine::VECTOR;
	const uint64_t all = units_of(engine, profile);
	const uint64_t units =
		work.what == WorkClass::KERNEL ? std::clamp<uint64_t>(work.blocks, 1, all) : all;
	return {profile[Figure::OPERATOR_OVERHEAD] + busy, engine, static_cast<uint32_t>(units),
		bytes};
}

/* Cost::memory is in bytes here; cost_of() makes a rate of them. */
static Cost work_cost(const Work &work, const Profile &profile)
{
	switch (work.what) {
	case WorkClass::COPY:
		return copy_cost(work, profile);
	case WorkClass::FILL:
		return {profile[Figure::COPY_LATENCY] +
				time_for(work.written, profile[Figure::COPY_HERE_RATE]),
			Engine::COPY_HERE, 1, work.written};
	case WorkClass::FILE:
		return {profile[Figure::FILE_LATENCY] +
			time_for(sum(work.read, work.written), profile[Figure::FILE_RATE])};
	case WorkClass::CUBE:
	case WorkClass::VECTOR:
	case WorkClass::KERNEL:
	case WorkClass::NONE:
		break;
	}
	return compute_cost(work, profile);
}

static Cost step_cost(const Vertex &vertex, const Profile &profile)
{
	switch (vertex.step) {
	case Step::CALL:
		return {profile[Figure::HOST_CALL]};
	case Step::RETURN:
		return {profile[Figure::HOST_WAIT]};
	case Step::RECORD:
		return {profile[Figure::EVENT_RECORD]};
	case Step::WAIT:
		return {profile[Figure::EVENT_WAIT]};
	case Step::SIGNAL:
		return {profile[Figure::SIGNAL]};
	case Step::LAUNCH:
		return {profile[Figure::GRAPH_LAUNCH]};
	case Step::FUNCTION:
		return {profile[Figure::HOST_FUNCTION]};
	case Step::COMMAND:
		return work_cost(vertex.work, profile);
	case Step::JOIN:
	case Step::LAUNCHED:
	case Step::OTHER:
		break;
	}
	return {};
}

Cost cost_of(const Graph &graph, const Vertex &vertex, const Profile &profile,
	     const std::vector<Speed> &speeds)
{
	constexpr uint64_t MILLION = 1'000'000;
	Cost cost = step_cost(vertex, profile);
	if (vertex.is_node)
		cost.time += profile[Figure::GRAPH_NODE];
	for (const Speed &speed : speeds) {
		if (speed.steps.has(graph, vertex))
			cost.time = static_cast<Picoseconds>(std::min<unsigned __int128>(
				static_cast<unsigned __int128>(cost.time) * MILLION / speed.of,
				MOST_TIME));
	}
	const uint64_t bytes = cost.memory;
	cost.memory = 0;
	if (cost.time != 0 && bytes != 0) {
		const auto rate = static_cast<unsigned __int128>(bytes) * SECOND / cost.time;
		cost.memory = static_cast<uint64_t>(
			std::clamp<unsigned __int128>(rate, 1, profile[Figure::MEMORY_RATE]));
	}
	return cost;
}

std::vector<Cost> costs_of(const Graph &graph, const Profile &profile,
			   const std::vector<Speed> &speeds)
{
	std::vector<Cost> costs;
	costs.reserve(graph.vertices.size());
	for (const Vertex &vertex : graph.vertices)
		costs.push_back(cost_of(graph, vertex, profile, speeds));
	return costs;
}

} // namespace timing
