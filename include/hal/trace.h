// SPDX-License-Identifier: MIT
/**
 * DOC: Trace of the host
 *
 * Each thread writes entries (uapi/trace.h) into a ring of its own, without a lock and without
 * memory. While nothing is recorded a place that could write costs one load, one compare and a branch
 * that is not taken.
 */
#pragma once

#include <string>
#include <string_view>

#include "base/ordering.h"
#include "base/trace_file.h"
#include "uapi/regs.h"

namespace hal::trace {

/* An attachment nobody keeps a record of: more devices were opened than there are numbers. */
constexpr uint16_t NO_ATTACHMENT = 0xffff;

/* Not 0 while entries are wanted. Hidden, so that looking at it takes one instruction. */
[[gnu::visibility("hidden")]] extern uint32_t recording;

/** on() - whether entries are wanted. */
inline bool on()
{
	return base::load_relaxed(recording) != 0;
}

/** put() - writes an entry of the calling thread. Context: any thread; on() was true. */
void put(unpu_trace_kind kind, uint16_t attachment, uint64_t cookie, uint32_t object,
	 uint64_t value);

/**
 * class Source - a device inside this process, whose firmware records, too.
 * Context: under the trace's lock; may wait for the device's step token.
 */
class Source {
public:
	virtual ~Source() = default;
	/** record() - starts with an empty ring, or with 0 entries stops. */
	virtual base::Status record(uint32_t entries) = 0;
	/** recorded() - what there is so far. */
	virtual base::DeviceTrace recorded() = 0;
};

/** add_source(), remove_source() - a device opens, and closes: its entries are kept. */
void add_source(Source &source);
void remove_source(Source &source);

/** attach() - remembers an attachment. Return: the number that entries name it by. */
uint16_t attach(const unpu_bar &bar, const unpu_client_status &status);

/** begin() - records from now on and forgets what was recorded before.
 * @entries: room for so many in each ring; 0 for the default
 * Return: NO_MEMORY when a device can't record. */
base::Status begin(uint32_t entries);

/** end() - records no more; what was recorded stays. */
void end();

/** write() - a file of everything recorded since begin(). Context: any thread, also meanwhile.
 * @calls: names of API calls by number
 * @overwritten: out, entries that are gone; may be nullptr
 * Return: BAD_FILE. */
base::Status write(const std::string &path, const std::vector<std::string> &calls,
		   uint64_t *overwritten);

/** refuse_in_fork() - in a child, before anything else: it starts with nothing recorded, and its
 * parent's file is not its own. */
void refuse_in_fork();

/* Marks of the program itself. A text is known by a number, which is the same for the same text;
 * learning it takes a lock, using it none. 0 is no text. */

/** text() - the number of a text. Context: any thread. */
uint32_t text(std::string_view words);

/** text_of() - the text of a number, empty for one that has none. Context: any thread. */
std::string text_of(uint32_t id);

/** mark() - a moment. @category: a text that groups marks, or 0. @cookie: 0, or one with a call: the
 * thread's next packet of that call is named by the text. */
void mark(uint32_t words, uint32_t category = 0, uint64_t cookie = 0);

/** range_push(), range_pop() - a range of the calling thread; they nest. */
void range_push(uint32_t words, uint32_t category = 0);
void range_pop();

/** range_start(), range_stop() - a range that any thread may end.
 * Return: its id, for range_stop(); 0 while nothing is recorded. */
uint64_t range_start(uint32_t words, uint32_t category = 0);
void range_stop(uint64_t id);

/** mark(), range_push() - the same by text, for who does not mind the lock. */
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
