// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <signal.h>

namespace san {

/** struct GuardCalls - what the runtime does for calls of the C library that this library stands before.
 * Context: any thread, signal handlers too. */
struct GuardCalls {
	/* A system call is about to read, or to write (@is_write), this memory. @frame: the frame address of the
	 * function that the program has called */
	void (*touch)(const void *start, size_t bytes, bool is_write, const void *frame);
	/* sigaction() for SIGSEGV, where the runtime has set its own handler. Return: false if it has not */
	bool (*change_action)(const struct sigaction *action, struct sigaction *before);
};

/** SetAction - sigaction() of the C library. */
using SetAction = int (*)(int, const struct sigaction *, struct sigaction *);

/** Attach, ATTACH - the function of this library that the runtime looks for, and its name.
 * @calls: exists as long as the process. Return: sigaction() for the use of the runtime */
using Attach = SetAction (*)(const GuardCalls *calls);
static constexpr const char ATTACH[] = "unpu_san_attach";

} // namespace san
