// SPDX-License-Identifier: MIT
/**
 * DOC: Bars and histories of unpu top
 */
#include "gauges.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "common/tool.h"

namespace unpu_command {

static constexpr const char *GREEN = "\033[32m";
static constexpr const char *YELLOW = "\033[33m";
static constexpr const char *RED = "\033[31m";
static constexpr const char *BOLD = "\033[1m";
static constexpr const char *PLAIN = "\033[0m";
static constexpr const char *BLOCKS[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static constexpr const char *LETTERS[] = {" ", ".", ".", ":", ":", "+", "+", "#", "#"};

static bool is_utf8()
{
	for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
		const std::string value = tool::variable(name);
		if (!value.empty())
			return strcasestr(value.c_str(), "utf-8") ||
			       strcasestr(value.c_str(), "utf8");
	}
	return false;
}

Style style_of(const std::string &colour, bool is_terminal)
{
	const bool is_refused = !tool::variable("NO_COLOR").empty();
	const bool is_wanted = colour == "auto" ? is_terminal && !is_refused : colour == "always";
	return {is_wanted, is_utf8()};
}

static std::string coloured(const Style &style, const char *colour, const std::string &text)
{
	return style.has_colours ? colour + text + PLAIN : text;
}

static const char *colour_of(double share)
{
	constexpr double MUCH = 0.6;
	constexpr double NEARLY_ALL = 0.9;
	if (share >= NEARLY_ALL)
		return RED;
	return share >= MUCH ? YELLOW : GREEN;
}

static double cut(double share)
{
	return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
}

std::string bar(const Style &style, double share, size_t width)
{
	const auto filled =
		static_cast<size_t>(std::lround(cut(share) * static_cast<double>(width)));
	return fmt::format("[{}{}]", coloured(style, colour_of(share), std::string(filled, '#')),
			   std::string(width - filled, '-'));
}

std::string history_bar(const Style &style, const std::deque<double> &shares, size_t width)
{
	constexpr double STEPS = std::size(BLOCKS) - 1;
	std::string text;
	const size_t first = shares.size() > width ? shares.size() - width : 0;
	for (size_t i = first; i < shares.size(); i++) {
		/* Rounded up, so that each share above 0 is visible. */
		const auto step = static_cast<size_t>(std::ceil(cut(shares[i]) * STEPS));
		text += style.has_blocks ? BLOCKS[step] : LETTERS[step];
	}
	return text;
}

std::string bold(const Style &style, const std::string &text)
{
	return coloured(style, BOLD, text);
}

std::string red(const Style &style, const std::string &text)
{
	return coloured(style, RED, text);
}

/* The length of the escape sequence at @at, which sets a colour; 0 if there is none. */
static size_t escape_length(const std::string &text, size_t at)
{
	if (text[at] != '\033')
		return 0;
	const size_t end = text.find('m', at);
	return end == text.npos ? text.size() - at : end - at + 1;
}

static bool is_first_byte(char byte)
{
	return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

std::string fit(const std::string &text, size_t columns, size_t rows)
{
	std::string cut;
	size_t column = 0;
	size_t row = 0;
	for (size_t i = 0; i < text.size(); i++) {
		const size_t escape = escape_length(text, i);
		if (escape != 0) {
			cut += text.substr(i, escape);
			i += escape - 1;
			continue;
		}
		if (text[i] == '\n') {
			if (rows != 0 && ++row == rows)
				return cut;
			column = 0;
			cut += '\n';
			continue;
		}
		column += is_first_byte(text[i]);
		if (columns == 0 || column <= columns)
			cut += text[i];
	}
	return cut;
}

} // namespace unpu_command
