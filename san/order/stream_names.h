// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

namespace san {

/** struct StreamName - what a report calls a stream by. */
struct StreamName {
	uint32_t label = 0;
	/* false: the trace is too old to have ids, and @id is the number of the stream in the
	 * trace */
	bool has_id = false;
	uint32_t id = 0; /* id in the API */
	uint32_t device = 0;
	/* how many streams of the process had this id before, as far as the trace shows */
	uint32_t turn = 0;
};

/**
 * class StreamNames - the names of the streams of one process, by their numbers in the trace.
 *
 * The API gives the id of a destroyed stream to a new stream. Findings can be about destroyed streams, too,
 * so the newest MAX_GONE of them keep their names.
 */
class StreamNames {
public:
	/** add() - adds a stream. @name: this function sets its turn */
	void add(uint32_t number, StreamName name);

	/** end() - the stream was destroyed. */
	void end(uint32_t number);

	/** find() - the name of a stream; nullptr if there was none of this number, or if it was destroyed
	 * long ago. */
	const StreamName *find(uint32_t number) const;

	static constexpr size_t MAX_GONE = 1024;
	static constexpr size_t MAX_IDS = 65536; /* most ids whose turns are counted */

private:
	std::unordered_map<uint32_t, StreamName> names_;
	std::deque<uint32_t> gone_;	     /* destroyed streams, the oldest first */
	std::map<uint64_t, uint32_t> turns_; /* device and id -> how many streams have had it */
};

} // namespace san
