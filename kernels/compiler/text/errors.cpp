// SPDX-License-Identifier: MIT
/**
 * DOC: Errors of the compiler
 *
 * One wrong argument of a function of the language makes a trace through its templates, which are not the user's.
 */
#include "kernels/compiler/text/errors.h"

#include <sstream>
#include <vector>

namespace compiler {

static constexpr size_t MOST_LINES = 10;

static bool has(const std::string &line, const char *words)
{
	return line.find(words) != std::string::npos;
}

std::string shortened(const std::string &said)
{
	std::vector<std::string> all;
	std::istringstream lines(said);
	for (std::string line; std::getline(lines, line);)
		all.push_back(line);
	if (all.size() <= MOST_LINES)
		return said;

	std::vector<std::string> kept;
	std::string way; // into a template
	for (const std::string &line : all) {
		if (has(line, "required from here") || has(line, "requested here"))
			way = line;
		if (!has(line, " error: "))
			continue;
		if (!way.empty())
			kept.push_back(way);
		kept.push_back(line);
		way.clear();
	}
	if (kept.empty()) // the compiler does not mark its errors
		kept = all;
	if (kept.size() >= MOST_LINES)
		kept.resize(MOST_LINES - 1);
	std::string text;
	for (const std::string &line : kept)
		text += line + '\n';
	return text + "unpu-ascendcc: " + std::to_string(kept.size()) + " of " +
	       std::to_string(all.size()) + " lines of the compiler; --verbose shows all\n";
}

} // namespace compiler
