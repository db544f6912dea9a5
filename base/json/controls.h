// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace base {

/** control_bytes() - how many bytes of UTF-8 the control character has with which @text begins; 0: it is none.
 * Controls are those below U+0020, U+007F, U+0080 to U+009F, the ends of lines U+2028 and U+2029, and what turns the
 * direction of letters: U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069. */
inline size_t control_bytes(std::span<const char> text)
{
	const auto byte = [&](size_t i) {
		return static_cast<unsigned char>(i < text.size() ? text[i] : ' ');
	};
	const auto is_in = [](unsigned char last, unsigned char first, unsigned char most) {
		return last >= first && last <= most;
	};
	if (byte(0) < ' ' || byte(0) == 0x7f)
		return 1;
	if ((byte(0) == 0xc2 && is_in(byte(1), 0x80, 0x9f)) || (byte(0) == 0xd8 && byte(1) == 0x9c))
		return 2;
	if (byte(0) != 0xe2)
		return 0;
	const bool is_mark = is_in(byte(2), 0x8e, 0x8f) || is_in(byte(2), 0xa8, 0xae);
	return (byte(1) == 0x80 && is_mark) || (byte(1) == 0x81 && is_in(byte(2), 0xa6, 0xa9)) ? 3
											       : 0;
}

/** blank_controls() - replaces control characters by blanks in text from another program, because a terminal
 * would obey them. */
inline void blank_controls(std::span<char> text)
{
	for (size_t i = 0; i < text.size(); i++)
		for (size_t count = control_bytes(text.subspan(i)); count > 0; count--)
			text[i + count - 1] = ' ';
}

/** without_controls() - a copy of @text in which blank_controls() has replaced the control characters. */
inline std::string without_controls(std::string text)
{
	blank_controls(text);
	return text;
}

} // namespace base
