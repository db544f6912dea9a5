// SPDX-License-Identifier: MIT
/**
 * DOC: Seats of a communicator
 *
 * Each rank makes its buffer and its semaphores and exports them; then it imports those of all ranks, its own too. So
 * a rank of this process and one of another process are the same to it.
 */
#include "seats.h"

#include <algorithm>

#include "umd/core/process/error.h"

namespace umd {

using base::Status;
using Use = drv::SemaphorePool::Use;

/* An operation takes a round for each buffer of data, and each round takes packets of the ring. */
static constexpr uint64_t COLLECTIVE_MOST = uint64_t{16} << 20;
static constexpr uint64_t MESSAGE_MOST = uint64_t{1} << 20;

Seats::Layout Seats::layout_for(uint64_t bytes, uint32_t ranks)
{
	constexpr uint64_t UNIT = base::PAGE_BYTES;
	Layout layout;
	layout.collective_bytes = std::min(COLLECTIVE_MOST, bytes / 2) / UNIT * UNIT;
	layout.message_bytes = std::min(MESSAGE_MOST, bytes / 2 / ranks) / UNIT * UNIT;
	return layout;
}

Status Seats::share(drv::Device &device, const unpu_export_key &key, std::span<const uint32_t> pids)
{
	return pids.empty() ? Status::OK : device.sharing().allow(key, pids);
}

Status Seats::make_buffer(drv::Device &device, std::span<const uint32_t> pids, unpu_export_key &key)
{
	const uint64_t bytes = layout_.collective_bytes + ranks_ * layout_.message_bytes;
	auto segment = device.create_segment(UNPU_SEGMENT_DEVICE, bytes);
	if (!segment)
		return segment.status();
	segment_ = segment->id;
	auto made = device.sharing().export_segment(segment_, 0, bytes, UNPU_EXPORT_SAME_PROCESS);
	if (!made)
		return made.status();
	key = *made;
	return share(device, key, pids);
}

/* Without analysis of the caller: no other thread knows the seats yet. */
Status Seats::make_home(drv::Device &device, uint64_t value, std::span<const uint32_t> pids,
			unpu_export_key &key)
{
	auto sem = device.allocate_semaphore(Use::FLAG);
	if (!sem)
		return sem.status();
	Home home{*sem, {}};
	Status status = device.set_semaphore(*sem, value);
	if (status == Status::OK) {
		auto made = device.sharing().export_group(UNPU_EXPORT_NOTIFY, {&*sem, 1}, 0,
							  UNPU_EXPORT_SAME_PROCESS);
		status = made.status();
		if (made)
			home.key = key = made->key;
	}
	std::lock_guard lock(mutex_);
	homes_.push_back(home);
	TRY(status);
	return share(device, key, pids);
}

Status Seats::make(const DeviceHold &device, const Layout &layout, uint32_t ranks, uint32_t rank,
		   std::span<const uint32_t> pids, RankKeys &keys)
{
	device_ = DeviceRef(device.open());
	layout_ = layout;
	ranks_ = ranks;
	rank_ = rank;
	keys = {};
	TRY(make_buffer(*device, pids, keys.buffer));
	/* At first, all have read the buffer. */
	const uint64_t others = ranks - 1;
	TRY(make_home(*device, others, pids, keys.counters[READ]));
	{
		std::lock_guard lock(mutex_);
		read_home_ = homes_.back().sem;
	}
	TRY(make_home(*device, 0, pids, keys.counters[READY]));
	TRY(make_home(*device, 0, pids, keys.counters[REDUCED]));
	for (uint32_t other = 0; other < ranks; other++) {
		if (other == rank)
			continue;
		TRY(make_home(*device, 0, pids, keys.sent[other]));
		TRY(make_home(*device, 0, pids, keys.taken[other]));
	}
	return Status::OK;
}

Status Seats::take(drv::Device &device, const unpu_export_key &key, uint32_t &sem)
{
	auto made = device.allocate_semaphore(Use::SHARED);
	if (!made)
		return made.status();
	auto member = device.sharing().import_group(key, {&*made, 1});
	if (!member) {
		device.semaphores().release(*made, Use::SHARED);
		return member.status();
	}
	sem = *made;
	taken_.push_back(sem);
	return Status::OK;
}

Status Seats::take_waits(drv::Device &device, const RankKeys &own)
{
	for (uint32_t i = 0; i < COUNTERS; i++)
		TRY(take(device, own.counters[i], wait_[i]));
	for (uint32_t other = 0; other < ranks_; other++) {
		if (other == rank_)
			continue;
		TRY(take(device, own.sent[other], wait_sent_[other]));
		TRY(take(device, own.taken[other], wait_taken_[other]));
	}
	return Status::OK;
}

Status Seats::take_signals(drv::Device &device, const KeyTable &table, uint32_t rank)
{
	const RankKeys &keys = table.ranks[rank];
	SeatNumbers &signals = signal_[rank];
	for (uint32_t i = 0; i < COUNTERS; i++)
		TRY(take(device, keys.counters[i], signals.counters[i]));
	TRY(take(device, keys.sent[rank_], signals.sent));
	return take(device, keys.taken[rank_], signals.taken);
}

Status Seats::join(const DeviceHold &device, const KeyTable &table)
{
	TRY(take_waits(*device, table.ranks[rank_]));
	for (uint32_t rank = 0; rank < ranks_; rank++) {
		if (rank != rank_)
			TRY(take_signals(*device, table, rank));
		auto segment = device->sharing().import_segment(table.ranks[rank].buffer);
		if (!segment)
			return segment.status();
		auto bo = device->memory().import(*segment);
		if (!bo)
			return bo.status();
		buffers_[rank] = bo->va;
	}
	return Status::OK;
}

void Seats::withdraw()
{
	const DeviceHold device = device_.hold();
	std::lock_guard lock(mutex_);
	if (!device || is_withdrawn_)
		return;
	is_withdrawn_ = true;
	for (const Home &home : homes_) {
		if (home.key.object != 0)
			(void)device->sharing().withdraw(home.key);
	}
}

void Seats::leave(bool keep)
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
	std::vector<uint32_t> homes;
	{
		std::lock_guard lock(mutex_);
		for (const Home &home : homes_)
			homes.push_back(home.sem);
		homes_.clear();
	}
	for (uint64_t &address : buffers_) {
		if (address != 0)
			(void)device->memory().close(address);
		address = 0;
	}
	/* Work that is queued may name them still. */
	device->defer([&device = *device, homes = std::move(homes), taken = std::move(taken_)] {
		for (uint32_t sem : taken) {
			(void)device.sharing().leave_group(sem);
			device.semaphores().release(sem, Use::SHARED);
		}
		for (uint32_t sem : homes)
			device.semaphores().release(sem, Use::FLAG);
	});
	taken_.clear();
	device->reap();
}

drv::Fence Seats::read_all() const
{
	return {read_home_, ranks_ - 1};
}

} // namespace umd
