// SPDX-License-Identifier: MIT
/**
 * DOC: RankSlots of a communicator
 *
 * Each rank makes its buffer and its semaphores, and exports them. Then it imports those of all ranks,
 * including its own. So it uses a rank of this process and a rank of another process in the same way.
 */
#include "rank_slots.h"

#include <algorithm>

#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;
/* The largest part of a buffer for collective operations. Larger buffers mean fewer rounds: an operation
 * needs one round for each buffer full of data, and each round takes packets of the ring. */
static constexpr uint64_t COLLECTIVE_MOST = uint64_t{16} << 20;
static constexpr uint64_t MESSAGE_MOST = uint64_t{1} << 20;

RankSlots::Layout RankSlots::layout_for(uint64_t bytes, uint32_t members)
{
	constexpr uint64_t UNIT = base::PAGE_BYTES;
	Layout layout;
	layout.collective_bytes = std::min(COLLECTIVE_MOST, bytes / 2) / UNIT * UNIT;
	layout.message_bytes = std::min(MESSAGE_MOST, bytes / 2 / members) / UNIT * UNIT;
	return layout;
}

Status RankSlots::make_buffer(drv::Device &device, std::span<const uint32_t> pids,
			      unpu_export_key &key)
{
	const uint64_t bytes =
		layout_.collective_bytes + islands_.near().size() * layout_.message_bytes;
	auto segment = TRY(device.create_segment(UNPU_SEGMENT_DEVICE, bytes));
	segment_ = segment.id;
	key = TRY(device.sharing().export_segment(segment_, 0, bytes, UNPU_EXPORT_SAME_PROCESS));
	return pids.empty() ? Status::OK : device.sharing().allow(key, pids);
}

Status RankSlots::make(const DeviceHold &device, const Layout &layout, const Islands &islands,
		       uint32_t rank, std::span<const uint32_t> pids, SeatKeys &keys)
{
	device_ = DeviceRef(device.open());
	flags_.open(device);
	layout_ = layout;
	islands_ = islands;
	rank_ = rank;
	TRY(make_buffer(*device, pids, keys.buffer));
	/* At the start, the buffer counts as read by all other ranks, so that the rank may write it. */
	const uint64_t others = islands.near().size() - 1;
	for (const Counter counter : {READ, READY, REDUCED}) {
		auto home = TRY(flags_.make(*device, counter == READ ? others : 0, pids,
					    keys.counters[counter], wait_[counter]));
		if (counter == READ)
			read_home_ = home;
	}
	for (uint32_t place = 0; place < islands.near().size(); place++) {
		if (place == islands.place(rank))
			continue;
		TRY(flags_.make(*device, 0, pids, keys.sent[place], wait_sent_[place]));
		TRY(flags_.make(*device, 0, pids, keys.taken[place], wait_taken_[place]));
	}
	return Status::OK;
}

Status RankSlots::take_signals(drv::Device &device, const SeatKeys &keys, uint32_t place)
{
	const uint32_t own = islands_.place(rank_);
	SeatNumbers &signals = signal_[place];
	for (uint32_t i = 0; i < COUNTERS; i++)
		TRY(flags_.join(device, keys.counters[i], signals.counters[i]));
	TRY(flags_.join(device, keys.sent[own], signals.sent));
	return flags_.join(device, keys.taken[own], signals.taken);
}

Status RankSlots::join(const DeviceHold &device, std::span<const SeatKeys> island)
{
	for (uint32_t place = 0; place < island.size(); place++) {
		if (place != islands_.place(rank_))
			TRY(take_signals(*device, island[place], place));
		auto segment = TRY(device->sharing().import_segment(island[place].buffer));
		auto bo = TRY(device->memory().import(segment));
		buffers_[place] = bo.va;
	}
	return Status::OK;
}

Status RankSlots::count_launches()
{
	const DeviceHold device = device_.hold();
	if (!device)
		return Status::DEVICE_LOST;
	for (std::atomic<uint32_t> *counter : {&begins_, &ends_}) {
		if (counter->load() != 0)
			continue;
		auto made = TRY(device->allocate_semaphore(drv::SemaphorePool::Use::FLAG));
		TRY(device->set_semaphore(made, 0));
		*counter = made;
	}
	return Status::OK;
}

uint64_t RankSlots::count_of(uint32_t sem) const
{
	const DeviceHold device = device_.hold();
	return device && sem != 0 ? device->value(sem) : 0;
}

Status RankSlots::reset()
{
	const DeviceHold device = device_.hold();
	for (const uint32_t counter : {begins(), ends()}) {
		if (device && counter != 0)
			TRY(device->set_semaphore(counter, 0));
	}
	return flags_.reset();
}

void RankSlots::withdraw()
{
	flags_.withdraw();
}

void RankSlots::leave(bool keep)
{
	withdraw();
	const DeviceHold device = device_.hold();
	if (!device)
		return;
	if (segment_ != 0)
		device->destroy_segment(segment_);
	segment_ = 0;
	if (keep)
		return;
	for (uint64_t &address : buffers_) {
		if (address != 0)
			(void)device->memory().close(address);
		address = 0;
	}
	flags_.release(*device);
	device->reap();
}

drv::Fence RankSlots::read_all() const
{
	return {read_home_, islands_.near().size() - 1};
}

} // namespace umd
