// SPDX-License-Identifier: MIT
/**
 * DOC: Detecting waits that never end
 *
 * A thread that sleeps in a wait looks at its device four times a second anyway (hal/wait.cpp). Only such a
 * thread calls these functions, so a short wait costs nothing.
 */
#include "hang_watch.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/clock.h"
#include "blocked.h"
#include "drv/device.h"
#include "look.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/mode.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/process/words.h"
#include "umd/core/watch/failure_note.h"

namespace umd {

/* One wait can produce two lines: an early one and a late one. */
enum { EARLY, LATE };

/* The time after which a wait for what nobody does is reported. */
constexpr uint64_t EARLY_NS = base::NS_PER_S;

/* The time after which a wait is reported; 0: never. */
static uint64_t limit_ns()
{
	return static_cast<uint64_t>(check::hang_limit_s() * base::NS_PER_S);
}

bool hang_lines_are_off()
{
	return limit_ns() == 0;
}

/* @kind: kind of the wait */
static void tell(const char *kind, const hal::StuckWait &wait, const std::string &why)
{
	const double seconds = static_cast<double>(base::now_ns() - wait.since_ns) / base::NS_PER_S;
	fmt::print(stderr, "unpu: {}\n",
		   expand_words(fmt::format("a thread has waited for {:.1f} s, {}: {} "
					    "(UNPU_HANG_S=0: no such lines)",
					    seconds, kind, why)));
}

void EndWatch::look()
{
	const uint64_t waited = base::now_ns() - since_ns_;
	if (is_named_ || hang_lines_are_off() || waited < std::min(EARLY_NS, limit_ns()))
		return;
	is_named_ = true;
	fmt::print(stderr,
		   "unpu: the end of device {} has waited for {:.1f} s, without a time limit, for "
		   "a function of the program that "
		   "a stream runs; look at the thread unpu-callback with a debugger "
		   "(UNPU_HANG_S=0: no such lines)\n",
		   device_, static_cast<double>(waited) / base::NS_PER_S);
}

/* Asks at which source line the kernel with @cookie is. The worker needs some time for the answer. The
 * request takes only locks that no thread holds during an unlimited wait for a stream. */
static std::string place_of_kernel(OpenDevice &open, uint64_t cookie)
{
	constexpr uint64_t MOST_BYTES = 1024;
	auto text = open.device->kernel_text(UNPU_KERNEL_TEXT_PLACE, MOST_BYTES, cookie);
	return text && !text->empty() ? ": " + *text : "";
}

static void look_at(OpenDevice &open, hal::StuckWait &wait, const char *kind)
{
	constexpr uint64_t KERNEL_NS = 2 * base::NS_PER_S;
	constexpr uint64_t PLACE_NS = 2 * base::NS_PER_S;
	Look::get().start();
	const uint64_t limit = limit_ns();
	const uint64_t waited = base::now_ns() - wait.since_ns;
	const bool is_late = waited >= limit && !wait.is_named[LATE];
	const bool is_early = waited >= std::min(EARLY_NS, limit) && !wait.is_named[EARLY];
	if (limit == 0 || (!is_late && !is_early))
		return;
	const Blocked blocked = blocked_by(open, {wait.sem, wait.value});
	bool is_certain = false;
	std::string ranks;
	if (blocked.wake_source == WakeSource::RANKS)
		ranks = FailureNotes::get().wait_text(open, is_certain);
	const bool is_inside = ThreadState::mine().host_stream != 0;
	const bool is_kernel = blocked.wake_source == WakeSource::KERNEL;
	/* The line is written at a later look. */
	if (is_kernel && !is_late && waited < KERNEL_NS)
		return;
	const std::string place = is_kernel ? place_of_kernel(open, blocked.cookie) : "";
	if (is_kernel && !is_late && place.empty() && waited < KERNEL_NS + PLACE_NS)
		return;
	wait.is_named[EARLY] = true;
	wait.is_named[LATE] = is_late;
	if (!is_late && blocked.wake_source != WakeSource::CALLER && !is_inside && !is_certain &&
	    !is_kernel)
		return;
	if (blocked.wake_source == WakeSource::WORKS)
		return;
	std::string why = blocked.sentence + place;
	if (why.empty())
		why = fmt::format("semaphore {} is not yet {}", wait.sem, wait.value);
	if (!ranks.empty())
		why += ": " + ranks;
	if (is_inside)
		why += "; the thread runs a function of the program for a stream, which the stream "
		       "waits for";
	tell(kind, wait, why);
}

void HangWatch::look(hal::StuckWait &wait)
{
	look_at(open_, wait, "without a time limit");
}

void look_at_end(OpenDevice &open, hal::StuckWait &wait)
{
	look_at(open, wait, "for the work of streams that it ends");
}

} // namespace umd
