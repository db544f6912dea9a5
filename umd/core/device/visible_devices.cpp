// SPDX-License-Identifier: MIT
/**
 * DOC: Visible devices
 *
 * The variable $VISIBLE_DEVICES (words.h) hides devices from a program and renumbers the others. The first wrong entry
 * ends the list (Documentation/adr/0335).
 */
#include "visible_devices.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"

namespace umd {

using base::Status;

static std::string_view trim(std::string_view word)
{
	constexpr std::string_view BLANKS = " \t";
	size_t first = word.find_first_not_of(BLANKS);
	if (first == word.npos)
		return "";
	return word.substr(first, word.find_last_not_of(BLANKS) - first + 1);
}

/* Adds an entry of the list. Return: why @word is wrong, or "". */
std::string VisibleDevices::add(std::string_view word, uint32_t devices)
{
	uint32_t number = 0;
	if (!base::read_number(word, number))
		return fmt::format("'{}' is not a device number", word);
	if (number >= devices)
		return fmt::format("there is no device {}; the driver has 0 to {}", number,
				   devices - 1);
	if (user(static_cast<int32_t>(number)) >= 0)
		return fmt::format("device {} is listed twice", number);
	logic_.push_back(number);
	return "";
}

Status VisibleDevices::read(std::string_view text, uint32_t devices, std::string &why)
{
	logic_.clear();
	end_.clear();
	std::string_view rest = trim(text);
	is_filtered_ = !rest.empty();
	for (uint32_t i = 0; i < devices && !is_filtered_; i++)
		logic_.push_back(i);
	for (bool more = is_filtered_; more && end_.empty();) {
		size_t comma = rest.find(',');
		end_ = add(rest.substr(0, comma), devices);
		more = comma != rest.npos;
		rest = more ? rest.substr(comma + 1) : "";
	}
	if (!logic_.empty())
		return Status::OK;
	why = fmt::format("$VISIBLE_DEVICES is '{}' and leaves no device: {}; list device numbers "
			  "as in 0,2, without blanks, or leave it unset",
			  text, end_);
	return Status::INVALID_DEVICE;
}

int32_t VisibleDevices::user(int32_t logic) const
{
	auto found = std::find_if(logic_.begin(), logic_.end(), [logic](uint32_t number) {
		return static_cast<int32_t>(number) == logic;
	});
	return found == logic_.end() ? -1 : static_cast<int32_t>(found - logic_.begin());
}

} // namespace umd
