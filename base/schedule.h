// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "result.h"

namespace base {

/** struct SchedulePlan - the order in which a device runs commands whose order the program has left open
 * (Documentation/sanitizer.rst). */
struct SchedulePlan {
	enum class Strategy {
		FIFO,  /* all commands in the order of their submission */
		EAGER, /* each command before the call that submits it returns */
		/* only when a thread of the host waits, and only the commands that it waits for */
		LAZY,
		STARVE, /* the commands of one stream after all others */
		RANDOM, /* in random order */
		/* by random priorities of the streams, which change a few times (PCT: probabilistic
		 * concurrency testing) */
		PCT,
		/* the commands that touch a range of memory as late as possible, in reverse order */
		CONFIRM,
		REPLAY, /* in a recorded order */
	};

	static constexpr int64_t ANY_STREAM = -1;

	Strategy strategy = Strategy::FIFO;
	uint64_t seed = 1;
	uint32_t depth = 3;   /* PCT: the priorities change depth - 1 times */
	uint64_t steps = 100; /* PCT: about how many decisions a run makes; 0: not known */
	/* STARVE: the channel that runs last; ANY_STREAM: the seed chooses */
	int64_t stream = ANY_STREAM;
	uint64_t address = 0; /* CONFIRM: the start of the range */
	uint64_t bytes = 0;   /* CONFIRM: the size of the range */
	/* CONFIRM: treat each kernel of the program as a command that touches the range */
	bool kernels = false;
	std::string from; /* REPLAY: file of decisions, or the decisions themselves */
	std::string log;  /* folder for the files of decisions; empty: none */
	std::string text; /* the plan in the syntax of parse_schedule() */
};

/**
 * parse_schedule() - reads "STRATEGY[:KEY=VALUE,...]". "portfolio" stands for one of the other strategies,
 * which the seed chooses.
 * @why: receives an error message on failure
 * Return: INVALID_ARGUMENT.
 */
Result<std::shared_ptr<const SchedulePlan>> parse_schedule(std::string_view text, std::string &why);

/** describe_schedule() - text such as "pct:seed=7,depth=3,steps=100", from which parse_schedule() reads the
 * same plan, except for the folder of the log. */
std::string describe_schedule(const SchedulePlan &plan);

} // namespace base
