// SPDX-License-Identifier: MIT
/**
 * DOC: the fingerprint and the title of a mistake
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
	/* The search begins at the newest part, which is the most likely one. */
	if (std::find(during.rbegin(), during.rend(), part) == during.rend())
		during.push_back(part);
}

/* The innermost frame whose function is known. If there is none, the innermost frame; nullptr if the stack is
 * empty. */
static const Frame *frame_of(const Stack &stack)
{
	for (const Frame &frame : stack) {
		if (!frame.function.empty())
			return &frame;
	}
	return stack.empty() ? nullptr : &stack.front();
}

/* The name of the innermost known function; if there is none, the file that contains the call. */
static std::string function_of(const Stack &stack)
{
	const Frame *found = frame_of(stack);
	if (!found || !found->function.empty())
		return found ? found->function : "";
	const Frame &frame = *found;
	return std::filesystem::path(frame.file.empty() ? frame.module : frame.file).filename();
}

static std::string stable(const Call &call)
{
	return call.label + '\1' + call.role + '\1' + function_of(call.stack);
}

/* The place in that function: its line, or the offset of the instruction if there is no line. */
static std::string place_in(const Call &call)
{
	const Frame *frame = frame_of(call.stack);
	if (!frame)
		return "";
	const std::filesystem::path file(frame->line != 0 ? frame->file : frame->module);
	return frame->line != 0 ? fmt::format("{}:{}", file.filename().string(), frame->line)
				: fmt::format("{}+{:#x}", file.filename().string(), frame->offset);
}

/* The two calls may come in either order, as in a loop. Both orders count as one pair. */
std::string place_of(const Entry &entry)
{
	const auto [first, second] = std::minmax({place_in(entry.later), place_in(entry.earlier)});
	return first + '\1' + second;
}

size_t Places::number(const Entry &entry)
{
	std::vector<std::string> &known = places_[fingerprint(entry)];
	const std::string place = place_of(entry);
	const auto found = std::find(known.begin(), known.end(), place);
	if (found == known.end() && known.size() < MOST)
		known.push_back(place);
	else if (found != known.end())
		return static_cast<size_t>(found - known.begin());
	return known.size() - 1;
}

std::string fingerprint(const Entry &entry, size_t number)
{
	std::string first = stable(entry.later);
	std::string second = stable(entry.earlier);
	if (second < first)
		std::swap(first, second);
	/* The hash is FNV-1a, because it is simple and the same on every machine. */
	uint64_t hash = 14695981039346656037u;
	const std::string last = number == 0 ? "" : fmt::format("\2{}", number);
	for (const unsigned char c : entry.rule + '\2' + first + '\2' + second + last) {
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

std::string place_in_stream(const Call &call)
{
	return call.task == 0 ? call.stream
			      : fmt::format("task {} of {}", call.task - 1, call.stream);
}

std::string title(const Entry &entry, Rule rule)
{
	std::string sentence = rule_sentence(rule);
	const std::string &other = entry.earlier.label;
	if (entry.later.use == "frees" && rule == Rule::USE_BEFORE_ALLOC)
		return fmt::format("{} frees memory that may not be allocated by then",
				   entry.later.label);
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
		return fmt::format("{} and {} lack an edge in their graph", entry.later.label,
				   other);
	if (!other.empty())
		replace(sentence, "the other", other);
	return entry.later.label + " " + sentence;
}

} // namespace san
