// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/sync/mutex.h"
#include "drv/channel/channel.h"
#include "drv/packet/packets.h"

namespace drv {

class Memory;

/**
 * class Stager - host copies of device memory that the host can't map. The device copies between that memory
 * and a pinned staging buffer, on a separate channel. Context: any thread, no lock held.
 */
class Stager {
public:
	Stager(ChannelSet &set, Memory &memory) : set_(set), memory_(memory) {}

	/** read(), write() - copy between host memory and such device memory. Return: NO_MEMORY, NO_RESOURCE,
	 * DEVICE_LOST, or the device's error. */
	base::Status read(std::byte *to, uint64_t from, uint64_t bytes);
	base::Status write(uint64_t to, const std::byte *from, uint64_t bytes);

	/** copy() - copies between two device addresses. */
	base::Status copy(uint64_t to, uint64_t from, uint64_t bytes);

	/** fill() - fills with a pattern of @width bytes. */
	base::Status fill(uint64_t to, uint64_t bytes, uint32_t pattern, uint32_t width);

private:
	base::Status run(const unpu_packet &packet);
	template <class Move> base::Status in_pieces(uint64_t bytes, Move move);

	ChannelSet &set_;
	Memory &memory_;
	/* Held during requests, so that only one thread creates the channel. */
	base::Mutex mutex_{"Stager::mutex_", base::HeldOver::ANSWERS};
	std::unique_ptr<Channel> channel_ GUARDED_BY(mutex_);
};

} // namespace drv
