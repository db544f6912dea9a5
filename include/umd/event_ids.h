// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace umd {

struct Event;

/** struct EventId - the hardware event that an event has, or the lack of one. */
struct EventId {
	std::atomic<uint32_t> number{~uint32_t{0}};
	std::atomic<bool> is_held{false};
	const Event *lender =
		nullptr; /* another event may get it once the record of this one is done */
	EventId *previous_lent = nullptr;
	EventId *next_lent = nullptr;
};

/**
 * class EventIds - the hardware events of one device. Events that are flags have one from their
 * creation to their end; events of aclrtCreateEvent take one with their first record, and lose it
 * when ids run out and the record is done. Context: any thread, no event's lock held.
 */
class EventIds {
public:
	static constexpr uint32_t COUNT = 65536;
	static constexpr uint32_t NONE = ~uint32_t{0};

	/** using IsDone - whether the record of an event that lends its id is done. */
	using IsDone = bool (*)(const Event &lender);

	/** take() - a number for @id, unless it has one. @lender: the event that @id belongs to, if another
	 * event may get the number once the record is done; else nullptr. Return: NO_EVENT. */
	base::Status take(EventId &id, const Event *lender, IsDone is_done);

	/** give_back() - the event of @id needs it no more. */
	void give_back(EventId &id);

	/** left() - how many ids nobody has. */
	uint32_t left();

private:
	bool reclaim(IsDone is_done);
	void unlink(EventId &id);

	base::Mutex mutex_{"EventIds::mutex_"};
	std::vector<uint32_t> free_;
	uint32_t next_ = 0;
	uint32_t taken_ = 0;
	EventId *first_lent_ = nullptr; /* those on loan, in the order in which they were taken */
	EventId *last_lent_ = nullptr;
};

} // namespace umd
