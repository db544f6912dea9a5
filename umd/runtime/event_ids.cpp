// SPDX-License-Identifier: MIT
/**
 * DOC: Hardware events
 *
 * A device has so many of them. What takes one and when is part of the API; here an id is nothing but
 * a number that is counted.
 */
#include "umd/event_ids.h"

#include "umd/error.h"
#include "umd/event.h"

namespace umd {

using base::Status;

Status EventIds::take(Event &event, bool lend)
{
	std::lock_guard lock(mutex_);
	if (event.holds_id)
		return Status::OK;
	if (free_.empty() && next_ == COUNT && !reclaim())
		return set_error(Status::NO_EVENT,
				 "all 65536 hardware events of the device are in use, and no "
				 "record of one is done; destroy events or wait for records");
	if (free_.empty()) {
		event.id = next_++;
	} else {
		event.id = free_.back();
		free_.pop_back();
	}
	taken_++;
	event.holds_id = true;
	event.previous_lent = event.next_lent = nullptr;
	if (!lend)
		return Status::OK;
	event.lends_id = true;
	event.previous_lent = last_lent_;
	(last_lent_ ? last_lent_->next_lent : first_lent_) = &event;
	last_lent_ = &event;
	return Status::OK;
}

void EventIds::unlink(Event &event)
{
	if (event.lends_id) {
		(event.previous_lent ? event.previous_lent->next_lent : first_lent_) =
			event.next_lent;
		(event.next_lent ? event.next_lent->previous_lent : last_lent_) =
			event.previous_lent;
	}
	event.lends_id = event.holds_id = false;
	taken_--;
	free_.push_back(event.id);
}

void EventIds::give_back(Event &event)
{
	if (!event.holds_id.load())
		return;
	std::lock_guard lock(mutex_);
	if (event.holds_id)
		unlink(event);
}

/* Takes the id of the first event whose record is done. */
bool EventIds::reclaim()
{
	for (Event *event = first_lent_; event; event = event->next_lent) {
		const DeviceHold device = event->device.hold();
		const drv::Fence fence = event->record.fence();
		if (!fence.empty() && (!device || device->done(fence))) {
			unlink(*event);
			return true;
		}
	}
	return false;
}

uint32_t EventIds::left()
{
	std::lock_guard lock(mutex_);
	return COUNT - taken_;
}

} // namespace umd
