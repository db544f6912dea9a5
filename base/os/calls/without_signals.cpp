// SPDX-License-Identifier: MIT
/**
 * DOC: Calls of the C library under signals
 *
 * Only a signal that has a handler makes a system call fail with EINTR, so only such signals are blocked.
 * Other signals keep their effect: for example, ctrl-c ends a program that waits until another program reads
 * its output.
 */
#include "without_signals.h"

#include <initializer_list>

namespace base::calls {

/* Signals for faults of the thread itself, such as SIGSEGV, can't be delayed. */
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
