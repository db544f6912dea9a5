// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "san/judge/judge.h"
#include "san/report/entry.h"
#include "san/symbols/resolver.h"

namespace san {

/** struct Totals - the totals of a report. */
struct Totals {
	uint64_t traces = 0;
	/* traces that end too early: inside of a record, or because the file could not grow */
	uint64_t cut = 0;
	uint64_t records = 0;
	uint64_t commands = 0;
	uint64_t undecided = 0;
	uint64_t forgotten = 0;
	uint64_t unknown = 0;
	uint64_t uncompared = 0;
	/* copies to pinned memory for which only a wait for the whole device waits */
	uint64_t unawaited = 0;
	uint64_t suppressed = 0; /* number of suppressed findings */
	uint64_t more = 0;	 /* findings beyond MAX_ENTRIES entries */
	uint64_t problems = 0;
	std::vector<std::string> problem; /* the first problem of each trace */
	bool has_kernels = false;	  /* kernels of the program; not in a report in JSON */
};

/** struct Trace - a trace file in memory. */
struct Trace {
	std::span<const char> bytes; /* must outlive the call */
	std::string name;
};

/**
 * class Report - the mistakes of one program, from one trace or several.
 *
 * Context: one thread.
 */
class Report {
public:
	/** Drop - a function that decides whether an entry is left out. It is called once for each
	 * fingerprint and trace. */
	using Drop = std::function<bool(const Entry &)>;

	/** set_drop() - sets that function. Call it before the first trace. */
	void set_drop(Drop drop) { drop_ = std::move(drop); }

	/** set_by_part() - if set, a mistake that two parts of the program (MARK) make is two entries, each
	 * with its own calls. Call it before the first trace. */
	void set_by_part(bool by_part) { by_part_ = by_part; }

	/**
	 * add_run() - judges the traces of the processes of one run together, because they may share memory
	 * and events, and adds the findings. Return: why a trace can't be read, or empty.
	 */
	std::string add_run(std::span<const Trace> traces, Resolver &resolver, Options options);

	/** add_trace() - judges a trace alone. Return: as above. */
	std::string add_trace(std::span<const char> bytes, const std::string &name,
			      Resolver &resolver, Options options)
	{
		const Trace trace{bytes, name};
		return add_run({&trace, 1}, resolver, std::move(options));
	}

	/** add() - adds an entry of another report. */
	void add(Entry entry);

	/** add() - adds the totals of another report. */
	void add(const Totals &totals);

	/** entries() - all entries: errors first, otherwise in the order in which they were found. */
	std::vector<const Entry *> entries() const;

	/** mark_known() - marks the entries that a baseline has. Of the mistakes of one kind in the same functions,
	 * those at the same lines are known, and then so many others as the baseline has more: their lines may
	 * have moved. */
	void mark_known(const Report &baseline);

	/** count() - number of entries of this severity that no baseline has. */
	size_t count(Severity severity) const;

	const Totals &totals() const { return totals_; }

	static constexpr size_t MAX_ENTRIES = 4096;

private:
	std::vector<Entry> entries_;
	std::unordered_map<std::string, size_t> places_; /* entry_key() -> index in entries_ */
	Places all_places_;
	Totals totals_;
	Drop drop_;
	bool by_part_ = false;
};

/** place() - where a stack is in the program, as "FUNCTION() FILE:LINE", or as much of that as is known. */
std::string place(const Stack &stack);

/** place() - the same for one frame. */
std::string place(const Frame &frame);

/** source() - the innermost frame with a line; nullptr if there is none. */
const Frame *source(const Stack &stack);

} // namespace san
