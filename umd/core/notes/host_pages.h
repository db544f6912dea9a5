// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstdint>

#include "umd/core/recorder/stack_copy.h"

namespace umd::recorder {

/** struct HostTouch - the first load or store of the program at pages that it had no right to use. */
struct HostTouch {
	uint64_t address = 0;
	bool is_write = false;
	StackCopy stack;
};

/**
 * class HostPages - pages of which the host has no access, or no right to write, for a while.
 *
 * The handler of SIGSEGV runs in the thread that touches a page, at any point of its code. So it only reads plain
 * words, copies the stack, and gives the access back. Another thread may have done that meanwhile; then the access is
 * repeated, and succeeds. Where an access faults that is none of this class, the action is taken that the program
 * has chosen for the signal. A system call gets an error instead of the signal; the library that "unpu-san run"
 * preloads calls touch_range() first (san/calls).
 *
 * Context: one thread at a time calls close() and open() of an object; the handler runs in any.
 */
class HostPages {
public:
	/** close() - takes the access away. Return: false if that is not possible.
	 * @start, @end: whole pages. @first, @last: the bytes of which a touch is noted; the rest of the pages belongs
	 * to nobody. @only_writes: loads are allowed */
	bool close(uint64_t start, uint64_t end, uint64_t first, uint64_t last, bool only_writes);
	/** open() - gives the access back. */
	void open();
	/** is_closed() - whether close() came after the last open(). */
	bool is_closed() const;
	/** meets() - whether the closed pages and a range have bytes in common. */
	bool meets(uint64_t begin, uint64_t end) const
	{
		return is_closed() && begin < end_ && start_ < end;
	}

	/** is_touched() - whether the handler notes a touch, or has noted one. touch() - what it has noted.
	 * Return: nullptr if it has not finished. forget() - drops it. */
	bool is_touched() const;
	const HostTouch *touch() const;
	void forget();

	/** prepare() - sets the handler for these objects, unless it is set. The handler that the program has is
	 * called for all other faults. Return: false if that is not possible.
	 * @objects: an array that exists as long as the process */
	static bool prepare(HostPages *objects, uint32_t count);

	/** touch_range() - called before a system call uses memory: what a fault does. @frame: the frame address of the
	 * function that the program has called */
	static void touch_range(const void *start, size_t bytes, bool is_write, const void *frame);
	/** change_action() - sigaction() of SIGSEGV for the program. Return: false if the handler of this class is not
	 * set */
	static bool change_action(const struct sigaction *action, struct sigaction *before);

private:
	static constexpr uint64_t NOWHERE = UINT64_MAX;
	enum State : uint32_t { UNTOUCHED, NOTING, TOUCHED };

	static void handle(int signal, siginfo_t *info, void *context);
	static bool resolve(uint64_t address, const void *context);
	bool holds(uint64_t address) const;
	template <class Take> void note(uint64_t address, bool is_write, Take &&take);

	uint64_t start_ = NOWHERE;   /* atomic; NOWHERE: open */
	uint64_t end_ = 0;	     /* atomic */
	uint64_t first_ = 0;	     /* atomic */
	uint64_t last_ = 0;	     /* atomic */
	uint32_t only_writes_ = 0;   /* atomic */
	uint32_t state_ = UNTOUCHED; /* atomic */
	HostTouch touch_;
};

} // namespace umd::recorder
