// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "san/report/entry.h"

namespace san {

/**
 * class Suppressions - the rules of a suppression file: which entries a report leaves out.
 *
 * A line is "RULE KEY=PATTERN...": RULE and the patterns are shell patterns, and a line suppresses an entry
 * if all of its patterns match. Keys: function, file and module match a frame of either call, top the
 * innermost function of either call, op and stream either call, memory the label of the memory, fingerprint
 * the entry. # begins a comment. Each line has a reason, a comment behind it or above its group; an empty line
 * ends a group.
 */
class Suppressions {
public:
	/** read() - adds the lines of a file. Return: what is wrong with it, or empty. */
	std::string read(std::string_view text, const std::string &name);

	/** matches() - whether a line suppresses the entry; counts it for that line. */
	bool matches(const Entry &entry);

	/** unused() - "FILE:LINE" of the lines that never matched. */
	std::vector<std::string> unused() const;

private:
	struct Line {
		std::string where;
		std::string rule;
		std::vector<std::pair<std::string, std::string>> patterns; /* key and pattern */
		uint64_t matched = 0;
	};
	static std::string read_line(const std::string &text, Line &line);

	std::vector<Line> lines_;
};

} // namespace san
