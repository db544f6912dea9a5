// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "base/os/shm.h"
#include "base/result.h"

namespace base {

/* The minimum length of a drawn slice, so that arrows can attach to it. */
constexpr uint64_t SLICE_MIN_NS = 2;

/** struct TracePlace - a row of the trace view. */
struct TracePlace {
	uint32_t process = 0;
	uint32_t row = 0;
};

/** enum class ArrowKind - the source and the target of an arrow. */
enum class ArrowKind : char {
	SUBMIT = 's', /* from a submit to the task on the device */
	/* from the end of a task, or from a reply, to the thread that waited for it */
	FENCE = 'e',
	CALL = 'c', /* from a call on the device to the host function */
};

/** struct ArrowKey - identifies an arrow on both sides: a fence, or a host call's token. */
struct ArrowKey {
	uint64_t generation = 0; /* the generation of the device */
	uint64_t session = 0;
	uint64_t value = 0;
	uint32_t object = 0;
	ArrowKind kind = ArrowKind::SUBMIT;

	auto tuple() const { return std::tie(generation, session, value, object, kind); }
	bool operator<(const ArrowKey &other) const { return tuple() < other.tuple(); }
};

/**
 * class TraceEvents - writes events of Chrome's JSON format. Times are CLOCK_MONOTONIC, in
 * nanoseconds. @args are members of a JSON object without its braces, or empty.
 */
class TraceEvents {
public:
	/** @pid: of the writing process; makes the ids of its arrows unique across processes. */
	explicit TraceEvents(uint32_t pid) : pid_(pid) {}
	TraceEvents(const TraceEvents &) = delete;
	TraceEvents &operator=(const TraceEvents &) = delete;

	Status open(const std::string &path);

	/** name_process(), name_row() - set the displayed name. */
	void name_process(uint32_t process, std::string_view name);
	void name_row(TracePlace place, std::string_view name);

	/** slice() - an interval, of SLICE_MIN_NS at least. Slices of one row nest or follow each other. */
	void slice(TracePlace place, uint64_t start_ns, uint64_t end_ns, std::string_view name,
		   std::string_view args = {});

	/** instant() - an event without duration. */
	void instant(TracePlace place, uint64_t time_ns, std::string_view name,
		     std::string_view args = {});

	/** range() - an interval outside the rows: intervals on a row must nest, ranges need not. */
	void range(uint32_t process, uint64_t id, uint64_t start_ns, uint64_t end_ns,
		   std::string_view name, std::string_view args = {});

	/** arrow() - from one slice to another. Each time lies inside its slice. */
	void arrow(std::string_view name, TracePlace from, uint64_t from_ns, TracePlace to,
		   uint64_t to_ns);

	/** from(), to() - one end of an arrow; another thread or file records the other end. */
	void from(const ArrowKey &key, TracePlace place, uint64_t time_ns);
	void to(const ArrowKey &key, TracePlace place, uint64_t time_ns);

	/** close() - draws the arrows that have both ends and ends the file.
	 * @complete: generations of the devices without a part in another file; their single ends are dropped
	 * @other: members of "otherData"
	 * Return: BAD_FILE with errno set when something could not be written. */
	Status close(const std::set<uint64_t> &complete, std::string_view other);

private:
	struct End {
		TracePlace place;
		uint64_t time_ns;
	};

	template <class... T> void add(fmt::format_string<T...> format, T &&...args)
	{
		fmt::format_to(std::back_inserter(text_), format, std::forward<T>(args)...);
	}
	void begin_event();
	void end_event(std::string_view args);
	void flush();
	void add_loose_ends(const std::set<uint64_t> &complete);

	const uint32_t pid_;
	Fd file_;
	int error_ = 0; /* errno of the first write that failed */
	bool is_first_ = true;
	std::string text_;
	uint64_t arrows_ = 0;
	std::map<ArrowKey, End> from_;
	std::vector<std::pair<ArrowKey, End>> to_;
};

/** json_text() - @text as a quoted and escaped JSON string. */
std::string json_text(std::string_view text);

} // namespace base
