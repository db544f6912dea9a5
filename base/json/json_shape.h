// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <nlohmann/json.hpp>

namespace base {

/** is_like() - whether @value has the parts that @sample has, with the same types. One element of an array, which must
 * be there, stands for all; null stands for anything. */
template <typename Json> bool is_like(const Json &value, const Json &sample)
{
	if (sample.is_null())
		return true;
	if (value.type() != sample.type())
		return false;
	if (value.is_array())
		return std::all_of(value.begin(), value.end(),
				   [&](const Json &each) { return is_like(each, sample.front()); });
	if (!value.is_object())
		return true;
	const auto parts = sample.items();
	return std::all_of(parts.begin(), parts.end(), [&](const auto &part) {
		return value.contains(part.key()) && is_like(value[part.key()], part.value());
	});
}

} // namespace base
