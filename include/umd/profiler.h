// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "umd/handle.h"
#include "umd/process.h"

namespace umd {

/** struct Stamp - a text that marks moments and ranges. */
struct Stamp {
	HandleWord handle;
	uint32_t words = 0; /* a text of hal/trace.h */
};

/**
 * class Profiler - what the program itself says and asks of the trace. Profiling is a trace between a
 * start and a stop, written as a file of its own into the program's folder; while UNPU_TRACE or
 * unpu_trace_begin() records anyway, it is a part of that. Context: any thread. Functions set their
 * sentence.
 */
class Profiler {
public:
	static Profiler &get() { return Process::own<Profiler>(); }

	/** init() - @folder: where files go; made if there is none.
	 * Return: PROFILING_ON, PROFILING_CONFLICT while a model is subscribed to, BAD_FILE where
	 * nothing can be written. */
	base::Status init(std::string folder);
	/** finalize() - stops what was started. Return: PROFILING_OFF, BAD_FILE. */
	base::Status finalize();

	/** set_entries() - room in each ring of what is started next. */
	void set_entries(uint32_t entries);

	/** start(), stop() - @config: identifies the pair. The last stop writes the file.
	 * Return: PROFILING_OFF, PROFILING_ON, NO_MEMORY, BAD_FILE. */
	base::Status start(const void *config);
	base::Status stop(const void *config);

	/** begin_subscription() - nothing is profiled into files until end_subscription().
	 * Return: PROFILING_CONFLICT between init() and finalize(). */
	base::Status begin_subscription();
	void end_subscription();

	/** check_on() - Return: PROFILING_OFF while nothing is recorded. */
	static base::Status check_on();

	/** make_stamp() - @words: 0 until it gets a text. Return: NO_RESOURCE. */
	base::Result<void *> make_stamp(uint32_t words = 0);
	base::Result<Stamp *> stamp(const void *handle);
	void drop_stamp(const void *handle);

	/** range_start() - Return: the range's number, or PROFILING_OFF. */
	base::Result<uint32_t> range_start(uint32_t words);
	/** range_stop() - Return: INVALID_ENUM for a number that is no open range's. */
	base::Status range_stop(uint32_t id);

private:
	base::Status write();

	base::Mutex mutex_{"Profiler::mutex_"}; /* protects the following */
	bool initialised_ = false;
	bool began_ = false; /* the trace, for this */
	std::string folder_;
	uint32_t entries_ = 0;
	uint32_t files_ = 0;
	uint32_t subscriptions_ = 0;
	std::set<const void *> started_;
	std::map<uint32_t, uint64_t> ranges_;
	HandleTable<Stamp, Kind::STAMP> stamps_;
};

} // namespace umd
