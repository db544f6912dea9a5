// SPDX-License-Identifier: MIT
/**
 * DOC: Openings of devices
 *
 * How a device opens and closes. The thread that closes it takes the opening out of the device's state under
 * the lock. Without the lock it then waits for the threads that use the device, and stops the device's
 * callback threads.
 */
#include "base/sync/futex.h"
#include "base/sync/mutex.h"
#include "drv/device.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/fault_watch.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/memory/fault.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/report_threads.h"
#include "umd/core/watch/hang_watch.h"
#include "umd/core/watch/look.h"

namespace umd {

using base::Result;
using base::Status;

OpenDevice::OpenDevice(DeviceState &of, uint64_t number, std::unique_ptr<drv::Device> opened)
	: state(of), epoch(number), device(std::move(opened)), calls(*device, hand_over),
	  faults(*device, of.index, of.fault), waits(std::make_unique<HangWatch>(*this))
{
	device->hal().listen_to_waits(waits.get());
	/* Destroyed events keep the semaphores of their time stamps; sweep() releases those that it can. */
	device->at_shortage([] { Event::table().sweep(); });
	device->space().set_views(is_protected);
}

OpenDevice::~OpenDevice() = default;

Status Devices::open(DeviceState &state)
{
	TRY(Process::begin_use());
	if (state.open_)
		return Status::OK;
	std::string why;
	auto device = drv::Device::open(*options_,
					visible_.logic(static_cast<uint32_t>(state.index)), why);
	if (!device)
		return set_error(device.status(), why);
	auto open = std::make_unique<OpenDevice>(state, state.epoch_ + 1, device.take());
	TRY(prepare(*open));
	state.is_aborted = false;
	{
		std::lock_guard fault(state.fault.mutex);
		state.fault.status = Status::OK;
	}
	state.saturates = false;
	state.notifies = 0;
	state.epoch_ = open->epoch;
	state.device_ = open->device.get();
	state.open_ = open.release();
	link_peers(state);
	Look::get().add(state, state.device_.load()->hal().stepped());
	if (check::is_on()) [[unlikely]]
		check::explain_faults();
	return Status::OK;
}

/* Applies the settings that the program made for all devices. */
Status Devices::prepare(OpenDevice &open)
{
	if (!FaultCallbacks::get().empty())
		TRY(open.faults.start());
	if (limits_execution_)
		TRY(open.device->control({false, true, execute_limit_ns_.load()}));
	return Status::OK;
}

/* How long a closing device waits for the threads that hold it. Such a thread does not wait for a stream, but
 * for an event of another process or for its own copy. After the limit the device is given up, which ends
 * these waits. */
static constexpr uint64_t LEAVE_NS = base::NS_PER_S;

/* Serialises the devices that leave their peers, so that no device is freed while another one leaves it. */
static constinit base::Mutex parting_mutex{"parting_mutex", base::HeldOver::ANSWERS};

/* The number of "unpu-close" threads. A futex: await_closings() sleeps on it. */
static constinit uint32_t closings = 0;

static void end_closing()
{
	base::fetch_add(closings, ~uint32_t{0});
	base::futex_wake_all(closings, false);
}

static void finish_closing(OpenDevice *open)
{
	wait_unprotected(open, open->device->hal(), LEAVE_NS);
	Look::get().remove(open->state);
	EndWatch watch(open->state.index);
	open->calls.stop([&watch] { watch.look(); });
	open->faults.stop();
	{
		std::lock_guard lock(parting_mutex);
		open->device->peers().part();
	}
	delete open;
}

/* finish_closing() waits for the end of the callback threads. A callback thread therefore starts a new thread
 * for it: it can't wait for itself, nor for another callback thread that may wait for it. */
void Devices::Closer::operator()(OpenDevice *open) const
{
	if (!CallListener::is_listening())
		return finish_closing(open);
	base::fetch_add(closings, uint32_t{1});
	auto thread = base::start_thread("unpu-close", [open] {
		finish_closing(open);
		end_closing();
	});
	if (thread)
		return thread->detach();
	/* No thread can be started: stop the device, but never free it. */
	open->device->hal().give_up();
	end_closing();
}

void Devices::await_closings()
{
	if (CallListener::is_listening())
		return;
	base::assert_unlocked("devices that close");
	while (const uint32_t count = base::load_acquire(closings))
		(void)base::futex_wait(closings, count, base::NO_DEADLINE, false);
}

bool Devices::is_used(const DeviceState &state)
{
	return state.references > 0 || state.contexts > 0;
}

/* If nothing uses the device, takes the opening out of the state, so that later calls do not find it.
 * The caller releases the lock before it destroys the result, which waits for threads. */
Devices::Closing Devices::take_out_idle(DeviceState &state)
{
	OpenDevice *open = state.open_;
	if (!open || is_used(state) || open->ending > 0)
		return nullptr;
	/* Live memory keeps the device open until it is freed, for an API that never resets the device. Memory does
	 * not keep a lost device open, nor one that was reset, nor one that abandon_all() has marked. */
	const bool has_memory = open->device->memory().live() > 0 || open->pins > 0;
	if (has_memory && !open->is_abandoned && open->device->hal().alive())
		return nullptr;
	/* This comes first, so that a thread that finds the device closed also finds its memory in the list
	 * of released memory. */
	ReleasedMemory::get().add(open->device->memory(), state.index, open->closed_by);
	state.peers = 0;
	state.epoch_++;
	state.device_ = nullptr;
	return Closing(state.open_.exchange(nullptr));
}

Devices::Closing Devices::abandon(DeviceState &state)
{
	OpenDevice *open = state.open_;
	if (!open || state.references > 0)
		return nullptr;
	open->is_abandoned = true;
	open->closed_by = "$reset_device";
	return take_out_idle(state);
}

void Devices::close_idle(DeviceState &state)
{
	Closing gone;
	std::lock_guard lock(mutex_);
	gone = take_out_idle(state);
}

/* Each thread checks after it has released what it used, so the last one finds the device unused. */
void Devices::close_idle(DeviceHold device)
{
	DeviceState &state = device.state();
	if (is_used(state)) [[likely]]
		return;
	device.drop();
	close_idle(state);
}

/* Counts the pin under the lock, so that no other thread closes the device first. */
Result<DeviceHold> Devices::pin_device(int32_t index)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	DeviceState &state = at(index);
	TRY(open(state));
	DeviceHold device(state);
	device.open().is_abandoned = false;
	device.open().pins++;
	return device;
}

void Devices::unpin_device(DeviceHold device)
{
	device.open().pins--;
	close_idle(std::move(device));
}

void Devices::abandon_all()
{
	for (DeviceState &state : states_) {
		state.primary = nullptr;
		state.references = 0;
		state.contexts = 0;
		state.limits.clear();
		state.peers = 0;
		state.lenders = 0;
		if (OpenDevice *open = state.open_) {
			open->is_abandoned = true;
			open->closed_by = "$finalize";
		}
	}
	options_read_ = false;
}

std::vector<Devices::Closing> Devices::take_out_all_idle()
{
	std::vector<Closing> gone;
	for (DeviceState &state : states_)
		gone.push_back(take_out_idle(state));
	return gone;
}

} // namespace umd
