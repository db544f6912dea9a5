// SPDX-License-Identifier: MIT
/**
 * DOC: Channel set
 *
 * A synchronisation must know all channels that may have work, and memory may be freed only after all work
 * submitted so far. Both costs depend on the number of busy channels, not on that of all channels.
 */
#include "channel_set.h"

#include "base/hot_path.h"

#include <algorithm>

namespace drv {

using base::Result;
using base::Status;

/* Up to this many idle channels may stay in busy_: each call of forget_idle() costs a heavy fence. */
static constexpr size_t IDLE_MOST = 16;
/* Up to this many channels stay unsettled even without work: to check them is cheaper than a heavy fence. */
static constexpr size_t UNSETTLED_FEW = 4;
/* Up to this many busy channels, each deferred action gets its own fences. */
static constexpr uint32_t BUSY_FEW = 8;
/* The credit of gathered actions: each action counts 1, plus 1 for each BYTES_EACH bytes that it frees. One
 * credit pays for the fences of CHANNELS_EACH busy channels. */
static constexpr uint64_t CHANNELS_EACH = 4;
static constexpr uint64_t BYTES_EACH = base::PAGE_BYTES;
/* The longest time for which actions are gathered, checked by later calls. */
static constexpr uint64_t GATHERED_NS = base::NS_PER_MS;

Result<uint32_t> ChannelSet::allocate_semaphore(SemaphorePool::Use use)
{
	auto sem = semaphores_.allocate(use);
	if (sem) [[likely]]
		return sem;
	reclaim_semaphores();
	return semaphores_.allocate(use);
}

void ChannelSet::reclaim_semaphores()
{
	auto passed = [this](const Fence &fence) { return done(fence); };
	if (at_shortage_)
		at_shortage_();
	(void)pool_.clear();
	close_gathered();
	retiring_.reap(passed, SIZE_MAX);
	semaphores_.reclaim(passed);
}

std::vector<Fence> ChannelSet::pending_fences()
{
	std::vector<Fence> fences;
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : busy_) {
		Fence last = channel->last();
		if (!done(last))
			fences.push_back(last);
	}
	if (busy_.size() > 2 * fences.size() + IDLE_MOST)
		forget_idle();
	return fences;
}

/* Removes idle channels from busy_. A submit stores `submitted_` and then reads listed(). This function
 * clears listed() and, after the heavy fence, reads `submitted_`. So either the submit sees that it must
 * re-add the channel, or this function sees that the channel is not idle. */
void ChannelSet::forget_idle()
{
	auto first = std::partition(busy_.begin(), busy_.end(),
				    [](const Channel *channel) { return !channel->idle(); });
	std::for_each(first, busy_.end(), [](Channel *channel) { channel->list(false); });
	base::heavy_fence(hal_->fence());
	auto end = std::partition(first, busy_.end(),
				  [](const Channel *channel) { return !channel->idle(); });
	std::for_each(first, end, [](Channel *channel) { channel->list(true); });
	busy_.erase(end, busy_.end());
	base::store_relaxed(busy_count_, static_cast<uint32_t>(busy_.size()));
}

void ChannelSet::note_busy(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	if (channel.listed())
		return;
	channel.list(true);
	busy_.push_back(&channel);
	base::store_relaxed(busy_count_, static_cast<uint32_t>(busy_.size()));
	if (!channel.settled())
		return;
	channel.settle(false);
	unsettled_.push_back(&channel);
}

void ChannelSet::note_unsettled(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	if (!channel.settled())
		return;
	channel.settle(false);
	unsettled_.push_back(&channel);
}

std::vector<void *> ChannelSet::unsettled(const void *owner)
{
	std::vector<void *> users;
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : unsettled_) {
		if (channel->owner() == owner)
			users.push_back(channel->user());
	}
	return users;
}

/* A submit that races with the owner's check changes last() or re-adds the channel to busy_, so it is not
 * missed. */
void ChannelSet::settle(const std::vector<Settled> &settled)
{
	std::lock_guard lock(channels_mutex_);
	if (unsettled_.size() <= UNSETTLED_FEW)
		return;
	forget_idle();
	for (const Settled &one : settled) {
		if (!one.channel->listed() && one.channel->last() == one.tail)
			one.channel->settle(true);
	}
	std::erase_if(unsettled_, [](const Channel *channel) { return channel->settled(); });
}

std::vector<Fence> ChannelSet::few_pending()
{
	const uint32_t busy = base::load_relaxed(busy_count_);
	return busy == 0 || busy > BUSY_FEW ? std::vector<Fence>{} : pending_fences();
}

void ChannelSet::defer(std::function<void()> action, uint64_t bytes,
		       const std::vector<Fence> &older)
{
	const uint32_t busy = base::load_relaxed(busy_count_);
	if (busy > BUSY_FEW || retiring_.gathers_since() != 0) {
		const uint64_t credit = 1 + bytes / BYTES_EACH;
		if (retiring_.gather(std::move(action), credit) * CHANNELS_EACH >= busy)
			close_gathered();
		return;
	}
	auto fences = pending_fences();
	std::erase_if(fences, [&older](const Fence &fence) {
		return std::find(older.begin(), older.end(), fence) != older.end();
	});
	if (fences.empty())
		action();
	else
		retiring_.add(std::move(fences), std::move(action));
}

void ChannelSet::close_gathered()
{
	retiring_.close([this] { return pending_fences(); });
}

void ChannelSet::defer_after(std::vector<Fence> fences, std::function<void()> action)
{
	std::erase_if(fences, [this](const Fence &fence) { return done(fence); });
	if (fences.empty())
		action();
	else
		retiring_.add(std::move(fences), std::move(action));
}

void ChannelSet::reap_all()
{
	if (retiring_.gathers_since() != 0)
		close_gathered();
	reap();
}

HOT_PATH void ChannelSet::reap()
{
	const uint64_t since_ns = retiring_.gathers_since();
	if (since_ns != 0 && base::coarse_ns() - since_ns > GATHERED_NS) [[unlikely]]
		close_gathered();
	retiring_.reap([this](const Fence &fence) { return done(fence); });
}

bool ChannelSet::wait_retired(uint64_t seen, uint64_t deadline_ns)
{
	for (;;) {
		reap_all();
		if (retiring_.finished() != seen)
			return base::now_ns() < deadline_ns;
		const auto fences = retiring_.oldest();
		if (fences.empty())
			return retiring_.wait_running(seen, deadline_ns);
		for (const Fence &fence : fences) {
			if (wait(fence, deadline_ns) != Status::OK && !done(fence))
				return retiring_.finished() != seen;
		}
	}
}

size_t ChannelSet::channel_count()
{
	std::lock_guard lock(channels_mutex_);
	return channels_.size();
}

void ChannelSet::add_channel(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	channel.set_place(channels_.size());
	channels_.push_back(&channel);
	base::store_relaxed(own_count_, own_count_ + channel.config().is_own);
}

void ChannelSet::remove_channel(Channel &channel)
{
	std::lock_guard lock(channels_mutex_);
	const size_t place = channel.place();
	channels_[place] = channels_.back();
	channels_[place]->set_place(place);
	channels_.pop_back();
	base::store_relaxed(own_count_, own_count_ - channel.config().is_own);
	if (!channel.settled())
		std::erase(unsettled_, &channel);
	if (channel.listed())
		std::erase(busy_, &channel);
	base::store_relaxed(busy_count_, static_cast<uint32_t>(busy_.size()));
	/* Mark it as listed, so that note_busy() and note_unsettled() do not add it again. */
	channel.settle(false);
	channel.list(true);
}

const Channel *ChannelSet::find(uint32_t timeline) const
{
	for (const Channel *channel : channels_) {
		if (channel->timeline() == timeline)
			return channel;
	}
	return nullptr;
}

Source ChannelSet::find_source(uint32_t timeline, uint64_t task)
{
	std::lock_guard lock(channels_mutex_);
	const Channel *channel = find(timeline);
	if (!channel)
		return {};
	return {channel->index(), channel->launcher(task)};
}

std::optional<OpenTask> ChannelSet::oldest_task(uint32_t timeline)
{
	std::lock_guard lock(channels_mutex_);
	const Channel *channel = find(timeline);
	return channel ? channel->oldest() : std::nullopt;
}

Failure ChannelSet::failure_of(uint32_t timeline)
{
	std::lock_guard lock(channels_mutex_);
	const Channel *channel = find(timeline);
	return channel ? channel->failure() : Failure{};
}

std::optional<PacketPlace> ChannelSet::place_of(const Fence &fence)
{
	std::lock_guard lock(channels_mutex_);
	const Channel *channel = find(fence.sem);
	if (!channel)
		return std::nullopt;
	return PacketPlace{channel->index(), channel->task_number(fence)};
}

void ChannelSet::note_drop(uint32_t timeline, uint64_t after, uint64_t last)
{
	std::lock_guard lock(channels_mutex_);
	drops_[timeline] = {after, last};
}

bool ChannelSet::was_dropped(const Fence &fence)
{
	std::lock_guard lock(channels_mutex_);
	const auto drop = drops_.find(fence.sem);
	return drop != drops_.end() && fence.value > drop->second.after &&
	       fence.value <= drop->second.last;
}

std::vector<uint32_t> ChannelSet::open_timelines()
{
	std::vector<uint32_t> timelines;
	std::lock_guard lock(channels_mutex_);
	for (const Channel *channel : channels_) {
		if (!channel->idle())
			timelines.push_back(channel->timeline());
	}
	return timelines;
}

} // namespace drv
