// SPDX-License-Identifier: MIT
/**
 * DOC: Assertions
 *
 * An assertion states an invariant of this library's own data. It never checks input from a program or from
 * the other side of the wire: wrong input gets a status and an error message. Builds with UNPU_CHECKS, which
 * are dev and those with a sanitizer, end the process with a message if an invariant is broken. Other builds
 * do not evaluate the condition.
 */
#pragma once

#ifdef UNPU_CHECKS
#include <cstdio>
#include <cstdlib>

namespace base {

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_assertion(const char *condition,
								  const char *file, int line)
{
	fprintf(stderr, "unpu: %s:%d: this must hold, and does not: %s\n", file, line, condition);
	abort();
}

} // namespace base

/** unpu_assert() - @condition: an expression without side effects */
#define unpu_assert(condition) \
	((condition) ? (void)0 : base::fail_assertion(#condition, __FILE__, __LINE__))
#else
#define unpu_assert(condition) ((void)sizeof(!(condition)))
#endif
