// SPDX-License-Identifier: MIT
/**
 * DOC: Outgoing frames
 *
 * A graph may outlive its communicator. Its tasks that send then fail.
 */
#include "send_queue.h"

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/collective.h"
#include "umd/core/task/collective_failure.h"

namespace umd {

using base::Status;

void SendQueue::open(uint32_t rank, uint32_t link, uint64_t session)
{
	std::lock_guard lock(mutex_);
	session_ = session;
	links_[rank] = {link, name_of(comm_, rank)};
}

void SendQueue::close()
{
	std::lock_guard lock(mutex_);
	links_.clear();
}

Status SendQueue::send(uint32_t to, FrameKind kind, uint32_t slot, const void *data, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	const auto link = links_.find(to);
	if (link == links_.end())
		return Status::PEER_LOST;
	/* The piece must belong to the operation whose task releases the slot. If it does not, the ranks have
	 * submitted operations in different orders, or the other side runs another library. Then the data
	 * that were read are wrong. */
	if (kind == FRAME_TAKEN && pieces_[to][slot_place(slot)] != slot)
		return Status::PEER_LOST;
	Frame frame{};
	frame.comm = link->second.name;
	frame.kind = kind;
	frame.from = rank_;
	frame.to = to;
	frame.slot = slot;
	frame.number = session_;
	frame.bytes = bytes;
	/* The note may wait for a moment: a piece of the same call follows soon, or the call waits for the
	 * other side anyway. */
	Wire::get().send(link->second.number, frame, data, kind == FRAME_NOTE);
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

void SendQueue::on_piece(uint32_t from, uint32_t slot)
{
	std::lock_guard lock(mutex_);
	pieces_[from][slot_place(slot)] = slot;
}

} // namespace umd
