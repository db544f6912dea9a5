// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "san/judge/finding.h"
#include "san/symbols/frame.h"

namespace san {

/** struct Call - one of the two calls of an entry; Side with its site resolved. */
struct Call {
	uint64_t command = 0;
	uint64_t order = 0;
	uint64_t task = 0; /* its number in the stream, + 1; 0: not known */
	uint32_t client = 0;
	std::string stream;
	std::string label; /* empty: the entry has one call */
	std::string role;
	std::string use;
	Stack stack;
	std::string launch{}; /* of a node of a graph: what was called to launch it */
	Stack launch_stack{};
};

/** place_in_stream() - "task 3 of stream 1", as errors call it; "stream 1" where the task is not known. */
std::string place_in_stream(const Call &call);

/** struct MemoryPart - the bytes that an entry is about. */
struct MemoryPart {
	bool is_known = false;
	std::string label;
	uint64_t address = 0;
	uint64_t bytes = 0;
	uint64_t begin = 0; /* offsets of the bytes that both calls use */
	uint64_t end = 0;
	Stack stack; /* of the allocation */
};

/** struct Advice - a hint with its site resolved. */
struct Advice {
	std::string code;
	std::string text;
	Stack stack;
};

/** struct Happening - a step of one of the two streams, with its site as one place. */
struct Happening {
	Step::What what = Step::What::COMMAND;
	bool is_later = false;
	uint64_t order = 0;
	uint64_t number = 0;
	uint64_t record = 0;
	std::string label;
	std::string place;
	uint64_t task = 0;
};

/**
 * struct Entry - a mistake as reports show it: all findings with one fingerprint.
 *
 * @fingerprint: the same for the same mistake in another run and another build: made of the rule and the
 *	unordered pair of both calls' names, operands and functions, without numbers, lines and addresses. The
 *	second such mistake in the same functions, at other lines, has another one, and so on.
 * @count: how often it was found. @traces: in how many traces.
 * @during: the parts of the program, as it marked them, that made the later calls.
 * @is_known: a baseline has it.
 */
struct Entry {
	std::string rule;
	Severity severity = Severity::ERROR;
	std::string fingerprint;
	std::string title; /* a sentence that is complete on its own */
	uint64_t count = 1;
	uint64_t traces = 1;
	bool is_known = false;
	std::vector<std::string> during;
	Call later;
	Call earlier;
	MemoryPart memory;
	std::string order; /* the last common point of both calls */
	std::vector<Advice> hints;
	std::vector<std::string> circle;
	std::vector<Happening> steps;

	/** add_part() - adds to @during, which has each part once and MAX_PARTS at most. */
	void add_part(const std::string &part);

	static constexpr size_t MAX_PARTS = 4096;
};

/** fingerprint() - of an entry that has its calls and rule. @number: how many other mistakes have the same one, but
 * are at other places in the same functions */
std::string fingerprint(const Entry &entry, size_t number = 0);

/** class Places - tells mistakes at several places of one function from a mistake that is made again and again. */
class Places {
public:
	/** number() - of the places of both calls among those of the same mistake, in the order in which they came. */
	size_t number(const Entry &entry);

private:
	static constexpr size_t MOST = 64; /* further ones count as the last one */

	std::unordered_map<std::string, std::vector<std::string>> places_; /* by fingerprint */
};

/** title() - the first line of an entry that has its calls and rule. */
std::string title(const Entry &entry, Rule rule);

} // namespace san
