// SPDX-License-Identifier: MIT
/**
 * DOC: what a report leaves out
 *
 * Suppressions refer to properties that stay the same when code moves. They never refer to the text of a
 * report.
 */
#include "san/report/suppressions.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fnmatch.h>

namespace san {

static constexpr const char *KEYS[] = {"function", "file",   "module", "top",
				       "op",	   "stream", "memory", "fingerprint"};

static bool is_like(const std::string &pattern, const std::string &text)
{
	return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/* An empty text means unknown, and no pattern matches it. */
static bool is_frame_like(const std::string &key, const std::string &pattern, const Stack &stack)
{
	return std::any_of(stack.begin(), stack.end(), [&](const Frame &frame) {
		const std::string &text = key == "file"	    ? frame.file
					  : key == "module" ? frame.module
							    : frame.function;
		return !text.empty() && is_like(pattern, text);
	});
}

static bool is_call_like(const std::string &key, const std::string &pattern, const Call &call)
{
	if (call.label.empty())
		return false;
	if (key == "op")
		return is_like(pattern, call.label);
	if (key == "stream")
		return is_like(pattern, call.stream);
	if (key == "top")
		return is_frame_like(
			key, pattern,
			Stack(call.stack.begin(), call.stack.begin() + !call.stack.empty()));
	return is_frame_like(key, pattern, call.stack);
}

static bool is_entry_like(const std::string &key, const std::string &pattern, const Entry &entry)
{
	if (key == "fingerprint")
		return is_like(pattern, entry.fingerprint);
	if (key == "memory")
		return entry.memory.is_known && is_like(pattern, entry.memory.label);
	return is_call_like(key, pattern, entry.later) || is_call_like(key, pattern, entry.earlier);
}

/* Parses a line. Return: what is wrong with it, or empty. */
std::string Suppressions::read_line(const std::string &text, Line &line)
{
	std::istringstream words(text);
	std::string word;
	words >> line.rule;
	while (words >> word) {
		const size_t equals = word.find('=');
		const std::string key = word.substr(0, equals);
		if (equals == std::string::npos || equals + 1 == word.size())
			return fmt::format("'{}' is not KEY=PATTERN", word);
		if (std::find(std::begin(KEYS), std::end(KEYS), key) == std::end(KEYS))
			return fmt::format("'{}' is none of the keys {}", key,
					   fmt::join(KEYS, ", "));
		line.patterns.emplace_back(key, word.substr(equals + 1));
	}
	return "";
}

/* Whether a line has a comment of at least one word. */
static bool has_words(const std::string &line, size_t comment)
{
	return line.find_first_not_of("# \t\r", comment) != std::string::npos;
}

std::string Suppressions::read(std::string_view text, const std::string &name)
{
	size_t number = 0;
	bool has_reason = false; /* a comment is above the line, without an empty line between */
	while (!text.empty()) {
		const size_t end = std::min(text.find('\n'), text.size());
		std::string one(text.substr(0, end));
		const size_t length = one.size();
		text.remove_prefix(std::min(end + 1, text.size()));
		const size_t comment = std::min(one.find('#'), one.size());
		const bool explains = has_words(one, comment);
		one.resize(comment);
		Line line{fmt::format("{}:{}", name, ++number), "", {}, 0};
		const std::string why = read_line(one, line);
		if (!why.empty())
			return fmt::format("{}: {}", line.where, why);
		if (line.rule.empty()) {
			has_reason = explains || (has_reason && comment < length);
			continue;
		}
		if (!has_reason && !explains)
			return fmt::format("{}: the rule has no reason; say it in a comment "
					   "behind the rule or above it",
					   line.where);
		lines_.push_back(std::move(line));
	}
	return "";
}

bool Suppressions::matches(const Entry &entry)
{
	for (Line &line : lines_) {
		if (!is_like(line.rule, entry.rule))
			continue;
		const bool all = std::all_of(
			line.patterns.begin(), line.patterns.end(), [&](const auto &pair) {
				return is_entry_like(pair.first, pair.second, entry);
			});
		if (all) {
			line.matched++;
			return true;
		}
	}
	return false;
}

std::vector<std::string> Suppressions::unused() const
{
	std::vector<std::string> unused;
	for (const Line &line : lines_) {
		if (line.matched == 0)
			unused.push_back(line.where);
	}
	return unused;
}

} // namespace san
