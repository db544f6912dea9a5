// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace base {

/** blank_controls() - replaces control characters by blanks in text from another program, because a terminal
 * would obey them. Control characters are those below U+0020, U+007F, and U+0080 to U+009F. The last range
 * has two bytes in UTF-8, of which the first is 0xc2. */
inline void blank_controls(std::span<char> text)
{
	for (size_t i = 0; i < text.size(); i++) {
		const auto byte = static_cast<unsigned char>(text[i]);
		const auto next =
			static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : ' ');
		if (byte < ' ' || byte == 0x7f)
			text[i] = ' ';
		else if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
			text[i] = text[i + 1] = ' ';
	}
}

/** without_controls() - a copy of @text in which blank_controls() has replaced the control characters. */
inline std::string without_controls(std::string text)
{
	blank_controls(text);
	return text;
}

} // namespace base
