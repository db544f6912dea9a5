// SPDX-License-Identifier: MIT
/**
 * DOC: Links
 *
 * All slots of a lane are one allocation. The kernel provides pages only for the slots that are used.
 */
#include "links.h"

#include "drv/device.h"
#include "drv/packet/packets.h"
#include "umd/core/device/open_device.h"

namespace umd {

using base::Status;

/* The largest slot. Large pieces are cheaper, because each piece wakes several threads whatever its size. */
static constexpr uint64_t SLOT_MOST = 1 << 20;

/* With more ranks, a chain has more pieces under way, so the slots are smaller
 * (Documentation/hccl-plan.rst). */
static uint64_t slot_bytes_for(uint64_t bytes, uint32_t ranks)
{
	constexpr uint64_t UNIT = base::PAGE_BYTES;
	const uint64_t share = bytes / 2 / ranks / (2 * LINK_SLOTS);
	return std::max(UNIT, std::min(SLOT_MOST, share) / UNIT * UNIT);
}

Status Links::make_pair(drv::Device &device, uint64_t value, Pair &pair)
{
	unpu_export_key key;
	auto home = TRY(flags_.make(device, value, {}, key, pair.wait));
	pair.home = home;
	return flags_.join(device, key, pair.raise);
}

Status Links::make_room(drv::Device &device, Lane lane)
{
	Room &room = rooms_[static_cast<uint32_t>(lane)];
	if (room.memory != 0)
		return Status::OK;
	/* The memory is not locked: nothing here needs that, and the limit of locked memory belongs to the
	 * program. */
	auto memory = TRY(device.memory().allocate_managed(room.ranks.size() * WAYS * LINK_SLOTS *
							   slot_bytes_));
	room.memory = memory.va;
	return Status::OK;
}

Status Links::make(const DeviceHold &device, const Islands &islands, uint32_t rank, uint64_t bytes)
{
	device_ = DeviceRef(device.open());
	flags_.open(device);
	TRY(device.open().calls.ready());
	Room &calls = rooms_[static_cast<uint32_t>(Lane::COLLECTIVE)];
	Room &messages = rooms_[static_cast<uint32_t>(Lane::MESSAGE)];
	calls.ranks = islands.partners(rank);
	for (uint32_t other = 0; other < islands.ranks(); other++) {
		if (!islands.is_near(other))
			messages.ranks.push_back(other);
	}
	slot_bytes_ = slot_bytes_for(bytes, islands.ranks());
	for (const uint32_t partner : calls.ranks) {
		for (const Way way : {Way::OUT, Way::IN})
			TRY(make_slots(*device, partner, Lane::COLLECTIVE, way, LINK_SLOTS));
	}
	return Status::OK;
}

/* Makes the slots that do not exist yet. */
Status Links::make_slots(drv::Device &device, uint32_t rank, Lane lane, Way way, uint32_t slots)
{
	TRY(make_room(device, lane));
	const Room &room = room_of(lane);
	const auto index =
		std::lower_bound(room.ranks.begin(), room.ranks.end(), rank) - room.ranks.begin();
	const bool is_free = lane == Lane::COLLECTIVE && way == Way::OUT;
	Slots made;
	{
		std::lock_guard lock(mutex_);
		made = links_[rank].slots[static_cast<uint32_t>(lane)][static_cast<uint32_t>(way)];
	}
	const uint32_t before = made.made;
	for (uint32_t number = before; number < slots; number++)
		TRY(make_pair(device, is_free ? 1 : 0, made.flags[number]));
	uint32_t raised = 0;
	{
		std::lock_guard lock(mutex_);
		Slots &there =
			links_[rank].slots[static_cast<uint32_t>(lane)][static_cast<uint32_t>(way)];
		/* No grant has raised the flags of the new slots yet. */
		there.memory = room.memory +
			       (static_cast<uint64_t>(index) * WAYS + static_cast<uint32_t>(way)) *
				       LINK_SLOTS * slot_bytes_;
		there.flags = made.flags;
		there.made = slots;
		there.granted = lane == Lane::COLLECTIVE ? slots : there.granted;
		raised = is_free ? 0 : there.usable();
	}
	for (uint32_t number = before; way == Way::OUT && number < raised; number++)
		raise(made.flags[number].raise);
	return Status::OK;
}

Status Links::open(uint32_t rank, Way way, uint32_t slots, bool &is_new)
{
	{
		std::lock_guard lock(mutex_);
		const auto found = links_.find(rank);
		is_new = found == links_.end() ||
			 found->second.slots[static_cast<uint32_t>(Lane::MESSAGE)]
					    [static_cast<uint32_t>(way)]
						    .made < slots;
	}
	if (!is_new)
		return Status::OK;
	const DeviceHold device = device_.hold();
	return device ? make_slots(*device, rank, Lane::MESSAGE, way, slots) : Status::DEVICE_LOST;
}

void Links::on_grant(uint32_t rank, uint32_t slots)
{
	std::vector<uint32_t> flags;
	{
		std::lock_guard lock(mutex_);
		Slots &out = links_[rank].slots[static_cast<uint32_t>(Lane::MESSAGE)]
					       [static_cast<uint32_t>(Way::OUT)];
		const uint32_t before = out.usable();
		out.granted = std::max(out.granted, slots);
		for (uint32_t number = before; number < out.usable(); number++)
			flags.push_back(out.flags[number].raise);
	}
	for (const uint32_t flag : flags)
		raise(flag);
}

std::map<uint32_t, uint32_t> Links::grants()
{
	std::lock_guard lock(mutex_);
	std::map<uint32_t, uint32_t> found;
	for (const auto &[rank, link] : links_) {
		const uint32_t made = link.slots[static_cast<uint32_t>(Lane::MESSAGE)]
						[static_cast<uint32_t>(Way::IN)]
							.made;
		if (made != 0)
			found[rank] = made;
	}
	return found;
}

std::vector<uint32_t> Links::ranks()
{
	std::lock_guard lock(mutex_);
	std::vector<uint32_t> found;
	for (const auto &[rank, link] : links_)
		found.push_back(rank);
	return found;
}

Links::Slots *Links::find(uint32_t rank, Way way, uint32_t place)
{
	const auto found = place < LINK_PLACES ? links_.find(rank) : links_.end();
	if (found == links_.end())
		return nullptr;
	Slots &slots =
		found->second
			.slots[static_cast<uint32_t>(lane_of(place))][static_cast<uint32_t>(way)];
	return place % LINK_SLOTS < slots.made ? &slots : nullptr;
}

bool Links::has(uint32_t rank, Way way, uint32_t place)
{
	std::lock_guard lock(mutex_);
	return find(rank, way, place) != nullptr;
}

Links::Pair Links::flag(uint32_t rank, Way way, uint32_t place)
{
	std::lock_guard lock(mutex_);
	const Slots *slots = find(rank, way, place);
	return slots ? slots->flags[place % LINK_SLOTS] : Pair{};
}

uint64_t Links::address(uint32_t rank, Way way, uint32_t place)
{
	std::lock_guard lock(mutex_);
	const Slots *slots = find(rank, way, place);
	return slots ? slots->memory + place % LINK_SLOTS * slot_bytes_ : 0;
}

uint64_t Links::outgoing(uint32_t rank, LinkSlot slot)
{
	return address(rank, Way::OUT, slot.index());
}

uint64_t Links::incoming(uint32_t rank, uint32_t place)
{
	return address(rank, Way::IN, place);
}

uint32_t Links::waits_sent(uint32_t rank, LinkSlot slot)
{
	return flag(rank, Way::IN, slot.index()).wait;
}

uint32_t Links::waits_taken(uint32_t rank, LinkSlot slot)
{
	return flag(rank, Way::OUT, slot.index()).wait;
}

void Links::raise(uint32_t sem)
{
	const DeviceHold device = device_.hold();
	if (device)
		(void)device.open().calls.submit(drv::signal_packet(0, sem, UNPU_SIGNAL_ADD, 1));
}

bool Links::take_calls()
{
	const DeviceHold device = device_.hold();
	return device && device.open().calls.take_over();
}

void Links::hand_back_calls()
{
	const DeviceHold device = device_.hold();
	if (device)
		device.open().calls.hand_back();
}

void Links::raise_sent(uint32_t rank, uint32_t place)
{
	raise(flag(rank, Way::IN, place).raise);
}

void Links::raise_taken(uint32_t rank, uint32_t place)
{
	raise(flag(rank, Way::OUT, place).raise);
}

Status Links::reset()
{
	{
		/* The other ranks announce their free slots again; see Relay::grant_again(). */
		std::lock_guard lock(mutex_);
		for (auto &[rank, link] : links_)
			link.slots[static_cast<uint32_t>(Lane::MESSAGE)]
				  [static_cast<uint32_t>(Way::OUT)]
					  .granted = 0;
	}
	return flags_.reset();
}

std::vector<drv::Fence> Links::all_taken()
{
	std::lock_guard lock(mutex_);
	std::vector<drv::Fence> fences;
	for (const auto &[rank, link] : links_) {
		for (const auto &lane : link.slots) {
			const Slots &out = lane[static_cast<uint32_t>(Way::OUT)];
			for (uint32_t number = 0; number < out.usable(); number++)
				fences.push_back({out.flags[number].home, 1});
		}
	}
	return fences;
}

void Links::leave(bool keep)
{
	withdraw();
	const DeviceHold device = device_.hold();
	if (!device || keep)
		return;
	{
		std::lock_guard lock(mutex_);
		links_.clear();
	}
	for (Room &room : rooms_) {
		if (room.memory != 0)
			(void)device->memory().free(drv::Place::PINNED, room.memory,
						    drv::Use::MANAGED);
		room.memory = 0;
	}
	flags_.release(*device);
	device->reap();
}

} // namespace umd
