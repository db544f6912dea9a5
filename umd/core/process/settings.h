// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "base/sync/mutex.h"

namespace umd {

/** class Settings - numbers that a program sets and queries by index. Context: any thread. */
template <unsigned COUNT> class Settings {
public:
	void set(unsigned index, int64_t value)
	{
		std::lock_guard lock(mutex_);
		values_[index] = value;
	}

	/** get() - the number at @index; empty if it was never set. */
	std::optional<int64_t> get(unsigned index) const
	{
		std::lock_guard lock(mutex_);
		return values_[index];
	}

	/** clear() - unsets all numbers. */
	void clear()
	{
		std::lock_guard lock(mutex_);
		values_ = {};
	}

private:
	mutable base::Mutex mutex_{"Settings::mutex_"};
	std::array<std::optional<int64_t>, COUNT> values_ GUARDED_BY(mutex_);
};

/** OPTIONS - how many options a program can set. */
constexpr unsigned OPTIONS = 4;

/** CONTEXT_LIMITS - how many limits a context has. They are stored, but have no effect. */
constexpr unsigned CONTEXT_LIMITS = 7;

/** LIMITS - how many limits a device has. They are sizes for kernels. */
constexpr unsigned LIMITS = 5;
constexpr unsigned LIMIT_STACK = 2;
constexpr unsigned LIMIT_PRINTF_FIFO = 3;

} // namespace umd
