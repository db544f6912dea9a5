// SPDX-License-Identifier: MIT
/**
 * DOC: Files of decisions
 *
 * The file records which commands a device ran, and when. It is a text that can be replayed:
 *
 *	unpu-decisions 1 random:seed=7	head: version, and the plan that made it
 *	@5w				why commands run: 5 were submitted, and a thread waits (enum Reason)
 *	3c				a copy of stream 3
 *	3c*4				four of them in a row
 *	1:3c				of client 1; without a number it is client 0
 *	3g2c				a node of a graph that stream 3 launched, in line 2
 *	! TEXT				up to the end of the line: a remark, which does not replay
 */
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "strategy.h"

namespace fw {

/** class DecisionLog - writes a file of decisions. */
class DecisionLog {
public:
	/** @path: empty: writes nothing. @head: the plan, for the first line */
	DecisionLog(std::string path, std::string head)
		: path_(std::move(path)), head_(std::move(head))
	{
	}
	~DecisionLog() { flush(); }
	DecisionLog(const DecisionLog &) = delete;
	DecisionLog &operator=(const DecisionLog &) = delete;

	/** begin() - the decisions that follow are made for @reason, after @arrivals commands. */
	void begin(Reason reason, uint64_t arrivals);

	/** note() - @choice is run. */
	void note(const Choice &choice);

	/** remark() - adds a line that does not replay. */
	void remark(const std::string &text);

	/** flush() - writes what was noted. Return: why it failed, once; else empty. */
	std::string flush();

private:
	void put(const std::string &word);
	void end_run();

	const std::string path_;
	const std::string head_;
	std::string text_;
	std::string last_;     /* the last word */
	uint64_t repeats_ = 0; /* how often the last word was repeated */
	size_t column_ = 0;
	bool is_begun_ = false;
	bool has_failed_ = false;
};

/** struct Decision - one word of a file of decisions. */
struct Decision {
	/* NONE: a command; else the next fields are the arguments of begin() */
	Reason reason = Reason::NONE;
	uint64_t arrivals = 0;
	uint32_t client = 0;
	uint32_t stream = 0;
	uint32_t line = NO_LINE;
	char kind = 'x';
	uint64_t count = 1;

	/** names() - whether this decision is @choice. */
	bool names(const Choice &choice) const
	{
		return choice.client == client && choice.stream == stream && choice.line == line &&
		       choice.kind == kind;
	}
};

/** class Replay - reads a file of decisions, one after the other. */
class Replay {
public:
	/** read() - @from: a path; or the text itself if it begins with '@'
	 * @why: receives an error message if the result is not OK. Return: BAD_FILE. */
	base::Status read(const std::string &from, std::string &why);

	/** next() - the next decision; nullptr if all have been made. */
	const Decision *next() const
	{
		return at_ < decisions_.size() ? &decisions_[at_] : nullptr;
	}

	/** pass() - notes that the decision next() was made. */
	void pass();

	/** number() - how many commands were chosen so far. */
	uint64_t number() const { return number_; }

private:
	bool add(std::string_view word);

	std::vector<Decision> decisions_;
	size_t at_ = 0;
	uint64_t made_ = 0; /* how often the decision at at_ was made */
	uint64_t number_ = 0;
};

} // namespace fw
