// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "drv/packet/fence.h"

namespace umd {

struct OpenDevice;

/** enum class WakeSource - the thing that can end a wait. */
enum class WakeSource : uint8_t {
	DONE,	/* there is nothing to wait for any more */
	WORKS,	/* a task runs, and its end is a matter of time */
	KERNEL, /* a kernel of the program runs, which may never end */
	WAITS,	/* another stream, a function of the program, or a store to a word in memory */
	RANKS,	/* other ranks of a collective operation */
	CALLER, /* only a call that no thread has made yet */
};

/** struct Blocked - why a stream does not start its next task. */
struct Blocked {
	WakeSource wake_source = WakeSource::DONE;
	uint64_t cookie = 0;  /* cookie of the packet, for KERNEL */
	std::string sentence; /* "task 3 of stream 1 (CALL) waits for ..."; empty for DONE */
};

/** blocked_by() - why a fence of a stream's timeline has not passed: the oldest unfinished task of the
 * stream, what that task waits for, and why that does not happen. Context: any thread; the caller keeps @open
 * open. It takes locks of the lowest level and sends no request. */
Blocked blocked_by(OpenDevice &open, const drv::Fence &fence);

/** blocked_sentence() - the same, as the end of another message: "; task 3 of ...", or "". */
std::string blocked_sentence(OpenDevice &open, const drv::Fence &fence);

} // namespace umd
