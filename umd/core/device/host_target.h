// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "umd/core/task/host_function.h"

namespace umd {

/**
 * class HostTarget - the object of a host function of the runtime itself. An abort may drop the target
 * while the call is under way, so the call carries the target's number and does nothing if the target was
 * dropped.
 */
class HostTarget {
public:
	virtual ~HostTarget() = default;
	/** run() - Context: a thread of the runtime, no lock held; the stream waits for the return. */
	virtual void run() = 0;
};

/** add_target() - registers @target. Return: its number, never 0 and never reused. */
uint64_t add_target(std::shared_ptr<HostTarget> target);

/** drop_target() - unregisters the target; a call under way keeps it alive until it returns. 0 is ignored. */
void drop_target(uint64_t number);

/** target_function() - the function that runs the target. */
HostFunction target_function(uint64_t number);

/** run_dropped() - runs the target of a function that a stream has dropped instead of calling it; ignores
 * other functions. Context: any thread; the lock of a context may be held. */
void run_dropped(const HostFunction &function);

} // namespace umd
