// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace umd {

/**
 * class VisibleDevices - which of the driver's devices a program may use, and its numbers for them.
 *
 * A user number is an index into the list; a logic number is the driver's number.
 */
class VisibleDevices {
public:
	/**
	 * read() - reads the value of $VISIBLE_DEVICES (words.h)
	 * @text: logic numbers with commas between them; empty: every device. The list ends before the first
	 *	entry that is not a number, not a device, or there twice.
	 * @devices: how many the driver has
	 * @why: receives an error message if the result is not OK
	 * Return: INVALID_DEVICE if no device is left.
	 */
	base::Status read(std::string_view text, uint32_t devices, std::string &why);

	uint32_t count() const { return static_cast<uint32_t>(logic_.size()); }

	/** filtered() - whether the variable was set. */
	bool filtered() const { return is_filtered_; }

	/** end() - why the list ends before its last entry, or "". */
	const std::string &end() const { return end_; }

	/** logic() - the driver's number of @user, which is below count(). */
	uint32_t logic(uint32_t user) const { return logic_[user]; }

	/** user() - the program's number of the driver's device @logic, or -1 if it is not visible. */
	int32_t user(int32_t logic) const;

private:
	std::string add(std::string_view word, uint32_t devices);

	std::vector<uint32_t> logic_;
	std::string end_;
	bool is_filtered_ = false;
};

} // namespace umd
