// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "channel.h"
#include "channel_pool.h"
#include "drv/attachment/attachment.h"
#include "drv/packet/retire_list.h"

namespace drv {

/** struct Source - the channel and the thread that a packet came from. */
struct Source {
	/* the default value means that no channel has this timeline any more */
	uint32_t channel = ~uint32_t{0};
	uint32_t thread = 0;
};

/** struct PacketPlace - a channel and a packet in it, by their numbers. */
struct PacketPlace {
	uint32_t channel = 0;
	uint64_t index = 0;
};

/**
 * class ChannelSet - the channels of one attachment: which of them have work, and which actions wait for that
 * work. The second of the three classes of which a Device is made.
 */
class ChannelSet : public Attachment {
public:
	using Attachment::Attachment;

	/** allocate_semaphore() - allocates from semaphores(). If none is left, calls reclaim_semaphores()
	 * and retries.
	 * Context: no lock held. Return: NO_RESOURCE, QUOTA. */
	base::Result<uint32_t> allocate_semaphore(
		SemaphorePool::Use use = SemaphorePool::Use::GROWING);

	/** reclaim_semaphores() - frees the semaphores of finished work and of parked channels: runs all
	 * deferred actions that are due. Context: no lock held. */
	void reclaim_semaphores();

	/** at_shortage() - makes reclaim_semaphores() call @reclaim first. Context: no other thread uses the
	 * device yet. */
	void at_shortage(void (*reclaim)()) { at_shortage_ = reclaim; }

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

	/** pool() - idle channels for the next owners. */
	ChannelPool &pool() { return pool_; }

	/** channel_count() - how many channels there are, of all kinds. */
	size_t channel_count();

	/** own_channels() - how many of the device's channels serve no stream. Context: any thread. */
	uint32_t own_channels() const { return base::load_relaxed(own_count_); }

	void add_channel(Channel &channel);
	void remove_channel(Channel &channel);

	/** note_busy() - re-adds a channel with new work to busy_. */
	void note_busy(Channel &channel);

	/** note_unsettled() - marks a channel as unsettled although nothing was submitted. */
	void note_unsettled(Channel &channel);

	/** unsettled() - the users of @owner's channels that may have results or failures which @owner has not
	 * processed: each channel that had work since its last settle(), and possibly a few others. Context: the
	 * owner's lock is held, so that its channels stay alive. */
	std::vector<void *> unsettled(const void *owner);

	/** struct Settled - a channel whose results up to @tail the owner has processed. */
	struct Settled {
		Channel *channel;
		Fence tail;
	};

	/** settle() - notes that the owner has processed the results of these channels. unsettled() leaves a
	 * channel out until it has new work. A channel that has newer work than @tail stays unsettled. Context: as
	 * unsettled(). */
	void settle(const std::vector<Settled> &settled);

	/** find_source() - the channel and the thread of a failed packet.
	 * @timeline: of its channel, or of the channel that launched its graph
	 * @task: its number in the channel */
	Source find_source(uint32_t timeline, uint64_t task);

	/** oldest_task() - Channel::oldest() of the channel with @timeline; nothing if no channel has it. */
	std::optional<OpenTask> oldest_task(uint32_t timeline);

	/** failure_of() - Channel::failure() of the channel with @timeline; status OK if no channel has
	 * it. */
	Failure failure_of(uint32_t timeline);

	/** place_of() - the packet at whose end a fence passes; nothing if no channel has the fence's
	 * timeline. */
	std::optional<PacketPlace> place_of(const Fence &fence);

	/** note_drop() - records that an abort drops the packets of a timeline with values above @after, up
	 * to @last. */
	void note_drop(uint32_t timeline, uint64_t after, uint64_t last);

	/** was_dropped() - whether the last abort on the timeline of the fence has dropped its packet. */
	bool was_dropped(const Fence &fence);

	/** open_timelines() - the timelines of all channels that are not idle. */
	std::vector<uint32_t> open_timelines();

protected:
	void close_gathered();

	RetireList retiring_;
	ChannelPool pool_{*this};
	base::Mutex channels_mutex_{"ChannelSet::channels_mutex_"};
	std::vector<Channel *> channels_ GUARDED_BY(channels_mutex_);

private:
	const Channel *find(uint32_t timeline) const REQUIRES(channels_mutex_);
	void forget_idle() REQUIRES(channels_mutex_);

	void (*at_shortage_)() = nullptr;
	/* All channels that have work, and some idle channels. */
	std::vector<Channel *> busy_ GUARDED_BY(channels_mutex_);
	/* Channels that had work since settle(). */
	std::vector<Channel *> unsettled_ GUARDED_BY(channels_mutex_);
	/* struct Drop - the packets that an abort has dropped, as a range of values of the timeline. */
	struct Drop {
		uint64_t after;
		uint64_t last;
	};
	std::map<uint32_t, Drop> drops_ GUARDED_BY(channels_mutex_);
	uint32_t busy_count_ = 0; /* size of @busy_, read without the lock */
	/* number of channels with ChannelConfig::is_own, read without the lock */
	uint32_t own_count_ = 0;
};

} // namespace drv
