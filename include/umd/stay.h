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
 *	G3	takes a guest, full fence, mark	mark, full fence, guests of others
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
			slot_ = find_free();
		name(*slot_, place);
	}

	void clear()
	{
		if (slot_)
			unname(*slot_);
		slot_ = nullptr;
	}

	/** is_own() - whether @guest is the calling thread's. */
	static bool is_own(const Guest &guest);

	/* What classes beside this one are made of. */

	/** name() - in @slot, a free one of the calling thread. */
	static void name(const void *&slot, const void *place)
	{
		base::store_release(slot, place);
		base::light_fence(base::load_relaxed(scope_)); /* G1 */
	}

	/** unname() - @slot is free again. */
	static void unname(const void *&slot)
	{
		base::store_release(slot, static_cast<const void *>(nullptr)); /* G2 */
	}

	/** find_free() - a free slot of the calling thread. */
	static const void **find_free()
	{
		const void **slot = peek_free();
		return slot ? slot : search_free();
	}

	/** peek_free() - the same where no call is needed, else nullptr. */
	static const void **peek_free()
	{
		Guest &own = *own_;
		if (!own.places[0]) [[likely]]
			return &own.places[0];
		return !own.places[1] ? &own.places[1] : nullptr;
	}

	/** peek_pair() - two free slots side by side where no call is needed, else nullptr. */
	static const void **peek_pair()
	{
		Guest &own = *own_;
		return !own.places[0] && !own.places[1] ? own.places : nullptr;
	}

private:
	static const void **search_free();
	static void give_back(base::AtThreadExit &hook, bool in_fork);

	/* NONE until a thread has asked: its full fence is right beside any heavy one, and costs no call. */
	static inline constinit base::FenceScope scope_ = base::FenceScope::NONE;
	static Guest none_; /* has no free slot; of threads that have no guest yet */
	static thread_local constinit Guest *own_;

	const void **slot_ = nullptr;
};

/**
 * class HazardPair - two names with one fence, for a call that only looks at what it names. Costs no call:
 * where the thread's first slots are in use, or it has none yet, it names nothing.
 */
class HazardPair {
public:
	/** HazardPair() - names @first and @second. The caller looks for the marks afterwards. */
	HazardPair(const void *first, const void *second) : slots_(HazardPointer::peek_pair())
	{
		if (!slots_) [[unlikely]]
			return;
		base::store_release(slots_[0], first);
		HazardPointer::name(slots_[1], second);
	}
	HazardPair(const HazardPair &) = delete;
	HazardPair &operator=(const HazardPair &) = delete;
	~HazardPair()
	{
		if (!slots_)
			return;
		HazardPointer::unname(slots_[0]);
		HazardPointer::unname(slots_[1]);
	}

	explicit operator bool() const { return slots_ != nullptr; }

	/** set_second() - names @place instead of the second. Context: the pair names something. */
	void set_second(const void *place) const { HazardPointer::name(slots_[1], place); }

private:
	const void **const slots_;
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

/** class NamedNow - what hazard pointers of other threads name at one moment, to look many places up.
 * Context: the marks of these places were stored before. */
class NamedNow {
public:
	NamedNow();

	bool has(const void *place) const;

private:
	static constexpr unsigned MOST = 64;

	const void *names_[MOST];
	unsigned count_ = 0;
	bool complete_ = true; /* all names are in @names_ */
};

/** wait_until_left() - until no hazard pointer of another thread names @place. Context: as
 * somebody_stays(); the caller holds no lock that a user of the place may want. Return: false when the
 * deadline passed. */
bool wait_until_left(const void *place, uint64_t deadline_ns);

/** see_off() - waits until no hazard pointer of another thread names @place; the device is given up
 * after @patience_ns, which ends what its users wait for. Context: as wait_until_left(). */
void see_off(const void *place, hal::Device &hal, uint64_t patience_ns);

} // namespace umd
