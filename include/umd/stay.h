// SPDX-License-Identifier: MIT
/**
 * DOC: Hazard pointers
 *
 * A thread that uses an object which another thread may take away names it in a hazard pointer first.
 * The other thread marks the object as ended, waits until no hazard pointer of another thread names it,
 * and frees it then. A thread that comes later finds the mark.
 *
 *	pair	the user			the one that takes away
 *	G1	names it, light fence, mark	mark, heavy fence, names
 *	G2	uses, then no name (release)	no name (acquire), then frees
 *
 * A stream and a context have the mark in themselves (Stay). A device is marked by its state, which
 * names it no more (DeviceHold).
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/clock.h"
#include "base/ordering.h"
#include "base/thread.h"

namespace hal {
class Device;
}

namespace umd {

/** struct Guest - hazard pointers of one thread. A thread has one from its first use to its end, and
 * more where one is not enough. */
struct alignas(64) Guest {
	/* More than calls usually need at once. */
	static constexpr unsigned DEPTH = 8;

	const void *places[DEPTH] = {}; /* nullptr: free. Only the thread itself stores a name. */
	Guest *more = nullptr;		/* the thread's next one */
	Guest *next = nullptr;		/* in a list of all, which only grows */
	uint32_t taken = 0;		/* by a thread that lives */
};

/** class HazardPointer - one name at most. Context: the thread that called set() clears it. */
class HazardPointer {
public:
	HazardPointer() = default;
	HazardPointer(HazardPointer &&other) noexcept : slot_(std::exchange(other.slot_, nullptr))
	{
	}
	HazardPointer &operator=(HazardPointer &&other) noexcept
	{
		clear();
		slot_ = std::exchange(other.slot_, nullptr);
		return *this;
	}
	~HazardPointer() { clear(); }

	/** set() - names @place. The caller looks for the mark afterwards, not before. */
	void set(const void *place)
	{
		if (!slot_)
			slot_ = claim();
		base::store_release(*slot_, place);
		base::light_fence(); /* G1 */
	}

	void clear()
	{
		if (slot_)
			base::store_release(*slot_, static_cast<const void *>(nullptr)); /* G2 */
		slot_ = nullptr;
	}

	/** is_own() - whether @guest is the calling thread's. */
	static bool is_own(const Guest &guest);

private:
	static const void **claim()
	{
		if (Guest *guest = own_) [[likely]] {
			for (const void *&slot : guest->places) {
				if (!slot) [[likely]]
					return &slot;
			}
		}
		return claim_more();
	}
	static const void **claim_more();
	static void give_back(base::AtThreadExit &hook, bool in_fork);

	static thread_local constinit Guest *own_;

	const void **slot_ = nullptr;
};

/** class Stay - the calling thread uses what @place is until the end of the scope. */
class Stay {
public:
	/** Stay() - @place has `std::atomic<bool> ends`. */
	template <class T> explicit Stay(const T &place)
	{
		pointer_.set(&place);
		welcome_ = !place.ends.load();
	}
	Stay(const Stay &) = delete;
	Stay &operator=(const Stay &) = delete;

	/** welcome() - false where the place has ended: nothing of it may be used. */
	bool welcome() const { return welcome_; }

private:
	HazardPointer pointer_;
	bool welcome_;
};

/** somebody_stays() - whether a hazard pointer of another thread names @place.
 * Context: the mark was stored before. */
bool somebody_stays(const void *place);

/** stays_now() - the same for one of many places. Context: a heavy fence after the mark was stored. */
bool stays_now(const void *place);

/** wait_until_left() - until no hazard pointer of another thread names @place. Context: as
 * somebody_stays(); the caller holds no lock that a user of the place may want. Return: false when the
 * deadline passed. */
bool wait_until_left(const void *place, uint64_t deadline_ns);

/** see_off() - waits until no hazard pointer of another thread names @place; the device is given up
 * after @patience_ns, which ends what its users wait for. Context: as wait_until_left(). */
void see_off(const void *place, hal::Device &hal, uint64_t patience_ns);

} // namespace umd
