// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/os/shm.h"
#include "base/result.h"
#include "base/sync/mutex.h"
#include "drv/attachment/sharing.h"
#include "drv/packet/fence.h"
#include "hal/wait_policy.h"
#include "uapi/event.h"
#include "umd/core/device/device_state.h"

namespace umd {

struct Stream;

/**
 * class IpcEvent - an event that processes share; uapi/event.h describes the format. Each device of this
 * process that records it or waits for it is a separate member. A record, a wait and a query send no
 * request to the firmware.
 *
 * Context: any thread, no lock held. The last reference is dropped when the queued tasks that use the
 * event are done.
 */
class IpcEvent {
public:
	/** create() - creates an event on a device. Return: NO_RESOURCE, NO_MEMORY, QUOTA, DEVICE_LOST. */
	static base::Result<std::shared_ptr<IpcEvent>> create(OpenDevice &open);

	/** open() - opens an event of another process.
	 * Return: NOT_SUPPORTED for a key of another firmware, SAME_PROCESS, NOT_SHARED, NO_RESOURCE. */
	static base::Result<std::shared_ptr<IpcEvent>> open(OpenDevice &open,
							    const unpu_export_key &key);
	~IpcEvent();

	const unpu_export_key &key() const { return key_; }

	/** record() - records the event after all work submitted to @stream so far. The calling thread waits
	 * while other processes have records under way on every lane. */
	base::Result<drv::Fence> record(Stream &stream);

	/** wait() - makes the next task of @stream wait for the latest record, if there is one.
	 * @timeout_ns: 0 for no limit
	 * @outlives: true: if the process that made the record has ended, the task does not wait; false: then
	 * the stream fails with PEER_LOST */
	base::Result<drv::Fence> wait(Stream &stream, uint64_t timeout_ns, bool outlives);

	/** sync() - the calling thread waits for the latest record.
	 * Return: TIMEOUT, DEVICE_LOST, PEER_LOST if the process that made the record has ended. */
	base::Status sync(uint64_t deadline_ns, hal::WaitWay way = hal::WaitWay::BRIEF);

	/** recorded() - whether any process has recorded the event. */
	bool recorded() const;

	/** struct Ticket - a record that has claimed a lane. */
	struct Ticket {
		uint32_t lane = 0;
		uint64_t value = 0;
		bool is_after_other = false; /* the previous value may not be signalled yet */
		uint64_t before = 0;	     /* the lane's claim before this one */
	};

	/** attach() - makes a device a member of the event, so that the calls below need no request.
	 * Return: as open(). */
	base::Status attach(OpenDevice &open);

	/* The calls below are the steps of a record that the caller submits itself. Context: attach() was
	 * called for the stream's device. */

	/** try_claim() - claims a lane for a record in @stream. It waits only for work that was already
	 * submitted.
	 * Return: false if each lane has a record that was not submitted yet. */
	bool try_claim(const Stream &stream, Ticket &ticket);

	/** wait_for_lane() - after try_claim() has failed: waits a moment. @round: number of the try
	 * Return: DEVICE_LOST. */
	base::Status wait_for_lane(const Stream &stream, unsigned round);

	/** unclaim() - gives up a claim whose record was not submitted. */
	void unclaim(const Stream &stream, const Ticket &ticket);

	/** fence() - the fence that the record has to signal. */
	drv::Fence fence(const Stream &stream, const Ticket &ticket);

	/** publish() - makes the record the event's latest one. */
	void publish(const Ticket &ticket);

	/** note_submitted() - @fence: fence of the record's last packet. Later records may wait for it. */
	void note_submitted(const Ticket &ticket, const drv::Fence &fence);

	/** latest_fence() - the fence of @device for the latest record; empty if it is done or there is
	 * none. */
	drv::Fence latest_fence(drv::Device &device);

	/** done() - whether the latest record is done, or there is none. Return: PEER_LOST. */
	base::Result<bool> done();

private:
	using Lanes = std::array<uint32_t, UNPU_EVENT_LANES>;

	/** struct Seat - the membership of one device of this process. */
	struct Seat {
		DeviceRef device;
		uint32_t number = 0; /* member number of the device on the shared page */
		Lanes lanes{};	     /* its semaphore for each lane */
	};

	/** struct Claim - the latest record of this process on a lane. */
	struct Claim {
		uint64_t value = 0;
		drv::Device *device = nullptr;
		uint32_t timeline = 0; /* timeline of the channel to which it was submitted */
		/* value of its fence on that timeline; 0: not submitted yet */
		uint64_t submitted = 0;
	};

	IpcEvent() = default;
	static base::Result<Lanes> take_lanes(drv::Device &device);
	static void give_lanes(drv::Device &device, const Lanes &lanes);
	base::Status map_page(drv::Device &device, drv::GroupMember &member);
	base::Result<Seat> join(OpenDevice &open, drv::GroupMember &member);
	base::Result<Seat> seat_of(OpenDevice &open);
	base::Result<Seat> first_seat();

	unpu_event_page &page() const { return *memory_.as<unpu_event_page>(); }
	bool take(const Seat &seat, const Stream &stream, uint32_t lane, uint64_t claim,
		  bool after_other, Ticket &ticket) REQUIRES(mutex_);
	bool claim(const Seat &seat, const Stream &stream, Ticket &ticket,
		   bool only_submitted = false);
	base::Result<Seat> known_seat(const drv::Device &device);
	base::Status wait_for_rest(const Seat &seat, unsigned round);
	bool latest(uint32_t &lane, uint64_t &value) const;
	static bool lost(drv::Device &device, const Seat &seat, uint32_t lane, uint64_t value);
	bool is_before(const Stream &stream, uint32_t lane, uint64_t value);

	unpu_export_key key_{};
	bool is_owner_ = false;
	base::Mapping memory_;

	/* A device joins the event under this lock, so that it joins only once. */
	base::Mutex mutex_{"IpcEvent::mutex_", base::HeldOver::ANSWERS};
	std::vector<Seat> seats_ GUARDED_BY(mutex_);
	std::array<Claim, UNPU_EVENT_LANES> claims_ GUARDED_BY(mutex_){};
};

} // namespace umd
