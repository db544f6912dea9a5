// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <nlohmann/json.hpp>

namespace base {

/** is_like() - whether @value has the same members as @sample, with the same types.
 * An array in @sample has one element, which is the pattern for all elements of the array in @value. A null in
 * @sample matches any value. */
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
