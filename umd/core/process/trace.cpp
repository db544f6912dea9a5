// SPDX-License-Identifier: MIT
/**
 * DOC: Trace
 *
 * When a trace begins and which file it is written to. UNPU_TRACE names the file; "%p" in the name becomes
 * the process id. The file is written when the library is finalised and at exit, each time with all entries so far.
 */
#include "trace.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "call.h"
#include "error.h"
#include "hal/options.h"
#include "hal/trace.h"

namespace umd::trace {

using base::Status;

/* The process that began the trace. A forked child must not overwrite its parent's file. */
static pid_t asked_by;

static std::string file_name()
{
	std::string path = hal::environment("UNPU_TRACE");
	for (size_t at = path.find("%p"); at != path.npos; at = path.find("%p"))
		path.replace(at, 2, std::to_string(getpid()));
	return path;
}

Status begin(uint32_t entries)
{
	Status status = hal::trace::begin(entries);
	if (status != Status::OK)
		return set_error(status, fmt::format("a trace of {} entries a ring needs more "
						     "memory than there is",
						     entries));
	return status;
}

void end()
{
	hal::trace::end();
}

Status write(const std::string &path, uint64_t *overwritten)
{
	std::vector<std::string> calls;
	for (unsigned call = 0; call < CALL_NUMBERS; call++)
		calls.emplace_back(call_name(static_cast<Call>(call)));
	Status status = hal::trace::write(path, calls, overwritten);
	if (status != Status::OK)
		return set_error(status, fmt::format("trace file '{}' can't be written", path));
	return status;
}

void write_if_asked()
{
	if (asked_by == 0 || asked_by != getpid())
		return;
	std::string path = file_name();
	if (!path.empty() && write(path, nullptr) != Status::OK)
		fprintf(stderr, "unpu: UNPU_TRACE: file '%s' can't be written\n", path.c_str());
}

void begin_if_asked()
{
	if (file_name().empty())
		return;
	std::string entries = hal::environment("UNPU_TRACE_ENTRIES");
	if (begin(static_cast<uint32_t>(strtoul(entries.c_str(), nullptr, 10))) != Status::OK)
		fprintf(stderr, "unpu: UNPU_TRACE: there is no memory to record into\n");
	asked_by = getpid();
	atexit(write_if_asked);
}

} // namespace umd::trace
