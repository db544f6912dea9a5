// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "models/lower/launch_list.h"
#include "umd/core/object/graph.h"

namespace umd {

/** struct Spot - a node of a graph, or of a graph inside it. */
struct Spot {
	Graph *part = nullptr;
	uint32_t node = 0;
};

/** struct ProgramGraph - the launches of a program as nodes of a graph. @spots: of each launch @rest: the first of the
 * tasks behind them */
struct ProgramGraph {
	std::unique_ptr<Graph> graph;
	std::vector<Spot> spots;
	uint32_t rest = 0;
};

/** struct ProgramTasks - how a graph of a program is filled. @launch: the task of a launch @word: the address of a
 * buffer at which a choice looks @cookie: of choices @rest: tasks behind all launches */
struct ProgramTasks {
	std::function<GraphTask(size_t)> launch;
	std::function<uint64_t(const models::Buffer &)> word;
	uint64_t cookie = 0;
	std::span<const GraphTask> rest{};
};

/** build_graph() - one node after another. A choice is a conditional node. */
ProgramGraph build_graph(const models::Program &program, const ProgramTasks &tasks);

/** node_numbers() - of each node of the loaded graph its index in Program::nodes.
 * @rest: how many tasks are behind the launches @other: the index of these */
std::vector<uint32_t> node_numbers(const models::Program &program, size_t rest, uint32_t other);

/** launch_numbers() - of each launch the number of its node in the loaded graph, where nothing is behind them. */
std::vector<uint32_t> launch_numbers(const models::Program &program);

/** walk_program() - goes through the launches that a run takes. @choose: whether a choice takes its first branch
 * @launch: for each launch */
base::Status walk_program(const models::Program &program,
			  const std::function<base::Result<bool>(const models::Choice &)> &choose,
			  const std::function<base::Status(size_t)> &launch);

} // namespace umd
