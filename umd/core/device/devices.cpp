// SPDX-License-Identifier: MIT
/**
 * DOC: Devices
 *
 * The devices of the device string, and which of them the program sees. Functions for one device or for
 * all. opening.cpp opens and closes devices; peers.cpp has which devices may use each other's memory.
 */
#include "devices.h"

#include <fmt/format.h>

#include "hal/schedule.h"
#include "open_device.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/process/error.h"
#include "umd/core/process/words.h"

namespace umd {

using base::Result;
using base::Status;

Devices::Devices() : options_(std::make_unique<hal::Options>())
{
	Process::begin_checks();
	for (unsigned i = 0; i < MAX_DEVICES; i++)
		states_[i].index = static_cast<int32_t>(i);
}

Devices::~Devices() = default;

static Status complete(hal::Options &options)
{
	std::string why;
	Status status = hal::complete_options(options, why);
	if (status != Status::OK)
		return set_error(status, "UNPU_DEVICE: " + why);
	return Status::OK;
}

Status Devices::ensure_options()
{
	if (options_read_)
		return Status::OK;
	std::string why;
	auto parsed = hal::parse_device_string(hal::environment("UNPU_DEVICE"), why);
	if (!parsed)
		return set_error(parsed.status(), "UNPU_DEVICE: " + why);
	/* open() asks for it again. A wrong one is refused as early as a wrong device. */
	if (const auto schedule = hal::asked_schedule(*parsed, why); !schedule)
		return set_error(schedule.status(), why);
	TRY(complete(*parsed));
	*options_ = parsed.take();
	Status status = visible_.read(hal::environment(name_of_word("$VISIBLE_DEVICES")),
				      options_->devices, why);
	if (status != Status::OK)
		return set_error(status, why);
	options_read_ = true;
	return Status::OK;
}

Result<uint32_t> Devices::device_count()
{
	std::lock_guard lock(mutex_);
	TRY(ensure_options());
	return visible_.count();
}

Result<VisibleDevices> Devices::visible_devices()
{
	std::lock_guard lock(mutex_);
	TRY(ensure_options());
	return visible_;
}

const std::string &Devices::soc_name()
{
	std::lock_guard lock(mutex_);
	(void)ensure_options();
	return options_->soc_name;
}

std::shared_ptr<const base::FaultPlan> Devices::host_faults()
{
	std::lock_guard lock(mutex_);
	(void)ensure_options();
	return options_->faults.host;
}

Status Devices::check_index(int32_t index)
{
	TRY(Process::check_fork());
	TRY(ensure_options());
	if (index >= 0 && index < static_cast<int32_t>(visible_.count()))
		return Status::OK;
	return set_error(Status::INVALID_DEVICE,
			 fmt::format("deviceId is {}, but the devices are 0 to {}{}{}{}", index,
				     visible_.count() - 1,
				     visible_.filtered() ? ", as $VISIBLE_DEVICES lists them" : "",
				     visible_.end().empty() ? "" : " up to an entry that ends it: ",
				     visible_.end()));
}

Status Devices::watch_faults()
{
	std::lock_guard lock(mutex_);
	for (DeviceState &state : states_) {
		OpenDevice *open = state.open_;
		if (open)
			TRY(open->faults.start());
	}
	return Status::OK;
}

Status Devices::set_execute_limit(uint64_t limit_ns)
{
	std::lock_guard lock(mutex_);
	execute_limit_ns_ = limit_ns;
	limits_execution_ = true;
	for (DeviceState &state : states_) {
		OpenDevice *open = state.open_;
		Status status = open ? open->device->control({false, true, limit_ns}) : Status::OK;
		if (status != Status::OK)
			return device_failed(*open->device, status,
					     fmt::format("device {} does not take the time limit "
							 "of tasks",
							 state.index));
	}
	return Status::OK;
}

Result<uint64_t> Devices::window_bytes()
{
	std::lock_guard lock(mutex_);
	TRY(Process::check_fork());
	TRY(ensure_options());
	return options_->window_bytes;
}

Status Devices::with_device(int32_t index, bool open_only,
			    const std::function<Status(drv::Device &)> &visit)
{
	Closing gone;
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	DeviceState &state = at(index);
	if (open_only && !state.open_)
		return set_error(
			Status::DEVICE_SET_MISSING,
			fmt::format("device {} is not open; call $set_device first", index));
	TRY(open(state));
	Status status = visit(*state.device_);
	gone = take_out_idle(state);
	return status;
}

Result<std::string> Devices::snapshot(int32_t index)
{
	std::unique_lock lock(mutex_);
	TRY(check_index(index));
	if (!at(index).open_ && options_->backend == hal::Backend::SOCKET) {
		std::string why;
		auto seen = hal::look(*options_, visible_.logic(static_cast<uint32_t>(index)), why);
		if (!seen)
			return set_error(seen.status(), why);
		return seen;
	}
	lock.unlock();
	std::string text;
	Status status = with_device(index, false, [&](drv::Device &device) {
		auto seen = device.hal().snapshot();
		if (!seen)
			return device_failed(device, seen.status(),
					     "the device did not report its state");
		text = seen.take();
		return Status::OK;
	});
	if (status != Status::OK)
		return status;
	return text;
}

Result<DeviceState *> Devices::device_state(int32_t index)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	return &at(index);
}

Status Devices::last_fault(int32_t index, Status &fault, uint64_t &address)
{
	auto state = TRY(device_state(index));
	std::lock_guard lock(state->fault.mutex);
	fault = state->fault.status;
	address = state->fault.address;
	return Status::OK;
}

Status Devices::repair(int32_t index)
{
	auto state = TRY(device_state(index));
	if (!state->is_aborted.exchange(false))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the tasks of device {} were not aborted; call "
					     "$device_task_abort before it is repaired",
					     index));
	std::lock_guard lock(state->fault.mutex);
	state->fault.status = Status::OK;
	return Status::OK;
}

/* @but: an open device that the search skips. */
DeviceHold Devices::search(const OpenDevice *but, const void *address, drv::Place &place)
{
	auto value = reinterpret_cast<uint64_t>(address);
	for (const DeviceState &state : states_) {
		const OpenDevice *open = state.open_;
		if (!open || open == but)
			continue;
		DeviceHold device(state);
		if (!device)
			continue;
		place = device->space().place(value);
		if (place != drv::Place::OUTSIDE)
			return device;
	}
	place = drv::Place::OUTSIDE;
	return {};
}

} // namespace umd
