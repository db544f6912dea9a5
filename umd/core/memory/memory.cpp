// SPDX-License-Identifier: MIT
/**
 * DOC: Allocations
 *
 * malloc and free of the APIs. They add to the driver's calls the search for the owning device and the error
 * messages.
 */
#include "memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/os/numa.h"
#include "drv/quota.h"
#include "hal/topology.h"
#include "ipc_memory.h"
#include "managed.h"
#include "released.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Status;
using drv::Place;

uint64_t device_bytes(drv::Device &device)
{
	uint64_t bytes = device.hal().bar().memory_bytes;
	uint64_t quota = device.hal().quotas().memory_bytes;
	return quota ? std::min(bytes, quota) : bytes;
}

uint64_t free_device_bytes(Context &context)
{
	drv::Device &device = context.device();
	device.reap_all();
	uint64_t total = device_bytes(device);
	uint64_t used = device.memory().in_use_bytes(Place::DEVICE);
	uint64_t free = total - std::min(total, used);
	if (!device.hal().serves_others())
		return free;
	/* Memory that other processes have allocated is not free either. */
	auto info = device.memory_info();
	return info ? std::min(free, info->free_bytes + device.memory().slack_bytes()) : free;
}

Status refuse_memory(drv::Device &device, Status status, const std::string &what)
{
	if (status != Status::QUOTA)
		return set_error(status, what + hal::limits_sentence());
	const std::string used_up = drv::used_up_quota(device.hal());
	if (!used_up.empty())
		return set_error(
			Status::NO_MEMORY,
			fmt::format("{}; the firmware lets one process have {}", what, used_up));
	return set_error(Status::NO_MEMORY,
			 fmt::format("{}; the firmware lets one process have {} bytes of all kinds "
				     "together (firmware-sim --quota-memory)",
				     what, device.hal().quotas().memory_bytes));
}

static thread_local constinit int32_t node_wish = -1;

Status set_memory_node(int32_t node)
{
	if (node != -1) {
		const base::NumaMachine machine = base::NumaMachine::read();
		const base::Placement placement =
			base::choose_placement(machine, base::NumaAllowed::now(), node);
		if (node < 0 || placement.memory != node)
			return set_error(
				Status::INVALID_ARGUMENT,
				fmt::format(
					"node is {}; it must be -1, for the device's, or a node "
					"that gives this process memory{}{}",
					node, placement.why.empty() ? "" : ": ", placement.why));
	}
	node_wish = node;
	return Status::OK;
}

/* The node from set_memory_node(); else, for pinned memory, the node of the kernel's policy (numactl). */
static int32_t wanted_node(Place place)
{
	if (node_wish >= 0 || place != Place::PINNED || hal::numa_nodes() == 1)
		return node_wish;
	return base::policy_node();
}

static Status allocate(Context &context, Place place, uint64_t bytes, uint64_t padding,
		       unpu_page_kind wish, void **out)
{
	constexpr uint64_t MOST = uint64_t{1} << 46;
	const char *kind = place == Place::DEVICE ? "device" : "pinned host";
	std::string why;
	Status status = Status::NO_MEMORY;
	if (bytes <= MOST) {
		auto bo = context.device().memory().allocate(place, bytes + padding, wish, why,
							     drv::Use::PLAIN, wanted_node(place),
							     padding);
		if (bo) {
			*out = reinterpret_cast<void *>(bo->va);
			recorder::observer.note_allocation(
				{*out, bytes,
				 place == Place::PINNED ? san::ALLOC_HOST : san::AllocFlag{}, 0,
				 padding});
			return Status::OK;
		}
		status = bo.status();
		if (status != Status::NO_MEMORY && status != Status::QUOTA)
			return set_error(
				status,
				fmt::format("{} bytes of {} memory: {}", bytes, kind,
					    why.empty() ? base::status_sentence(status) : why));
	}
	const uint64_t free_bytes = free_device_bytes(context);
	return refuse_memory(
		context.device(), status,
		fmt::format("{} contiguous bytes of {} memory can't be allocated; the device has "
			    "{} bytes in all, {} of them free{}",
			    bytes, kind, device_bytes(context.device()), free_bytes,
			    place == Place::DEVICE && bytes > free_bytes
				    ? ""
				    : ", and the process may be out of memory, mappings or files"));
}

Status malloc_device(Context &context, uint64_t bytes, uint64_t padding, unpu_page_kind wish,
		     void **out)
{
	return allocate(context, Place::DEVICE, bytes, padding, wish, out);
}

Status malloc_host(Context &context, uint64_t bytes, void **out)
{
	return allocate(context, Place::PINNED, bytes, 0, UNPU_PAGE_THP, out);
}

static Status refuse_free(const DeviceHold &device, void *address, Place place, Place found)
{
	TRY(Process::check_fork());
	const auto value = reinterpret_cast<uint64_t>(address);
	const char *call = place == Place::DEVICE ? "$malloc" : "$malloc_host";
	std::string hint = "it is pinned host memory; use $free_host";
	if (const std::string told = device ? "" : ReleasedMemory::told(address); !told.empty())
		return set_error(Status::INVALID_ARGUMENT, told + "; it needs no free");
	if (!device && Process::get().is_finalised())
		hint = "$finalize has freed all device memory";
	else if (!device)
		hint = "it is ordinary memory of the program";
	else if (device->memory().lookup(value).use == drv::Use::IMPORTED)
		hint = "it was imported; use $ipc_mem_close";
	else if (found == place)
		hint = check::tell_no_start(device, value);
	else if (found == Place::DEVICE)
		hint = "it is device memory; use $free";
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} did not come from {}: {}", fmt::ptr(address), call, hint));
}

/* Return: the fences of other devices that use the memory, and @after. */
static std::vector<drv::Fence> users_of(const DeviceHold &device, const void *address,
					std::vector<drv::Fence> after)
{
	std::vector<drv::Fence> fences = Devices::get().fences_of_users(device, address);
	fences.insert(fences.end(), after.begin(), after.end());
	return fences;
}

/* Host memory whose device was closed. */
static Status free_released(void *address, Place place)
{
	const bool is_managed = place == Place::DEVICE;
	TRY(ReleasedMemory::free(address, is_managed ? drv::Use::MANAGED : drv::Use::PLAIN));
	if (is_managed)
		ManagedMemory::get().forget(address);
	return Status::OK;
}

Status free_memory(void *address, Place place, std::vector<drv::Fence> after)
{
	Place found;
	DeviceHold device = Devices::get().locate(address, found);
	Status status = Status::INVALID_ARGUMENT;
	const bool in_stream = recorder::CallNotes::mine().stream != san::HOST;
	auto entry = recorder::observer.begin_free(address, place != Place::DEVICE ? "$free_host"
							    : in_stream ? "$mem_pool_free_async"
									: "$free");
	if (device && found == Place::PINNED)
		recorder::observer.forget_sources();
	if (device && found == place && place == Place::DEVICE)
		IpcMemory::get().forget(device, address);
	if (device && place == Place::DEVICE && found == Place::PINNED)
		status = ManagedMemory::get().free(device, address);
	else if (device && found == place)
		status = device->memory().free(place, reinterpret_cast<uint64_t>(address),
					       drv::Use::PLAIN,
					       users_of(device, address, std::move(after)));
	else if (!device)
		status = free_released(address, place);
	if (status != Status::OK)
		return refuse_free(device, address, place, found);
	entry.publish();
	if (device) {
		const bool is_managed = place == Place::DEVICE;
		ReleasedMemory::forget(address, is_managed ? drv::Use::MANAGED : drv::Use::PLAIN);
		Devices::get().close_idle(std::move(device));
	}
	return Status::OK;
}

} // namespace umd
