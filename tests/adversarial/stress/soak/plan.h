/* SPDX-License-Identifier: MIT */
/*
 * DOC: Plan of an episode
 *
 * An episode is one process. Its seed decides everything: the device string, the CPUs, which shapes
 * run beside each other and for how long. The same seed gives the same plan again.
 */
#ifndef UNPU_TESTS_STRESS_SOAK_PLAN_H
#define UNPU_TESTS_STRESS_SOAK_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace soak {

struct Shape;

/* struct Role - one thread of an episode. */
struct Role {
	const Shape *shape;
	int32_t device;
};

struct Plan {
	uint64_t seed = 0;
	std::string device;	   /* the device string */
	uint32_t devices = 1;	   /* its count */
	bool one_cpu = false;	   /* the process is bound to one CPU */
	bool needs_daemon = false; /* a firmware-sim of its own listens for it */
	bool has_misuse = false;   /* calls may fail; they may neither crash nor hang */
	bool wants_stacks = false; /* gdb prints the stacks of threads that are stuck */
	unsigned duration_ms = 0;
	std::vector<Role> roles;
};

/* struct Wishes - limits that the command line puts on plans. */
struct Wishes {
	unsigned max_ms = 6000;
	std::string only; /* the name of a shape: every thread runs it */
	bool no_misuse = false;
	bool all_misuse = false;
	bool wants_stacks = false;
};

/* draw_plan() - the plan that belongs to @seed. */
Plan draw_plan(uint64_t seed, const Wishes &wishes);

/* describe() - the plan on one line. */
std::string describe(const Plan &plan);

} // namespace soak

#endif
