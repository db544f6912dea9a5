// SPDX-License-Identifier: MIT
/**
 * DOC: Links to ranks of other islands
 *
 * A link has slots of pinned memory in both directions. A stream writes a piece into an outgoing slot, and a host task
 * gives it to the wire. The wire puts a piece that comes into an incoming slot, and raises a flag for which the stream
 * waits. The stream reads the slot, and a host task tells the sender so, who may use the slot again. So a stream sees
 * no difference between a rank of its island and another one but the slots:
 *
 *	sent[i][s]	the piece of rank i in slot s has come
 *	taken[i][s]	rank i has read the piece in slot s
 *
 * At first all slots are free, so their taken flags are raised. A stream waits for one before it writes the slot, not
 * after it has sent it. Each operation begins with slot 0, so that a graph can run again and again.
 *
 * Collective calls and messages of the program are not in one order (umd/hccl/schedule/order.h), so each kind has slots
 * of its own, a lane. A piece says to which call it belongs, and which of its pieces it is; the receiver compares.
 */
#pragma once

#include <array>
#include <map>
#include <vector>

#include "umd/hccl/comm/flags.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

/** LINK_SLOTS - of each direction of a link: one is filled, one is on its way, and one is read. */
constexpr uint32_t LINK_SLOTS = 3;

/** enum class Lane - the slots of a link that one order uses. */
enum class Lane : uint32_t { COLLECTIVE = 0, MESSAGE };
constexpr uint32_t LANES = 2;

/** struct LinkSlot - names a slot of a link. */
struct LinkSlot {
	Lane lane = Lane::COLLECTIVE;
	uint32_t number = 0;

	/** index() - among those of a direction. */
	constexpr uint32_t index() const
	{
		return static_cast<uint32_t>(lane) * LINK_SLOTS + number;
	}
};
constexpr uint32_t LINK_PLACES = LANES * LINK_SLOTS;

/** class Links - those of one rank. Context: the caller's lock, unless a function says otherwise. */
class Links {
public:
	/** slot_bytes_for() - the size of a slot. @bytes: the most that a rank's buffers may have */
	static uint64_t slot_bytes_for(uint64_t bytes, uint32_t ranks);

	/** make() - links to @ranks. Return: NO_MEMORY, NO_PERMISSION, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(const DeviceHold &device, const std::vector<uint32_t> &ranks,
			  uint64_t slot_bytes);

	/** raise_sent(), raise_taken() - raises a flag. @place: LinkSlot::index()
	 * Context: any thread; does not wait. */
	void raise_sent(uint32_t rank, uint32_t place);
	void raise_taken(uint32_t rank, uint32_t place);

	/** reset(), withdraw(), leave() - as those of Seats. After leave() without @keep no address is valid. */
	base::Status reset() { return flags_.reset(); }
	void withdraw() { flags_.withdraw(); }
	void leave(bool keep);

	/** all_taken() - passes when all other ranks have read all outgoing slots. */
	std::vector<drv::Fence> all_taken() const;

	uint64_t slot_bytes() const { return slot_bytes_; }
	/** has() - whether there is a link to @rank, and such a slot. Context: any thread. */
	bool has(uint32_t rank, uint32_t place) const
	{
		return place < LINK_PLACES && links_.count(rank) != 0;
	}
	/** outgoing(), incoming() - addresses of slots, for the device and for the host. */
	uint64_t outgoing(uint32_t rank, LinkSlot slot) const
	{
		return links_.at(rank).memory + slot.index() * slot_bytes_;
	}
	uint64_t incoming(uint32_t rank, uint32_t place) const
	{
		return links_.at(rank).memory + (LINK_PLACES + place) * slot_bytes_;
	}
	uint32_t waits_sent(uint32_t rank, LinkSlot slot) const
	{
		return links_.at(rank).sent[slot.index()].wait;
	}
	uint32_t waits_taken(uint32_t rank, LinkSlot slot) const
	{
		return links_.at(rank).taken[slot.index()].wait;
	}

private:
	struct Pair {
		uint32_t home = 0; /* shows the value */
		uint32_t wait = 0;
		uint32_t raise = 0;
	};
	struct Link {
		uint64_t memory = 0;
		std::array<Pair, LINK_PLACES> sent{};
		std::array<Pair, LINK_PLACES> taken{};
	};

	base::Status make_pair(drv::Device &device, uint64_t value, Pair &pair);
	void raise(uint32_t sem);

	DeviceRef device_;
	Flags flags_;
	std::map<uint32_t, Link> links_; /* by rank; unchanged from make() to leave() */
	uint64_t memory_ = 0;
	uint64_t slot_bytes_ = 0;
};

} // namespace umd
