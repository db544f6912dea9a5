// SPDX-License-Identifier: MIT
/**
 * DOC: Notify
 *
 * A notify is a semaphore that packets set, add to, wait for and clear. It is private until it is exported,
 * for another process or for another device of this process. The export makes a group of kind NOTIFY. Each
 * other process or device then has a semaphore of its own in the group, through which its tasks change the
 * notify. Only tasks on the notify's own device can wait for it.
 */
#include "notify.h"

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/share_key.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;
using Use = drv::SemaphorePool::Use;

/* The same limit as on the chip. */
static constexpr uint32_t MAX_NOTIFIES = 8192;

static uint64_t cookie_of(const Notify &notify, bool waits)
{
	Call call = notify.is_counter ? waits ? Call::WAIT_COUNTER : Call::RECORD_COUNTER
		    : waits	      ? Call::WAIT_NOTIFY
				      : Call::RECORD_NOTIFY;
	return drv::cookie_call(static_cast<uint16_t>(call));
}

/* Without analysis: no other thread knows the notify yet. */
static Result<Notify *> make(Context &context, bool counter) NO_THREAD_SAFETY_ANALYSIS
{
	DeviceState &state = *context.state;
	if (state.notifies.fetch_add(1) >= MAX_NOTIFIES) {
		state.notifies--;
		return set_error(Status::NO_NOTIFY,
				 fmt::format("device {} has {} notifies and counters, and all are "
					     "in use; destroy one first",
					     state.index, MAX_NOTIFIES));
	}
	Notify *notify = counter ? Notify::counters().create() : Notify::table().create();
	if (!notify) {
		state.notifies--;
		return set_error(Status::NO_NOTIFY, "too many notifies; destroy some");
	}
	notify->is_counter = counter;
	notify->is_imported = notify->is_device_only = notify->in_graph = false;
	notify->is_waitable = true;
	notify->device = DeviceRef(*context.open);
	notify->sem = 0;
	notify->key = {};
	notify->seats.clear();
	recorder::observer.note_notify_created(*notify);
	return notify;
}

static void unmake(Notify &notify)
{
	auto end = [&](auto &table) {
		(void)table.retire(notify, table.pointer(notify));
		table.recycle(notify);
	};
	if (notify.device.is_open())
		notify.device.state->notifies--;
	if (notify.is_counter)
		end(Notify::counters());
	else
		end(Notify::table());
}

Result<Notify *> create_notify(Context &context, bool counter, uint64_t flags)
{
	uint64_t known = counter ? 0 : NOTIFY_DEVICE_USE_ONLY;
	if (flags & ~known)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("flag is {:#x}; it must be 0{}", flags,
					     counter ? "" : " or $NOTIFY_DEVICE_USE_ONLY (1)"));
	auto notify = make(context, counter);
	if (!notify)
		return notify;
	drv::Device &device = context.device();
	auto sem = device.allocate_semaphore(Use::FLAG);
	Status status = sem ? device.set_semaphore(*sem, 0) : sem.status();
	if (status != Status::OK) {
		unmake(**notify);
		return set_error(status, fmt::format("no semaphore is left for a notify: {}",
						     device.refusal(status, drv::Need::SEMAPHORE)));
	}
	(*notify)->sem = *sem;
	(*notify)->is_device_only = flags & NOTIFY_DEVICE_USE_ONLY;
	context.open->users.add(*sem, (*notify)->handle.now());
	return notify;
}

/* Defers the release of the semaphore, because queued tasks may still use it. */
static void retire(const Notify &notify, drv::Device &device, uint32_t sem, bool home)
	REQUIRES(notify.mutex)
{
	device.defer([&device, sem, home, key = notify.key] {
		if (!home)
			(void)device.sharing().leave_group(sem);
		else if (key.object != 0)
			(void)device.sharing().withdraw(key);
		device.semaphores().release(sem, home ? Use::FLAG : Use::SHARED);
	});
	device.reap();
}

bool destroy_notify(Notify &notify, const void *handle)
{
	if (notify.is_counter ? !Notify::counters().retire(notify, handle)
			      : !Notify::table().retire(notify, handle))
		return false;
	{
		std::lock_guard lock(notify.mutex);
		const DeviceHold device = notify.device.hold();
		if (device)
			device.open().users.remove(notify.sem);
		if (device && !notify.in_graph)
			retire(notify, *device, notify.sem, !notify.is_imported);
		for (const Notify::Seat &seat : notify.seats) {
			const DeviceHold other = seat.device.hold();
			if (other && !notify.in_graph)
				retire(notify, *other, seat.sem, false);
		}
		notify.seats.clear();
	}
	unmake(notify);
	return true;
}

static Status lost_device()
{
	return set_error(Status::INVALID_HANDLE,
			 "notify belongs to a device that was reset; create it again");
}

static Status export_locked(Notify &notify) REQUIRES(notify.mutex)
{
	const DeviceHold device = notify.device.hold();
	if (!device)
		return lost_device();
	if (notify.key.object != 0)
		return Status::OK;
	auto group = device->sharing().export_group(UNPU_EXPORT_NOTIFY, {&notify.sem, 1}, 0,
						    UNPU_EXPORT_SAME_PROCESS);
	if (!group)
		return refuse_import(group.status(), {});
	notify.key = group->key;
	recorder::observer.note_notify_shared(notify, notify.key);
	return Status::OK;
}

static Result<uint32_t> take_seat(drv::Device &device, const unpu_export_key &key)
{
	auto sem = device.allocate_semaphore(Use::SHARED);
	if (!sem)
		return set_error(sem.status(),
				 fmt::format("no semaphore is left for a notify: {}",
					     device.refusal(sem.status(), drv::Need::SEMAPHORE)));
	auto member = device.sharing().import_group(key, {&*sem, 1});
	if (member)
		return *sem;
	device.semaphores().release(*sem, Use::SHARED);
	return refuse_import(member.status(), key);
}

/* Return: the semaphore through which tasks of @stream change the notify. */
static Result<uint32_t> seat_of(Notify &notify, const Stream &stream)
{
	const OpenDevice &open = *stream.context->open;
	if (notify.device.is(open)) [[likely]]
		return notify.sem;
	std::lock_guard lock(notify.mutex);
	for (const Notify::Seat &seat : notify.seats) {
		if (seat.device.is(open))
			return seat.sem;
	}
	TRY(export_locked(notify));
	auto sem = take_seat(*open.device, notify.key);
	if (sem)
		notify.seats.push_back({DeviceRef(open), *sem});
	return sem;
}

static Status check_use(Notify &notify, const Stream &stream)
{
	if (notify.is_device_only)
		return set_error(Status::INVALID_ARGUMENT,
				 "notify was made with $NOTIFY_DEVICE_USE_ONLY: the host can't "
				 "record, wait for or clear it");
	if (!notify.device.is_open())
		return lost_device();
	if (!capturing(stream) && !collects(stream))
		return Status::OK;
	std::lock_guard lock(notify.mutex);
	notify.in_graph = true;
	return Status::OK;
}

Status record_notify(Notify &notify, Stream &stream, unpu_signal_op op, uint32_t value)
{
	TRY(check_use(notify, stream));
	auto sem = TRY(seat_of(notify, stream));
	recorder::Entry entry;
	if (stream.sink.is_empty())
		entry = recorder::observer.begin_signal(notify, stream, op, value);
	else
		recorder::observer.note_captured(notify, stream, sem);
	return enqueue_noted(stream, drv::signal_packet(cookie_of(notify, false), sem, op, value),
			     entry);
}

Status wait_notify(Notify &notify, Stream &stream, unpu_sem_wait wait)
{
	TRY(check_use(notify, stream));
	if (!notify.is_waitable || !notify.device.is(*stream.context->open))
		return set_error(Status::INVALID_ARGUMENT,
				 "notify lives on another device than the stream; it can be "
				 "recorded from there, and waited for only where it was created");
	wait.sem = notify.sem;
	recorder::Entry entry;
	if (stream.sink.is_empty())
		entry = recorder::observer.begin_await(notify, stream, wait);
	else
		recorder::observer.note_captured(notify, stream, notify.sem);
	return enqueue_noted(stream, drv::wait_packet(cookie_of(notify, true), wait), entry);
}

Status clear_notify(Notify &notify)
{
	const DeviceHold device = notify.device.hold();
	if (!device)
		return lost_device();
	Status status = device->set_semaphore(notify.sem, 0);
	if (status != Status::OK)
		return device_failed(*device, status, "the notify can't be cleared");
	recorder::observer.note_notify_cleared(notify);
	return Status::OK;
}

Result<unpu_export_key> export_notify(Notify &notify, bool any_process)
{
	if (notify.is_imported)
		return set_error(Status::INVALID_ARGUMENT,
				 "notify was imported; the process that created it exports it");
	std::lock_guard lock(notify.mutex);
	TRY(export_locked(notify));
	constexpr uint32_t ANY = 0;
	if (any_process) {
		const DeviceHold device = notify.device.hold();
		if (!device)
			return lost_device();
		Status status = device->sharing().allow(notify.key, {&ANY, 1});
		if (status != Status::OK)
			return refuse_import(status, notify.key);
	}
	return notify.key;
}

Status allow_notify(Notify &notify, std::span<const uint32_t> pids)
{
	std::lock_guard lock(notify.mutex);
	const DeviceHold device = notify.device.hold();
	if (!device)
		return lost_device();
	if (notify.is_imported || notify.key.object == 0)
		return set_error(Status::INVALID_ARGUMENT,
				 "notify has no key yet; call $notify_get_export_key for it first");
	Status status = device->sharing().allow(notify.key, pids);
	return status == Status::OK ? status : refuse_import(status, notify.key);
}

Result<Notify *> import_notify(Context &context, const unpu_export_key &key)
{
	drv::Device &device = context.device();
	TRY(check_import(device, key));
	auto notify = make(context, false);
	if (!notify)
		return notify;
	auto sem = take_seat(device, key);
	if (!sem) {
		unmake(**notify);
		return sem.status();
	}
	(*notify)->is_imported = true;
	(*notify)->is_waitable = key.device == device.hal().bar().device_index;
	(*notify)->sem = *sem;
	std::lock_guard lock((*notify)->mutex);
	(*notify)->key = key;
	recorder::observer.note_notify_shared(**notify, key);
	return notify;
}

} // namespace umd
