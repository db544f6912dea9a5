// SPDX-License-Identifier: MIT
#pragma once

#include "fuse.h"
#include "models/common/problems.h"
#include "models/lower/launch_list.h"

namespace models {

/*
 * lower() - makes the launches of all nodes, in an order in which they can run. Results of the model are written
 * directly to their outputs if possible.
 * Return: whether the device can run each node; if not, with all problems added.
 */
bool lower(const Fixed &fixed, Program &program, Problems &problems);

/* drop_dead() - removes launches whose results nobody reads. */
void drop_dead(Program &program);

/*
 * plan_memory() - chooses the offsets of the buffers in the arena. Two buffers may share memory if no launch needs
 * both. Return: false if they need more memory than a device can have; the problem is then added.
 */
bool plan_memory(Program &program, Problems &problems);

/* bound_of() - the most bytes that are in use at the same time. No plan needs less. For tests. */
uint64_t bound_of(const Program &program);

/*
 * struct Passed - what the passes did, for people.
 * @left: nodes that run; those of each turn of a loop count @views: of these, nodes without a launch
 * @launches: that were made @live: of these, those that the program has
 * @bound: bytes of the arena that no plan could do without
 * @moved: bytes of the buffers that launches name, once for each launch
 */
struct Passed {
	size_t left = 0, views = 0, launches = 0, live = 0;
	uint64_t bound = 0, moved = 0;
	std::vector<Fusion> fusions;
};

/* make_program() - runs all passes after the shapes are fixed. @passed: receives what they did, or nullptr */
bool make_program(const ir::Model &model, std::span<const Binding> bindings, Program &program,
		  Problems &problems, Passed *passed = nullptr);

} // namespace models
