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

bool PeerMemory::reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access)
{
	const bool is_lent = !is_whole && peer_.memory().lends(address, bytes, access, user);
	place = is_whole || is_lent ? Place::DEVICE : Place::OUTSIDE;
	return is_lent || (is_whole && peer_.memory().covers(address, bytes, access));
}

/* Makes a segment of @device that stands for the first @bytes of a segment of @home. The key is not needed
 * after the import. */
static Result<uint64_t> share(Device &home, Device &device, uint64_t segment, uint64_t bytes)
{
	auto key = TRY(home.sharing().export_segment(segment, 0, bytes, UNPU_EXPORT_SAME_PROCESS));
	auto shared = device.sharing().import_segment(key);
	(void)home.sharing().withdraw(key);
	if (!shared)
		return shared.status();
	return shared->id;
}

/* Maps a segment from share(), or registered memory if @segment is 0. If that fails, the segment is
 * destroyed. */
static Status map_shared(Device &device, uint64_t va, uint64_t bytes, uint64_t segment,
			 uint32_t access)
{
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map.va = va;
	message.map.bytes = bytes;
	message.map.segment = segment;
	message.map.access = access;
	const Status status = device.mailbox().call(message);
	if (status != Status::OK && segment != 0)
		device.destroy_segment(segment);
	return status;
}

void PeerMemory::chunk_added(const Chunk &chunk)
{
	auto segment = share(peer_, device_, chunk.segment, chunk.bytes);
	if (!segment || map_shared(device_, chunk.va, chunk.bytes, *segment,
				   UNPU_ACCESS_READ | UNPU_ACCESS_WRITE) != Status::OK)
		return;
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
	(void)device_.space().unmap(chunk.va, chunk.bytes);
	device_.destroy_segment(segment);
}

PeerHostMemory::PeerHostMemory(Device &device, Device &peer) : device_(device), peer_(peer)
{
	peer_.space().watch(*this);
}

PeerHostMemory::~PeerHostMemory()
{
	peer_.space().unwatch(*this);
	std::map<uint64_t, Range> left;
	{
		std::lock_guard lock(mutex_);
		left.swap(ranges_);
	}
	for (const auto &[va, range] : left)
		unmap(va, range);
}

bool PeerHostMemory::reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access)
{
	place = Place::OUTSIDE;
	if (peer_.space().place(address) != Place::PINNED)
		return false;
	if (!peer_.memory().covers(address, bytes, access)) {
		/* The addresses beside a registered range are ordinary memory of the program. */
		if (!peer_.space().adopted(address))
			place = Place::PINNED;
		return false;
	}
	const auto visit = [this](const HostRange &range) { return map(range); };
	if (!maps(address) && peer_.space().with_host_range(address, visit) != Status::OK)
		return false;
	place = Place::PINNED;
	return true;
}

bool PeerHostMemory::maps(uint64_t address)
{
	std::lock_guard lock(mutex_);
	auto after = ranges_.upper_bound(address);
	return after != ranges_.begin() &&
	       address - std::prev(after)->first < std::prev(after)->second.bytes;
}

/* Context: the caller holds the lock of the peer's address space, so that a range is mapped only once. */
Status PeerHostMemory::map(const HostRange &range)
{
	if (maps(range.va))
		return Status::OK;
	Range mapped{range.bytes, 0};
	if (range.segment != 0) {
		auto segment = TRY(share(peer_, device_, range.segment, range.bytes));
		mapped.segment = segment;
	}
	TRY(map_shared(device_, range.va, range.bytes, mapped.segment, range.access));
	std::lock_guard lock(mutex_);
	ranges_.emplace(range.va, mapped);
	return Status::OK;
}

void PeerHostMemory::unmap(uint64_t va, const Range &range)
{
	(void)device_.space().unmap(va, range.bytes);
	if (range.segment != 0)
		device_.destroy_segment(range.segment);
}

void PeerHostMemory::host_range_removed(uint64_t va)
{
	Range range;
	{
		std::lock_guard lock(mutex_);
		auto found = ranges_.find(va);
		if (found == ranges_.end())
			return;
		range = found->second;
		ranges_.erase(found);
	}
	unmap(va, range);
}

void Peers::note_peer(Device &other)
{
	if (std::find(noted_.begin(), noted_.end(), &other) == noted_.end())
		noted_.push_back(&other);
}

void Peers::note_mutually(Device &other)
{
	{
		std::lock_guard lock(other.peers().mutex_);
		other.peers().note_peer(device_);
	}
	std::lock_guard lock(mutex_);
	note_peer(other);
}

void Peers::count_reaching()
{
	base::store_release(reaching_,
			    static_cast<uint32_t>(memories_.size() + host_memories_.size()));
}

void Peers::meet(Device &peer)
{
	const auto is_met = [&](const auto &memory) { return &memory->peer() == &peer; };
	{
		std::lock_guard lock(mutex_);
		if (std::any_of(host_memories_.begin(), host_memories_.end(), is_met))
			return;
	}
	auto memory = std::make_unique<PeerHostMemory>(device_, peer);
	note_mutually(peer);
	std::lock_guard lock(mutex_);
	host_memories_.push_back(std::move(memory));
	count_reaching();
}

PeerMemory *Peers::find(const Device &peer)
{
	const auto found =
		std::find_if(memories_.begin(), memories_.end(),
			     [&](const auto &memory) { return &memory->peer() == &peer; });
	return found == memories_.end() ? nullptr : found->get();
}

/* The caller serialises the calls. The chunks are mapped without the lock. */
void Peers::add(Device &peer, bool is_whole, uint32_t user)
{
	std::unique_ptr<PeerMemory> made;
	{
		std::lock_guard lock(mutex_);
		if (PeerMemory *memory = find(peer)) {
			memory->is_whole |= is_whole;
			memory->user |= user;
			return;
		}
	}
	made = std::make_unique<PeerMemory>(device_, peer);
	made->is_whole = is_whole;
	made->user = user;
	note_mutually(peer);
	std::lock_guard lock(mutex_);
	memories_.push_back(std::move(made));
	count_reaching();
}

void Peers::enable(Device &peer)
{
	add(peer, true, 0);
}

void Peers::enable_lent(Device &peer, uint32_t user)
{
	add(peer, false, user);
}

Status Peers::disable(Device &peer)
{
	std::unique_ptr<PeerMemory> pending;
	std::lock_guard lock(mutex_);
	auto found = std::find_if(memories_.begin(), memories_.end(),
				  [&](const auto &memory) { return &memory->peer() == &peer; });
	if (found == memories_.end() || !(*found)->is_whole)
		return Status::NOT_READY;
	(*found)->is_whole = false;
	if ((*found)->user == 0) {
		pending = std::move(*found);
		memories_.erase(found);
		count_reaching();
	}
	return Status::OK;
}

void Peers::leave_memory(const Device &peer)
{
	std::unique_ptr<PeerMemory> pending;
	std::lock_guard lock(mutex_);
	auto found = std::find_if(memories_.begin(), memories_.end(),
				  [&](const auto &memory) { return &memory->peer() == &peer; });
	if (found == memories_.end())
		return;
	pending = std::move(*found);
	memories_.erase(found);
	count_reaching();
}

/* The host memory of @peer is unmapped after the lock has been released. */
void Peers::leave_host_memory(const Device &peer)
{
	std::unique_ptr<PeerHostMemory> pending;
	std::lock_guard lock(mutex_);
	auto found = std::find_if(host_memories_.begin(), host_memories_.end(),
				  [&](const auto &memory) { return &memory->peer() == &peer; });
	if (found == host_memories_.end())
		return;
	pending = std::move(*found);
	host_memories_.erase(found);
	count_reaching();
}

bool Peers::enabled(const Device &peer)
{
	std::lock_guard lock(mutex_);
	const PeerMemory *memory = find(peer);
	return memory && memory->is_whole;
}

bool Peers::reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access)
{
	place = Place::OUTSIDE;
	if (base::load_acquire(reaching_) == 0) [[likely]]
		return false;
	std::lock_guard lock(mutex_);
	for (const auto &memory : memories_) {
		if (memory->holds(address))
			return memory->reaches(address, bytes, place, access);
	}
	for (const auto &memory : host_memories_) {
		if (memory->reaches(address, bytes, place, access))
			return true;
		if (place != Place::OUTSIDE)
			return false;
	}
	return false;
}

bool Peers::maps_host_memory(const Device &home, uint64_t address)
{
	std::lock_guard lock(mutex_);
	return std::any_of(host_memories_.begin(), host_memories_.end(), [&](const auto &memory) {
		return &memory->peer() == &home && memory->maps(address);
	});
}

/* All followers join one group, because a semaphore can be in only one group. */
Result<unpu_export_key> Peers::show(uint32_t sem, Device &to)
{
	std::lock_guard lock(mutex_);
	note_peer(to);
	auto found = shown_.find(sem);
	if (found != shown_.end())
		return found->second;
	auto group = TRY(device_.sharing().export_group(UNPU_EXPORT_MIRROR, {&sem, 1}, 0,
							UNPU_EXPORT_SAME_PROCESS));
	shown_.emplace(sem, group.key);
	return group.key;
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
	auto key = TRY(home.peers().show(sem, device_));
	auto here = TRY(device_.allocate_semaphore(SemaphorePool::Use::SHARED));
	auto member = device_.sharing().import_group(key, {&here, 1});
	if (!member) {
		device_.semaphores().release(here, SemaphorePool::Use::SHARED);
		return member.status();
	}
	/* Two threads may both get here for the same semaphore. Both entries work and both are released
	 * later. */
	std::lock_guard lock(mutex_);
	note_peer(home);
	followed_.push_back({&home, sem, here});
	return here;
}

template <class Which> void Peers::stop_following(Which which)
{
	std::vector<Followed> pending;
	{
		std::lock_guard lock(mutex_);
		auto first =
			std::stable_partition(followed_.begin(), followed_.end(),
					      [&](const Followed &entry) { return !which(entry); });
		pending.assign(first, followed_.end());
		followed_.erase(first, followed_.end());
	}
	for (const Followed &entry : pending) {
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
	leave_memory(other);
	leave_host_memory(other);
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
