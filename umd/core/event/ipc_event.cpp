// SPDX-License-Identifier: MIT
/**
 * DOC: Events of several processes
 *
 * A record takes a lane, claims the lane's next value on the shared page and submits the signal of that
 * value. claim() tries three kinds of lanes in turn. First, a lane that the same stream used last: stream
 * order keeps the values in order. Second, a lane whose last claimed value is signalled. Third, a lane that
 * this device claimed last: the device waits for that value first. The signal has UNPU_PACKET_ALWAYS, so that
 * it is sent even when the stream skips tasks; without it another process could wait for ever.
 */
#include "umd/core/device/open_device.h"
#include "umd/core/object/ipc_event_object.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "hal/topology.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/memory/share_key.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_tail.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;
using Use = drv::SemaphorePool::Use;

Result<IpcEvent::Lanes> IpcEvent::take_lanes(drv::Device &device)
{
	Lanes lanes{};
	for (uint32_t &lane : lanes) {
		auto sem = device.allocate_semaphore(Use::SHARED);
		if (!sem) {
			give_lanes(device, lanes);
			return set_error(
				sem.status(),
				fmt::format("no semaphore is left for an event with $EVENT_IPC: {}",
					    device.refusal(sem.status(), drv::Need::SEMAPHORE)));
		}
		lane = *sem;
	}
	return lanes;
}

void IpcEvent::give_lanes(drv::Device &device, const Lanes &lanes)
{
	for (uint32_t lane : lanes) {
		if (lane != UNPU_SEM_NONE)
			device.semaphores().release(lane, Use::SHARED);
	}
}

Result<std::shared_ptr<IpcEvent>> IpcEvent::create(OpenDevice &open)
{
	drv::Device &device = *open.device;
	std::shared_ptr<IpcEvent> event(new IpcEvent);
	auto lanes = TRY(take_lanes(device));
	auto page = device.create_segment(UNPU_SEGMENT_PINNED, sizeof(unpu_event_page),
					  UNPU_SEGMENT_SHAREABLE);
	auto group = page ? device.sharing().export_group(UNPU_EXPORT_EVENT, lanes, page->id,
							  UNPU_EXPORT_ANY_PROCESS |
								  UNPU_EXPORT_SAME_PROCESS)
			  : Result<drv::GroupMember>(page.status());
	/* The group has its own reference to the page. */
	if (page)
		device.destroy_segment(page->id);
	if (!group) {
		give_lanes(device, lanes);
		return set_error(
			group.status(),
			fmt::format("an event that processes share needs a page of memory: "
				    "{}{}",
				    base::status_sentence(group.status()), hal::limits_sentence()));
	}
	event->memory_ = std::move(page->memory);
	event->key_ = group->key;
	event->is_owner_ = true;
	std::lock_guard lock(event->mutex_);
	event->seats_.push_back({DeviceRef(open), group->number, lanes});
	return event;
}

/* Maps the page once. The segment can be destroyed afterwards, because the mapping keeps the memory alive. */
Status IpcEvent::map_page(drv::Device &device, drv::GroupMember &member)
{
	Status status = Status::OK;
	if (!memory_.data()) {
		auto memory = base::map_shared(member.page.shared.fd, member.page.bytes, true,
					       UNPU_PAGE_4K);
		status = memory.status();
		if (memory)
			memory_ = memory.take();
	}
	device.destroy_segment(member.page.id);
	return status;
}

Result<IpcEvent::Seat> IpcEvent::join(OpenDevice &open, drv::GroupMember &member)
{
	drv::Device &device = *open.device;
	auto lanes = TRY(take_lanes(device));
	auto joined = device.sharing().import_group(key_, lanes);
	if (!joined) {
		give_lanes(device, lanes);
		return refuse_import(joined.status(), key_);
	}
	member = joined.take();
	return Seat{DeviceRef(open), member.number, lanes};
}

Result<std::shared_ptr<IpcEvent>> IpcEvent::open(OpenDevice &open, const unpu_export_key &key)
{
	TRY(check_import(*open.device, key));
	std::shared_ptr<IpcEvent> event(new IpcEvent);
	event->key_ = key;
	drv::GroupMember member;
	auto seat = TRY(event->join(open, member));
	{
		std::lock_guard lock(event->mutex_);
		event->seats_.push_back(seat);
	}
	Status status = event->map_page(*open.device, member);
	if (status != Status::OK)
		return device_failed(*open.device, status, "the event's page can't be mapped");
	return event;
}

IpcEvent::~IpcEvent()
{
	for (const Seat &seat : seats_) {
		const DeviceHold held = seat.device.hold();
		if (!held)
			continue;
		drv::Device *device = &*held;
		bool withdraws = is_owner_ && &seat == &seats_.front();
		device->defer([device, withdraws, lanes = seat.lanes, key = key_] {
			if (withdraws)
				(void)device->sharing().withdraw(key);
			else
				(void)device->sharing().leave_group(lanes[0]);
			give_lanes(*device, lanes);
		});
		device->reap();
	}
}

Result<IpcEvent::Seat> IpcEvent::seat_of(OpenDevice &open)
{
	std::lock_guard lock(mutex_);
	for (const Seat &seat : seats_) {
		if (seat.device.is(open))
			return seat;
	}
	drv::GroupMember member;
	auto seat = join(open, member);
	if (!seat)
		return seat;
	(void)map_page(*open.device, member);
	seats_.push_back(*seat);
	return seat;
}

/* The host reads the event through the device on which this process created or opened it. */
Result<IpcEvent::Seat> IpcEvent::first_seat()
{
	std::lock_guard lock(mutex_);
	if (seats_.front().device.is_open())
		return seats_.front();
	return set_error(Status::INVALID_HANDLE,
			 "event belongs to a device that was reset; create it again");
}

bool IpcEvent::take(const Seat &seat, const Stream &stream, uint32_t lane, uint64_t claim,
		    bool after_other, Ticket &ticket)
{
	uint64_t value = (claim & UNPU_EVENT_VALUE_MASK) + 1;
	if (!base::compare_exchange(page().lanes[lane], claim,
				    UNPU_EVENT_CLAIM(seat.number, value)))
		return false;
	claims_[lane] = {value, &stream.context->device(), stream.channel->timeline(), 0};
	ticket = {lane, value, after_other, claim};
	return true;
}

/* @only_submitted: does not count on records of this process that are claimed but not submitted. */
bool IpcEvent::claim(const Seat &seat, const Stream &stream, Ticket &ticket, bool only_submitted)
{
	const drv::Device &device = stream.context->device();
	uint64_t seen[UNPU_EVENT_LANES];
	std::lock_guard lock(mutex_);
	for (uint32_t lane = 0; lane < UNPU_EVENT_LANES; lane++) {
		const Claim &own = claims_[lane];
		seen[lane] = base::load_acquire(page().lanes[lane]);
		bool mine = seen[lane] == UNPU_EVENT_CLAIM(seat.number, own.value) &&
			    (own.submitted != 0 || !only_submitted);
		if (mine && own.device == &device && own.timeline == stream.channel->timeline() &&
		    take(seat, stream, lane, seen[lane], false, ticket))
			return true;
	}
	for (uint32_t lane = 0; lane < UNPU_EVENT_LANES; lane++) {
		uint64_t claimed = seen[lane] & UNPU_EVENT_VALUE_MASK;
		if (device.value(seat.lanes[lane]) >= claimed &&
		    take(seat, stream, lane, seen[lane], false, ticket))
			return true;
	}
	for (uint32_t lane = 0; lane < UNPU_EVENT_LANES; lane++) {
		const Claim &own = claims_[lane];
		if (UNPU_EVENT_CLAIM_MEMBER(seen[lane]) != seat.number ||
		    (only_submitted && own.submitted == 0))
			continue;
		/* The record has retired, but its value was not signalled: it was dropped. Do not wait for it. */
		bool over = own.submitted != 0 && device.done({own.timeline, own.submitted});
		if (take(seat, stream, lane, seen[lane], !over, ticket))
			return true;
	}
	return false;
}

/* Any lane that becomes free is enough, but a thread can sleep on one only: wait 1 ms on each in turn. */
Status IpcEvent::wait_for_rest(const Seat &seat, unsigned round)
{
	uint32_t lane = round % UNPU_EVENT_LANES;
	uint64_t claimed = base::load_acquire(page().lanes[lane]) & UNPU_EVENT_VALUE_MASK;
	const DeviceHold device = seat.device.hold();
	if (!device)
		return Status::DEVICE_LOST;
	Status status =
		device->wait({seat.lanes[lane], claimed}, base::deadline_after(base::NS_PER_MS));
	return status == Status::TIMEOUT ? Status::OK : status;
}

Status IpcEvent::attach(OpenDevice &open)
{
	return seat_of(open).status();
}

/* Return: INVALID_HANDLE; sets no error message. */
Result<IpcEvent::Seat> IpcEvent::known_seat(const drv::Device &device)
{
	std::lock_guard lock(mutex_);
	for (const Seat &seat : seats_) {
		if (seat.device.is(device))
			return seat;
	}
	return Status::INVALID_HANDLE;
}

bool IpcEvent::try_claim(const Stream &stream, Ticket &ticket)
{
	auto seat = known_seat(stream.context->device());
	return seat && claim(*seat, stream, ticket, true);
}

Status IpcEvent::wait_for_lane(const Stream &stream, unsigned round)
{
	auto seat = known_seat(stream.context->device());
	return seat ? wait_for_rest(*seat, round) : seat.status();
}

void IpcEvent::unclaim(const Stream &stream, const Ticket &ticket)
{
	auto seat = known_seat(stream.context->device());
	if (!seat)
		return;
	uint64_t claim = UNPU_EVENT_CLAIM(seat->number, ticket.value);
	std::lock_guard lock(mutex_);
	if (base::compare_exchange(page().lanes[ticket.lane], claim, ticket.before) &&
	    claims_[ticket.lane].value == ticket.value)
		claims_[ticket.lane] = {};
}

Fence IpcEvent::fence(const Stream &stream, const Ticket &ticket)
{
	auto seat = known_seat(stream.context->device());
	return seat ? Fence{seat->lanes[ticket.lane], ticket.value} : Fence{};
}

void IpcEvent::publish(const Ticket &ticket)
{
	base::store_release(page().latest, UNPU_EVENT_RECORD(ticket.lane, ticket.value));
}

void IpcEvent::note_submitted(const Ticket &ticket, const Fence &fence)
{
	std::lock_guard lock(mutex_);
	Claim &own = claims_[ticket.lane];
	if (own.value == ticket.value)
		own.submitted = fence.value;
}

Fence IpcEvent::latest_fence(drv::Device &device)
{
	uint32_t lane;
	uint64_t value;
	auto seat = known_seat(device);
	if (!seat || !latest(lane, value))
		return {};
	Fence fence{seat->lanes[lane], value};
	return device.done(fence) && !lost(device, *seat, lane, value) ? Fence{} : fence;
}

Result<Fence> IpcEvent::record(Stream &stream)
{
	auto seat = TRY(seat_of(*stream.context->open));
	Ticket ticket;
	for (unsigned round = 0; !claim(seat, stream, ticket); round++) {
		Status status = wait_for_rest(seat, round);
		if (status != Status::OK)
			return set_error(
				status,
				fmt::format("the event with $EVENT_IPC has {} records that did not "
					    "end: {}",
					    UNPU_EVENT_LANES, base::status_sentence(status)));
	}
	publish(ticket);
	uint32_t sem = seat.lanes[ticket.lane];
	uint64_t cookie = drv::cookie_call(static_cast<uint8_t>(Call::RECORD_EVENT));
	auto fence = stream_tail(stream);
	if (fence && ticket.is_after_other) {
		auto wait = drv::wait_packet(cookie, sem, ticket.value - 1, 0);
		wait.flags = UNPU_PACKET_ALWAYS;
		fence = submit(stream, wait);
	}
	if (fence) {
		auto signal = drv::signal_packet(cookie, sem, UNPU_SIGNAL_RAISE, ticket.value);
		signal.flags = UNPU_PACKET_ALWAYS;
		fence = submit(stream, signal);
	}
	if (fence)
		note_submitted(ticket, *fence);
	return fence;
}

bool IpcEvent::recorded() const
{
	uint32_t lane;
	uint64_t value;
	return latest(lane, value);
}

bool IpcEvent::latest(uint32_t &lane, uint64_t &value) const
{
	uint64_t record = base::load_acquire(page().latest);
	lane = UNPU_EVENT_RECORD_LANE(record);
	value = record & UNPU_EVENT_VALUE_MASK;
	return value != 0;
}

bool IpcEvent::lost(drv::Device &device, const Seat &seat, uint32_t lane, uint64_t value)
{
	const unpu_sem_device &line = device.hal().completion().semaphores[seat.lanes[lane]];
	return base::load_acquire(line.status) == static_cast<uint32_t>(Status::PEER_LOST) &&
	       value >= base::load_relaxed(line.fault_cookie) &&
	       value <= base::load_relaxed(line.fault_address);
}

/* Whether @stream itself submitted the record. Stream order then makes a wait unnecessary. */
bool IpcEvent::is_before(const Stream &stream, uint32_t lane, uint64_t value)
{
	std::lock_guard lock(mutex_);
	const Claim &own = claims_[lane];
	return own.device == &stream.context->device() &&
	       own.timeline == stream.channel->timeline() && own.value >= value;
}

Result<Fence> IpcEvent::wait(Stream &stream, uint64_t timeout_ns, bool outlives)
{
	uint32_t lane;
	uint64_t value;
	auto seat = TRY(seat_of(*stream.context->open));
	if (!latest(lane, value) || is_before(stream, lane, value))
		return Fence{};
	uint32_t sem = seat.lanes[lane];
	if (stream.context->device().done({sem, value}) &&
	    !lost(stream.context->device(), seat, lane, value))
		return Fence{};
	return submit(stream, drv::event_wait_packet(
				      drv::cookie_call(static_cast<uint8_t>(Call::WAIT_EVENT)), sem,
				      value, timeout_ns, outlives));
}

static Status refuse_lost()
{
	return set_error(Status::PEER_LOST, "the process that recorded the event ended before the "
					    "record was done; record it again in a live process");
}

Status IpcEvent::sync(uint64_t deadline_ns, hal::WaitWay way)
{
	uint32_t lane;
	uint64_t value;
	auto seat = TRY(first_seat());
	const DeviceHold device = seat.device.hold();
	if (!device || !latest(lane, value))
		return Status::OK;
	TRY(device->wait({seat.lanes[lane], value}, deadline_ns, way));
	return lost(*device, seat, lane, value) ? refuse_lost() : Status::OK;
}

Result<bool> IpcEvent::done()
{
	uint32_t lane;
	uint64_t value;
	auto seat = TRY(first_seat());
	const DeviceHold device = seat.device.hold();
	if (!device || !latest(lane, value))
		return true;
	bool over;
	Status status = device->query({seat.lanes[lane], value}, over);
	if (status != Status::OK)
		return device_failed(*device, status, "the event with $EVENT_IPC can't be queried");
	if (over && lost(*device, seat, lane, value))
		return refuse_lost();
	return over;
}

} // namespace umd
