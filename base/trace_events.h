// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"

namespace base {

/** struct TracePlace - a row of the picture. */
struct TracePlace {
	uint32_t process = 0;
	uint32_t row = 0;
};

/** enum class ArrowKind - what an arrow leads from and to. */
enum class ArrowKind : char {
	SUBMIT = 's', /* a submit to the task on the device */
	FENCE = 'e',  /* the end of a task, or a reply, to the thread that waited for it */
	CALL = 'c',   /* a call on the device to the host function */
};

/** struct ArrowKey - names one arrow, the same on both sides: a fence, or a host call's token. */
struct ArrowKey {
	uint64_t generation = 0; /* of the device */
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
	/** @pid: of the process that writes; keeps the names of its arrows apart from others'. */
	explicit TraceEvents(uint32_t pid) : pid_(pid) {}
	~TraceEvents();
	TraceEvents(const TraceEvents &) = delete;
	TraceEvents &operator=(const TraceEvents &) = delete;

	Status open(const std::string &path);

	/** name_process(), name_row() - what stands in front of it. */
	void name_process(uint32_t process, std::string_view name);
	void name_row(TracePlace place, std::string_view name);

	/** slice() - something that took time; at least two nanoseconds, so that arrows hit it. */
	void slice(TracePlace place, uint64_t start_ns, uint64_t end_ns, std::string_view name,
		   std::string_view args = {});

	/** instant() - something that happened. */
	void instant(TracePlace place, uint64_t time_ns, std::string_view name,
		     std::string_view args = {});

	/** range() - a slice that stands on no row, since threads need not nest theirs. */
	void range(uint32_t process, uint64_t id, uint64_t start_ns, uint64_t end_ns,
		   std::string_view name, std::string_view args = {});

	/** arrow() - from one slice to another. Both times lie inside them. */
	void arrow(std::string_view name, TracePlace from, uint64_t from_ns, TracePlace to,
		   uint64_t to_ns);

	/** from(), to() - one end of an arrow whose other end comes from elsewhere. */
	void from(const ArrowKey &key, TracePlace place, uint64_t time_ns);
	void to(const ArrowKey &key, TracePlace place, uint64_t time_ns);

	/** close() - draws the arrows that have both ends and ends the file.
	 * @complete: generations of devices that have no side in another file; their loose ends go
	 * @other: members of "otherData"
	 * Return: BAD_FILE when something could not be written. */
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
	FILE *file_ = nullptr;
	bool failed_ = false;
	bool first_ = true;
	std::string text_;
	uint64_t arrows_ = 0;
	std::map<ArrowKey, End> from_;
	std::vector<std::pair<ArrowKey, End>> to_;
};

/** json_text() - @text with its quotes, as JSON has it. */
std::string json_text(std::string_view text);

} // namespace base
