// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct Stamp - a text that labels moments and ranges in the trace. */
struct Stamp {
	HandleWord handle;
	uint32_t words = 0; /* a text of hal/trace.h */
};

/**
 * class Profiler - the profiling calls of the API. Profiling records a trace between a start and a stop and
 * writes it as a separate file to the program's folder. If UNPU_TRACE or unpu_trace_begin() records already,
 * profiling is a part of that trace. Context: any thread. The functions set the error message.
 */
class Profiler {
public:
	static Profiler &get() { return Process::own<Profiler>(); }

	/** init() - @folder: folder for the files, created if it does not exist.
	 * Return: PROFILING_ON, PROFILING_CONFLICT while a model has a subscription, BAD_FILE if the folder
	 * can't be written. */
	base::Status init(std::string folder);
	/** finalize() - stops everything that was started. Return: PROFILING_OFF, BAD_FILE. */
	base::Status finalize();

	/** set_entries() - sets the entries of each trace ring for the next start. */
	void set_entries(uint32_t entries);

	/** start(), stop() - @config: identifies the pair. The last stop writes the file.
	 * Return: PROFILING_OFF, PROFILING_ON, NO_MEMORY, BAD_FILE. */
	base::Status start(const void *config);
	base::Status stop(const void *config);

	/** begin_subscription() - forbids profiling into files until end_subscription().
	 * Return: PROFILING_CONFLICT between init() and finalize(). */
	base::Status begin_subscription();
	void end_subscription();

	/** check_on() - checks that a trace is being recorded. Return: PROFILING_OFF while nothing is
	 * recorded. */
	static base::Status check_on();

	/** make_stamp() - makes a stamp. @words: number of its text; 0: no text yet. Return: NO_RESOURCE. */
	base::Result<void *> make_stamp(uint32_t words = 0);
	base::Result<Stamp *> stamp(const void *handle);
	void drop_stamp(const void *handle);

	/** range_start() - begins a range. Return: the range's number, or PROFILING_OFF. */
	base::Result<uint32_t> range_start(uint32_t words);
	/** range_stop() - ends a range. Return: INVALID_ENUM if no open range has the number. */
	base::Status range_stop(uint32_t id);

private:
	base::Status write() REQUIRES(mutex_);

	base::Mutex mutex_{"Profiler::mutex_"};
	bool initialised_ GUARDED_BY(mutex_) = false;
	bool began_ GUARDED_BY(mutex_) = false; /* this object began the trace */
	std::string folder_ GUARDED_BY(mutex_);
	uint32_t entries_ GUARDED_BY(mutex_) = 0;
	uint32_t files_ GUARDED_BY(mutex_) = 0;
	uint32_t subscriptions_ GUARDED_BY(mutex_) = 0;
	std::set<const void *> started_ GUARDED_BY(mutex_);
	std::map<uint32_t, uint64_t> ranges_ GUARDED_BY(mutex_);
	HandleTable<Stamp, Kind::STAMP> stamps_; /* the table has a lock of its own */
};

} // namespace umd
