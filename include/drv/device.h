// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "drv/address_space.h"
#include "drv/channel.h"
#include "drv/fence.h"
#include "drv/mailbox.h"
#include "drv/memory.h"
#include "drv/peers.h"
#include "drv/retire_list.h"
#include "drv/semaphore_pool.h"
#include "drv/sharing.h"
#include "drv/stager.h"
#include "hal/device.h"

namespace drv {

/** struct OwnedSegment - a segment mapped by the client only. */
struct OwnedSegment {
	uint64_t id = 0;
	base::Mapping memory;
};

/** struct MemoryInfo - device memory and what kinds of pages were got. */
struct MemoryInfo {
	uint64_t total_bytes = 0;
	uint64_t free_bytes = 0;
	uint64_t pages_huge = 0;
	uint64_t pages_thp = 0;
	uint64_t pages_4k = 0;
};

/** struct DeviceInfo - a device's cores, and how long they had work; see uapi/mailbox.h. */
struct DeviceInfo {
	uint64_t uptime_ns = 0;
	uint64_t busy_ns = 0;
	uint64_t engines_busy_ns = 0;
	uint64_t local_bytes = 0;
	uint64_t core_bytes = 0;
	uint64_t shared_bytes = 0;
	uint32_t cores = 0;
	uint32_t clock_mhz = 0;
};

/** struct Busy - the part of its time that a part of a device had work, 0 .. 1; nothing on a stepped
 * device, which has no time of its own. */
struct Busy {
	std::optional<double> cores; /* all of them */
	std::optional<double> command_processor;
};

/** busy_between() - what a device did between two answers. */
Busy busy_between(const DeviceInfo &then, const DeviceInfo &now);

/** struct ClientControl - see UNPU_MSG_CLIENT_CONTROL. */
struct ClientControl {
	bool report_faults = false; /* false changes nothing */
	bool limit = false;	    /* whether @execute_limit_ns is meant */
	uint64_t execute_limit_ns = 0;
};

/** struct Source - the channel and the thread that a packet came from. */
struct Source {
	uint32_t channel = ~uint32_t{0}; /* no channel has this timeline any more */
	uint32_t thread = 0;
};

/**
 * class Device - one device and this process's context on it. It owns everything below the runtime;
 * the destructor takes it down in the one order that works.
 */
class Device {
public:
	/** open() - brings a device up. @why gets a sentence when that fails. */
	static base::Result<std::unique_ptr<Device>> open(const hal::Options &options,
							  uint32_t index, std::string &why);
	~Device();

	hal::Device &hal() { return *hal_; }
	Mailbox &mailbox() { return mailbox_; }
	SemaphorePool &semaphores() { return semaphores_; }
	Sharing &sharing() { return sharing_; }
	AddressSpace &space() { return *space_; }
	Memory &memory() { return memory_; }
	Peers &peers() { return peers_; }
	Stager &stager() { return *stager_; }

	/** reaches() - whether packets may name [@address, @address + @bytes): memory of this device or of
	 * a peer it has access to, and in one live object that allows @access.
	 * @place: what @address is for this device */
	bool reaches(uint64_t address, uint64_t bytes, Place &place,
		     uint32_t access = UNPU_ACCESS_READ)
	{
		if (memory_.knows(address, bytes, place)) [[likely]]
			return true;
		place = space_->place(address);
		if (place != Place::OUTSIDE) [[likely]]
			return memory_.covers(address, bytes, access);
		return peers_.reaches(address, bytes, place, access);
	}

	/** value() - a semaphore's value now (A3). */
	uint64_t value(uint32_t sem) const
	{
		return base::load_acquire(hal_->completion().semaphores[sem].value);
	}

	/** done() - whether a fence has passed. */
	bool done(const Fence &fence) const
	{
		if (!fence.empty() && value(fence.sem) < fence.value)
			return false;
		hal_->acquire_host_work();
		return true;
	}

	/** status() - what a packet whose fence is of this semaphore failed with, if one did. */
	base::Status status(uint32_t sem) const
	{
		return static_cast<base::Status>(
			base::load_relaxed(hal_->completion().semaphores[sem].status));
	}

	/** query() - tells whether a fence has passed. Return: DEVICE_LOST when it never will. */
	base::Status query(const Fence &fence, bool &passed) const
	{
		passed = done(fence);
		return passed || !hal_->lost() ? base::Status::OK : base::Status::DEVICE_LOST;
	}

	/** wait() - blocks until a fence has passed. Context: no lock held.
	 * @spin: false sleeps at once. Return: TIMEOUT, DEVICE_LOST. */
	base::Status wait(const Fence &fence, uint64_t deadline_ns, bool spin = true)
	{
		base::assert_unlocked("work of the device");
		if (hal_->lost()) [[unlikely]]
			return base::Status::DEVICE_LOST;
		if (fence.empty())
			return base::Status::OK;
		return hal::wait_semaphore(*hal_, fence.sem, fence.value, deadline_ns, spin);
	}

	/** timestamp_ns() - the last time stamp a semaphore got. */
	uint64_t timestamp_ns(uint32_t sem) const
	{
		return base::load_relaxed(hal_->completion().semaphores[sem].timestamp_ns);
	}

	/** allocate_semaphore() - one of semaphores(); where none is left, after reclaim_semaphores().
	 * Context: no lock held. Return: NO_RESOURCE, QUOTA. */
	base::Result<uint32_t> allocate_semaphore(
		SemaphorePool::Use use = SemaphorePool::Use::GROWING);

	/** reclaim_semaphores() - those of finished work are free: whatever was deferred and is due runs,
	 * however much that is. Context: no lock held. */
	void reclaim_semaphores();

	/** at_shortage() - reclaim_semaphores() calls @reclaim first. Context: one thread has the device. */
	void at_shortage(void (*reclaim)()) { at_shortage_ = reclaim; }

	/** set_semaphore() - gives a semaphore its first value. */
	base::Status set_semaphore(uint32_t sem, uint64_t value);

	/** create_segment(), destroy_segment() - segments that have no device address.
	 * @flags: UNPU_SEGMENT_* */
	base::Result<OwnedSegment> create_segment(unpu_segment_kind kind, uint64_t bytes,
						  uint32_t flags = 0);
	void destroy_segment(uint64_t id);

	/** give_file(), close_file() - see hal::Device; the file's number. */
	base::Result<hal::GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
					       uint32_t flags)
	{
		return hal_->give_file(file, direct, flags);
	}
	void close_file(uint32_t file);

	/** load_graph() - hands an image to the firmware. Return: the graph's id; BAD_GRAPH. */
	base::Result<uint32_t> load_graph(const void *image, uint64_t bytes);

	/** unload_graph() - Return: MODEL_RUNNING while an execution is under way. */
	base::Status unload_graph(uint32_t graph);

	/** trace_graph() - where the nodes of a graph store their times; @bytes 0 for nowhere. */
	base::Status trace_graph(uint32_t graph, uint64_t va, uint64_t bytes);

	base::Result<MemoryInfo> memory_info();
	base::Result<DeviceInfo> info();

	/** busy() - since its last call on this object, or the start of the device. Context: one thread at
	 * a time. */
	base::Result<Busy> busy();

	/** pending_fences() - the last fence of each channel that is not idle. Channels that have had
	 * nothing to do for a while cost nothing. */
	std::vector<Fence> pending_fences();

	/** few_pending() - the same where few channels may have work, and nothing where many may. */
	std::vector<Fence> few_pending();

	/** defer() - @action runs once all work submitted up to now has passed, in a later reap(). While
	 * many channels have work, it is gathered with others that wait for a little more.
	 * @bytes: what it gives back
	 * @older: work that need not have passed */
	void defer(std::function<void()> action, uint64_t bytes = 0,
		   const std::vector<Fence> &older = {});

	/** defer_after() - @action runs once all of @fences have passed, in a later reap(). */
	void defer_after(std::vector<Fence> fences, std::function<void()> action);

	/** reap() - runs deferred actions that are due. */
	void reap();

	/** reap_all() - the same, of those that are gathered too. */
	void reap_all();

	/** retired() - how many entries of deferred actions have run. */
	uint64_t retired() { return retiring_.finished(); }

	/** wait_retired() - waits until more have run than @seen, which retired() returned. Return: false
	 * when nothing is deferred, or the deadline passed first. Context: no lock is held. */
	bool wait_retired(uint64_t seen, uint64_t deadline_ns);

	void add_channel(Channel &channel);
	void remove_channel(Channel &channel);

	/** note_busy() - a channel that was taken out of the list of busy ones has work again. */
	void note_busy(Channel &channel);

	/** note_unsettled() - a channel may have something to tell though nothing was submitted. */
	void note_unsettled(Channel &channel);

	/** unsettled() - users of the channels of @owner that may have something to tell: those that have
	 * had work since settle(), but for a few more. Context: the owner's lock, which keeps its
	 * channels, is held. */
	std::vector<void *> unsettled(const void *owner);

	/** struct Settled - a channel of which all up to @tail was told. */
	struct Settled {
		Channel *channel;
		Fence tail;
	};

	/** settle() - those channels have nothing to tell until they have work again. Context: as
	 * unsettled(). */
	void settle(const std::vector<Settled> &settled);

	/** control() - what the firmware does for this client. Return: DEVICE_LOST. */
	base::Status control(const ClientControl &wanted);

	/** find_source() - where a failed packet came from.
	 * @timeline: of its channel, or of the one that launched its graph
	 * @task: its number in the channel */
	Source find_source(uint32_t timeline, uint64_t task);

	/** dump() - the device's state for people. */
	std::string dump();

private:
	base::Result<uint32_t> try_load_graph(const void *image, uint64_t bytes);

	explicit Device(std::unique_ptr<hal::Device> hal);
	void forget_idle();
	void close_gathered();

	std::unique_ptr<hal::Device> hal_;
	Mailbox mailbox_;
	SemaphorePool semaphores_;
	void (*at_shortage_)() = nullptr;
	Sharing sharing_;
	std::unique_ptr<AddressSpace> space_;
	RetireList retiring_;
	base::Mutex channels_mutex_{"Device::channels_mutex_"};
	std::vector<Channel *> channels_;
	std::vector<Channel *> busy_;	   /* all that have work, and some that had */
	std::vector<Channel *> unsettled_; /* and those that had since they were settled */
	uint32_t busy_count_ = 0;	   /* of @busy_, to look at without the lock */
	DeviceInfo busy_base_;		   /* at the last busy() */
	Memory memory_;
	Peers peers_;
	std::unique_ptr<Stager> stager_;
};

} // namespace drv
