// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL profiling
 *
 * A configuration selects kinds of data. The trace does not depend on the selection: it has all kinds
 * of data that the devices measure, for every device of the process.
 */
#include <atomic>
#include <charconv>
#include <cstring>
#include <string_view>

#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "uapi/trace.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/log.h"
#include "umd/core/process/plain_object.h"
#include "umd/core/watch/profiler.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::Profiler;
using umd::set_error;

struct aclprofConfig : umd::PlainObject<umd::Kind::PROFILE_CONFIG> {
	static constexpr const char *NAME = "configuration of profiling";

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
	if (umd::Process::get().init_count() == 0)
		return acl_return(
			set_error(Status::NOT_INITIALISED,
				  "aclprofInit is called before aclInit; call that first"));
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
	auto devices = TRY(Devices::get().device_count());
	for (uint32_t i = 0; i < count; i++) {
		if (list[i] >= devices)
			return set_error(Status::INVALID_ENUM,
					 fmt::format("deviceIdList[{}] is {}; there are {} devices",
						     i, list[i], devices));
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
	aclprofConfig *made = status == Status::OK ? umd::make_plain<aclprofConfig>() : nullptr;
	if (status == Status::OK && !made)
		status = Status::NO_MEMORY;
	(void)acl_return(status);
	if (!made)
		return nullptr;
	made->kinds = dataTypeConfig;
	made->metrics = aicoreMetrics;
	return umd::handle_of(*made);
}

aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig)
{
	auto config = TRY(umd::retire_plain(profilerConfig, "profilerConfig"));
	umd::free_plain(*config);
	return ACL_SUCCESS;
}

aclError aclprofStart(const aclprofConfig *profilerConfig)
{
	TRY(umd::find_plain(profilerConfig, "profilerConfig"));
	return acl_return(Profiler::get().start(profilerConfig));
}

aclError aclprofStop(const aclprofConfig *profilerConfig)
{
	TRY(umd::find_plain(profilerConfig, "profilerConfig"));
	return acl_return(Profiler::get().stop(profilerConfig));
}

static Status refuse_value(std::string_view text, std::string_view allowed)
{
	return set_error(Status::INVALID_ENUM,
			 fmt::format("config is '{}'; it must be {}", text, allowed));
}

/* Parses a number that may be followed by @unit and by nothing else. */
static bool parse_number(std::string_view text, std::string_view unit, uint64_t &number)
{
	auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
	std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
	return failed == std::errc{} && (rest.empty() || rest == unit);
}

/* Sets the size of each trace ring from a limit such as "200MB" or "200". */
static Status limit_storage(std::string_view text)
{
	constexpr uint64_t LEAST_MB = 200;
	constexpr uint64_t MOST_MB = UINT32_MAX;
	constexpr uint64_t ENTRIES_PER_MB = (1u << 20) / sizeof(unpu_trace_entry);
	uint64_t megabytes = 0;
	if (!parse_number(text, "MB", megabytes) || megabytes < LEAST_MB || megabytes > MOST_MB)
		return refuse_value(
			text, fmt::format("a limit of storage, {}MB to {}MB", LEAST_MB, MOST_MB));
	uint64_t entries = std::min<uint64_t>(megabytes * ENTRIES_PER_MB, UINT32_MAX);
	Profiler::get().set_entries(static_cast<uint32_t>(entries));
	return Status::OK;
}

namespace {

/* A hardware counter that a program may configure although the device does not have it. */
struct Counter {
	aclprofConfigType type;
	uint64_t most_hz; /* highest valid frequency, from 1; or 0: the value is no frequency */
	std::string_view words; /* valid words of a list with commas; "": any text is valid */
};

constexpr Counter COUNTERS[] = {
	{ACL_PROF_SYS_HARDWARE_MEM_FREQ, 100, ""},
	{ACL_PROF_LLC_MODE, 0, "read,write,capacity,bandwidth"},
	{ACL_PROF_SYS_IO_FREQ, 100, ""},
	{ACL_PROF_SYS_INTERCONNECTION_FREQ, 50, ""},
	{ACL_PROF_DVPP_FREQ, 100, ""},
	{ACL_PROF_HOST_SYS, 0, "cpu,mem,disk,network,osrt"},
	{ACL_PROF_HOST_SYS_USAGE, 0, "cpu,mem"},
	{ACL_PROF_HOST_SYS_USAGE_FREQ, 50, ""},
	{ACL_PROF_LOW_POWER_FREQ, 100, ""},
	{ACL_PROF_SYS_MEM_SERVICEFLOW, 0, ""},
	{ACL_PROF_SYS_CPU_FREQ, 50, ""},
	{ACL_PROF_OPTYPE, 0, ""},
	{ACL_PROF_NTS_METRICS, 0, ""},
};

} // namespace

static std::string_view cut_word(std::string_view &list)
{
	std::string_view word = list.substr(0, list.find(','));
	list.remove_prefix(std::min(word.size() + 1, list.size()));
	return word;
}

static bool has_word(std::string_view list, std::string_view word)
{
	while (!list.empty()) {
		if (cut_word(list) == word)
			return true;
	}
	return false;
}

static Status check_words(std::string_view text, std::string_view words)
{
	bool known = text.back() != ',';
	for (std::string_view rest = text; known && !rest.empty();)
		known = has_word(words, cut_word(rest));
	return known ? Status::OK
		     : refuse_value(text, fmt::format("one of {}, or several with commas between "
						      "them",
						      words));
}

static Status check_counter(const Counter &counter, std::string_view text)
{
	uint64_t hz = 0;
	if (!counter.words.empty())
		return check_words(text, counter.words);
	if (counter.most_hz == 0)
		return Status::OK;
	if (parse_number(text, "", hz) && hz >= 1 && hz <= counter.most_hz)
		return Status::OK;
	return refuse_value(text, fmt::format("a frequency, 1 to {} Hz", counter.most_hz));
}

static Status take_counter(const Counter &counter, std::string_view text)
{
	static constinit std::atomic<bool> said{false};
	TRY(check_counter(counter, text));
	if (umd::explains_errors() && !said.exchange(true))
		umd::log_line(fmt::format("unpu: aclprofSetConfig: configType {} is taken, but the "
					  "device has no such counters: the results have none",
					  static_cast<int>(counter.type)));
	return Status::OK;
}

static Status set_option(aclprofConfigType type, std::string_view text)
{
	if (type == ACL_PROF_STORAGE_LIMIT)
		return limit_storage(text);
	for (const Counter &counter : COUNTERS) {
		if (counter.type == type)
			return take_counter(counter, text);
	}
	if (type == ACL_PROF_PATH)
		return set_error(Status::NOT_SUPPORTED,
				 "configType is ACL_PROF_PATH (16); aclprofInit says where the "
				 "results go");
	return set_error(Status::INVALID_ENUM,
			 fmt::format("configType is {}; it must be one of aclprofConfigType",
				     static_cast<int>(type)));
}

aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength)
{
	constexpr size_t LONGEST = 256;
	if (!config)
		return acl_return(null_argument("config"));
	if (configLength == 0 || configLength > LONGEST ||
	    strnlen(config, configLength + 1) != configLength)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("configLength is {}; it must be the text's, without "
					      "its zero, and at most {}",
					      configLength, LONGEST)));
	return acl_return(set_option(configType, {config, configLength}));
}
