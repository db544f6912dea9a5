// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"

namespace umd {

struct Event;

/** struct EventId - the number of the hardware event that an event has, if it has one. */
struct EventId {
	std::atomic<uint32_t> number{~uint32_t{0}};
	std::atomic<bool> is_held{false};
	/* If set: another event may get the number once the record of this event is done. */
	const Event *lender = nullptr;
	EventId *previous_lent = nullptr;
	EventId *next_lent = nullptr;
};

/**
 * class EventIds - the numbers of the hardware events of one device. A flag event has a number from its
 * creation to its end. An event of kind DEFAULT takes one at its first record. It loses the number
 * when no number is free and its record is done. Context: any thread, no event's lock held.
 */
class EventIds {
public:
	static constexpr uint32_t COUNT = 65536;
	static constexpr uint32_t NONE = ~uint32_t{0};

	/** using IsDone - tells whether the latest record of @lender is done. */
	using IsDone = bool (*)(const Event &lender);

	/** take() - gives @id a number, unless it has one. @lender: the event that @id belongs to, if another
	 * event may get the number once the record is done; else nullptr. Return: NO_EVENT. */
	base::Status take(EventId &id, const Event *lender, IsDone is_done);

	/** give_back() - frees the number of @id, if it has one. */
	void give_back(EventId &id);

	/** left() - how many numbers are free. */
	uint32_t left();

private:
	bool reclaim(IsDone is_done) REQUIRES(mutex_);
	void unlink(EventId &id) REQUIRES(mutex_);

	base::Mutex mutex_{"EventIds::mutex_"};
	std::vector<uint32_t> free_ GUARDED_BY(mutex_);
	uint32_t next_ GUARDED_BY(mutex_) = 0;
	uint32_t taken_ GUARDED_BY(mutex_) = 0;
	/* ids with a lender, in the order in which they were taken */
	EventId *first_lent_ GUARDED_BY(mutex_) = nullptr;
	EventId *last_lent_ GUARDED_BY(mutex_) = nullptr;
};

} // namespace umd
