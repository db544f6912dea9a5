// SPDX-License-Identifier: MIT
/**
 * DOC: resolving call sites
 *
 * A program under test records only addresses. This file finds their functions and lines later, in another
 * process, so that the program does not spend time on it.
 */
#include "san/symbols/resolver.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace san {

/* Splits "MODULE+0xOFFSET". Return: false if the text has another form. */
static bool split_address(const std::string &text, std::string &module, uint64_t &offset)
{
	constexpr size_t PREFIX = 3; /* length of "+0x" */
	const size_t plus = text.rfind("+0x");
	if (plus == std::string::npos || plus == 0)
		return false;
	const char *end = text.data() + text.size();
	const auto read = std::from_chars(text.data() + plus + PREFIX, end, offset, 16);
	module = text.substr(0, plus);
	return read.ec == std::errc() && read.ptr == end;
}

/* Parses "FILE:LINE FUNCTION", "FILE:LINE", or the name of a function. A path may contain spaces and
 * colons. */
static Frame read_words(const std::string &text)
{
	Frame frame;
	const char *const end = text.data() + text.size();
	for (size_t colon = text.find(':', 1); colon != std::string::npos;
	     colon = text.find(':', colon + 1)) {
		const auto read = std::from_chars(text.data() + colon + 1, end, frame.line);
		if (read.ec != std::errc() || (read.ptr != end && *read.ptr != ' '))
			continue;
		frame.file = text.substr(0, colon);
		frame.function = read.ptr == end ? "" : std::string(read.ptr + 1, end);
		return frame;
	}
	frame.line = 0;
	frame.function = text;
	return frame;
}

Stack Resolver::frames(const std::string &text)
{
	std::string path;
	uint64_t offset = 0;
	if (!split_address(text, path, offset))
		return {read_words(text)};
	auto found = modules_.find(path);
	if (found == modules_.end()) {
		if (modules_.size() >= MAX_MODULES)
			modules_.clear();
		found = modules_.emplace(path, std::make_unique<Module>(path)).first;
	}
	return found->second->frames(offset);
}

/* Whether the frame belongs to code that the toolkit adds to programs which launch kernels: a header, and
 * code that the kernel compiler generates. */
static bool is_toolkits(const Frame &frame)
{
	const std::string name = std::filesystem::path(frame.file).filename();
	return name == "unpu_launch.h" || name == "<unpu-ascendcc>";
}

Stack Resolver::stack(const std::string &site)
{
	Stack stack;
	size_t begin = 0;
	while (begin < site.size() && stack.size() < MAX_FRAMES) {
		const size_t end = std::min(site.find('\n', begin), site.size());
		const std::string text = site.substr(begin, end - begin);
		begin = end + 1;
		if (text.empty())
			continue;
		auto found = known_.find(text);
		if (found == known_.end()) {
			if (known_.size() >= MAX_KNOWN)
				known_.clear();
			found = known_.emplace(text, frames(text)).first;
		}
		stack.insert(stack.end(), found->second.begin(), found->second.end());
	}
	const auto programs = std::find_if_not(stack.begin(), stack.end(), is_toolkits);
	if (programs != stack.end())
		stack.erase(stack.begin(), programs);
	return stack;
}

} // namespace san
