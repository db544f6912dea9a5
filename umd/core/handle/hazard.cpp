// SPDX-License-Identifier: MIT
/**
 * DOC: Hazard pointers
 *
 * A HazardRecord has the hazard pointers of one thread. HazardRecords are never freed, because the destroyer of an
 * object reads the HazardRecords of all threads. A thread that ends releases its HazardRecords, and a later thread
 * reuses them.
 */
#include "hazard.h"

#include <algorithm>
#include <new>

#include "base/sync/futex.h"
#include "base/sync/mutex.h"
#include "hal/device.h"

namespace umd {

/* How often a thread that waits reads the hazard pointers again. */
static constexpr uint64_t LOOK_NS = base::NS_PER_MS / 4;

static constinit HazardRecord *guests = nullptr;

constinit HazardRecord HazardPointer::none_ = {
	{&none_, &none_, &none_, &none_, &none_, &none_, &none_, &none_}};

thread_local constinit HazardRecord *HazardPointer::own_ = &none_;

static thread_local constinit base::AtThreadExit leaver;

/* Lock-free, because another thread may fork at any time and the child would inherit a locked lock. */
static HazardRecord *take_any_guest()
{
	for (HazardRecord *guest = base::load_acquire(guests); guest; guest = guest->next) {
		if (base::compare_exchange(guest->taken, uint32_t{0}, uint32_t{1}))
			return guest;
	}
	auto *guest = new HazardRecord;
	guest->taken = 1;
	do
		guest->next = base::load_acquire(guests);
	while (!base::compare_exchange(guests, guest->next, guest));
	return guest;
}

static HazardRecord *take_guest()
{
	HazardRecord *guest = take_any_guest();
	base::full_fence(); /* G3: register before the first mark is loaded; pairs with has_others() */
	return guest;
}

/* In a forked child it only forgets the HazardRecords: the names in them are the parent's. */
void HazardPointer::give_back(base::AtThreadExit &, bool in_fork)
{
	for (HazardRecord *guest = in_fork || own_ == &none_ ? nullptr : own_; guest;) {
		HazardRecord *more = std::exchange(guest->more, nullptr);
		base::store_release(guest->taken, uint32_t{0});
		guest = more;
	}
	own_ = &none_;
}

bool HazardPointer::is_own(const HazardRecord &guest)
{
	const HazardRecord *own = own_;
	while (own && own != &guest)
		own = own->more;
	return own != nullptr;
}

const void **HazardPointer::search_free()
{
	if (own_ == &none_) {
		base::store_relaxed(scope_, base::process_scope());
		own_ = take_guest();
		leaver.run = give_back;
		/* If the hook can't be set, the HazardRecord stays taken after the thread has ended; nothing else
		 * goes wrong. */
		(void)base::at_thread_exit(leaver);
	}
	for (HazardRecord *guest = own_;; guest = guest->more) {
		for (const void *&slot : guest->places) {
			if (!slot)
				return &slot;
		}
		if (!guest->more)
			guest->more = take_guest();
	}
}

/* Calls @visit for each object in a hazard pointer of another thread, until it returns false. Reads each slot
 * once. */
template <class F> static void for_names(F visit)
{
	for (const HazardRecord *guest = base::load_acquire(guests); guest; guest = guest->next) {
		if (HazardPointer::is_own(*guest))
			continue;
		for (const void *const &slot : guest->places) {
			/* G2: an empty slot means that the user's last access is done; pairs with unname(). */
			const void *name = base::load_acquire(slot);
			if (name && !visit(name))
				return;
		}
	}
}

/* Whether another thread has a HazardRecord. If none has, the caller saves the heavy fence. */
static bool has_others()
{
	base::full_fence(); /* G3: the caller's mark is stored before `taken` is loaded; see take_guest() */
	for (const HazardRecord *guest = base::load_acquire(guests); guest; guest = guest->next) {
		if (base::load_acquire(guest->taken) != 0 && !HazardPointer::is_own(*guest))
			return true;
	}
	return false;
}

static bool is_named(const void *place)
{
	bool found = false;
	for_names([&](const void *name) {
		found = name == place;
		return !found;
	});
	return found;
}

HazardSnapshot::HazardSnapshot()
{
	if (!has_others())
		return;
	base::heavy_fence(); /* G1: the marks are stored before the names are loaded; pairs with name() */
	for_names([&](const void *name) {
		complete_ = count_ < MOST;
		if (complete_)
			names_[count_++] = name;
		return complete_;
	});
}

bool HazardSnapshot::has(const void *place) const
{
	if (!complete_)
		return is_named(place);
	return std::find(names_, names_ + count_, place) != names_ + count_;
}

bool is_protected(const void *place)
{
	if (!has_others())
		return false;
	base::heavy_fence(); /* G1: the mark is stored before the names are loaded; pairs with name() */
	return is_named(place);
}

bool wait_until_left(const void *place, uint64_t deadline_ns)
{
	base::assert_unlocked("threads that use an object");
	const uint32_t nothing = 0;
	while (is_protected(place)) {
		const uint64_t now_ns = base::now_ns();
		if (now_ns >= deadline_ns)
			return false;
		(void)base::futex_wait(nothing, 0, std::min(now_ns + LOOK_NS, deadline_ns), false);
	}
	return true;
}

void wait_unprotected(const void *place, hal::Device &hal, uint64_t patience_ns)
{
	if (wait_until_left(place, base::deadline_after(patience_ns)))
		return;
	hal.give_up();
	(void)wait_until_left(place, base::NO_DEADLINE);
}

} // namespace umd
