// SPDX-License-Identifier: MIT
/**
 * DOC: Peers
 *
 * Devices of one process share memory and semaphores with the same requests as devices of different
 * processes. A flag allows a process to import its own exports. Device addresses are addresses of the
 * process, so memory of a peer has the same address on both devices. A followed semaphore stays followed
 * until one of the devices closes: timeline values only grow, even if the semaphore gets another owner.
 */
#include "peers.h"

#include <algorithm>

#include "device.h"
#include "uapi/operator.h"

namespace drv {

using base::Result;
using base::Status;

PeerMemory::PeerMemory(Device &device, Device &peer) : device_(device), peer_(peer)
{
	peer_.space().watch(*this);
}

PeerMemory::~PeerMemory()
{
	peer_.space().unwatch(*this);
}

bool PeerMemory::holds(uint64_t address)
{
	const Chunk *chunk = peer_.space().find(address);
	if (!chunk)
		return false;
	std::lock_guard lock(mutex_);
	return segments_.contains(chunk->va);
}

/* The key is not needed after the import. */
Result<uint64_t> PeerMemory::take(const Chunk &chunk)
{
	auto key = peer_.sharing().export_segment(chunk.segment, 0, chunk.bytes,
						  UNPU_EXPORT_SAME_PROCESS);
	if (!key)
		return key.status();
	auto segment = device_.sharing().import_segment(*key);
	(void)peer_.sharing().withdraw(*key);
	if (!segment)
		return segment.status();
	return segment->id;
}

void PeerMemory::chunk_added(const Chunk &chunk)
{
	auto segment = take(chunk);
	if (!segment)
		return;
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map.va = chunk.va;
	message.map.bytes = chunk.bytes;
	message.map.segment = *segment;
	message.map.access = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;
	if (device_.mailbox().call(message) != Status::OK)
		return device_.destroy_segment(*segment);
	std::lock_guard lock(mutex_);
	segments_.emplace(chunk.va, *segment);
}

void PeerMemory::chunk_removed(const Chunk &chunk)
{
	uint64_t segment;
	{
		std::lock_guard lock(mutex_);
		auto found = segments_.find(chunk.va);
		if (found == segments_.end())
			return;
		segment = found->second;
		segments_.erase(found);
	}
	unpu_message message{};
	message.type = UNPU_MSG_UNMAP;
	message.map.va = chunk.va;
	message.map.bytes = chunk.bytes;
	(void)device_.mailbox().call(message);
	device_.destroy_segment(segment);
}

void Peers::note_peer(Device &other)
{
	if (std::find(noted_.begin(), noted_.end(), &other) == noted_.end())
		noted_.push_back(&other);
}

void Peers::enable(Device &peer)
{
	if (enabled(peer))
		return;
	auto memory = std::make_unique<PeerMemory>(device_, peer);
	{
		std::lock_guard lock(peer.peers().mutex_);
		peer.peers().note_peer(device_);
	}
	std::lock_guard lock(mutex_);
	note_peer(peer);
	memories_.push_back(std::move(memory));
	base::store_release(reaching_, static_cast<uint32_t>(memories_.size()));
}

Status Peers::disable(Device &peer)
{
	std::unique_ptr<PeerMemory> gone;
	std::lock_guard lock(mutex_);
	auto found = std::find_if(memories_.begin(), memories_.end(),
				  [&](const auto &memory) { return &memory->peer() == &peer; });
	if (found == memories_.end())
		return Status::NOT_READY;
	gone = std::move(*found);
	memories_.erase(found);
	base::store_release(reaching_, static_cast<uint32_t>(memories_.size()));
	return Status::OK;
}

bool Peers::enabled(const Device &peer)
{
	std::lock_guard lock(mutex_);
	return std::any_of(memories_.begin(), memories_.end(),
			   [&](const auto &memory) { return &memory->peer() == &peer; });
}

bool Peers::reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access)
{
	place = Place::OUTSIDE;
	if (base::load_acquire(reaching_) == 0) [[likely]]
		return false;
	std::lock_guard lock(mutex_);
	for (const auto &memory : memories_) {
		if (!memory->holds(address))
			continue;
		place = Place::DEVICE;
		return memory->peer().memory().covers(address, bytes, access);
	}
	return false;
}

/* All followers join one group, because a semaphore can be in only one group. */
Result<unpu_export_key> Peers::show(uint32_t sem, Device &to)
{
	std::lock_guard lock(mutex_);
	note_peer(to);
	auto found = shown_.find(sem);
	if (found != shown_.end())
		return found->second;
	auto group = device_.sharing().export_group(UNPU_EXPORT_MIRROR, {&sem, 1}, 0,
						    UNPU_EXPORT_SAME_PROCESS);
	if (!group)
		return group.status();
	shown_.emplace(sem, group->key);
	return group->key;
}

Result<uint32_t> Peers::follow(Device &home, uint32_t sem)
{
	{
		std::lock_guard lock(mutex_);
		for (const Followed &entry : followed_) {
			if (entry.home == &home && entry.sem == sem)
				return entry.here;
		}
	}
	auto key = home.peers().show(sem, device_);
	if (!key)
		return key.status();
	auto here = device_.allocate_semaphore(SemaphorePool::Use::SHARED);
	if (!here)
		return here.status();
	auto member = device_.sharing().import_group(*key, {&*here, 1});
	if (!member) {
		device_.semaphores().release(*here, SemaphorePool::Use::SHARED);
		return member.status();
	}
	/* Two threads may both get here for the same semaphore. Both entries work and both are released
	 * later. */
	std::lock_guard lock(mutex_);
	note_peer(home);
	followed_.push_back({&home, sem, *here});
	return *here;
}

template <class Which> void Peers::stop_following(Which which)
{
	std::vector<Followed> gone;
	{
		std::lock_guard lock(mutex_);
		auto first =
			std::stable_partition(followed_.begin(), followed_.end(),
					      [&](const Followed &entry) { return !which(entry); });
		gone.assign(first, followed_.end());
		followed_.erase(first, followed_.end());
	}
	for (const Followed &entry : gone) {
		/* Leave the group later: queued tasks may still wait for the semaphore. */
		device_.defer([this, here = entry.here] {
			(void)device_.sharing().leave_group(here);
			device_.semaphores().release(here, SemaphorePool::Use::SHARED);
		});
	}
	device_.reap();
}

void Peers::release(uint32_t sem)
{
	std::vector<Device *> others;
	{
		std::lock_guard lock(mutex_);
		auto found = shown_.find(sem);
		if (found == shown_.end())
			return;
		(void)device_.sharing().withdraw(found->second);
		shown_.erase(found);
		others = noted_;
	}
	for (Device *other : others) {
		other->peers().stop_following([&](const Followed &entry) {
			return entry.home == &device_ && entry.sem == sem;
		});
	}
}

void Peers::drop(Device &other)
{
	(void)disable(other);
	stop_following([&](const Followed &entry) { return entry.home == &other; });
	std::lock_guard lock(mutex_);
	std::erase(noted_, &other);
}

void Peers::part()
{
	std::vector<Device *> others;
	{
		std::lock_guard lock(mutex_);
		others.swap(noted_);
	}
	for (Device *other : others) {
		other->peers().drop(device_);
		drop(*other);
	}
}

} // namespace drv
