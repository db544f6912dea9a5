// SPDX-License-Identifier: MIT
/**
 * DOC: Names of nodes in trace files
 *
 * A node of a graph that runs a model has a number of its program in its cookie (drv/packet/cookie.h). Who gives these
 * numbers tells the names when a file is written.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace base {

/** struct TraceProgram - the names of nodes with the number @number in their cookies. @since_ns: from this time on
 * @names: by the index of the node; nodes behind them have the last name */
struct TraceProgram {
	uint64_t since_ns;
	uint8_t number;
	std::vector<std::string> names;
};

/** using TracePrograms - tells all programs of the process. Context: any thread. */
using TracePrograms = std::vector<TraceProgram> (*)();

void set_trace_programs(TracePrograms programs);

/** trace_programs() - what that function tells; nothing before it is set. */
std::vector<TraceProgram> trace_programs();

} // namespace base
