// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "result.h"

namespace base {

/** struct SchedulePlan - in which order a device runs commands that have no order (Documentation/sanitizer.rst). */
struct SchedulePlan {
	enum class Strategy {
		FIFO,	/* in the order of their submission */
		EAGER,	/* before the call returns that submits them */
		LAZY,	/* when a thread of the host waits for them, and only those that it needs */
		STARVE, /* those of one stream after all others */
		RANDOM, /* any */
		PCT,	/* by random priorities of the streams, which change a few times */
		CONFIRM, /* those that touch a range of memory as late as possible, the last one first */
		REPLAY, /* as recorded */
	};

	static constexpr int64_t ANY_STREAM = -1;

	Strategy strategy = Strategy::FIFO;
	uint64_t seed = 1;
	uint32_t depth = 3;	     /* PCT: priorities change depth - 1 times */
	uint64_t steps = 100;	     /* PCT: about as many decisions as a run makes; 0: not known */
	int64_t stream = ANY_STREAM; /* STARVE: the channel; ANY_STREAM: chosen by the seed */
	uint64_t address = 0;	     /* CONFIRM: the range */
	uint64_t bytes = 0;	     /* CONFIRM */
	bool kernels = false;	     /* CONFIRM: kernels of the program touch the range, too */
	std::string from;	     /* REPLAY: file of decisions, or the decisions themselves */
	std::string log;	     /* folder for the files of decisions; empty: none */
	std::string text;	     /* in the syntax of parse_schedule() */
};

/**
 * parse_schedule() - reads "STRATEGY[:KEY=VALUE,...]". "portfolio" stands for one of the other strategies, which
 * the seed chooses.
 * @why: receives a sentence when the result is not OK
 * Return: INVALID_ARGUMENT.
 */
Result<std::shared_ptr<const SchedulePlan>> parse_schedule(std::string_view text, std::string &why);

/** describe_schedule() - "pct:seed=7,depth=3,steps=100": what parse_schedule() reads as the same plan, without
 * the log. */
std::string describe_schedule(const SchedulePlan &plan);

} // namespace base
