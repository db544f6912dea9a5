// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL log
 *
 * Records of the program go to the log of the library. The device writes no log, so functions that are registered for
 * its records are only kept.
 */
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"
#include "base/acl_log.h"
#include "base/alog_pub.h"
#include "base/sync/mutex.h"
#include "front.h"
#include "hal/options.h"
#include "umd/core/process/log.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::null_argument;
using umd::set_error;

/* The lowest level that is logged, from UNPU_LOG_LEVEL. Without that variable nothing is logged. */
static int wanted_level()
{
	static const int level = [] {
		std::string text = hal::environment("UNPU_LOG_LEVEL");
		return text.empty() ? static_cast<int>(ACL_ERROR) + 1 : atoi(text.c_str());
	}();
	return level;
}

static constexpr const char *LEVEL_NAMES[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
static constexpr size_t RECORD_BYTES = 1024;

static bool is_wanted(int level)
{
	return level >= wanted_level() && level >= ACL_DEBUG && level <= ACL_ERROR;
}

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
	       const char *fmt, ...)
{
	if (!fmt || !is_wanted(logLevel))
		return;
	char record[RECORD_BYTES];
	va_list args;
	va_start(args, fmt);
	vsnprintf(record, sizeof(record), fmt, args);
	va_end(args);
	umd::log_line(fmt::format("[{}] {}:{} {}: {}", LEVEL_NAMES[logLevel], file ? file : "?",
				  line, func ? func : "?", record));
}

int32_t AlogCheckDebugLevel(uint32_t, int32_t level)
{
	return is_wanted(level) ? 1 : 0;
}

/* The functions of the log return the same code for all failures. */
static int32_t log_failure(Status status)
{
	(void)umd::acl_failure(status);
	return -1;
}

static Status check_record(uint32_t type, int32_t level, const char *format)
{
	if (!format)
		return null_argument("fmt");
	if (type >= DLOG_TYPE_MAX)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("logType is {}; it must be DLOG_TYPE_DEBUG (0) or "
					     "DLOG_TYPE_RUN (1)",
					     type));
	if (level < DLOG_DEBUG || level > DLOG_ERROR)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("level is {}; it must be DLOG_DEBUG (0) to "
					     "DLOG_ERROR (3)",
					     level));
	return Status::OK;
}

int32_t AlogRecord(uint32_t moduleId, uint32_t logType, int32_t level, const char *fmt, ...)
{
	const Status status = check_record(logType, level, fmt);
	if (status != Status::OK)
		return log_failure(status);
	if (!is_wanted(level))
		return 0;
	char record[RECORD_BYTES];
	va_list args;
	va_start(args, fmt);
	vsnprintf(record, sizeof(record), fmt, args);
	va_end(args);
	umd::log_line(fmt::format("[{}] module {}{}: {}", LEVEL_NAMES[level], moduleId,
				  logType == DLOG_TYPE_RUN ? " (run)" : "", record));
	return 0;
}

namespace {

/* class LogCallbacks - the functions that are registered for records of devices. */
class LogCallbacks {
public:
	static constexpr size_t MOST = 16;

	/* Return: the handle, or 0 if there are MOST functions already. */
	acllogCallbackHandle add()
	{
		std::lock_guard lock(mutex_);
		for (acllogCallbackHandle &handle : handles_) {
			if (handle == 0)
				return handle = ++last_;
		}
		return 0;
	}

	/* Return: whether it was registered. */
	bool remove(acllogCallbackHandle wanted)
	{
		std::lock_guard lock(mutex_);
		for (acllogCallbackHandle &handle : handles_) {
			if (handle == wanted && wanted != 0) {
				handle = 0;
				return true;
			}
		}
		return false;
	}

private:
	base::Mutex mutex_{"LogCallbacks::mutex_"};
	/* 0: the entry is free */
	std::array<acllogCallbackHandle, MOST> handles_ GUARDED_BY(mutex_){};
	acllogCallbackHandle last_ GUARDED_BY(mutex_) = 0;
};

} // namespace

int32_t acllogRegisterCallback(acllogRecordCallback callbackFunc, void *, uint32_t outputLogType,
			       acllogCallbackHandle *callbackHandle)
{
	if (!callbackFunc || !callbackHandle)
		return log_failure(null_argument(callbackFunc ? "callbackHandle" : "callbackFunc"));
	if (outputLogType >= OUTPUT_TYPE_MAX)
		return log_failure(set_error(
			Status::INVALID_ENUM,
			fmt::format("outputLogType is {}; it must be one of acllogOutputLogType, "
				    "0 to 2",
				    outputLogType)));
	const acllogCallbackHandle handle = umd::Process::own<LogCallbacks>().add();
	if (handle == 0)
		return log_failure(
			set_error(Status::NO_RESOURCE,
				  fmt::format("{} functions are registered, the most that "
					      "can be; unregister one first",
					      LogCallbacks::MOST)));
	*callbackHandle = handle;
	return 0;
}

int32_t acllogUnregisterCallback(acllogCallbackHandle callback)
{
	if (umd::Process::own<LogCallbacks>().remove(callback))
		return 0;
	return log_failure(set_error(Status::INVALID_HANDLE,
				     fmt::format("callback {} is no handle that "
						 "acllogRegisterCallback gave, or was unregistered",
						 callback)));
}
