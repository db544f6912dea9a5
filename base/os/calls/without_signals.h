// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace base::calls {

/** class WithoutSignals - while it lives, no signal that has a handler interrupts its thread. It is for calls
 * of the C library that can't be repeated: a stdio stream loses its buffered text if a write fails with
 * EINTR. A signal without a handler still ends the process.
 * Context: the thread that created it. It makes about 60 system calls, so it is not for code that runs
 * often. */
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
