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
	PARCEL_DATA = 1, /* a piece of data, for a slot */
	PARCEL_TAKEN,	 /* the receiver has read the piece in a slot */
	PARCEL_NOTE,	 /* a call of the sender, for the ledger of the receiver's island */
	/* how many slots the sender of the grant has for messages of the receiver */
	PARCEL_GRANT
};

/** slot_word() - the value of Parcel::slot in a piece and in the answer to it. It has the slot, and a mark on
 * which both sides must agree.
 * @mark: 24 bits. slot_place() - the LinkSlot::index() in such a value. */
constexpr uint32_t slot_word(LinkSlot slot, uint32_t mark)
{
	return slot.index() | mark << 8;
}
constexpr uint32_t slot_place(uint32_t word)
{
	return word & 0xff;
}

/** class Outlet - sends the parcels of one rank. Tasks of graphs hold a reference to it. After the end of the
 * communicator these tasks fail. Context: any thread; no function blocks. */
class Outlet {
public:
	Outlet(const Nonce &comm, uint32_t rank) : comm_(comm), rank_(rank) {}

	/** name_of() - the name of a rank on the wire. Each rank has its own name, because one process may
	 * have several ranks of a communicator. */
	static Nonce name_of(const Nonce &comm, uint32_t rank)
	{
		return derive(Topic::RANK, comm, bytes_of(rank));
	}

	/** open() - from now on, parcels for @rank go to connection @link of class Wire.
	 * @session: session number of the parcels; see Relay::restart() */
	void open(uint32_t rank, uint32_t link, uint64_t session);

	/** close() - stops all sending. */
	void close();

	/** send() - sends a parcel.
	 * @slot: for a piece: slot_word(); for a grant: the number of slots; for a note: 0
	 * @data: valid until the communicator has left the wire; copied if at most PARCEL_COPIED bytes
	 * Return: PEER_LOST after close(). */
	base::Status send(uint32_t to, ParcelKind kind, uint32_t slot, const void *data,
			  uint64_t bytes);

	/** hear_piece() - records that a piece of rank @from has arrived. @slot: the value of send() */
	void hear_piece(uint32_t from, uint32_t slot);

private:
	const Nonce comm_;
	const uint32_t rank_;
	/* Held while the wire accepts a parcel. */
	base::Mutex mutex_{"Outlet::mutex_"};
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

/** class Dispatch - the host task of a stream that sends a parcel. It sends nothing if the operation has
 * failed, so that no rank takes unwritten data for a result. */
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
