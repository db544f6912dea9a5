// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/channel/channel.h"
#include "drv/channel/fence.h"
#include "drv/channel/retire_list.h"
#include "drv/channel/semaphore_pool.h"
#include "drv/channel/stager.h"
#include "drv/memory/address_space.h"
#include "drv/memory/memory.h"
#include "hal/device.h"
#include "mailbox.h"
#include "peers.h"
#include "sharing.h"

namespace drv {

/** struct OwnedSegment - a segment mapped by the client only. */
struct OwnedSegment {
	uint64_t id = 0;
	base::Mapping memory;
};

/** struct MemoryInfo - device memory and the kinds of its pages. */
struct MemoryInfo {
	uint64_t total_bytes = 0;
	uint64_t free_bytes = 0;
	uint64_t pages_huge = 0;
	uint64_t pages_thp = 0;
	uint64_t pages_4k = 0;
};

/** struct DeviceInfo - a device's cores and their busy time; see uapi/mailbox.h. */
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

/** struct Busy - utilization of the parts of a device, 0 .. 1; empty for a stepped device, which runs only
 * inside host threads. */
struct Busy {
	std::optional<double> cores; /* all of them */
	std::optional<double> command_processor;
};

/** busy_between() - the utilization between two samples. */
Busy busy_between(const DeviceInfo &then, const DeviceInfo &now);

/** struct ClientControl - see UNPU_MSG_CLIENT_CONTROL. */
struct ClientControl {
	bool report_faults = false; /* false changes nothing */
	bool limit = false;	    /* whether @execute_limit_ns is valid */
	uint64_t execute_limit_ns = 0;
};

/** struct Source - the channel and the thread that a packet came from. */
struct Source {
	uint32_t channel = ~uint32_t{0}; /* default: no channel has this timeline any more */
	uint32_t thread = 0;
};

/**
 * class Device - one device and this process's context on it. It owns all objects below the runtime; its
 * destructor destroys them in the order of their dependencies.
 */
class Device {
public:
	/** open() - opens a device. @why: receives a sentence on failure. */
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
	 * @place: the kind of memory that @address is for this device */
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

	/** status() - the status of a failed packet whose fence uses this semaphore; OK if none failed. */
	base::Status status(uint32_t sem) const
	{
		return static_cast<base::Status>(
			base::load_relaxed(hal_->completion().semaphores[sem].status));
	}

	/** query() - whether a fence has passed. Return: DEVICE_LOST if it never will. */
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

	/** timestamp_ns() - the last time stamp of a semaphore. */
	uint64_t timestamp_ns(uint32_t sem) const
	{
		return base::load_relaxed(hal_->completion().semaphores[sem].timestamp_ns);
	}

	/** allocate_semaphore() - allocates from semaphores(). If none is left, calls reclaim_semaphores()
	 * and retries.
	 * Context: no lock held. Return: NO_RESOURCE, QUOTA. */
	base::Result<uint32_t> allocate_semaphore(
		SemaphorePool::Use use = SemaphorePool::Use::GROWING);

	/** reclaim_semaphores() - frees the semaphores of finished work: runs all deferred actions that are
	 * due. Context: no lock held. */
	void reclaim_semaphores();

	/** at_shortage() - makes reclaim_semaphores() call @reclaim first. Context: no other thread uses the
	 * device yet. */
	void at_shortage(void (*reclaim)()) { at_shortage_ = reclaim; }

	/** set_semaphore() - sets a semaphore's initial value. */
	base::Status set_semaphore(uint32_t sem, uint64_t value);

	/** create_segment(), destroy_segment() - segments that have no device address.
	 * @flags: UNPU_SEGMENT_* */
	base::Result<OwnedSegment> create_segment(unpu_segment_kind kind, uint64_t bytes,
						  uint32_t flags = 0);
	void destroy_segment(uint64_t id);

	/** give_file() - see hal::Device. close_file() - @file: the number from give_file(). */
	base::Result<hal::GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
					       uint32_t flags)
	{
		return hal_->give_file(file, direct, flags);
	}
	void close_file(uint32_t file);

	/** load_graph() - loads an image into the firmware. Return: the graph's id; BAD_GRAPH. */
	base::Result<uint32_t> load_graph(const void *image, uint64_t bytes);

	/** unload_graph() - Return: MODEL_RUNNING while an execution is under way. */
	base::Status unload_graph(uint32_t graph);

	/** trace_graph() - sets the buffer for the time stamps of a graph's nodes; @bytes 0 for none. */
	base::Status trace_graph(uint32_t graph, uint64_t va, uint64_t bytes);

	base::Result<MemoryInfo> memory_info();
	base::Result<DeviceInfo> info();

	/** busy() - the utilization since its last call on this object, or since the device's start.
	 * Context: one thread at a time. */
	base::Result<Busy> busy();

	/** pending_fences() - the last fence of each channel that is not idle. Its cost depends on the number
	 * of busy channels only. */
	std::vector<Fence> pending_fences();

	/** few_pending() - pending_fences() if few channels may have work; empty if many may. */
	std::vector<Fence> few_pending();

	/** defer() - runs @action in a later reap(), after all work submitted so far has passed. While many
	 * channels have work, actions are gathered, and the whole batch waits for the same, later fences.
	 * @bytes: the memory that @action frees
	 * @older: fences for which @action need not wait */
	void defer(std::function<void()> action, uint64_t bytes = 0,
		   const std::vector<Fence> &older = {});

	/** defer_after() - runs @action in a later reap(), after all of @fences have passed. */
	void defer_after(std::vector<Fence> fences, std::function<void()> action);

	/** reap() - runs deferred actions that are due. */
	void reap();

	/** reap_all() - reap() that also handles the gathered actions. */
	void reap_all();

	/** retired() - the number of entries whose deferred actions have run. */
	uint64_t retired() { return retiring_.finished(); }

	/** wait_retired() - waits until retired() is greater than @seen. Return: false if no action is
	 * deferred or the deadline passes first. Context: no lock is held. */
	bool wait_retired(uint64_t seen, uint64_t deadline_ns);

	void add_channel(Channel &channel);
	void remove_channel(Channel &channel);

	/** note_busy() - re-adds a channel with new work to busy_. */
	void note_busy(Channel &channel);

	/** note_unsettled() - marks a channel as unsettled although nothing was submitted. */
	void note_unsettled(Channel &channel);

	/** unsettled() - the users of @owner's channels that may have new results or failures: all that had
	 * work since settle(), and possibly a few others. Context: the owner's lock is held, so that its
	 * channels stay alive. */
	std::vector<void *> unsettled(const void *owner);

	/** struct Settled - a channel whose results up to @tail the owner has processed. */
	struct Settled {
		Channel *channel;
		Fence tail;
	};

	/** settle() - removes channels from the unsettled ones until they have new work. Context: as
	 * unsettled(). */
	void settle(const std::vector<Settled> &settled);

	/** control() - changes the firmware's settings for this client. Return: DEVICE_LOST. */
	base::Status control(const ClientControl &wanted);

	/** find_source() - the channel and the thread of a failed packet.
	 * @timeline: of its channel, or of the channel that launched its graph
	 * @task: its number in the channel */
	Source find_source(uint32_t timeline, uint64_t task);

	/** dump() - the device's state as readable text. */
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
	std::vector<Channel *> busy_;	   /* all channels with work, and some idle ones */
	std::vector<Channel *> unsettled_; /* channels that had work since settle() */
	uint32_t busy_count_ = 0;	   /* size of @busy_, read without the lock */
	DeviceInfo busy_base_;		   /* at the last busy() */
	Memory memory_;
	Peers peers_;
	std::unique_ptr<Stager> stager_;
};

} // namespace drv
