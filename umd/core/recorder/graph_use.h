// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "umd/core/process/call.h"
#include "umd/core/task/task.h"

namespace umd::recorder {

/** struct Used - a range of memory that a node of a graph uses. */
struct Used {
	uint32_t node;
	Call call;
	bool is_written;
	uint64_t address;
	uint64_t bytes;

	/** role() - "result" or "source", for sentences. */
	const char *role() const { return is_written ? "result" : "source"; }
};

/** add_uses() - adds what a copy, a fill or an operator uses to @all; collective operations are left out.
 * @node: the number of the task in its graph */
void add_uses(std::vector<Used> &all, const GraphTask &task, uint32_t node);

} // namespace umd::recorder
