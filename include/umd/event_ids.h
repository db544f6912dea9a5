// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace umd {

struct Event;

/**
 * class EventIds - the hardware events of one device. Events that are flags have one from their
 * creation to their end; events of aclrtCreateEvent take one with their first record, and lose it
 * when ids run out and the record is done. Context: any thread, no event's lock held.
 */
class EventIds {
public:
	static constexpr uint32_t COUNT = 65536;
	static constexpr uint32_t NONE = ~uint32_t{0};

	/** take() - an id for @event. @lend: another event may get it once the record is done.
	 * Return: NO_EVENT. */
	base::Status take(Event &event, bool lend);

	/** give_back() - @event needs its id no more. */
	void give_back(Event &event);

	/** left() - how many ids nobody has. */
	uint32_t left();

private:
	bool reclaim();
	void unlink(Event &event);

	base::Mutex mutex_{"EventIds::mutex_"};
	std::vector<uint32_t> free_;
	uint32_t next_ = 0;
	uint32_t taken_ = 0;
	Event *first_lent_ =
		nullptr; /* events that have an id on loan, in order of their taking it */
	Event *last_lent_ = nullptr;
};

} // namespace umd
