// SPDX-License-Identifier: MIT
/**
 * DOC: what names a mistake
 */
#include "san/report/entry.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace san {

void Entry::add_part(const std::string &part)
{
	if (part.empty() || during.size() >= MAX_PARTS)
		return;
	/* The newest is the likeliest. */
	if (std::find(during.rbegin(), during.rend(), part) == during.rend())
		during.push_back(part);
}

/* The innermost function whose name is known; else the file that has the call. */
static std::string function_of(const Stack &stack)
{
	for (const Frame &frame : stack) {
		if (!frame.function.empty())
			return frame.function;
	}
	if (stack.empty())
		return "";
	const Frame &frame = stack.front();
	return std::filesystem::path(frame.file.empty() ? frame.module : frame.file).filename();
}

static std::string stable(const Call &call)
{
	return call.label + '\1' + call.role + '\1' + function_of(call.stack);
}

std::string fingerprint(const Entry &entry)
{
	std::string first = stable(entry.later);
	std::string second = stable(entry.earlier);
	if (second < first)
		std::swap(first, second);
	/* FNV-1a: short, and the same on every machine. */
	uint64_t hash = 14695981039346656037u;
	for (const unsigned char c : entry.rule + '\2' + first + '\2' + second) {
		hash ^= c;
		hash *= 1099511628211u;
	}
	return fmt::format("{:016x}", hash);
}

static void replace(std::string &text, const std::string &what, const std::string &with)
{
	const size_t at = text.find(what);
	if (at != std::string::npos)
		text.replace(at, what.size(), with);
}

std::string title(const Entry &entry, Rule rule)
{
	std::string sentence = rule_sentence(rule);
	const std::string &other = entry.earlier.label;
	if (entry.later.use == "frees")
		return fmt::format("{} frees memory that {} may still use", entry.later.label,
				   other);
	const bool by_host = rule == Rule::HOST_READ_INFLIGHT || rule == Rule::HOST_WRITE_INFLIGHT;
	if (by_host) {
		replace(sentence, "a command",
			entry.later.stream == "host" ? other : entry.later.label);
		return sentence;
	}
	if (rule == Rule::GRAPH_RACE)
		return fmt::format("{} and {}, nodes of one graph, use the same memory without an "
				   "edge",
				   entry.later.label, other);
	if (!other.empty())
		replace(sentence, "the other", other);
	return entry.later.label + " " + sentence;
}

} // namespace san
