// SPDX-License-Identifier: MIT
/**
 * DOC: Hardware events
 *
 * A device has a limited number of hardware events. The interface defines which calls take one and when.
 * Here an id is only a number that is counted.
 */
#include "event_ids.h"

#include "umd/core/process/error.h"

namespace umd {

using base::Status;

Status EventIds::take(EventId &id, const Event *lender, IsDone is_done)
{
	std::lock_guard lock(mutex_);
	if (id.is_held)
		return Status::OK;
	if (free_.empty() && next_ == COUNT && !reclaim(is_done))
		return set_error(Status::NO_EVENT,
				 "all 65536 hardware events of the device are in use, and no "
				 "record of one is done; destroy events or wait for records");
	if (free_.empty()) {
		id.number = next_++;
	} else {
		id.number = free_.back();
		free_.pop_back();
	}
	taken_++;
	id.is_held = true;
	id.previous_lent = id.next_lent = nullptr;
	id.lender = lender;
	if (!lender)
		return Status::OK;
	id.previous_lent = last_lent_;
	(last_lent_ ? last_lent_->next_lent : first_lent_) = &id;
	last_lent_ = &id;
	return Status::OK;
}

void EventIds::unlink(EventId &id)
{
	if (id.lender) {
		(id.previous_lent ? id.previous_lent->next_lent : first_lent_) = id.next_lent;
		(id.next_lent ? id.next_lent->previous_lent : last_lent_) = id.previous_lent;
	}
	id.lender = nullptr;
	id.is_held = false;
	taken_--;
	free_.push_back(id.number);
}

void EventIds::give_back(EventId &id)
{
	if (!id.is_held.load())
		return;
	std::lock_guard lock(mutex_);
	if (id.is_held)
		unlink(id);
}

/* Takes the id of the first event whose record is done. */
bool EventIds::reclaim(IsDone is_done)
{
	EventId *id = first_lent_;
	while (id && !is_done(*id->lender))
		id = id->next_lent;
	if (id)
		unlink(*id);
	return id != nullptr;
}

uint32_t EventIds::left()
{
	std::lock_guard lock(mutex_);
	return COUNT - taken_;
}

} // namespace umd
