// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

namespace umd {

/** class Options - numbers that a program sets by index, for a process or a context. Context: any
 * thread. */
class Options {
public:
	static constexpr unsigned COUNT = 4;

	void set(unsigned index, int64_t value)
	{
		std::lock_guard lock(mutex_);
		values_[index] = value;
	}

	/** get() - nothing when it was never set. */
	std::optional<int64_t> get(unsigned index) const
	{
		std::lock_guard lock(mutex_);
		return values_[index];
	}

	/** clear() - as if none had ever been set. */
	void clear()
	{
		std::lock_guard lock(mutex_);
		values_ = {};
	}

private:
	mutable std::mutex mutex_;
	std::array<std::optional<int64_t>, COUNT> values_;
};

} // namespace umd
