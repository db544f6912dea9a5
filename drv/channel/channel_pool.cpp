// SPDX-License-Identifier: MIT
/**
 * DOC: Channel pool
 *
 * The pool creates and destroys channels without holding its lock, because both need requests to the
 * firmware.
 */
#include "channel_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace drv {

using base::Result;

/* The maximum is low: each parked channel keeps the memory of a ring and counts against the client's quota of
 * channels. */
static constexpr size_t PARKED_MOST = 16;

std::unique_ptr<Channel> ChannelPool::find(const ChannelConfig &config)
{
	std::lock_guard lock(mutex_);
	auto found = std::find_if(
		parked_.rbegin(), parked_.rend(),
		[&](const std::unique_ptr<Channel> &one) { return one->config() == config; });
	if (found == parked_.rend())
		return nullptr;
	std::unique_ptr<Channel> channel = std::move(*found);
	parked_.erase(std::next(found).base());
	return channel;
}

Result<std::unique_ptr<Channel>> ChannelPool::take(const ChannelConfig &config)
{
	if (std::unique_ptr<Channel> channel = find(config)) {
		channel->unpark();
		return channel;
	}
	auto created = Channel::create(set_, config);
	if (created || !clear())
		return created;
	return Channel::create(set_, config);
}

/* A ring of more than the usual size takes too much memory to be kept. */
void ChannelPool::give(std::unique_ptr<Channel> channel)
{
	if (channel->config().slots > ChannelConfig().slots || !channel->park())
		return;
	/* The destructor of this variable destroys the channel after the lock has been released. */
	std::unique_ptr<Channel> oldest;
	std::lock_guard lock(mutex_);
	if (parked_.size() == PARKED_MOST) {
		oldest = std::move(parked_.front());
		parked_.erase(parked_.begin());
	}
	parked_.push_back(std::move(channel));
}

void ChannelPool::drop(uint32_t group)
{
	std::vector<std::unique_ptr<Channel>> dropped;
	std::lock_guard lock(mutex_);
	auto first = std::stable_partition(
		parked_.begin(), parked_.end(),
		[&](const std::unique_ptr<Channel> &one) { return one->config().group != group; });
	std::move(first, parked_.end(), std::back_inserter(dropped));
	parked_.erase(first, parked_.end());
}

bool ChannelPool::clear()
{
	std::vector<std::unique_ptr<Channel>> dropped;
	std::lock_guard lock(mutex_);
	dropped.swap(parked_);
	return !dropped.empty();
}

} // namespace drv
