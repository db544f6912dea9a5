// SPDX-License-Identifier: MIT
/**
 * DOC: Relay
 *
 * Pieces of data go from slot to slot, and the host does not copy them. A rank also reports each of its calls
 * to the first rank of each other island. That rank logs the call in its island's call log, and compares it
 * with the calls there. So the island that learns of the later of two different calls detects the difference,
 * as it does for ranks of one island.
 */
#include "relay.h"

#include <algorithm>

#include "umd/hccl/hccl_result.h"

namespace umd {

using base::Status;

static constexpr uint32_t NONE = ~0u;
enum : uint32_t { CALL = 0, RECEIVED = 1, SENT = 2 };

Relay::~Relay()
{
	leave(false);
}

HcclResult Relay::open(RankPlace &own)
{
	std::vector<uint8_t> address;
	TRY(Wire::get().open(own.listener, address));
	is_open_ = true;
	send_queue_ = std::make_shared<SendQueue>(comm_, rank_);
	name_ = SendQueue::name_of(comm_, rank_);
	own.wire_bytes = static_cast<uint32_t>(address.size());
	std::copy(address.begin(), address.end(), own.wire.begin());
	return HCCL_SUCCESS;
}

HcclResult Relay::connect_to(uint32_t rank)
{
	if (connections_[rank] == NONE)
		TRY(Wire::get().connect(name_, addresses_[rank], connections_[rank]));
	send_queue_->open(rank, connections_[rank], session_);
	return HCCL_SUCCESS;
}

/* Connects to the ranks with links, and to the first rank of each island, which receives reports of calls. */
HcclResult Relay::connect_all()
{
	connections_.assign(islands_.ranks(), NONE);
	Wire::get().attach(name_, this);
	for (const uint32_t rank : links_.ranks())
		TRY(connect_to(rank));
	for (uint32_t island = 0; island < islands_.count(); island++) {
		if (island != islands_.own())
			TRY(connect_to(islands_.members(island)[0]));
	}
	return HCCL_SUCCESS;
}

void Relay::grant(uint32_t rank, uint32_t slots)
{
	(void)send_queue_->send(rank, FRAME_GRANT, slots, nullptr, 0);
}

Status Relay::reach(uint32_t rank, bool is_send, uint32_t slots)
{
	bool is_new = false;
	TRY(links_.open(rank, is_send ? Way::OUT : Way::IN, slots, is_new));
	if (!is_new)
		return Status::OK;
	if (connect_to(rank) != HCCL_SUCCESS)
		return Status::PEER_LOST;
	if (!is_send)
		grant(rank, slots);
	return Status::OK;
}

void Relay::grant_again()
{
	for (const auto &[rank, slots] : links_.grants())
		grant(rank, slots);
}

HcclResult Relay::connect(std::span<const RankPlace> table)
{
	for (const RankPlace &place : table)
		addresses_.emplace_back(place.wire.begin(), place.wire.begin() + place.wire_bytes);
	return connect_all();
}

HcclResult Relay::stop()
{
	send_queue_->close();
	is_quiet_ = Wire::get().detach(name_);
	connections_.clear();
	session_++;
	return is_quiet_
		       ? HCCL_SUCCESS
		       : refuse(HCCL_E_TIMEOUT, "a rank of another firmware does not take what was "
						"sent to it; look at its error, and begin again");
}

HcclResult Relay::restart()
{
	TRY(links_.reset());
	return connect_all();
}

void Relay::tell(uint32_t island, const Note &note)
{
	if (island != islands_.own())
		(void)send_queue_->send(islands_.members(island)[0], FRAME_NOTE, 0, &note,
					sizeof(note));
}

void Relay::tell_call(const CallNote &note)
{
	for (uint32_t island = 0; island < islands_.count(); island++)
		tell(island, {note, 0, CALL});
}

void Relay::tell_message(uint32_t other, bool is_send, const CallNote &note)
{
	tell(islands_.of(other), {note, other, is_send ? SENT : RECEIVED});
}

std::shared_ptr<const HostWork> Relay::sending(const StreamStart &start, uint32_t to, LinkSlot slot,
					       uint32_t mark, uint64_t bytes)
{
	const auto *data = reinterpret_cast<const void *>(links_.outgoing(to, slot));
	return std::make_shared<Dispatch>(send_queue_, start, to, FRAME_DATA, slot_word(slot, mark),
					  data, bytes);
}

std::shared_ptr<const HostWork> Relay::taking(const StreamStart &start, uint32_t from,
					      LinkSlot slot, uint32_t mark) const
{
	return std::make_shared<Dispatch>(send_queue_, start, from, FRAME_TAKEN,
					  slot_word(slot, mark), nullptr, 0);
}

void Relay::leave(bool keep)
{
	if (!is_open_)
		return;
	is_open_ = false;
	send_queue_->close();
	if (!connections_.empty())
		is_quiet_ = Wire::get().detach(name_);
	const bool is_closed = Wire::get().close();
	/* If the other side hangs, the wire may still read or write a slot later, so the slots have to
	 * stay. */
	links_.leave(keep || !(is_quiet_ || is_closed));
}

/* Another process may send any bytes, so the relay checks each field. */
bool Relay::is_valid(const Frame &frame)
{
	if (frame.from >= islands_.ranks() || islands_.is_near(frame.from) ||
	    frame.number != session_)
		return false;
	const uint32_t place = slot_place(frame.slot);
	switch (frame.kind) {
	case FRAME_DATA:
		return links_.has(frame.from, Way::IN, place) && frame.bytes <= links_.slot_bytes();
	case FRAME_TAKEN:
		return links_.has(frame.from, Way::OUT, place) && frame.bytes == 0;
	case FRAME_GRANT:
		return frame.slot <= LINK_SLOTS && frame.bytes == 0;
	default:
		return frame.kind == FRAME_NOTE && frame.bytes == sizeof(Note);
	}
}

void *Relay::place(const Frame &frame)
{
	if (!is_valid(frame))
		return nullptr;
	if (frame.kind == FRAME_NOTE)
		return &incoming_;
	return reinterpret_cast<void *>(links_.incoming(frame.from, slot_place(frame.slot)));
}

void Relay::arrived(const Frame &frame)
{
	if (!is_valid(frame))
		return;
	if (frame.kind == FRAME_DATA) {
		send_queue_->on_piece(frame.from, frame.slot);
		links_.raise_sent(frame.from, slot_place(frame.slot));
	} else if (frame.kind == FRAME_TAKEN)
		links_.raise_taken(frame.from, slot_place(frame.slot));
	else if (frame.kind == FRAME_GRANT)
		links_.on_grant(frame.from, frame.slot);
	else if (incoming_.kind == CALL)
		user_.on_call(frame.from, incoming_.call);
	else if (incoming_.other < islands_.ranks() && islands_.is_near(incoming_.other))
		user_.on_message(frame.from, incoming_.other, incoming_.kind == SENT,
				 incoming_.call);
}

void Relay::lost(uint32_t link, const std::string &text)
{
	for (uint32_t rank = 0; rank < connections_.size(); rank++) {
		if (connections_[rank] == link)
			user_.on_loss(rank, text);
	}
}

} // namespace umd
