// SPDX-License-Identifier: MIT
/**
 * DOC: Trace
 *
 * When a trace begins and which file it is written to. UNPU_TRACE names the file; "%p" in the name becomes
 * the process id. The file is written when the library is finalised and at exit, each time with all entries so far.
 * A thread also writes it about each second, so that a process that a signal ends leaves a trace too.
 */
#include "trace_control.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/thread.h"
#include "base/sync/condition.h"
#include "call.h"
#include "error.h"
#include "hal/options.h"
#include "hal/trace.h"
#include "node_names.h"

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
	Status status = hal::trace::write(path, calls, NodeNames::get().for_trace(), overwritten);
	const int error = errno;
	if (status != Status::OK)
		(void)set_error(status, fmt::format("trace file '{}' can't be written: {}", path,
						    strerror(error)));
	errno = error;
	return status;
}

/* One thread at a time writes the file. */
static constinit base::Mutex file_mutex{"trace file_mutex"};

/* Whether @path is a regular file. A pipe or a terminal gets the trace only once, at the end. */
static bool is_plain_file(const std::string &path)
{
	struct stat file;
	return stat(path.c_str(), &file) != 0 || S_ISREG(file.st_mode);
}

/* A reader never sees half of a file, whenever the process ends. Return: false with errno set. */
static bool replace_file(const std::string &path) REQUIRES(file_mutex)
{
	if (!is_plain_file(path))
		return write(path, nullptr) == Status::OK;
	const std::string part = path + ".part";
	if (write(part, nullptr) == Status::OK && rename(part.c_str(), path.c_str()) == 0)
		return true;
	const int error = errno;
	unlink(part.c_str());
	errno = error;
	return false;
}

void write_if_asked()
{
	if (asked_by == 0 || asked_by != getpid())
		return;
	std::string path = file_name();
	static bool has_said = false;
	std::lock_guard lock(file_mutex);
	if (path.empty() || replace_file(path) || has_said)
		return;
	has_said = true;
	base::calls::warn(fmt::format("unpu: UNPU_TRACE: file '{}' can't be written: {}\n", path,
				      strerror(errno)));
}

/* The thread "unpu-trace". Writing a long trace takes long, so after each write the thread pauses for 20
 * times that time. */
static void keep_writing(const std::string &path)
{
	constexpr uint64_t RESTS = 20;
	base::Condition never;
	std::unique_lock lock(file_mutex);
	for (uint64_t took_ns = 0;;) {
		const uint64_t next_ns =
			base::deadline_after(std::max<uint64_t>(base::NS_PER_S, RESTS * took_ns));
		while (base::now_ns() < next_ns)
			never.wait(lock, next_ns);
		const uint64_t start_ns = base::now_ns();
		if (!replace_file(path))
			return;
		took_ns = base::now_ns() - start_ns;
	}
}

static void start_writing()
{
	const std::string path = file_name();
	if (!is_plain_file(path))
		return;
	/* If the thread can't start, the file is written only at the end. */
	if (auto thread = base::start_thread("unpu-trace", [path] { keep_writing(path); }))
		thread->detach();
}

void begin_if_asked()
{
	if (file_name().empty())
		return;
	std::string entries = hal::environment("UNPU_TRACE_ENTRIES");
	if (begin(static_cast<uint32_t>(strtoul(entries.c_str(), nullptr, 10))) != Status::OK)
		base::calls::warn("unpu: UNPU_TRACE: there is no memory to record into\n");
	asked_by = getpid();
	atexit(write_if_asked);
	start_writing();
}

} // namespace umd::trace
