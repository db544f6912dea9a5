// SPDX-License-Identifier: MIT
/**
 * DOC: Stays
 *
 * Guests are never freed, since who takes something away may be looking at them; a thread that ends
 * leaves its own to a later one.
 */
#include "umd/stay.h"

#include <algorithm>
#include <mutex>
#include <new>

#include "base/futex.h"
#include "hal/device.h"

namespace umd {

/* How often it is looked whether somebody has left. */
static constexpr uint64_t LOOK_NS = base::NS_PER_MS / 4;

constinit AnyDevice any_device;

static constinit std::mutex guests_mutex;
static constinit Guest *guests = nullptr;

thread_local constinit Guest *Stay::mine_ = nullptr;

static thread_local constinit base::AtThreadExit leaver;

static Guest *take_guest()
{
	std::lock_guard lock(guests_mutex);
	for (Guest *guest = guests; guest; guest = guest->next) {
		if (base::load_acquire(guest->taken) == 0) {
			base::store_relaxed(guest->taken, uint32_t{1});
			return guest;
		}
	}
	auto *guest = new Guest;
	guest->taken = 1;
	guest->next = guests;
	base::store_release(guests, guest);
	return guest;
}

void Stay::give_back(base::AtThreadExit &)
{
	base::store_release(mine_->taken, uint32_t{0});
	mine_ = nullptr;
}

Guest *Stay::find_guest()
{
	mine_ = take_guest();
	leaver.run = give_back;
	/* Without the hook the guest stays taken, no more. */
	(void)base::at_thread_exit(leaver);
	return mine_;
}

/* One look at each slot: a guest may move from one of the places to the other. */
static bool stays(const Guest &guest, const void *place, const void *also)
{
	return std::any_of(std::begin(guest.places), std::end(guest.places),
			   [&](const void *const &slot) {
				   const void *seen = base::load_acquire(slot); /* G2 */
				   return seen && (seen == place || seen == also);
			   });
}

bool somebody_stays(const void *place, const void *also)
{
	base::heavy_fence(); /* G1 */
	for (const Guest *guest = base::load_acquire(guests); guest; guest = guest->next) {
		if (guest != Stay::mine() && stays(*guest, place, also))
			return true;
	}
	return false;
}

bool wait_until_left(const void *place, uint64_t deadline_ns, const void *also)
{
	const uint32_t nothing = 0;
	while (somebody_stays(place, also)) {
		const uint64_t now_ns = base::now_ns();
		if (now_ns >= deadline_ns)
			return false;
		(void)base::futex_wait(nothing, 0, std::min(now_ns + LOOK_NS, deadline_ns), false);
	}
	return true;
}

void see_off(const void *place, hal::Device &hal, uint64_t patience_ns, const void *also)
{
	if (wait_until_left(place, base::deadline_after(patience_ns), also))
		return;
	hal.give_up();
	(void)wait_until_left(place, base::NO_DEADLINE, also);
}

} // namespace umd
