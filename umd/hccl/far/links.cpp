// SPDX-License-Identifier: MIT
/**
 * DOC: Links
 *
 * All slots of a rank are one allocation.
 */
#include "links.h"

#include <algorithm>

#include "drv/channel/packets.h"

namespace umd {

using base::Status;

/* A piece costs wake-ups of several threads, whatever its size. */
static constexpr uint64_t SLOT_MOST = 1 << 20;

uint64_t Links::slot_bytes_for(uint64_t bytes, uint32_t ranks)
{
	constexpr uint64_t UNIT = base::PAGE_BYTES;
	const uint64_t share = bytes / 2 / ranks / (2 * LINK_SLOTS);
	return std::max(UNIT, std::min(SLOT_MOST, share) / UNIT * UNIT);
}

Status Links::make_pair(drv::Device &device, uint64_t value, Pair &pair)
{
	unpu_export_key key;
	auto home = flags_.make(device, value, {}, key, pair.wait);
	if (!home)
		return home.status();
	pair.home = *home;
	return flags_.join(device, key, pair.raise);
}

Status Links::make(const DeviceHold &device, const std::vector<uint32_t> &ranks,
		   uint64_t slot_bytes)
{
	device_ = DeviceRef(device.open());
	flags_.open(device);
	slot_bytes_ = slot_bytes;
	TRY(device.open().calls.ready());
	const uint64_t each = 2 * LINK_PLACES * slot_bytes;
	/* Nothing needs it locked, and the limit of locked memory is for the program. */
	auto memory = device->memory().allocate_managed(ranks.size() * each);
	if (!memory)
		return memory.status();
	memory_ = memory->va;
	for (size_t i = 0; i < ranks.size(); i++) {
		Link &link = links_[ranks[i]];
		link.memory = memory_ + i * each;
		for (uint32_t place = 0; place < LINK_PLACES; place++) {
			TRY(make_pair(*device, 0, link.sent[place]));
			TRY(make_pair(*device, 1, link.taken[place]));
		}
	}
	return Status::OK;
}

void Links::raise(uint32_t sem)
{
	const DeviceHold device = device_.hold();
	if (device)
		(void)device.open().calls.submit(drv::signal_packet(0, sem, UNPU_SIGNAL_ADD, 1));
}

void Links::raise_sent(uint32_t rank, uint32_t place)
{
	raise(links_.at(rank).sent[place].raise);
}

void Links::raise_taken(uint32_t rank, uint32_t place)
{
	raise(links_.at(rank).taken[place].raise);
}

std::vector<drv::Fence> Links::all_taken() const
{
	std::vector<drv::Fence> fences;
	for (const auto &[rank, link] : links_) {
		for (const Pair &pair : link.taken)
			fences.push_back({pair.home, 1});
	}
	return fences;
}

void Links::leave(bool keep)
{
	withdraw();
	const DeviceHold device = device_.hold();
	if (!device || keep)
		return;
	links_.clear();
	if (memory_ != 0)
		(void)device->memory().free(drv::Place::PINNED, memory_, drv::Use::MANAGED);
	memory_ = 0;
	flags_.release(*device);
	device->reap();
}

} // namespace umd
