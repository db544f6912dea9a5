// SPDX-License-Identifier: MIT
/**
 * DOC: Hazard pointers
 *
 * Guests are never freed, since a thread that takes something away may be reading them; a thread that
 * ends leaves its own to a later one.
 */
#include "umd/stay.h"

#include <algorithm>
#include <new>

#include "base/futex.h"
#include "hal/device.h"

namespace umd {

/* How often a thread that waits reads the hazard pointers again. */
static constexpr uint64_t LOOK_NS = base::NS_PER_MS / 4;

static constinit Guest *guests = nullptr;

thread_local constinit Guest *HazardPointer::own_ = nullptr;

static thread_local constinit base::AtThreadExit leaver;

/* Without a lock: a fork may come while another thread is here. */
static Guest *take_guest()
{
	for (Guest *guest = base::load_acquire(guests); guest; guest = guest->next) {
		if (base::compare_exchange(guest->taken, uint32_t{0}, uint32_t{1}))
			return guest;
	}
	auto *guest = new Guest;
	guest->taken = 1;
	do
		guest->next = base::load_acquire(guests);
	while (!base::compare_exchange(guests, guest->next, guest));
	return guest;
}

/* In a fork the thread of the parent still has them. */
void HazardPointer::give_back(base::AtThreadExit &, bool in_fork)
{
	for (Guest *guest = in_fork ? nullptr : own_; guest;) {
		Guest *more = std::exchange(guest->more, nullptr);
		base::store_release(guest->taken, uint32_t{0});
		guest = more;
	}
	own_ = nullptr;
}

bool HazardPointer::is_own(const Guest &guest)
{
	const Guest *own = own_;
	while (own && own != &guest)
		own = own->more;
	return own != nullptr;
}

const void **HazardPointer::claim_more()
{
	Guest **link = &own_;
	for (; *link; link = &(*link)->more) {
		for (const void *&slot : (*link)->places) {
			if (!slot)
				return &slot;
		}
	}
	if (!own_) {
		leaver.run = give_back;
		/* Without the hook the guest stays taken, no more. */
		(void)base::at_thread_exit(leaver);
	}
	*link = take_guest();
	return &(*link)->places[0];
}

/* Each slot is read once. */
static bool names(const Guest &guest, const void *place)
{
	return std::any_of(std::begin(guest.places), std::end(guest.places),
			   [&](const void *const &slot) {
				   return base::load_acquire(slot) == place; /* G2 */
			   });
}

bool stays_now(const void *place)
{
	for (const Guest *guest = base::load_acquire(guests); guest; guest = guest->next) {
		if (names(*guest, place) && !HazardPointer::is_own(*guest))
			return true;
	}
	return false;
}

bool somebody_stays(const void *place)
{
	base::heavy_fence(); /* G1 */
	return stays_now(place);
}

bool wait_until_left(const void *place, uint64_t deadline_ns)
{
	const uint32_t nothing = 0;
	while (somebody_stays(place)) {
		const uint64_t now_ns = base::now_ns();
		if (now_ns >= deadline_ns)
			return false;
		(void)base::futex_wait(nothing, 0, std::min(now_ns + LOOK_NS, deadline_ns), false);
	}
	return true;
}

void see_off(const void *place, hal::Device &hal, uint64_t patience_ns)
{
	if (wait_until_left(place, base::deadline_after(patience_ns)))
		return;
	hal.give_up();
	(void)wait_until_left(place, base::NO_DEADLINE);
}

} // namespace umd
