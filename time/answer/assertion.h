// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "answer.h"

namespace timing {

/**
 * class Assertion - a sentence about a timeline, such as "overlap(copy_in, matmul) > 80%" or "elapsed < 300us".
 *
 * A sentence has a measure, one of < <= > >= ==, and a value. The measures:
 *	elapsed			the total of the schedule, a time
 *	bound			the total of the bound, a time
 *	busy(STEPS)		how long at least one of the steps runs, a time
 *	overlap(STEPS, STEPS)	the part of the shorter one's time in which both run, in %
 *	path(STEPS)		the part of the critical path, in %
 *	count(STEPS)		how many there are
 */
class Assertion {
public:
	/** parse() - Return: what is wrong with the sentence, or "" */
	std::string parse(std::string_view sentence);

	/** struct Verdict - whether an answer fulfils the sentence. */
	struct Verdict {
		bool holds = false;
		std::string problem; /* why it can't be told; empty: it can */
		std::string value;   /* the measure's value as text */
	};
	Verdict check(const Answer &answer) const;

	const std::string &sentence() const { return sentence_; }

private:
	enum class Kind : uint8_t { TIME, PART, COUNT };
	std::string parse_measure(std::string_view text);
	std::string parse_value(std::string_view text);
	bool measure(const Answer &answer, uint64_t &value, std::string &problem) const;

	std::string sentence_;
	std::string measure_;
	std::string relation_;
	Selector first_;
	Selector second_;
	Kind kind_ = Kind::TIME;
	uint64_t value_ = 0; /* picoseconds, millionths, or a number */
};

} // namespace timing
