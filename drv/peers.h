// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/attachment/address_space.h"
#include "drv/packet/fence.h"

namespace drv {

class Device;

/**
 * class PeerMemory - maps the device memory of another device at the same addresses. It follows the other
 * device's new and removed chunks; a chunk that can't be shared is left out.
 */
class PeerMemory final : public MemoryWatcher {
public:
	PeerMemory(Device &device, Device &peer);
	~PeerMemory() override;

	Device &peer() { return peer_; }

	/** holds() - whether @address is in a chunk that is mapped. */
	bool holds(uint64_t address);

	/** reaches() - whether packets of the device may name [@address, @address + @bytes).
	 * @place: out: OUTSIDE if the device may not use this memory */
	bool reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access);

	/* Context: under the lock of Peers. */
	bool is_whole = false; /* the device may use all memory of the peer */
	/* the device's bit in the objects that the peer lends it; 0: the peer lends it nothing */
	uint32_t user = 0;

	void chunk_added(const Chunk &chunk) override;
	void chunk_removed(const Chunk &chunk) override;

private:
	Device &device_;
	Device &peer_;
	base::Mutex mutex_{"PeerMemory::mutex_"};
	/* The device's segments that stand for the peer's chunks, by the chunk's address. */
	std::map<uint64_t, uint64_t> segments_ GUARDED_BY(mutex_);
};

/**
 * class PeerHostMemory - maps pinned and registered memory that belongs to another device at the same addresses.
 * A HostRange is mapped when a packet first names it, and stays mapped until the other device removes it.
 */
class PeerHostMemory final : public MemoryWatcher {
public:
	PeerHostMemory(Device &device, Device &peer);
	~PeerHostMemory() override;

	Device &peer() { return peer_; }

	/** reaches() - as Peers::reaches(). Maps the memory if it is not mapped yet. */
	bool reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access);

	/** maps() - whether the HostRange that contains @address is mapped. */
	bool maps(uint64_t address);

	void host_range_removed(uint64_t va) override;

private:
	struct Range {
		uint64_t bytes;
		uint64_t segment; /* the device's segment; 0: registered memory */
	};

	base::Status map(const HostRange &range);
	void unmap(uint64_t va, const Range &range);

	Device &device_;
	Device &peer_;
	base::Mutex mutex_{"PeerHostMemory::mutex_"};
	std::map<uint64_t, Range> ranges_ GUARDED_BY(mutex_); /* indexed by address */
};

/**
 * class Peers - a device's relations to the other devices of this process: the peer memory that it can
 * access and the peer semaphores that it follows. All devices belong to one firmware.
 * Context: any thread; the caller serialises open() and close() of devices with all other calls.
 */
class Peers {
public:
	explicit Peers(Device &device) : device_(device) {}

	/** meet() - lets packets of this device name pinned and registered memory of @peer from now on. */
	void meet(Device &peer);

	/** enable() - lets packets of this device name device memory of @peer. A second call does nothing. */
	void enable(Device &peer);
	/** enable_lent() - lets packets of this device name the objects that @peer lends it. @user: the bit
	 * of this device */
	void enable_lent(Device &peer, uint32_t user);
	/** disable() - undoes enable(). Return: NOT_READY if the peer was not enabled. */
	base::Status disable(Device &peer);
	bool enabled(const Device &peer);

	/** reaches() - whether packets may name [@address, @address + @bytes) of a peer.
	 * @access: UNPU_ACCESS_*
	 * @place: DEVICE if it is an address of device memory that this device reaches, PINNED if it is one
	 * of pinned memory or of reached registered memory, else OUTSIDE */
	bool reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access);

	/** maps_host_memory() - whether work of this device may use host memory at @address of @home. */
	bool maps_host_memory(const Device &home, uint64_t address);

	/** follow() - a semaphore of this device that follows the value of @home's @sem: the firmware raises
	 * it shortly after @sem.
	 * Return: NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Result<uint32_t> follow(Device &home, uint32_t sem);

	/** follow() - a fence of this device that passes when a fence of @home has passed. */
	base::Result<Fence> follow(Device &home, const Fence &fence)
	{
		auto sem = follow(home, fence.sem);
		return sem ? base::Result<Fence>(Fence{*sem, fence.value}) : sem.status();
	}

	/** release() - ends the sharing of this device's @sem, so that it can be reused. */
	void release(uint32_t sem);

	/** part() - ends all relations to other devices, before this device closes. */
	void part();

private:
	struct Followed {
		Device *home;
		uint32_t sem;
		uint32_t here;
	};

	base::Result<unpu_export_key> show(uint32_t sem, Device &to);
	template <class Which> void stop_following(Which which);
	PeerMemory *find(const Device &peer) REQUIRES(mutex_);
	void add(Device &peer, bool is_whole, uint32_t user);
	void note_peer(Device &other) REQUIRES(mutex_);
	void note_mutually(Device &other);
	void count_reaching() REQUIRES(mutex_);
	void leave_memory(const Device &peer);
	void leave_host_memory(const Device &peer);
	void drop(Device &other);

	Device &device_;
	/* A thread holds it during requests, so that memory of a peer is mapped only once. */
	base::Mutex mutex_{"Peers::mutex_", base::HeldOver::ANSWERS};
	std::vector<Device *> noted_ GUARDED_BY(mutex_);
	std::vector<std::unique_ptr<PeerMemory>> memories_ GUARDED_BY(mutex_);
	std::vector<std::unique_ptr<PeerHostMemory>> host_memories_ GUARDED_BY(mutex_);
	std::vector<Followed> followed_ GUARDED_BY(mutex_);
	/* Semaphores of this device that other devices follow. */
	std::map<uint32_t, unpu_export_key> shown_ GUARDED_BY(mutex_);
	uint32_t reaching_ = 0; /* size of both lists of memories, read without the lock */
};

} // namespace drv
