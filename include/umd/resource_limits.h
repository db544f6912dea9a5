// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace umd {

/** enum class Resource - what operators may use less of. Numbers as in aclrtDevResLimitType. */
enum class Resource : uint32_t { CUBE_CORE = 0, VECTOR_CORE = 1, COUNT };

/** struct ResourceLimits - caps by resource, 0 where there is none. */
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
