// SPDX-License-Identifier: MIT
/**
 * DOC: Reports to the profiler
 *
 * A report becomes a mark in the trace, like the marks of AscendCL and of tools. The number of a name is that
 * of the trace's text, so a report needs no table of its own.
 */
#include "acl/acl.h"
#include "profiling/aprof_pub.h"

#include <map>

#include "base/clock.h"
#include "base/sync/mutex.h"
#include "hal/trace.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

namespace {

/* struct ModelDevices - the device of each model, as the program has reported it. */
struct ModelDevices {
	base::Mutex mutex{"ModelDevices::mutex"};
	std::map<uint32_t, uint32_t> devices GUARDED_BY(mutex);
};

ModelDevices &told()
{
	return umd::Process::own<ModelDevices>();
}

int32_t result(Status status)
{
	return acl_return(status) == ACL_SUCCESS ? MSPROF_ERROR_NONE : MSPROF_ERROR;
}

Status check_device(uint32_t device)
{
	TRY(umd::Process::check_fork());
	const auto count = TRY(umd::Devices::get().device_count());
	if (device < count)
		return Status::OK;
	return set_error(Status::INVALID_DEVICE,
			 fmt::format("deviceId is {}; there are {} devices", device, count));
}

Status set_device(uint32_t model, uint32_t device)
{
	TRY(check_device(device));
	std::lock_guard lock(told().mutex);
	const auto [at, is_new] = told().devices.emplace(model, device);
	if (is_new || at->second == device)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("geModelIdx {} has device {}; "
				     "MsprofUnsetDeviceIdByGeModelIdx takes that back",
				     model, at->second));
}

Status unset_device(uint32_t model, uint32_t device)
{
	TRY(umd::Process::check_fork());
	std::lock_guard lock(told().mutex);
	const auto at = told().devices.find(model);
	if (at == told().devices.end() || at->second != device)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("geModelIdx {} does not have device {}; "
					     "MsprofSetDeviceIdByGeModelIdx sets it",
					     model, device));
	told().devices.erase(at);
	return Status::OK;
}

Status report(const MsprofApi &api)
{
	if (api.magicNumber != MSPROF_REPORT_DATA_MAGIC_NUM)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("api->magicNumber is {:#x}; it must be "
					     "MSPROF_REPORT_DATA_MAGIC_NUM ({:#x})",
					     api.magicNumber, MSPROF_REPORT_DATA_MAGIC_NUM));
	if (api.endTime < api.beginTime)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("api->endTime is {}, before api->beginTime, {}",
					     api.endTime, api.beginTime));
	const std::string name = hal::trace::text_of(static_cast<uint32_t>(api.itemId));
	if (name.empty() || api.itemId > UINT32_MAX)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("api->itemId is {}, which MsprofGetHashId has given "
					     "for no name",
					     api.itemId));
	if (hal::trace::on())
		hal::trace::mark(fmt::format("{} took {} ns", name, api.endTime - api.beginTime));
	return Status::OK;
}

} // namespace

uint64_t MsprofSysCycleTime()
{
	return base::now_ns();
}

uint64_t MsprofGetHashId(const char *hashInfo, size_t length)
{
	constexpr size_t MAX_TEXT = 1024;
	if (!hashInfo) {
		(void)acl_return(null_argument("hashInfo"));
		return 0;
	}
	if (length == 0 || length > MAX_TEXT) {
		(void)acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("length is {}; it must be 1 to {}", length, MAX_TEXT)));
		return 0;
	}
	const uint32_t id = hal::trace::text({hashInfo, length});
	if (id == 0)
		(void)acl_return(
			set_error(Status::NO_RESOURCE,
				  "a process can use 65,536 different texts; use texts again"));
	return id;
}

int32_t MsprofReportApi(uint32_t agingFlag, const MsprofApi *api)
{
	(void)agingFlag;
	return result(api ? report(*api) : null_argument("api"));
}

int32_t MsprofSetDeviceIdByGeModelIdx(const uint32_t geModelIdx, const uint32_t deviceId)
{
	return result(set_device(geModelIdx, deviceId));
}

int32_t MsprofUnsetDeviceIdByGeModelIdx(const uint32_t geModelIdx, const uint32_t deviceId)
{
	return result(unset_device(geModelIdx, deviceId));
}
