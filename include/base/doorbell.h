// SPDX-License-Identifier: MIT
/**
 * DOC: Doorbell
 *
 * Both halves of a client's doorbell queue (struct unpu_doorbells): many producers take places by
 * adding to the tail, one consumer walks behind. An entry is a hint and names a channel. The queue
 * can't overflow while each channel rings once per arming; a client that rings more often loses its
 * own hints and is cut off.
 */
#pragma once

#include "base/ordering.h"
#include "uapi/regs.h"

namespace base {

/** ring_doorbell() - the host's half. Context: any thread. */
inline void ring_doorbell(unpu_doorbells &bells, uint32_t channel)
{
	uint64_t place = fetch_add(bells.tail, uint64_t{1});
	uint64_t entry = ((place + 1) << 32) | channel;
	store_release(bells.entries[place % UNPU_DOORBELL_ENTRIES], entry);
}

/** class DoorbellConsumer - the firmware's half. Context: one thread at a time. */
class DoorbellConsumer {
public:
	enum class Take { EMPTY, TAKEN, OVERRUN };

	DoorbellConsumer() = default;
	explicit DoorbellConsumer(const unpu_doorbells *bells) : bells_(bells) {}

	/** taken() - hints so far. */
	uint64_t taken() const { return next_; }

	/** take() - the next hint, if any. OVERRUN: the client rang more often than it may. */
	Take take(uint32_t &channel)
	{
		uint64_t entry = load_acquire(bells_->entries[next_ % UNPU_DOORBELL_ENTRIES]);
		auto sequence = static_cast<uint32_t>(entry >> 32);
		auto wanted = static_cast<uint32_t>(next_ + 1);
		if (sequence == wanted) {
			channel = static_cast<uint32_t>(entry);
			next_++;
			return Take::TAKEN;
		}
		bool stale = sequence == 0 || static_cast<int32_t>(sequence - wanted) < 0;
		return stale ? Take::EMPTY : Take::OVERRUN;
	}

private:
	const unpu_doorbells *bells_ = nullptr;
	uint64_t next_ = 0;
};

} // namespace base
