// SPDX-License-Identifier: MIT
/**
 * DOC: Trace of the host
 *
 * Each thread writes entries (uapi/trace.h) into its own ring, without a lock and without allocation. While
 * recording is off, a trace point costs one load, one compare and a branch that is not taken.
 */
#pragma once

#include <string>
#include <string_view>

#include "base/sync/ordering.h"
#include "base/trace/trace_file.h"
#include "uapi/regs.h"

namespace hal::trace {

/* The number of an attachment that is not recorded: all numbers are in use. */
constexpr uint16_t NO_ATTACHMENT = 0xffff;

/* Not 0 while recording is on. Hidden visibility, so that a load needs no GOT access. */
[[gnu::visibility("hidden")]] extern uint32_t recording;

/** on() - whether recording is on. */
inline bool on()
{
	return base::load_relaxed(recording) != 0;
}

/** put() - writes an entry of the calling thread. Context: any thread; on() was true. */
void put(unpu_trace_kind kind, uint16_t attachment, uint64_t cookie, uint32_t object,
	 uint64_t value);

/**
 * class Source - an embedded device: its firmware records entries in the same process.
 * Context: under the trace's lock; may wait for the device's step token.
 */
class Source {
public:
	virtual ~Source() = default;
	/** record() - starts recording with an empty ring; @entries 0 stops it. */
	virtual base::Status record(uint32_t entries) = 0;
	/** recorded() - the entries that the device has recorded so far. */
	virtual base::DeviceTrace recorded() = 0;
};

/** add_source(), remove_source() - called when a device opens and closes; its entries are kept. */
void add_source(Source &source);
void remove_source(Source &source);

/** attach() - registers an attachment. Return: the number by which entries name the attachment. */
uint16_t attach(const unpu_bar &bar, const unpu_client_status &status);

/** begin() - starts recording and drops all earlier entries.
 * @entries: capacity of each ring; 0 for the default
 * Return: NO_MEMORY when a device can't record. */
base::Status begin(uint32_t entries);

/** end() - stops recording; the entries are kept. */
void end();

/** write() - writes all entries since begin() to a file. Context: any thread, also while recording.
 * @calls: names of API calls by number
 * @programs: names of nodes of graphs
 * @overwritten: out, number of lost entries; may be nullptr
 * Return: BAD_FILE. */
base::Status write(const std::string &path, const std::vector<std::string> &calls,
		   const std::vector<base::TraceProgram> &programs, uint64_t *overwritten);

/** refuse_in_fork() - must be the first call in a forked child: drops the parent's entries, so that the child
 * does not write the parent's trace file. */
void refuse_in_fork();

/* Marks of the program. Each text has a number; equal texts have the same number. text() takes a lock to find
 * it; the functions that take the number do not. 0 means no text. */

/** text() - the number of a text. Context: any thread. */
uint32_t text(std::string_view words);

/** text_of() - the text of a number, empty for one that has none. Context: any thread. */
std::string text_of(uint32_t id);

/** mark() - records a point in time. @category: a text that groups marks, or 0. @cookie: 0, or a cookie with
 * a call number: the text then names the thread's next packet of that call. */
void mark(uint32_t words, uint32_t category = 0, uint64_t cookie = 0);

/** range_push(), range_pop() - a range of the calling thread; they nest. */
void range_push(uint32_t words, uint32_t category = 0);
void range_pop();

/** range_start(), range_stop() - a range that any thread may end.
 * Return: its id, for range_stop(); 0 while nothing is recorded. */
uint64_t range_start(uint32_t words, uint32_t category = 0);
void range_stop(uint64_t id);

/** mark(), range_push() - overloads that take the text itself; they call text(), which takes a lock. */
inline void mark(std::string_view words)
{
	if (on())
		mark(text(words));
}

inline void range_push(std::string_view words)
{
	if (on())
		range_push(text(words));
}

} // namespace hal::trace
