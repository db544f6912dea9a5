// SPDX-License-Identifier: MIT
/**
 * DOC: Doorbell
 *
 * Both sides of a client's doorbell queue (struct unpu_doorbells), a multi-producer single-consumer
 * queue. A producer takes a place with an atomic addition to the tail. An entry is a hint that names a
 * channel. The queue can't overflow while each channel rings once per arming. A client that rings more
 * often overwrites its own hints, and the firmware cuts it off.
 */
#pragma once

#include <algorithm>

#include "ordering.h"
#include "uapi/regs.h"

namespace base {

/** ring_doorbell() - the host's half. Context: any thread. */
inline void ring_doorbell(unpu_doorbells &bells, uint32_t channel)
{
	uint64_t place = fetch_add(bells.tail, uint64_t{1});
	uint64_t entry = ((place + 1) << 32) | channel;
	store_release(bells.entries[place % UNPU_DOORBELL_ENTRIES], entry);
}

/** ring_doorbell() - the same, and checks @status for a device that sleeps (D1).
 * Return: whether the device sleeps: the caller kicks it. */
inline bool ring_doorbell(unpu_doorbells &bells, uint32_t channel, const unpu_client_status &status,
			  FenceScope fence)
{
	ring_doorbell(bells, channel);
	light_fence(fence); /* D1: the device stores @sleeping, then looks at the entries */
	return load_relaxed(status.sleeping) != 0;
}

/**
 * class DoorbellConsumer - the firmware's half. Context: one thread at a time.
 *
 * A producer may be preempted between the addition and the store. The consumer notes the place as missing
 * and takes the entries behind it, so that the bells of other channels do not wait for that thread. The
 * consumer stops before the late store could overwrite an entry of the next round. Each channel rings once
 * per arming, so at most half of the places have an entry that is not taken yet.
 */
class DoorbellConsumer {
public:
	enum class Take { EMPTY, TAKEN, OVERRUN };

	DoorbellConsumer() = default;
	explicit DoorbellConsumer(const unpu_doorbells *bells) : bells_(bells) {}

	/** taken() - number of hints taken so far. */
	uint64_t taken() const { return next_ - missing_; }

	/** take() - the next hint, if any. OVERRUN: the client rang more often than it may. */
	Take take(uint32_t &channel)
	{
		if (missing_ != 0) [[unlikely]] {
			if (take_late(channel))
				return Take::TAKEN;
			if (missing_ != 0 && next_ - missed_[0] >= MOST_AHEAD)
				return Take::EMPTY;
		}
		const int32_t ahead = look(next_, channel);
		if (ahead == 0) {
			next_++;
			return Take::TAKEN;
		}
		if (ahead > 0)
			return Take::OVERRUN;
		if (load_relaxed(bells_->tail) == next_) [[likely]]
			return Take::EMPTY;
		return take_behind_gap(channel);
	}

private:
	/* How many producers may be preempted between the addition and the store at the same time. */
	static constexpr unsigned MOST_MISSING = 16;
	static constexpr uint64_t MOST_AHEAD = UNPU_DOORBELL_ENTRIES / 2 - 1;
	static_assert(UNPU_MAX_CHANNELS + 1 + MOST_AHEAD <= UNPU_DOORBELL_ENTRIES);

	/* Return: 0 if the entry of @place is stored, negative if it is not stored yet, positive if a later
	 * entry has overwritten it. */
	int32_t look(uint64_t place, uint32_t &channel) const
	{
		const uint64_t entry = load_acquire(bells_->entries[place % UNPU_DOORBELL_ENTRIES]);
		const auto sequence = static_cast<uint32_t>(entry >> 32);
		const auto wanted = static_cast<uint32_t>(place + 1);
		if (sequence == wanted) {
			channel = static_cast<uint32_t>(entry);
			return 0;
		}
		return sequence == 0 ? -1 : static_cast<int32_t>(sequence - wanted);
	}

	bool take_late(uint32_t &channel)
	{
		for (unsigned i = 0; i < missing_; i++) {
			if (look(missed_[i], channel) != 0)
				continue;
			/* Keep the order: missed_[0] is the oldest. */
			std::copy(missed_ + i + 1, missed_ + missing_, missed_ + i);
			missing_--;
			return true;
		}
		return false;
	}

	Take take_behind_gap(uint32_t &channel)
	{
		const uint64_t oldest = missing_ != 0 ? missed_[0] : next_;
		const uint64_t gap = MOST_MISSING - missing_;
		for (uint64_t place = next_ + 1;
		     place - next_ <= gap && place - oldest < MOST_AHEAD; place++) {
			if (look(place, channel) != 0)
				continue;
			while (next_ != place)
				missed_[missing_++] = next_++;
			next_++;
			return Take::TAKEN;
		}
		return Take::EMPTY;
	}

	const unpu_doorbells *bells_ = nullptr;
	uint64_t next_ = 0;
	unsigned missing_ = 0;
	uint64_t missed_[MOST_MISSING] = {}; /* places below next_ whose entries were not there */
};

} // namespace base
