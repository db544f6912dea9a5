// SPDX-License-Identifier: MIT
/**
 * DOC: Links to ranks of other islands
 *
 * A link connects two ranks of different islands. It has slots of pinned memory in both directions. To send,
 * a stream writes a piece of data into an outgoing slot, and a host task passes it to the wire. To receive,
 * the wire writes the piece into an incoming slot, and raises a flag for which a stream waits. That stream
 * reads the slot. Then a host task tells the sender that the slot is free. So for a stream, a rank of another
 * island differs from a rank of its own island only in the slots:
 *
 *	sent[i][s]	the piece of rank i in slot s has come
 *	taken[i][s]	rank i has read the piece in slot s
 *
 * A stream waits for the flag taken before it writes a slot, not after it has sent the piece. Each operation
 * begins with slot 0, so that a graph can run any number of times.
 *
 * Collective calls and messages of the program are in different orders (umd/hccl/comm/order.h). So each kind
 * has slots of its own, which are called a lane. Each piece carries a mark: its call, and its number in that
 * call. The receiver checks the mark.
 *
 * Collective calls exchange pieces with few ranks (Islands::partners()). The slots for these ranks exist from
 * the beginning. Their taken flags are raised, because the slots are free. Any rank may send a message to any
 * other rank. So each direction of a pair gets slots only when the first message needs them. The receiver
 * makes the slots and then grants them to the sender, which raises the sender's taken flags. So a slot always
 * exists before a piece arrives for it, and the wire's thread never has to make one.
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

/** LINK_SLOTS - slots in each direction of a link. With three slots the sender fills one, one is on its way,
 * and the receiver reads one. */
constexpr uint32_t LINK_SLOTS = 3;

/** enum class Lane - the slots of a link that one order uses. */
enum class Lane : uint32_t { COLLECTIVE = 0, MESSAGE };
constexpr uint32_t LANES = 2;

/** struct LinkSlot - names a slot of a link. */
struct LinkSlot {
	Lane lane = Lane::COLLECTIVE;
	uint32_t number = 0;

	/** index() - the position of the slot among all slots of one direction. */
	constexpr uint32_t index() const
	{
		return static_cast<uint32_t>(lane) * LINK_SLOTS + number;
	}
};
constexpr uint32_t LINK_PLACES = LANES * LINK_SLOTS;

/** lane_of() - the lane of the slot with this LinkSlot::index(). */
constexpr Lane lane_of(uint32_t place)
{
	return place < LINK_SLOTS ? Lane::COLLECTIVE : Lane::MESSAGE;
}

/** enum class Way - a direction of a link. */
enum class Way : uint32_t { OUT = 0, IN };
constexpr uint32_t WAYS = 2;

/** class Links - the links of one rank. Context: the caller's lock; any thread where a function says so. */
class Links {
public:
	/** make() - makes the links from @rank to its partners, for collective calls.
	 * @bytes: size limit of a rank's buffers
	 * Return: NO_MEMORY, NO_PERMISSION, NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status make(const DeviceHold &device, const Islands &islands, uint32_t rank,
			  uint64_t bytes);

	/** open() - makes the first @slots slots for messages to or from @rank, unless they exist.
	 * @is_new: receives whether it has made a slot
	 * Return: as make(). */
	base::Status open(uint32_t rank, Way way, uint32_t slots, bool &is_new);

	/** on_grant() - processes a grant: @rank has made its first @slots slots for messages from this
	 * rank. Context: any thread. */
	void on_grant(uint32_t rank, uint32_t slots);

	/** grants() - for each rank, how many slots this rank has for messages from it. */
	std::map<uint32_t, uint32_t> grants();

	/** ranks() - the ranks to which there are links. */
	std::vector<uint32_t> ranks();

	/** raise_sent(), raise_taken() - raises a flag. @place: LinkSlot::index()
	 * Context: any thread; does not wait. */
	void raise_sent(uint32_t rank, uint32_t place);
	void raise_taken(uint32_t rank, uint32_t place);

	/** take_calls(), hand_back() - call HostCalls::take_over() and hand_back() of the device. Context:
	 * the wire's thread. */
	bool take_calls();
	void hand_back_calls();

	/** reset(), withdraw(), leave() - as the functions of class RankSlots. After leave() without @keep, no
	 * address of a slot is valid. */
	base::Status reset();
	void withdraw() { flags_.withdraw(); }
	void leave(bool keep);

	/** all_taken() - fences that pass when all other ranks have read all outgoing slots. */
	std::vector<drv::Fence> all_taken();

	uint64_t slot_bytes() const { return slot_bytes_; }
	/** has() - whether this slot to or from @rank exists. Context: any thread. */
	bool has(uint32_t rank, Way way, uint32_t place);
	/** outgoing(), incoming() - addresses of a slot, for the device and for the host. Context: any
	 * thread. */
	uint64_t outgoing(uint32_t rank, LinkSlot slot);
	uint64_t incoming(uint32_t rank, uint32_t place);
	uint32_t waits_sent(uint32_t rank, LinkSlot slot);
	uint32_t waits_taken(uint32_t rank, LinkSlot slot);

private:
	struct Pair {
		uint32_t home = 0; /* semaphore that shows the value */
		uint32_t wait = 0;
		uint32_t raise = 0;
	};
	/* The slots of a lane in one direction, with their flags. Outgoing slots have the flag taken,
	 * incoming slots the flag sent. */
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
	std::map<uint32_t, Link> links_ GUARDED_BY(mutex_); /* indexed by rank */
};

} // namespace umd
