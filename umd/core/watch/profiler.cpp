// SPDX-License-Identifier: MIT
/**
 * DOC: Profiling
 *
 * Profiling is the trace: the program switches it on and off, and each time it is switched off a file is
 * written. Marks and ranges are trace entries of the thread that makes them.
 */
#include "profiler.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/trace.h"
#include "umd/core/process/error.h"
#include "umd/core/process/trace_control.h"

namespace umd {

using base::Result;
using base::Status;

static Status not_initialised()
{
	return set_error(Status::PROFILING_OFF,
			 "profiling was not initialised; call $profiling_init first");
}

Status Profiler::init(std::string folder)
{
	std::lock_guard lock(mutex_);
	if (initialised_)
		return set_error(Status::PROFILING_ON,
				 fmt::format("profiling is initialised already, for folder '{}'; "
					     "call $profiling_finalize first",
					     folder_));
	if (subscriptions_ > 0)
		return set_error(
			Status::PROFILING_CONFLICT,
			"a model is subscribed to; call $profiling_model_unsubscribe before "
			"$profiling_init");
	if (mkdir(folder.c_str(), 0750) != 0 && errno != EEXIST)
		return set_error(Status::BAD_FILE, fmt::format("folder '{}' can't be made: {}",
							       folder, strerror(errno)));
	if (access(folder.c_str(), W_OK | X_OK) != 0)
		return set_error(Status::BAD_FILE,
				 fmt::format("folder '{}' can't be written to: {}", folder,
					     strerror(errno)));
	initialised_ = true;
	folder_ = std::move(folder);
	return Status::OK;
}

Status Profiler::write()
{
	std::string path = fmt::format("{}/unpu.{}.{}.json", folder_, getpid(), files_++);
	return trace::write(path, nullptr);
}

Status Profiler::finalize()
{
	std::lock_guard lock(mutex_);
	if (!initialised_)
		return not_initialised();
	initialised_ = false;
	entries_ = 0;
	if (started_.empty())
		return Status::OK;
	started_.clear();
	if (began_)
		trace::end();
	return write();
}

void Profiler::set_entries(uint32_t entries)
{
	std::lock_guard lock(mutex_);
	entries_ = entries;
}

Status Profiler::start(const void *config)
{
	std::lock_guard lock(mutex_);
	if (!initialised_)
		return not_initialised();
	if (started_.contains(config))
		return set_error(Status::PROFILING_ON,
				 "profilerConfig was started already; call $profiling_stop first");
	if (started_.empty()) {
		began_ = !hal::trace::on();
		if (began_)
			TRY(trace::begin(entries_));
	}
	started_.insert(config);
	return Status::OK;
}

Status Profiler::stop(const void *config)
{
	std::lock_guard lock(mutex_);
	if (started_.erase(config) == 0)
		return set_error(Status::PROFILING_OFF,
				 "profilerConfig was not started; call $profiling_start first");
	if (!started_.empty())
		return Status::OK;
	if (began_)
		trace::end();
	return write();
}

Status Profiler::begin_subscription()
{
	std::lock_guard lock(mutex_);
	if (initialised_)
		return set_error(
			Status::PROFILING_CONFLICT,
			"profiling into files is initialised; call $profiling_finalize before "
			"$profiling_model_subscribe");
	subscriptions_++;
	return Status::OK;
}

void Profiler::end_subscription()
{
	std::lock_guard lock(mutex_);
	subscriptions_--;
}

Status Profiler::check_on()
{
	if (hal::trace::on())
		return Status::OK;
	return set_error(Status::PROFILING_OFF,
			 "nothing is profiled now; call $profiling_start first, or set UNPU_TRACE");
}

Result<void *> Profiler::make_stamp(uint32_t words)
{
	std::lock_guard lock(mutex_);
	Stamp *stamp = stamps_.create();
	if (!stamp)
		return set_error(Status::NO_RESOURCE, "there are too many stamps; destroy some");
	stamp->words = words;
	return stamps_.pointer(*stamp);
}

Result<Stamp *> Profiler::stamp(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "stamp is NULL");
	Stamp *stamp = stamps_.get(handle);
	if (!stamp)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("stamp {} is not live: it was destroyed, or is "
					     "something else",
					     fmt::ptr(handle)));
	return stamp;
}

void Profiler::drop_stamp(const void *handle)
{
	std::lock_guard lock(mutex_);
	if (Stamp *stamp = stamps_.get(handle))
		stamps_.destroy(*stamp);
}

Result<uint32_t> Profiler::range_start(uint32_t words)
{
	TRY(check_on());
	uint64_t range = hal::trace::range_start(words);
	std::lock_guard lock(mutex_);
	auto id = static_cast<uint32_t>(range);
	ranges_[id] = range;
	return id;
}

Status Profiler::range_stop(uint32_t id)
{
	std::lock_guard lock(mutex_);
	auto range = ranges_.find(id);
	if (range == ranges_.end())
		return set_error(Status::INVALID_ENUM,
				 fmt::format("rangeId {} is no range that was started and not "
					     "stopped",
					     id));
	hal::trace::range_stop(range->second);
	ranges_.erase(range);
	return Status::OK;
}

} // namespace umd
