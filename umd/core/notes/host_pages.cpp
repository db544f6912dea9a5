// SPDX-License-Identifier: MIT
/**
 * DOC: pages that the host must not touch
 *
 * Documentation/adr/0495-host-accesses-at-the-instruction.rst says what other ways there are, and what they cost.
 */
#include "host_pages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <span>

#include <sys/mman.h>
#include <ucontext.h>

#include "base/sync/ordering.h"
#include "umd/core/recorder/program_calls.h"

namespace umd::recorder {

static constinit std::span<HostPages> all_pages;
static constinit uint64_t retried = 0;
static constinit uint32_t closed_objects = 0; /* atomic */

namespace {

/* class Actions - the action that the program has chosen for the signal. A handler may read it while a thread chooses
 * another one, so the last few stay as they are. */
class Actions {
public:
	void choose(const struct sigaction &action)
	{
		struct sigaction &place = kept_[base::fetch_add(next_, uint32_t{1}) % MOST];
		place = action;
		base::store_release(now_, &place);
	}
	const struct sigaction &chosen() const { return *base::load_acquire(now_); }

private:
	static constexpr uint32_t MOST = 16;
	std::array<struct sigaction, MOST> kept_{};
	struct sigaction *now_ = kept_.data(); /* atomic */
	uint32_t next_ = 0;		       /* atomic */
};

} // namespace

static constinit Actions program_actions;
static constinit uint32_t is_handler_set = 0; /* atomic */
static constinit SetAction set_action = ::sigaction;

static bool give_access(uint64_t start, uint64_t end)
{
	return mprotect(reinterpret_cast<void *>(start), end - start, PROT_READ | PROT_WRITE) == 0;
}

/* Whether a store caused the fault. On an unknown processor, every fault counts as a load. */
static bool is_write([[maybe_unused]] const void *context)
{
#ifdef __x86_64__
	constexpr greg_t IS_WRITE = 2;
	return static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & IS_WRITE;
#else
	return false;
#endif
}

bool HostPages::holds(uint64_t address) const
{
	const uint64_t start = base::load_acquire(start_);
	const uint64_t end = base::load_acquire(end_);
	return address >= start && address < end && base::load_acquire(start_) == start;
}

/* @take: copies the stack */
template <class Take> void HostPages::note(uint64_t address, bool is_write, Take &&take)
{
	if (address < base::load_acquire(first_) || address >= base::load_acquire(last_) ||
	    !base::compare_exchange(state_, uint32_t{UNTOUCHED}, uint32_t{NOTING}))
		return;
	touch_.address = address;
	touch_.is_write = is_write;
	take(touch_.stack);
	base::store_release(state_, uint32_t{TOUCHED});
}

/* Return: whether the access may succeed when it is repeated. */
bool HostPages::resolve(uint64_t address, const void *context)
{
	for (HostPages &one : all_pages) {
		const uint64_t start = base::load_acquire(one.start_);
		const uint64_t end = base::load_acquire(one.end_);
		if (!one.holds(address))
			continue;
		one.note(address, is_write(context),
			 [&](StackCopy &stack) { stack.take(context); });
		return give_access(start, end);
	}
	return base::exchange(retried, address) != address;
}

void HostPages::touch_range(const void *start, size_t bytes, bool is_write, const void *frame)
{
	const auto begin = reinterpret_cast<uint64_t>(start);
	const uint64_t end = begin + bytes;
	if (base::load_acquire(closed_objects) == 0)
		return;
	const int error = errno;
	for (HostPages &one : all_pages) {
		const uint64_t first = base::load_acquire(one.first_);
		if (!one.meets(begin, end) || (!is_write && base::load_acquire(one.only_writes_)))
			continue;
		if (first < end)
			one.note(std::max(begin, first), is_write,
				 [&](StackCopy &stack) { stack.take_caller(frame); });
		(void)give_access(base::load_acquire(one.start_), base::load_acquire(one.end_));
	}
	errno = error;
}

bool HostPages::change_action(const struct sigaction *action, struct sigaction *before)
{
	if (base::load_acquire(is_handler_set) == 0)
		return false;
	if (before)
		*before = program_actions.chosen();
	if (action)
		program_actions.choose(*action);
	return true;
}

/* Does what the program has chosen for the signal. Its handler may leave by siglongjmp(). */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	const struct sigaction &chosen = program_actions.chosen();
	if (chosen.sa_flags & SA_SIGINFO)
		return chosen.sa_sigaction(signal, info, context);
	if (chosen.sa_handler != SIG_DFL && chosen.sa_handler != SIG_IGN)
		return chosen.sa_handler(signal);
	base::store_release(is_handler_set, uint32_t{0});
	(void)set_action(signal, &chosen, nullptr);
	if (info->si_code <= 0)
		(void)raise(signal);
}

void HostPages::handle(int signal, siginfo_t *info, void *context)
{
	const int error = errno;
	const bool is_ours = info->si_code == SEGV_ACCERR &&
			     resolve(reinterpret_cast<uint64_t>(info->si_addr), context);
	if (!is_ours)
		pass_on(signal, info, context);
	errno = error;
}

bool HostPages::prepare(HostPages *objects, uint32_t count)
{
	static constexpr ProgramCalls CALLS{touch_range, change_action};
	if (all_pages.empty()) {
		all_pages = {objects, count};
		set_action = attach(CALLS);
	}
	struct sigaction now {};
	if (set_action(SIGSEGV, nullptr, &now) != 0)
		return false;
	if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle)
		return true;
	program_actions.choose(now);
	struct sigaction wanted {};
	wanted.sa_sigaction = handle;
	wanted.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&wanted.sa_mask);
	if (set_action(SIGSEGV, &wanted, nullptr) != 0)
		return false;
	base::store_release(is_handler_set, uint32_t{1});
	return true;
}

bool HostPages::close(uint64_t start, uint64_t end, uint64_t first, uint64_t last, bool only_writes)
{
	base::store_release(end_, end);
	base::store_release(first_, first);
	base::store_release(last_, last);
	base::store_release(only_writes_, uint32_t{only_writes});
	base::store_release(start_, start);
	base::fetch_add(closed_objects, uint32_t{1});
	if (mprotect(reinterpret_cast<void *>(start), end - start,
		     only_writes ? PROT_READ : PROT_NONE) == 0)
		return true;
	base::fetch_add(closed_objects, UINT32_MAX);
	base::store_release(start_, NOWHERE);
	return false;
}

/* Gives the access back before it forgets the pages, so that a thread that faults in between can continue. */
void HostPages::open()
{
	const uint64_t start = base::load_acquire(start_);
	if (start == NOWHERE)
		return;
	(void)give_access(start, end_);
	base::fetch_add(closed_objects, UINT32_MAX);
	base::store_release(start_, NOWHERE);
}

bool HostPages::is_closed() const
{
	return base::load_acquire(start_) != NOWHERE;
}

bool HostPages::is_touched() const
{
	return base::load_acquire(state_) != UNTOUCHED;
}

void HostPages::forget()
{
	base::store_release(state_, uint32_t{UNTOUCHED});
}

const HostTouch *HostPages::touch() const
{
	return base::load_acquire(state_) == TOUCHED ? &touch_ : nullptr;
}

} // namespace umd::recorder
