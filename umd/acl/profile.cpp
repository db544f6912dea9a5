// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL profiling
 *
 * A configuration says what is wanted; the trace has all of it that there is, of every device of the
 * process.
 */
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>

#include "acl/acl_prof.h"
#include "front.h"
#include "umd/profiler.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Profiler;
using umd::Runtime;
using umd::set_error;

struct aclprofConfig {
	uint64_t kinds; /* bits of ACL_PROF_* */
	aclprofAicoreMetrics metrics;
};

static constexpr uint64_t EVERY_KIND =
	ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU |
	ACL_PROF_L2CACHE | ACL_PROF_HCCL_TRACE | ACL_PROF_TRAINING_TRACE | ACL_PROF_MSPROFTX |
	ACL_PROF_RUNTIME_API | ACL_PROF_GE_API_L0 | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_MEMORY |
	ACL_PROF_TASK_TIME_L2 | ACL_PROF_OP_ATTR | ACL_PROF_TASK_TIME_L3 | ACL_PROF_GE_API_L1 |
	ACL_PROF_API_STATS | ACL_PROF_AICORE_SHAPE;

aclError aclprofInit(const char *profilerResultPath, size_t length)
{
	constexpr size_t MAX_PATH = 4096;
	if (!profilerResultPath)
		return acl_return(null_argument("profilerResultPath"));
	if (length == 0 || length >= MAX_PATH || strnlen(profilerResultPath, length + 1) != length)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("length is {}; it must be the path's, without its zero, and "
				    "less than {}",
				    length, MAX_PATH)));
	return acl_return(Profiler::get().init({profilerResultPath, length}));
}

aclError aclprofFinalize()
{
	return acl_return(Profiler::get().finalize());
}

static Status check_devices(const uint32_t *list, uint32_t count)
{
	if (!list && count > 0)
		return null_argument("deviceIdList");
	auto devices = Runtime::get().device_count();
	if (!devices)
		return devices.status();
	for (uint32_t i = 0; i < count; i++) {
		if (list[i] >= *devices)
			return set_error(Status::INVALID_ENUM,
					 fmt::format("deviceIdList[{}] is {}; there are {} devices",
						     i, list[i], *devices));
	}
	return Status::OK;
}

static Status check_metrics(aclprofAicoreMetrics metrics)
{
	if (metrics == ACL_AICORE_NONE ||
	    (metrics >= ACL_AICORE_ARITHMETIC_UTILIZATION && metrics <= ACL_AICORE_MEMORY_ACCESS))
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("aicoreMetrics is {}; it must be 0 to 8, or "
				     "ACL_AICORE_NONE (255)",
				     static_cast<int>(metrics)));
}

aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
				   aclprofAicoreMetrics aicoreMetrics,
				   const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig)
{
	Status status = check_devices(deviceIdList, deviceNums);
	if (status == Status::OK)
		status = check_metrics(aicoreMetrics);
	if (status == Status::OK && aicoreEvents)
		status = set_error(Status::INVALID_ENUM,
				   "aicoreEvents is reserved, and must be NULL");
	if (status == Status::OK && (dataTypeConfig == 0 || dataTypeConfig & ~EVERY_KIND))
		status = set_error(Status::INVALID_ENUM,
				   fmt::format("dataTypeConfig is {:#x}; it must be bits of {:#x}",
					       dataTypeConfig, EVERY_KIND));
	aclprofConfig *made = nullptr;
	if (status == Status::OK)
		made = new (std::nothrow) aclprofConfig{dataTypeConfig, aicoreMetrics};
	if (status == Status::OK && !made)
		status = set_error(Status::NO_MEMORY, "no memory is left for a configuration");
	(void)acl_return(status);
	return made;
}

aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig)
{
	if (!profilerConfig)
		return acl_return(null_argument("profilerConfig"));
	delete profilerConfig;
	return ACL_SUCCESS;
}

aclError aclprofStart(const aclprofConfig *profilerConfig)
{
	if (!profilerConfig)
		return acl_return(null_argument("profilerConfig"));
	return acl_return(Profiler::get().start(profilerConfig));
}

aclError aclprofStop(const aclprofConfig *profilerConfig)
{
	if (!profilerConfig)
		return acl_return(null_argument("profilerConfig"));
	return acl_return(Profiler::get().stop(profilerConfig));
}

/* "200MB", what the results may take: so much goes into each ring. */
static Status limit_storage(std::string_view text)
{
	constexpr uint64_t LEAST_MB = 200;
	constexpr uint64_t MOST_MB = uint64_t{1} << 20;
	constexpr uint64_t ENTRIES_PER_MB = (1u << 20) / sizeof(unpu_trace_entry);
	uint64_t megabytes = 0;
	auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), megabytes);
	std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
	if (failed != std::errc{} || unit != "MB" || megabytes < LEAST_MB || megabytes > MOST_MB)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("config is '{}'; a limit of storage is {}MB to {}MB",
					     text, LEAST_MB, MOST_MB));
	uint64_t entries = std::min<uint64_t>(megabytes * ENTRIES_PER_MB, UINT32_MAX);
	Profiler::get().set_entries(static_cast<uint32_t>(entries));
	return Status::OK;
}

aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength)
{
	if (!config)
		return acl_return(null_argument("config"));
	if (configLength == 0 || strnlen(config, configLength + 1) != configLength)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("configLength is {}; it must be the text's, without "
					      "its zero",
					      configLength)));
	if (configType <= ACL_PROF_ARGS_MIN || configType >= ACL_PROF_ARGS_MAX)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("configType is {}; it must be one of "
							"aclprofConfigType",
							static_cast<int>(configType))));
	if (configType == ACL_PROF_STORAGE_LIMIT)
		return acl_return(limit_storage({config, configLength}));
	return acl_return(set_error(
		Status::NOT_SUPPORTED,
		fmt::format("configType is {}; the device has no such counters to read, only "
			    "ACL_PROF_STORAGE_LIMIT (1) can be set",
			    static_cast<int>(configType))));
}
