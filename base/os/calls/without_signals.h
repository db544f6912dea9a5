// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace base::calls {

/** class WithoutSignals - while it lives, no signal that has a handler interrupts its thread. For calls of the C
 * library that can't be made again: a stdio stream loses what it holds when a write ends with EINTR.
 * A signal whose default ends the process still does.
 * Context: the thread that made it. It makes some 60 system calls, so not for what happens often. */
class WithoutSignals {
public:
	WithoutSignals();
	~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
	WithoutSignals(const WithoutSignals &) = delete;
	WithoutSignals &operator=(const WithoutSignals &) = delete;

private:
	sigset_t before_;
};

} // namespace base::calls
