// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace umd {

/** enum class Resource - resources of operators that can be limited. The numbers are the interface's. */
enum class Resource : uint32_t { CUBE_CORE = 0, VECTOR_CORE = 1, COUNT };

/** struct ResourceLimits - the limit of each resource; 0 for no limit. */
struct ResourceLimits {
	std::array<std::atomic<uint32_t>, static_cast<size_t>(Resource::COUNT)> caps{};

	uint32_t get(Resource resource) const { return caps[static_cast<size_t>(resource)].load(); }
	void set(Resource resource, uint32_t cap) { caps[static_cast<size_t>(resource)] = cap; }
	void clear()
	{
		for (auto &cap : caps)
			cap = 0;
	}
};

} // namespace umd
