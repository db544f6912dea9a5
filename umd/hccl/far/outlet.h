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

/** enum ParcelKind - what a parcel says. */
enum ParcelKind : uint32_t {
	PARCEL_DATA = 1, /* a piece, for a slot */
	PARCEL_TAKEN,	 /* the piece in a slot was read */
	PARCEL_NOTE,	 /* a call, for the ledger of an island */
	PARCEL_GRANT	 /* there are so many slots for messages of the other rank */
};

/** slot_word() - Parcel::slot of a piece and of the answer to it: the slot, and what both sides have to agree on.
 * @mark: of 24 bits. slot_place() - LinkSlot::index() of it. */
constexpr uint32_t slot_word(LinkSlot slot, uint32_t mark)
{
	return slot.index() | mark << 8;
}
constexpr uint32_t slot_place(uint32_t word)
{
	return word & 0xff;
}

/** class Outlet - sends the parcels of one rank. Tasks of graphs keep it after the end of the communicator, and fail
 * then. Context: any thread; no function waits. */
class Outlet {
public:
	Outlet(const Nonce &comm, uint32_t rank) : comm_(comm), rank_(rank) {}

	/** name_of() - what a rank is called on the wire: several ranks of a communicator may be in one process. */
	static Nonce name_of(const Nonce &comm, uint32_t rank)
	{
		return derive(Topic::RANK, comm, bytes_of(rank));
	}

	/** open() - parcels for a rank go to connection @link of class Wire.
	 * @session: their number, see Relay::restart() */
	void open(uint32_t rank, uint32_t link, uint64_t session);

	/** close() - nothing is sent any more. */
	void close();

	/** send() - @slot: slot_word() of the piece; of a grant, how many; of a note: 0
	 * @data: valid until the communicator has left the wire; copied if at most PARCEL_COPIED bytes
	 * Return: PEER_LOST after close(). */
	base::Status send(uint32_t to, ParcelKind kind, uint32_t slot, const void *data,
			  uint64_t bytes);

	/** hear_piece() - a piece of rank @from has come. @slot: as it was sent */
	void hear_piece(uint32_t from, uint32_t slot);

private:
	const Nonce comm_;
	const uint32_t rank_;
	/* Held while the wire gets a parcel. */
	base::Mutex mutex_{"Outlet::mutex_"};
	struct Link {
		uint32_t number;
		Nonce name;
	};
	std::map<uint32_t, Link> links_ GUARDED_BY(mutex_);
	/* The words of the pieces that have come last, by rank and place. */
	std::map<uint32_t, std::array<uint32_t, LINK_PLACES>> pieces_ GUARDED_BY(mutex_);
	uint64_t session_ GUARDED_BY(mutex_) = 0;
};

/** struct StreamStart - where an operation begins in its stream. */
struct StreamStart {
	DeviceRef device;
	uint32_t timeline = 0; /* of the stream; 0: the operation is in a graph */
	uint64_t index = 0;    /* of its first task */

	/** has_failed_wait() - whether the operation has given up to wait for other ranks. Its stream goes on then,
	 * with data that no rank has written. */
	bool has_failed_wait() const;
};

/** class Dispatch - the host task of a stream that sends a parcel, unless the operation has given up: then the other
 * rank would take for a result what is none. */
class Dispatch final : public HostWork {
public:
	Dispatch(std::shared_ptr<Outlet> outlet, const StreamStart &start, uint32_t to,
		 ParcelKind kind, uint32_t slot, const void *data, uint64_t bytes)
		: outlet_(std::move(outlet)), start_(start), to_(to), kind_(kind), slot_(slot),
		  data_(data), bytes_(bytes)
	{
	}

	base::Status run() const override
	{
		if (start_.has_failed_wait())
			return base::Status::PEER_LOST;
		return outlet_->send(to_, kind_, slot_, data_, bytes_);
	}

	bool is_brief() const override { return true; }

private:
	const std::shared_ptr<Outlet> outlet_;
	const StreamStart start_;
	const uint32_t to_;
	const ParcelKind kind_;
	const uint32_t slot_;
	const void *const data_;
	const uint64_t bytes_;
};

} // namespace umd
