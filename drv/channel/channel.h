// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/sync/arming.h"
#include "base/sync/biased_lock.h"
#include "base/sync/mutex.h"
#include "base/sync/ring.h"
#include "drv/packet/fence.h"
#include "hal/device.h"

namespace drv {

class ChannelSet;

/** struct Failure - the firmware's report of a channel's first failed packet. */
struct Failure {
	base::Status status = base::Status::OK;
	uint64_t cookie = 0;
	uint64_t address = 0;
	uint64_t detail = 0; /* for BAD_INDEX: the index that is out of range */
};

/** struct OpenTask - the oldest packet of a channel that is not done. */
struct OpenTask {
	uint32_t channel = 0;
	uint64_t index = 0;  /* the packet's index in the channel */
	uint64_t behind = 0; /* how many packets have been submitted after it */
	unpu_packet packet{};
};

/** struct ChannelConfig - the parameters of a new channel. */
struct ChannelConfig {
	uint32_t priority = 0; /* 0 highest .. 7 */
	uint32_t slots = 1024; /* a power of two */
	uint32_t group = 0;    /* the group of channels that stop together; 0: no group */
	/* the channel's packets never wait, so if the ring stays full, the device counts as lost */
	bool prompt = false;
	bool is_own = false; /* the channel serves the driver or the runtime, not a stream */

	bool operator==(const ChannelConfig &) const = default;
};

/**
 * class Channel - the producer of one ring, with its timeline.
 *
 * Context: any thread. submit() blocks while the ring is full, without holding a lock. A full ring makes it
 * fail only with ChannelConfig::prompt.
 */
class Channel {
public:
	/* No thread-safety analysis: no other thread knows the channel yet. */
	static base::Result<std::unique_ptr<Channel>> create(
		ChannelSet &set, const ChannelConfig &config) NO_THREAD_SAFETY_ANALYSIS;
	~Channel();

	/** submit() - appends a packet.
	 * @packet: the caller has filled in all fields except @valid
	 * @op: the descriptor of an OPERATOR packet
	 * Return: the fence of the packet; DEVICE_LOST. A packet that is submitted during an abort() is
	 * dropped; the fence is then that of the packet before it. */
	base::Result<Fence> submit(const unpu_packet &packet, const unpu_operator *op = nullptr)
	{
		return submit_page(packet, op, op ? sizeof(*op) : 0);
	}

	/** submit_page() - submit() with any contents of the descriptor page.
	 * @bytes: at most sizeof(unpu_operator) */
	base::Result<Fence> submit_page(const unpu_packet &packet, const void *page, size_t bytes);

	/** post() - submit_page() that does not block.
	 * @aborts: the value of aborts() when the caller began; if it has changed, the packet is dropped
	 * Return: as submit_page(), NOT_READY while the ring is full. */
	base::Result<Fence> post(const unpu_packet &packet, const void *page, size_t bytes,
				 uint32_t aborts);

	/** post_group() - post() of a packet and of the packets @next directly behind it. Either all of them
	 * are submitted, or none.
	 * @next: at least one packet, and fewer packets than the ring has slots; no packet has a descriptor
	 * page
	 * Return: the fence of the last packet; as post(). */
	base::Result<Fence> post_group(const unpu_packet &packet, const void *page, size_t bytes,
				       std::span<const unpu_packet> next, uint32_t aborts);

	/** post_pages() - post() of a packet whose descriptor may be longer than a page. NOP packets follow it
	 * in the slots of the other pages.
	 * Return: the fence of the last packet; as post(). */
	base::Result<Fence> post_pages(const unpu_packet &packet, const void *pages, size_t bytes,
				       uint32_t aborts);

	/** slots_for() - how many packets post_pages() appends for a descriptor of @bytes bytes. */
	static uint32_t slots_for(size_t bytes)
	{
		return static_cast<uint32_t>((bytes + UNPU_TENSOR_PAGE_BYTES - 1) /
					     UNPU_TENSOR_PAGE_BYTES);
	}

	/** wait_for_room() - blocks until the ring has room for @packets, at most its number of slots.
	 * Return: DEVICE_LOST. */
	base::Status wait_for_room(uint32_t packets = 1);

	/** end() - destroys the channel on the device, which drops the submitted packets. Waiting threads
	 * return, and later submits are dropped. The destructor calls end() if no other code has called
	 * it. */
	void end();

	/** park() - takes the channel out of its set's lists until another owner needs one like it, see
	 * ChannelPool. Context: no thread uses the channel.
	 * Return: false if the channel differs from a new one: it has work, has failed, was aborted, or its
	 * parameters were changed. The channel then stays in the lists. */
	bool park();

	/** unpark() - puts a parked channel back into the lists, for its next owner. */
	void unpark();

	/** config() - the parameters with which the channel was created. */
	const ChannelConfig &config() const { return config_; }

	/** last() - the fence of everything submitted so far. */
	Fence last() const { return {timeline_, base::load_acquire(submitted_)}; }

	/** idle() - whether everything submitted so far is done. */
	bool idle() const;

	/** oldest() - the oldest packet that is not done, for people who ask what the channel waits for.
	 * Return: nothing if the channel is idle, or if the packet ends meanwhile. */
	std::optional<OpenTask> oldest() const;

	/** may_wait() - whether a packet that is not done may wait for other channels, for the host or for a word in
	 * memory. It reads them all. Return: false also where those that wait end meanwhile. */
	bool may_wait() const;

	/** failure() - the first failure since clear_failure(); status OK when there is none. */
	Failure failure() const;

	/** kernel_output() - how many bytes kernels of the channel's tasks have printed so far. */
	uint64_t kernel_output() const
	{
		return base::load_acquire(hal_.completion().semaphores[timeline_].output);
	}

	/** clear_failure() - clears the failure after it was reported. */
	void clear_failure();

	/** stop_on_failure() - from now on, the device skips the packets of the group that follow a failed
	 * packet. */
	base::Status stop_on_failure();

	/** task_number() - the index, from 0, of the packet to which a fence of submit() belongs. */
	uint64_t task_number(const Fence &fence) const { return fence.value - base_ - 1; }

	/** launcher() - the kernel's id of the thread that submitted a packet; 0 if a later packet has reused
	 * its slot. */
	uint32_t launcher(uint64_t task) const;

	/** set_priority() - 0 highest .. 7. */
	base::Status set_priority(uint32_t priority);

	/** abort() - drops the packets submitted so far and stops the running one. Host threads that wait for
	 * their fences return; channels that wait for them do not.
	 * Return: DEVICE_LOST. */
	base::Status abort();

	/** stop_current() - makes only the running packet fail. */
	base::Status stop_current();

	/** aborts() - counts the beginnings and ends of abort()s. */
	uint32_t aborts() const { return base::load_acquire(aborts_); }

	/** take_abort() - returns true once for an abort() after which nothing was submitted.
	 * @tail: the last fence. If packets were submitted after the abort, the abort is forgotten. */
	bool take_abort(const Fence &tail);

	uint32_t index() const { return index_; }
	uint32_t timeline() const { return timeline_; }

	/** set_user() - ChannelSet::unsettled(@owner) returns @user for this channel. Context: before the first
	 * submit. */
	void set_user(const void *owner, void *user)
	{
		owner_ = owner;
		user_ = user;
	}
	const void *owner() const { return owner_; }
	void *user() const { return user_; }

	/** settled(), settle() - whether the channel is not in ChannelSet::unsettled_. Context: under the
	 * device's lock. */
	bool settled() const { return is_settled_; }
	void settle(bool settled) { is_settled_ = settled; }

	/** listed(), list(), place(), set_place() - for the device's lists. Context: under its lock. */
	bool listed() const { return base::load_relaxed(listed_) != 0; }
	void list(bool listed) { base::store_relaxed(listed_, uint32_t{listed}); }
	size_t place() const { return place_; }
	void set_place(size_t place) { place_ = place; }

private:
	explicit Channel(ChannelSet &set);
	base::Status control(uint32_t actions, uint32_t priority = 0);
	base::Status request_abort(uint32_t flags, uint64_t upto) REQUIRES(requests_);
	uint64_t retired() const;
	unpu_packet read_slot(uint64_t index) const;
	base::Status look_for_room(uint32_t packets) REQUIRES(lock_);
	void append(const unpu_packet &packet, const void *page, size_t bytes) REQUIRES(lock_);
	void announce(base::BiasedGuard &lock, const unpu_packet &packet) REQUIRES(lock_);
	[[gnu::noinline]] void trace_submit(uint64_t call) const REQUIRES(lock_);

	/* Used by every submit. */
	base::BiasedLock lock_{"Channel::lock_"};
	base::RingProducer ring_ GUARDED_BY(lock_);
	uint64_t retired_seen_ GUARDED_BY(lock_) = 0;
	uint64_t base_ = 0;	 /* timeline value of packet 0, less one */
	uint64_t submitted_ = 0; /* timeline value of the last packet; read without the lock */
	const unpu_channel_status *line_ = nullptr;
	base::ArmingSeen arming_ GUARDED_BY(lock_);
	uint32_t listed_ = 0; /* whether the channel is in ChannelSet::busy_ */
	uint32_t aborts_ = 0; /* read without the lock */
	bool aborting_ GUARDED_BY(lock_) = false;
	/* 1 + the value of submitted_ at an abort that take_abort() has not returned yet; 0: no such
	 * abort */
	uint64_t aborted_at_ = 0;
	uint32_t slots_ = 0;
	/* for each slot, the id of the thread that submitted its packet; atomic */
	std::vector<uint32_t> launchers_;
	uint32_t timeline_ = UNPU_SEM_NONE;
	uint32_t index_ = 0;
	ChannelSet &set_;
	hal::Device &hal_;

	/* Not used by submits. */
	/* A thread holds it during each request about the channel. So only one request runs at a time, and no
	 * request follows end(). */
	base::Mutex requests_{"Channel::requests_", base::HeldOver::ANSWERS};
	base::Mapping memory_;
	uint64_t segment_ = 0;
	size_t place_ = 0; /* index in the device's list of channels */
	const void *owner_ = nullptr;
	void *user_ = nullptr;
	bool is_settled_ = true;
	ChannelConfig config_;
	bool created_ GUARDED_BY(requests_) = false;
	bool is_parked_ GUARDED_BY(requests_) = false;
	/* no request has changed the parameters */
	bool is_as_created_ GUARDED_BY(requests_) = true;
};

} // namespace drv
