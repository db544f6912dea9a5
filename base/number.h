// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <string_view>

namespace base {

/** read_number() - reads all of @text as a whole number. Return: false if @text is not a whole number;
 * @number is then unchanged. */
template <class Number> bool read_number(std::string_view text, Number &number, int radix = 10)
{
	Number value = 0;
	const auto [end, error] =
		std::from_chars(text.data(), text.data() + text.size(), value, radix);
	if (error != std::errc() || end != text.data() + text.size())
		return false;
	number = value;
	return true;
}

} // namespace base
