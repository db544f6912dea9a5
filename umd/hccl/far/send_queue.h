// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <memory>

#include "base/sync/mutex.h"
#include "links.h"
#include "umd/core/device/device_state.h"
#include "umd/core/task/host_function.h"
#include "umd/hccl/proof/secret.h"
#include "umd/hccl/wire/wire.h"

namespace umd {

/** enum FrameKind - what a frame says. */
enum FrameKind : uint32_t {
	FRAME_DATA = 1, /* a piece of data, for a slot */
	FRAME_TAKEN,	/* the receiver has read the piece in a slot */
	FRAME_NOTE,	/* a call of the sender, for the call log of the receiver's island */
	/* how many slots the sender of the grant has for messages of the receiver */
	FRAME_GRANT
};

/** slot_word() - the value of Frame::slot in a piece and in the answer to it: the slot, and a mark that must be
 * the same on both sides.
 * @mark: 24 bits */
constexpr uint32_t slot_word(LinkSlot slot, uint32_t mark)
{
	return slot.index() | mark << 8;
}
/** slot_place() - the LinkSlot::index() in a value of slot_word(). */
constexpr uint32_t slot_place(uint32_t word)
{
	return word & 0xff;
}

/** class SendQueue - sends the frames of one rank. Tasks of graphs hold a reference to it. After the end of the
 * communicator these tasks fail. Context: any thread; no function blocks. */
class SendQueue {
public:
	SendQueue(const Nonce &comm, uint32_t rank) : comm_(comm), rank_(rank) {}

	/** name_of() - the name of a rank on the wire. Each rank has its own name, because one process may
	 * have several ranks of a communicator. */
	static Nonce name_of(const Nonce &comm, uint32_t rank)
	{
		return derive(Topic::RANK, comm, bytes_of(rank));
	}

	/** open() - from now on, frames for @rank go to connection @link of class Wire.
	 * @session: session number of the frames; see Relay::restart() */
	void open(uint32_t rank, uint32_t link, uint64_t session);

	/** close() - stops all sending. */
	void close();

	/** send() - sends a frame.
	 * @slot: for a piece: slot_word(); for a grant: the number of slots; for a note: 0
	 * @data: valid until the communicator has left the wire; copied if at most FRAME_COPIED bytes
	 * Return: PEER_LOST after close(). */
	base::Status send(uint32_t to, FrameKind kind, uint32_t slot, const void *data,
			  uint64_t bytes);

	/** on_piece() - records that a piece of rank @from has arrived. @slot: the value of send() */
	void on_piece(uint32_t from, uint32_t slot);

private:
	const Nonce comm_;
	const uint32_t rank_;
	/* Held while the wire accepts a frame. */
	base::Mutex mutex_{"SendQueue::mutex_"};
	struct Link {
		uint32_t number;
		Nonce name;
	};
	std::map<uint32_t, Link> links_ GUARDED_BY(mutex_);
	/* The slot_word() of the latest piece, by rank and by place of the slot. */
	std::map<uint32_t, std::array<uint32_t, LINK_PLACES>> pieces_ GUARDED_BY(mutex_);
	uint64_t session_ GUARDED_BY(mutex_) = 0;
};

/** struct StreamStart - the position in a stream at which an operation begins. */
struct StreamStart {
	DeviceRef device;
	uint32_t timeline = 0; /* timeline of the stream; 0: the operation is in a graph */
	uint64_t index = 0;    /* index of the first task of the operation */

	/** has_failed_wait() - whether the operation has stopped waiting for other ranks, because of a
	 * failure. The stream then continues, with data that no rank has written. */
	bool has_failed_wait() const;
};

/** class Dispatch - the host task of a stream that sends a frame. It sends nothing if the operation has
 * failed, so that no rank takes unwritten data for a result. */
class Dispatch final : public HostWork {
public:
	Dispatch(std::shared_ptr<SendQueue> send_queue, const StreamStart &start, uint32_t to,
		 FrameKind kind, uint32_t slot, const void *data, uint64_t bytes)
		: send_queue_(std::move(send_queue)), start_(start), to_(to), kind_(kind),
		  slot_(slot), data_(data), bytes_(bytes)
	{
	}

	base::Status run() const override
	{
		if (start_.has_failed_wait())
			return base::Status::PEER_LOST;
		return send_queue_->send(to_, kind_, slot_, data_, bytes_);
	}

	bool is_brief() const override { return true; }

private:
	const std::shared_ptr<SendQueue> send_queue_;
	const StreamStart start_;
	const uint32_t to_;
	const FrameKind kind_;
	const uint32_t slot_;
	const void *const data_;
	const uint64_t bytes_;
};

} // namespace umd
