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
 * A stream waits for taken before it writes the slot, not after it has sent it. Each operation begins with slot 0, so
 * that a graph can run again and again.
 *
 * Collective calls and messages of the program are not in one order (umd/hccl/comm/order.h), so each kind has slots
 * of its own, a lane. A piece says to which call it belongs, and which of its pieces it is; the receiver compares.
 *
 * Collective calls exchange pieces with few ranks (Islands::partners()). Those have slots from the beginning, and as
 * they are free their taken flags are raised. Any rank may have a message for any other, so each direction of a pair
 * gets slots when the first message needs them. The receiver grants those that it has made, which raises the sender's
 * taken flags. So no piece comes before there is a slot for it, and the thread of the wire makes none.
 */
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/packet/fence.h"
#include "flags.h"
#include "umd/hccl/far/islands.h"
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

/** lane_of() - of a LinkSlot::index(). */
constexpr Lane lane_of(uint32_t place)
{
	return place < LINK_SLOTS ? Lane::COLLECTIVE : Lane::MESSAGE;
}

/** enum class Way - a direction of a link. */
enum class Way : uint32_t { OUT = 0, IN };
constexpr uint32_t WAYS = 2;

/** class Links - those of one rank. Context: the caller's lock; any thread where a function says so. */
class Links {
public:
	/** make() - links to the partners of @rank, for collective calls.
	 * @bytes: the most that a rank's buffers may have
	 * Return: NO_MEMORY, NO_PERMISSION, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(const DeviceHold &device, const Islands &islands, uint32_t rank,
			  uint64_t bytes);

	/** open() - makes the first @slots slots for messages to or from @rank, unless they are there.
	 * @is_new: receives whether it has made some
	 * Return: as make(). */
	base::Status open(uint32_t rank, Way way, uint32_t slots, bool &is_new);

	/** hear_grant() - rank @rank has made its first @slots slots for messages of this one. Context: any thread. */
	void hear_grant(uint32_t rank, uint32_t slots);

	/** grants() - the ranks for whose messages there are slots, and how many. */
	std::map<uint32_t, uint32_t> grants();

	/** ranks() - to which there are links. */
	std::vector<uint32_t> ranks();

	/** raise_sent(), raise_taken() - raises a flag. @place: LinkSlot::index()
	 * Context: any thread; does not wait. */
	void raise_sent(uint32_t rank, uint32_t place);
	void raise_taken(uint32_t rank, uint32_t place);

	/** take_calls() - HostCalls::take_over() and hand_back() of the device. Context: the wire's thread. */
	bool take_calls();
	void hand_back_calls();

	/** reset(), withdraw(), leave() - as those of Seats. After leave() without @keep no address is valid. */
	base::Status reset();
	void withdraw() { flags_.withdraw(); }
	void leave(bool keep);

	/** all_taken() - passes when all other ranks have read all outgoing slots. */
	std::vector<drv::Fence> all_taken();

	uint64_t slot_bytes() const { return slot_bytes_; }
	/** has() - whether there is such a slot to or from @rank. Context: any thread. */
	bool has(uint32_t rank, Way way, uint32_t place);
	/** outgoing(), incoming() - addresses of slots, for the device and for the host. Context: any thread. */
	uint64_t outgoing(uint32_t rank, LinkSlot slot);
	uint64_t incoming(uint32_t rank, uint32_t place);
	uint32_t waits_sent(uint32_t rank, LinkSlot slot);
	uint32_t waits_taken(uint32_t rank, LinkSlot slot);

private:
	struct Pair {
		uint32_t home = 0; /* shows the value */
		uint32_t wait = 0;
		uint32_t raise = 0;
	};
	/* The slots of a lane in one direction, with their flags: taken of those that go out, else sent. */
	struct Slots {
		uint64_t memory = 0;
		uint32_t made = 0;
		uint32_t granted = 0;
		std::array<Pair, LINK_SLOTS> flags{};

		uint32_t usable() const { return std::min(made, granted); }
	};
	struct Link {
		std::array<std::array<Slots, WAYS>, LANES> slots{};
	};
	/* The memory of a lane: for each rank, the slots of both directions. */
	struct Room {
		std::vector<uint32_t> ranks;
		uint64_t memory = 0;
	};

	const Room &room_of(Lane lane) const { return rooms_[static_cast<uint32_t>(lane)]; }
	Slots *find(uint32_t rank, Way way, uint32_t place) REQUIRES(mutex_);
	Pair flag(uint32_t rank, Way way, uint32_t place);
	uint64_t address(uint32_t rank, Way way, uint32_t place);
	base::Status make_room(drv::Device &device, Lane lane);
	base::Status make_slots(drv::Device &device, uint32_t rank, Lane lane, Way way,
				uint32_t slots);
	base::Status make_pair(drv::Device &device, uint64_t value, Pair &pair);
	void raise(uint32_t sem);

	DeviceRef device_;
	Flags flags_;
	std::array<Room, LANES> rooms_;
	uint64_t slot_bytes_ = 0;
	base::Mutex mutex_{"Links::mutex_"};
	std::map<uint32_t, Link> links_ GUARDED_BY(mutex_); /* by rank */
};

} // namespace umd
