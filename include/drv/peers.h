// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "drv/address_space.h"
#include "drv/fence.h"

namespace drv {

class Device;

/**
 * class PeerMemory - the device memory of another device, at the same addresses. Chunks come and go
 * with those of the other device; one that can't be shared is left out.
 */
class PeerMemory final : public ChunkWatcher {
public:
	PeerMemory(Device &device, Device &peer);
	~PeerMemory() override;

	Device &peer() { return peer_; }

	/** holds() - whether packets of the device may name @address. */
	bool holds(uint64_t address);

	void chunk_added(const Chunk &chunk) override;
	void chunk_removed(const Chunk &chunk) override;

private:
	base::Result<uint64_t> take(const Chunk &chunk);

	Device &device_;
	Device &peer_;
	base::Mutex mutex_{"PeerMemory::mutex_"};
	std::map<uint64_t, uint64_t> segments_; /* of the device, by the chunk's address */
};

/**
 * class Peers - what a device has to do with the other ones of this process: memory of theirs that it
 * reaches, semaphores of theirs that it follows. All devices are of one firmware.
 * Context: any thread; open() and close() of devices are the caller's to serialise with the rest.
 */
class Peers {
public:
	explicit Peers(Device &device) : device_(device) {}

	/** enable() - packets of this device may name memory of @peer from now on. Done twice, it is
	 * done. */
	void enable(Device &peer);
	/** disable() - Return: NOT_READY when it was not enabled. */
	base::Status disable(Device &peer);
	bool enabled(const Device &peer);

	/** reaches() - whether packets may name [@address, @address + @bytes) of a peer.
	 * @access: UNPU_ACCESS_*
	 * @place: DEVICE if it is an address of memory that this device reaches, else OUTSIDE */
	bool reaches(uint64_t address, uint64_t bytes, Place &place, uint32_t access);

	/** follow() - a semaphore of this device that has the value of @home's @sem, always: what is
	 * raised there is raised here soon after.
	 * Return: NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Result<uint32_t> follow(Device &home, uint32_t sem);

	/** follow() - a fence of this device that passes with one of @home. */
	base::Result<Fence> follow(Device &home, const Fence &fence)
	{
		auto sem = follow(home, fence.sem);
		return sem ? base::Result<Fence>(Fence{*sem, fence.value}) : sem.status();
	}

	/** release() - nobody follows this device's @sem any more, so that it can be of other use. */
	void release(uint32_t sem);

	/** part() - ends everything between this device and others; it is about to close. */
	void part();

private:
	struct Followed {
		Device *home;
		uint32_t sem;
		uint32_t here;
	};

	base::Result<unpu_export_key> show(uint32_t sem, Device &to);
	template <class Which> void stop_following(Which which);
	void meet(Device &other);
	void drop(Device &other);

	Device &device_;
	/* Protects the following. Memory of a peer is mapped once, under it. */
	base::Mutex mutex_{"Peers::mutex_", base::HeldOver::ANSWERS};
	std::vector<Device *> met_;
	std::vector<std::unique_ptr<PeerMemory>> memories_;
	std::vector<Followed> followed_;
	std::map<uint32_t, unpu_export_key> shown_; /* own semaphores that others follow */
	uint32_t reaching_ = 0;			    /* memories_, for a look without the lock */
};

} // namespace drv
