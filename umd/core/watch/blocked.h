// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "drv/packet/fence.h"

namespace umd {

struct OpenDevice;

/** enum class Hope - what can end a wait. */
enum class Hope : uint8_t {
	DONE,	/* nothing is left to wait for */
	WORKS,	/* a task runs, and its end is a matter of time */
	KERNEL, /* a kernel of the program runs, which may never end */
	WAITS,	/* another stream, a function of the program, or a word in memory */
	RANKS,	/* other ranks of a collective operation */
	CALLER, /* only a call that no thread has made so far */
};

/** struct Blocked - what keeps a stream from its next task. */
struct Blocked {
	Hope hope = Hope::DONE;
	uint64_t cookie = 0;  /* of the packet, for KERNEL */
	std::string sentence; /* "task 3 of stream 1 (CALL) waits for ..."; empty for DONE */
};

/** blocked_by() - why a fence of a stream's timeline has not passed: the oldest task of the stream that is not done,
 * what that task waits for, and why that does not come. Context: any thread; the caller keeps @open open. It takes
 * locks of the lowest level and sends no request. */
Blocked blocked_by(OpenDevice &open, const drv::Fence &fence);

/** blocked_sentence() - the same as the end of another sentence: "; task 3 of ...", or "". */
std::string blocked_sentence(OpenDevice &open, const drv::Fence &fence);

} // namespace umd
