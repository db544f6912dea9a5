// SPDX-License-Identifier: MIT
/**
 * DOC: Calls of the C library under signals
 *
 * Only a handler makes a system call end with EINTR. All other signals stay as they are, so that ctrl-c ends a program
 * that waits for the reader of its output.
 */
#include "without_signals.h"

#include <initializer_list>

namespace base::calls {

/* The thread's own faults can't wait. */
static bool is_own(int number)
{
	for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
		if (number == own)
			return true;
	}
	return false;
}

static bool has_handler(int number)
{
	struct sigaction now {};
	return sigaction(number, nullptr, &now) == 0 &&
	       (now.sa_flags & SA_SIGINFO ||
		(now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN));
}

WithoutSignals::WithoutSignals()
{
	sigset_t handled;
	sigemptyset(&handled);
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (!is_own(number) && has_handler(number))
			sigaddset(&handled, number);
	}
	pthread_sigmask(SIG_BLOCK, &handled, &before_);
}

} // namespace base::calls
