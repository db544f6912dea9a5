// SPDX-License-Identifier: MIT
/**
 * DOC: files of the sources
 *
 * Debug information has the paths of the machine that built the program. Files below the root of the sources
 * are named relative to it. So reports of two machines are equal, and do not show a home folder.
 */
#include "san/report/source_path.h"

#include <filesystem>

namespace san {

std::string source_path(const std::string &file, const std::string &root)
{
	namespace fs = std::filesystem;
	if (file.empty() || root.empty())
		return "";
	const fs::path base = fs::path(root).lexically_normal();
	/* Debug information of a program that was built in its folder may have relative paths. */
	const fs::path full = (base / file).lexically_normal();
	const fs::path relative = full.lexically_relative(base);
	if (relative.empty() || *relative.begin() == "..")
		return "";
	return relative.generic_string();
}

const Frame *source_below(const Stack &stack, const std::string &root)
{
	for (const Frame &frame : stack) {
		if (frame.line > 0 && !source_path(frame.file, root).empty())
			return &frame;
	}
	return nullptr;
}

} // namespace san
