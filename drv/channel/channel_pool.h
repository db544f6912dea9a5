// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "channel.h"

namespace drv {

/**
 * class ChannelPool - idle channels that have no owner, for the next owners.
 *
 * To create and destroy a channel takes a segment of memory and four requests to the firmware. A parked
 * channel serves its next owner as a new one would; its timeline continues. Context: any thread, no lock held.
 */
class ChannelPool {
public:
	explicit ChannelPool(ChannelSet &set) : set_(set) {}

	/** take() - returns a channel for a new owner: a parked channel with this @config, or else a new
	 * channel. If the device has no room for a new channel, take() first destroys all parked channels.
	 * Return: as Channel::create(). */
	base::Result<std::unique_ptr<Channel>> take(const ChannelConfig &config);

	/** give() - takes back a channel. If the channel does not differ from a new one and its ring has at
	 * most the usual size, the pool parks it. Otherwise the pool destroys it. If the pool is full, it
	 * destroys the channel that was parked first.
	 * Context: no thread uses the channel. */
	void give(std::unique_ptr<Channel> channel);

	/** drop() - destroys the parked channels of a group. */
	void drop(uint32_t group);

	/** clear() - destroys all parked channels. Return: whether the pool had parked channels. */
	bool clear();

private:
	std::unique_ptr<Channel> find(const ChannelConfig &config);

	ChannelSet &set_;
	base::Mutex mutex_{"ChannelPool::mutex_"};
	/* The parked channels, in the order in which they were parked. */
	std::vector<std::unique_ptr<Channel>> parked_ GUARDED_BY(mutex_);
};

} // namespace drv
