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

#include "record_program.h"

namespace san::test {

/** struct Step - one call. */
struct Step {
	enum class What {
		COMMAND,
		HOST_ACCESS,
		RECORD,
		WAIT,
		SIGNAL,
		AWAIT,
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
	int event = 0;	    /* or the word, or the step that launched the callback */
	uint16_t how = 0;   /* SIGNAL: SignalOp; AWAIT: LatchFlag */
	uint64_t value = 0; /* of both */
	std::vector<Use> uses;
};

/** class Word - the signals of a word, in the order of the calls, that no wait has taken. */
class Word {
public:
	/** signal() - @step: of the program */
	void signal(int step, uint64_t value, uint16_t op)
	{
		signals_.push_back({step, value, op});
	}

	/** size() - how many there are. */
	size_t size() const { return signals_.size(); }

	/** meeting() - the signal that ends a wait. One that clears the word ends with the first after which its
	 * condition holds, another with the first from which on it holds. Return: -1, the wait does not end. */
	int meeting(uint64_t wanted, uint16_t flags) const;

	/** needed() - the steps that the wait which ends with signal @meeting is after: that one, the last assignment
	 * before, and each later one without which the condition would not hold. */
	std::vector<int> needed(int meeting, uint64_t wanted, uint16_t flags) const;

	/** clear() - a wait has taken the signals up to @meeting. */
	void clear(int meeting)
	{
		signals_.erase(signals_.begin(), signals_.begin() + meeting + 1);
	}

private:
	struct Signal {
		int step;
		uint64_t value;
		uint16_t op;
	};
	/* The word after signal @last, without signal @left_out. */
	uint64_t after(int last, int left_out = -1) const;

	std::vector<Signal> signals_;
};

constexpr int BYTES = 48;
constexpr int PITCH = 12;

/** struct RandomProgram - what the reference and the judge get. */
struct RandomProgram {
	Profile profile = Profile::CUDA;
	std::vector<uint16_t> streams; /* their flags */
	int events = 0;
	int words = 0;
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
