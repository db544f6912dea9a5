// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "umd/host_function.h"

namespace umd {

/**
 * class HostTarget - what a host function of the runtime itself works on. A stream may be aborted
 * while such a call is under way, so the call has its target's number, and finds nothing once the
 * target was dropped.
 */
class HostTarget {
public:
	virtual ~HostTarget() = default;
	/** run() - Context: a thread of the runtime, while the stream stands still; no lock held. */
	virtual void run() = 0;
};

/** add_target() - makes @target known. Return: its number, never 0 and never used again. */
uint64_t add_target(std::shared_ptr<HostTarget> target);

/** drop_target() - calls find it no more; one that is under way keeps it until its end. 0 is none. */
void drop_target(uint64_t number);

/** target_function() - the function that runs the target. */
HostFunction target_function(uint64_t number);

/** run_dropped() - runs the target of a function that a stream was to call and has dropped; other
 * functions are left alone. Context: any thread; the lock of a context may be held. */
void run_dropped(const HostFunction &function);

} // namespace umd
