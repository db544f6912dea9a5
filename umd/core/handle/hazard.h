// SPDX-License-Identifier: MIT
/**
 * DOC: Hazard pointers
 *
 * A thread that uses an object which another thread may destroy publishes it in a hazard pointer first.
 * The destroyer sets a mark (`ends`), waits until no hazard pointer of another thread names the object,
 * and then frees it. A user that publishes after the mark was set loads the mark and does not use the object.
 *
 *	pair	the user				the destroyer
 *	G1	stores name, light fence, loads mark	stores mark, heavy fence, loads names
 *	G2	last access, clears name (release)	loads no name (acquire), then frees
 *	G3	registers HazardRecord, full fence, loads mark	stores mark, full fence, loads HazardRecords of others
 *
 * Streams and contexts contain their mark (Stay). The mark of a device is that its DeviceState does not
 * point to it any more (DeviceHold).
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/clock.h"
#include "base/os/thread.h"
#include "base/sync/ordering.h"

namespace hal {
class Device;
}

namespace umd {

/** struct HazardRecord - the hazard pointers of one thread. A thread owns a HazardRecord from its first use of a hazard
 * pointer until it ends. It takes further HazardRecords when all slots are in use. */
struct alignas(64) HazardRecord {
	/* Nested calls rarely use more slots at a time. */
	static constexpr unsigned DEPTH = 8;

	const void *places[DEPTH] = {}; /* nullptr: free. Only the owner thread stores a name. */
	HazardRecord *more = nullptr;	/* the next HazardRecord of the same thread */
	HazardRecord *next = nullptr;	/* in the list of all HazardRecords, which only grows */
	uint32_t taken = 0;		/* 1 while a live thread owns it */
};

/** class HazardPointer - owns at most one slot. Context: the thread that called set() clears it. */
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

	/** set() - publishes @place. The caller loads the object's mark afterwards, not before (G1). */
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
	static bool is_own(const HazardRecord &guest);

	/* Building blocks for HazardPair, Held and similar classes. */

	/** name() - publishes @place in @slot, a free slot of the calling thread. */
	static void name(const void *&slot, const void *place)
	{
		base::store_release(slot, place);
		/* G1: the name is stored before the mark is loaded; pairs with the destroyer's heavy fence */
		base::light_fence(base::load_relaxed(scope_));
	}

	/** unname() - frees @slot. */
	static void unname(const void *&slot)
	{
		/* G2: after the last access; a destroyer that loads nullptr may free the object */
		base::store_release(slot, static_cast<const void *>(nullptr));
	}

	/** find_free() - a free slot of the calling thread. */
	static const void **find_free()
	{
		const void **slot = peek_free();
		return slot ? slot : search_free();
	}

	/** peek_free() - one of the first two slots if it is free, else nullptr. Calls no function. */
	static const void **peek_free()
	{
		HazardRecord &own = *own_;
		if (!own.places[0]) [[likely]]
			return &own.places[0];
		return !own.places[1] ? &own.places[1] : nullptr;
	}

	/** peek_pair() - the first two slots if both are free, else nullptr. Calls no function. */
	static const void **peek_pair()
	{
		HazardRecord &own = *own_;
		return !own.places[0] && !own.places[1] ? own.places : nullptr;
	}

private:
	static const void **search_free();
	static void give_back(base::AtThreadExit &hook, bool in_fork);

	/* NONE until a thread has registered. NONE means a full fence, which is correct with any heavy
	 * fence and needs no system call. */
	static inline constinit base::FenceScope scope_ = base::FenceScope::NONE;
	static HazardRecord
		none_; /* has no free slot; threads that own no HazardRecord yet point to it */
	static thread_local constinit HazardRecord *own_;

	const void **slot_ = nullptr;
};

/**
 * class HazardPair - publishes two objects with one fence, for API calls that only read them. It calls no
 * function: if the thread's first two slots are in use, or it has no HazardRecord yet, the pair stays empty.
 */
class HazardPair {
public:
	/** HazardPair() - publishes @first and @second. The caller loads their marks afterwards (G1). */
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

	/** set_second() - publishes @place instead of the second object. Context: the pair is not empty. */
	void set_second(const void *place) const { HazardPointer::name(slots_[1], place); }

private:
	const void **const slots_;
};

/** class HazardGuard - publishes an object in a hazard pointer until the end of the scope. */
class HazardGuard {
public:
	/** Stay() - @place has `std::atomic<bool> ends`. */
	template <class T> explicit HazardGuard(const T &place)
	{
		pointer_.set(&place);
		is_welcome_ = !place.ends.load();
	}
	HazardGuard(const HazardGuard &) = delete;
	HazardGuard &operator=(const HazardGuard &) = delete;

	/** alive() - whether the object is alive; if not, the caller must not use it. */
	bool alive() const { return is_welcome_; }

private:
	HazardPointer pointer_;
	bool is_welcome_;
};

/** is_protected() - whether a hazard pointer of another thread names @place.
 * Context: the caller has stored the mark before. */
bool is_protected(const void *place);

/** class HazardSnapshot - a copy of the hazard pointers of other threads, with which a destroyer checks many
 * objects after one heavy fence. Context: the caller has stored the marks of these objects before. */
class HazardSnapshot {
public:
	HazardSnapshot();

	bool has(const void *place) const;

private:
	static constexpr unsigned MOST = 64;

	const void *names_[MOST];
	unsigned count_ = 0;
	/* false: more than MOST names, so has() reads the hazard pointers again */
	bool complete_ = true;
};

/** wait_until_left() - waits until no hazard pointer of another thread names @place. Context: as
 * is_protected(); the caller holds no lock that a user of @place may need. Return: false if the
 * deadline passed first. */
bool wait_until_left(const void *place, uint64_t deadline_ns);

/** wait_unprotected() - waits until no hazard pointer of another thread names @place. After @patience_ns it gives
 * the device up, which ends the waits of the users with DEVICE_LOST. Context: as wait_until_left(). */
void wait_unprotected(const void *place, hal::Device &hal, uint64_t patience_ns);

} // namespace umd
