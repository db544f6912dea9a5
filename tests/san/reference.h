// SPDX-License-Identifier: MIT
/**
 * DOC: the reference for random programs
 *
 * A program of the random test is a list of steps. The reference computes which pairs race by the definition:
 * it draws an edge for each promise of the API, closes them transitively, and tries all pairs of accesses on
 * each byte. It shares no code with the judge.
 */
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/san/program.h"

namespace san::test {

/** struct Step - one call. */
struct Step {
	enum class What {
		COMMAND,
		HOST_ACCESS,
		RECORD,
		WAIT,
		SYNC_STREAM,
		SYNC_EVENT,
		SYNC_DEVICE,
		LAUNCH_CALLBACK,
		RUN_CALLBACK,
	};
	struct Use {
		int first; /* byte */
		int count;
		int rows; /* so often, PITCH bytes apart */
		Access access;
	};
	What what = What::COMMAND;
	int stream = 0;
	int event = 0; /* or the step that launched the callback */
	std::vector<Use> uses;
};

constexpr int BYTES = 48;
constexpr int PITCH = 12;

/** struct RandomProgram - what the reference and the judge get. */
struct RandomProgram {
	Profile profile = Profile::CUDA;
	std::vector<uint16_t> streams; /* their flags */
	int events = 0;
	std::vector<Step> steps;

	std::string text() const;
};

/* later step, earlier step, rule */
using Races = std::set<std::tuple<int, int, std::string>>;

/** random_program() - the same for the same seed. */
RandomProgram random_program(uint64_t seed);

/** reference_races() - by definition. */
Races reference_races(const RandomProgram &program);

/** judged_races() - by the judge. */
Races judged_races(const RandomProgram &program);

} // namespace san::test
