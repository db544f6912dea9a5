// SPDX-License-Identifier: MIT
/**
 * DOC: Outgoing parcels
 *
 * A graph may outlive its communicator. Its tasks that send then fail.
 */
#include "outlet.h"

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/collective.h"
#include "umd/core/task/collective_failure.h"

namespace umd {

using base::Status;

void Outlet::open(uint32_t rank, uint32_t link, uint64_t session)
{
	std::lock_guard lock(mutex_);
	session_ = session;
	links_[rank] = {link, name_of(comm_, rank)};
}

void Outlet::close()
{
	std::lock_guard lock(mutex_);
	links_.clear();
}

Status Outlet::send(uint32_t to, ParcelKind kind, uint32_t slot, const void *data, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	const auto link = links_.find(to);
	if (link == links_.end())
		return Status::PEER_LOST;
	/* The piece must belong to the operation whose task releases the slot. If it does not, the ranks have
	 * submitted operations in different orders, or the other side runs another library. Then the data
	 * that were read are wrong. */
	if (kind == PARCEL_TAKEN && pieces_[to][slot_place(slot)] != slot)
		return Status::PEER_LOST;
	Parcel parcel{};
	parcel.comm = link->second.name;
	parcel.kind = kind;
	parcel.from = rank_;
	parcel.to = to;
	parcel.slot = slot;
	parcel.number = session_;
	parcel.bytes = bytes;
	/* The note may wait for a moment: a piece of the same call follows soon, or the call waits for the
	 * other side anyway. */
	Wire::get().send(link->second.number, parcel, data, kind == PARCEL_NOTE);
	return Status::OK;
}

bool StreamStart::has_failed_wait() const
{
	const DeviceHold held = timeline == 0 ? DeviceHold() : device.hold();
	if (!held)
		return false;
	const drv::Failure failure = collective_failure(held->failure_of(timeline));
	if (failure.status != Status::WAIT_TIMEOUT && failure.status != Status::PEER_LOST)
		return false;
	const drv::Command command = drv::decode_cookie(failure.cookie);
	/* A cookie has only the lower bits of the task's index, so the comparison is made modulo 2^40. */
	const auto behind = static_cast<int64_t>((command.index - index) << 24);
	return is_collective(command.call) && behind >= 0;
}

void Outlet::hear_piece(uint32_t from, uint32_t slot)
{
	std::lock_guard lock(mutex_);
	pieces_[from][slot_place(slot)] = slot;
}

} // namespace umd
