// SPDX-License-Identifier: MIT
/**
 * DOC: Scale
 *
 * The functions that the parts of bench/scale share: the memory that a process uses, and series
 * whose points are compared with the first one.
 */
#include "scale.h"

#include <fstream>

#include <fmt/format.h>

namespace bench {

double memory_of(pid_t process)
{
	std::ifstream file(fmt::format("/proc/{}/smaps_rollup", process));
	std::string line;
	while (std::getline(file, line)) {
		if (line.rfind("Pss:", 0) == 0)
			return std::stod(line.substr(4)) * 1024;
	}
	return 0;
}

Measure scaled_measure(const std::string &series, const std::string &title, unsigned count,
		       unsigned first, const Summary &summary)
{
	Measure measure;
	measure.key = fmt::format("scale.{}.{}", series, count);
	measure.title = fmt::format("{}, {}", title, count);
	measure.summary = summary;
	measure.base = count == first ? "" : fmt::format("scale.{}.{}", series, first);
	return measure;
}

} // namespace bench
