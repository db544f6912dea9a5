// SPDX-License-Identifier: MIT
/**
 * DOC: Trace files
 *
 * Entries as they were recorded, and the one function that makes a file of them which Perfetto and
 * Chrome show. Both sides use it: a program for itself and for the devices inside it, a firmware for
 * itself.
 */
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "uapi/trace.h"

namespace base {

/** struct TraceClient - who had a client number of a device, and from when on. */
struct TraceClient {
	uint64_t since_ns = 0;
	uint64_t session = 0;
	uint32_t client = 0;
	uint32_t pid = 0;
};

/** struct DeviceTrace - what a firmware recorded of one device. */
struct DeviceTrace {
	uint32_t pid = 0; /* of the firmware */
	uint32_t device = 0;
	uint64_t generation = 0;
	std::string name;
	std::vector<unpu_trace_entry> entries; /* as they were written */
	uint64_t overwritten = 0;
	std::vector<TraceClient> clients; /* oldest first */
};

/** struct ThreadTrace - what one thread of a program recorded. */
struct ThreadTrace {
	uint32_t tid = 0;
	std::string name;
	std::vector<unpu_trace_entry> entries;
	uint64_t overwritten = 0;
};

/** struct TraceAttachment - a device as a program opened it; entries name it by its index. */
struct TraceAttachment {
	uint64_t generation = 0;
	uint64_t session = 0;
	uint32_t device = 0;
};

/** struct HostTrace - what a program recorded. */
struct HostTrace {
	uint32_t pid = 0;
	std::string name;
	std::vector<ThreadTrace> threads;
	uint64_t overwritten = 0; /* besides what the threads count */
	std::vector<TraceAttachment> attachments;
	std::vector<std::string> texts; /* of marks; 0 is none */
	std::vector<std::string> calls; /* by the number in a cookie's top byte */
};

/** write_trace() - one file of both, by the JSON format of Chrome's trace viewer. An arrow whose
 * other end is in another process's file is kept as a loose end, for unpu-info --merge-trace.
 * @host: nullptr for a firmware
 * Return: BAD_FILE when it can't be written. */
Status write_trace(const std::string &path, const HostTrace *host,
		   const std::vector<DeviceTrace> &devices);

} // namespace base
