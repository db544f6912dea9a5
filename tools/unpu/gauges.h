// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace unpu_command {

/** struct Style - what the terminal can show. */
struct Style {
	bool has_colours = false;
	bool has_blocks = false; /* whether it shows UTF-8 characters */
};

/** style_of() - what a terminal can show.
 * @colour: always, never or auto; auto asks @is_terminal and the environment */
Style style_of(const std::string &colour, bool is_terminal);

/** bar() - draws "[#####-----]" in green, yellow from 60 % and red from 90 % on. @share: limited to 0 to 1 */
std::string bar(const Style &style, double share, size_t width);

/** history_bar() - draws one character for each share of @shares, the oldest first, but only the newest
 * @width shares. */
std::string history_bar(const Style &style, const std::deque<double> &shares, size_t width);

std::string bold(const Style &style, const std::string &text);
std::string red(const Style &style, const std::string &text);

/** fit() - cuts each line of @text to @columns characters that show, and the text to @rows lines; 0: no
 * limit. Escape sequences, which set colours, do not count as characters. */
std::string fit(const std::string &text, size_t columns, size_t rows);

} // namespace unpu_command
