// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "san/judge/finding.h"
#include "san/symbols/frame.h"

namespace san {

/** struct Call - one of the two calls of an entry: a Side whose call site was resolved to functions and
 * lines. */
struct Call {
	uint64_t command = 0;
	uint64_t order = 0;
	uint64_t task = 0; /* its number in the stream, plus 1; 0: not known */
	uint32_t client = 0;
	std::string stream;
	std::string label; /* empty: the entry has only one call */
	std::string role;
	std::string use;
	Stack stack;
	std::string launch{}; /* for a node of a graph: the call that launched the graph */
	Stack launch_stack{};
};

/** place_in_stream() - such as "task 3 of stream 1", as error messages write it; "stream 1" if the task is
 * not known. */
std::string place_in_stream(const Call &call);

/** struct MemoryPart - the bytes that an entry is about. */
struct MemoryPart {
	bool is_known = false;
	std::string label;
	uint64_t address = 0;
	uint64_t bytes = 0;
	uint64_t begin = 0; /* offsets of the bytes that both calls use */
	uint64_t end = 0;
	Stack stack; /* call stack of the allocation */
};

/** struct Advice - a Hint whose call site was resolved to functions and lines. */
struct Advice {
	std::string code;
	std::string text;
	Stack stack;
};

/** struct TimelineEntry - a Step of one of the two streams, whose call site was resolved to one place. */
struct TimelineEntry {
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
 * @fingerprint: identifies the mistake across runs and builds. It is a hash of the rule and of the unordered
 * pair of both calls: their names, operands and functions, without numbers, lines and addresses. A second
 * mistake in the same functions, at other lines, gets another fingerprint, and so on.
 * @count: how often it was found. @traces: in how many traces it was found.
 * @during: the parts of the program that made the later calls, as the program marked them.
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
	std::string order; /* the last point at which both calls were ordered */
	std::vector<Advice> hints;
	std::vector<std::string> circle;
	std::vector<TimelineEntry> steps;

	/** add_part() - adds a part to @during, which has each part once, and at most MAX_PARTS parts. */
	void add_part(const std::string &part);

	static constexpr size_t MAX_PARTS = 4096;
};

/** fingerprint() - computes the fingerprint of an entry whose calls and rule are set. @number: how many other
 * mistakes are in the same functions, but at other places */
std::string fingerprint(const Entry &entry, size_t number = 0);

/** place_of() - the lines of both calls, in one order; their instructions where there are no lines. */
std::string place_of(const Entry &entry);

/** class Places - distinguishes several mistakes in one function from one mistake that is repeated. */
class Places {
public:
	/** number() - numbers the different places at which the same mistake was found, in the order of their
	 * first finding. */
	size_t number(const Entry &entry);

private:
	static constexpr size_t MOST =
		64; /* places after the first MOST have the number of the last one */

	/* indexed by fingerprint */
	std::unordered_map<std::string, std::vector<std::string>> places_;
};

/** title() - makes the first line of an entry whose calls and rule are set. */
std::string title(const Entry &entry, Rule rule);

} // namespace san
