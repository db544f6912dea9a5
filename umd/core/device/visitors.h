// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "devices.h"
#include "umd/core/process/process.h"

namespace umd {

/**
 * class Visitors - records which other devices use memory of one device in tasks that the host performs. From
 * the first such task on, all work of the other device counts as work that may use the memory. Context: any
 * thread.
 */
class Visitors {
public:
	static Visitors &get() { return Process::own<Visitors>(); }

	/** visits() - whether such a task of @user may access [@address, @address + @bytes), and if so, notes it. */
	bool visits(const OpenDevice &user, const void *address, uint64_t bytes, uint32_t access);

	/** to() - bit mask of the devices with such tasks, by their index. */
	uint32_t to(const DeviceState &home) const
	{
		return users_[static_cast<unsigned>(home.index)].load();
	}

private:
	std::array<std::atomic<uint32_t>, MAX_DEVICES> users_{};
};

} // namespace umd
