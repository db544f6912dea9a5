// SPDX-License-Identifier: MIT
/**
 * DOC: Arming
 *
 * Both sides of the D1 handshake of one channel. An idle channel asks for a doorbell: it stores a new arming
 * number, not 0, into its line. The driver answers each arming number with at most one doorbell, so a channel
 * that is busy needs none.
 */
#pragma once

#include <cstdint>

#include "ordering.h"

namespace base {

/** class Arming - the firmware's half. Context: one thread at a time. */
class Arming {
public:
	/** arm() - asks for a doorbell at the next packet.
	 * @armed: the word in the channel's line
	 * @ready: whether a packet is in the ring
	 * Return: false if a packet came meanwhile: the caller disarms the channel. */
	template <class Ready> bool arm(uint32_t &armed, FenceScope fence, const Ready &ready)
	{
		invite(armed);
		heavy_fence(fence); /* D1: the driver publishes the packet, then loads @armed */
		return !ready();
	}

	/** invite() - asks for a doorbell at the next packet, whatever is in the ring. The caller passes the heavy
	 * fence (D1), and looks at the ring once more. */
	void invite(uint32_t &armed)
	{
		if (++number_ == 0)
			number_ = 1;
		store_release(armed, number_);
	}

	/** disarm() - asks for no doorbell any more. */
	static void disarm(uint32_t &armed) { store_release(armed, uint32_t{0}); }

private:
	uint32_t number_ = 0; /* the number of the last arming */
};

/** class ArmingSeen - the driver's half. Context: one thread at a time. */
class ArmingSeen {
public:
	/** answer() - whether the channel asks for a doorbell that was not rung yet. The caller rings it.
	 * Context: after the packet is published and the light fence passed (D1). */
	bool answer(const uint32_t &armed)
	{
		const uint32_t number = load_relaxed(armed);
		if (number == 0 || number == answered_) [[likely]]
			return false;
		answered_ = number;
		return true;
	}

private:
	uint32_t answered_ = 0; /* the arming number of the last doorbell */
};

} // namespace base
