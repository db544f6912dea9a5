// SPDX-License-Identifier: MIT
/**
 * DOC: calls that decide about SIGSEGV
 *
 * The runtime detects a load or store of the program by SIGSEGV. A thread that has the signal blocked is killed by it.
 * So the signal is never blocked, and the program is told the mask that it has asked for. A handler of the program
 * stands behind the one of the runtime.
 */
#include <pthread.h>
#include <unistd.h>

#include "base/sync/ordering.h"
#include "next.h"

namespace san {

/* Whether this thread has asked for SIGSEGV to be blocked. */
static thread_local constinit bool is_blocked = false;
/* Whether the action of a signal blocks SIGSEGV. */
static constinit uint8_t blocking_actions[NSIG]{};     /* atomic */
static constinit const GuardCalls *attached = nullptr; /* atomic */

static constinit pid_t owner = 0; /* the process of these variables */

/* Whether this is a child that shares the memory of its parent until it calls exec(), as vfork() makes one. Its signals
 * are its own, and these variables are not. */
static bool is_borrower()
{
	return getpid() != owner;
}

const GuardCalls *runtime_calls()
{
	return base::load_acquire(attached);
}

static int set_action(int signal, const struct sigaction *action, struct sigaction *before)
{
	static const auto next = next_of<SetAction>("sigaction");
	return next(signal, action, before);
}

/* What unblocks SIGSEGV may do so. */
static int change_mask(int (*next)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set,
		       sigset_t *before)
{
	if (is_borrower())
		return next(how, set, before);
	const bool was_blocked = is_blocked;
	sigset_t wanted;
	const bool has_it = set && sigismember(set, SIGSEGV) == 1;
	if (has_it && how != SIG_UNBLOCK) {
		wanted = *set;
		sigdelset(&wanted, SIGSEGV);
	}
	const int result = next(how, has_it && how != SIG_UNBLOCK ? &wanted : set, before);
	if (result != 0)
		return result;
	if (before && was_blocked)
		sigaddset(before, SIGSEGV);
	if (set && how == SIG_SETMASK)
		is_blocked = has_it;
	else if (has_it)
		is_blocked = how == SIG_BLOCK;
	return 0;
}

/* A process may begin with the signal blocked. */
[[gnu::constructor]] static void begin()
{
	owner = getpid();
	pthread_atfork(nullptr, nullptr, [] { owner = getpid(); });
	sigset_t segv, before;
	sigemptyset(&segv);
	sigaddset(&segv, SIGSEGV);
	static const auto next = next_of<decltype(&pthread_sigmask)>("pthread_sigmask");
	if (next(SIG_UNBLOCK, &segv, &before) == 0)
		is_blocked = sigismember(&before, SIGSEGV) == 1;
}

} // namespace san

SAN_CALL san::SetAction unpu_san_attach(const san::GuardCalls *calls)
{
	base::store_release(san::attached, calls);
	return san::set_action;
}

SAN_CALL int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) noexcept
{
	static const auto next = san::next_of<decltype(&pthread_sigmask)>("pthread_sigmask");
	return san::change_mask(next, how, set, before);
}

SAN_CALL int sigprocmask(int how, const sigset_t *set, sigset_t *before) noexcept
{
	static const auto next = san::next_of<decltype(&sigprocmask)>("sigprocmask");
	return san::change_mask(next, how, set, before);
}

SAN_CALL int sigaction(int signal, const struct sigaction *action,
		       struct sigaction *before) noexcept
{
	const san::GuardCalls *runtime = san::runtime_calls();
	if (signal <= 0 || signal >= NSIG || san::is_borrower())
		return san::set_action(signal, action, before);
	if (signal == SIGSEGV && runtime && runtime->change_action(action, before))
		return 0;
	const bool has_it = action && sigismember(&action->sa_mask, SIGSEGV) == 1;
	const bool had_it = base::load_acquire(san::blocking_actions[signal]) != 0;
	struct sigaction wanted;
	if (has_it) {
		wanted = *action;
		sigdelset(&wanted.sa_mask, SIGSEGV);
	}
	const int result = san::set_action(signal, has_it ? &wanted : action, before);
	if (result != 0)
		return result;
	if (before && had_it)
		sigaddset(&before->sa_mask, SIGSEGV);
	if (action)
		base::store_release(san::blocking_actions[signal], uint8_t{has_it});
	return 0;
}

SAN_CALL sighandler_t signal(int number, sighandler_t handler) noexcept
{
	static const auto next = san::next_of<decltype(&signal)>("signal");
	if (number != SIGSEGV || !san::runtime_calls())
		return next(number, handler);
	struct sigaction action {
	}, before{};
	action.sa_handler = handler;
	action.sa_flags = SA_RESTART;
	return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
