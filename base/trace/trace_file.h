// SPDX-License-Identifier: MIT
/**
 * DOC: Trace files
 *
 * The recorded entries, and the function that writes them as a file for Perfetto and Chrome. A program
 * uses it for itself and its embedded devices; a firmware process uses it for itself.
 */
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "uapi/trace.h"

namespace base {

/** struct TraceClient - the client that had a client number of a device, and since when. */
struct TraceClient {
	uint64_t since_ns = 0;
	uint64_t session = 0;
	uint32_t client = 0;
	uint32_t pid = 0;
};

/** struct DeviceTrace - the firmware's recorded entries of one device. */
struct DeviceTrace {
	uint32_t pid = 0; /* the process of the firmware */
	uint32_t device = 0;
	uint64_t generation = 0;
	std::string name;
	std::vector<unpu_trace_entry> entries; /* in the order in which they were written */
	uint64_t overwritten = 0;
	std::vector<TraceClient> clients; /* the oldest client comes first */
};

/** struct ThreadTrace - the recorded entries of one thread of a program. */
struct ThreadTrace {
	uint32_t tid = 0;
	std::string name;
	std::vector<unpu_trace_entry> entries;
	uint64_t overwritten = 0;
};

/** struct TraceAttachment - one opening of a device by a program; entries name it by its index. */
struct TraceAttachment {
	uint64_t generation = 0;
	uint64_t session = 0;
	uint32_t device = 0;
};

/** struct TraceProgram - names of nodes of graphs. A node of a graph that runs a model has the number of its program in
 * its cookie (drv/packet/cookie.h). @since_ns: since when the program has the @number. @names: by the index of the
 * node; nodes behind them have the last name */
struct TraceProgram {
	uint64_t since_ns;
	uint8_t number;
	std::vector<std::string> names;
};

/** struct HostTrace - the recorded entries of a program. */
struct HostTrace {
	uint32_t pid = 0;
	std::string name;
	std::vector<ThreadTrace> threads;
	uint64_t overwritten = 0; /* overwritten entries that no ThreadTrace counts */
	std::vector<TraceAttachment> attachments;
	std::vector<std::string> texts; /* texts of marks; index 0 is unused */
	/* names of API calls, indexed by the top byte of a cookie */
	std::vector<std::string> calls;
	std::vector<TraceProgram> programs;
};

/** write_trace() - writes both into one file in the JSON format of Chrome's trace viewer. If the other end
 * of an arrow is in another process's file, this end is kept for unpu-info --merge-trace.
 * @host: nullptr for a firmware
 * Return: BAD_FILE with errno set when it can't be written. */
Status write_trace(const std::string &path, const HostTrace *host,
		   const std::vector<DeviceTrace> &devices);

} // namespace base
