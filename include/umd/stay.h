// SPDX-License-Identifier: MIT
/**
 * DOC: Stays
 *
 * A thread that waits for a stream, a context or a device says so in a place of its own, and whoever
 * takes that away waits until nobody stays there. Who comes later finds it ended.
 *
 *	pair	who stays			who takes away
 *	G1	place, light fence, ends	ends, heavy fence, place
 *	G2	uses, then no place (release)	no place (acquire), then takes away
 *
 * Calls that wait for nothing do not stay: a program that submits to a stream which another thread of
 * it destroys at that moment uses a handle after its end.
 */
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/ordering.h"
#include "base/thread.h"

namespace hal {
class Device;
}

namespace umd {

/** struct Guest - where a thread stays. A thread has one from its first stay to its end. */
struct alignas(64) Guest {
	/* More than calls stay at once within each other. */
	static constexpr unsigned DEPTH = 6;

	const void *places[DEPTH] = {};
	unsigned depth = 0;    /* the thread's own */
	uint32_t taken = 0;    /* by a thread that lives */
	Guest *next = nullptr; /* in a list that only grows */
};

/** class Stay - the calling thread uses what @place is until the end of the scope. */
class Stay {
public:
	/** Stay() - @place has `std::atomic<bool> ends`. */
	template <class T> explicit Stay(const T &place) : guest_(mine_)
	{
		if (!guest_ || guest_->depth == Guest::DEPTH) [[unlikely]]
			guest_ = find_guest();
		const void *&slot = guest_->places[guest_->depth++];
		base::store_release(slot, static_cast<const void *>(&place));
		base::light_fence(); /* G1 */
		welcome_ = !place.ends.load();
	}
	~Stay()
	{
		const void *&slot = guest_->places[--guest_->depth];
		base::store_release(slot, static_cast<const void *>(nullptr)); /* G2 */
	}
	Stay(const Stay &) = delete;
	Stay &operator=(const Stay &) = delete;

	/** welcome() - false where the place has ended: nothing of it may be used. */
	bool welcome() const { return welcome_; }

	/** move_to() - stays there instead; who wants to take that away waits for both. */
	void move_to(const void *place)
	{
		base::store_release(guest_->places[guest_->depth - 1], place);
	}

	/** mine() - the calling thread's guest, or nullptr. */
	static const Guest *mine() { return mine_; }

private:
	/* One more where the thread's own is full; that one is its own from then on. */
	static Guest *find_guest();
	static void give_back(base::AtThreadExit &hook);

	static thread_local constinit Guest *mine_;

	Guest *guest_;
	bool welcome_;
};

/** struct AnyDevice - who stays there keeps all devices that are open. */
struct AnyDevice {
	std::atomic<bool> ends{false};
};
extern constinit AnyDevice any_device;

/** somebody_stays() - whether another thread does.
 * @also: another such place, or nullptr
 * Context: `ends` of @place was stored before. */
bool somebody_stays(const void *place, const void *also = nullptr);

/** wait_until_left() - until nobody but the calling thread stays there. Context: as somebody_stays();
 * no lock is held that who stays may want. Return: false when the deadline passed. */
bool wait_until_left(const void *place, uint64_t deadline_ns, const void *also = nullptr);

/** see_off() - waits until nobody but the calling thread stays there; the device is given up after
 * @patience_ns, which ends what they wait for. Context: as wait_until_left(). */
void see_off(const void *place, hal::Device &hal, uint64_t patience_ns, const void *also = nullptr);

} // namespace umd
