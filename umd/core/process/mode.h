// SPDX-License-Identifier: MIT
/**
 * DOC: Strict mode
 *
 * UNPU_CHECK asks for checks of what the interface allows or ignores and a program seldom wants: `warn` writes a line,
 * `error` also makes the call fail. Without it each check costs one branch.
 */
#pragma once

#include <cstdint>

#include "base/sync/ordering.h"

namespace umd::check {

/* Above the enumerators of an interface, so that one comparison tests both. */
enum class Mode : uint32_t { OFF = 0, WARN = 0x100, ERROR = 0x200 };

/* Hidden visibility, so that a load needs no GOT access. */
[[gnu::visibility("hidden")]] extern uint32_t mode;

/** is_on() - whether the program asked for checks. */
inline bool is_on()
{
	return base::load_relaxed(mode) != 0;
}

/** begin_if_asked() - reads UNPU_CHECK. A value that is none of its words is named on stderr. */
void begin_if_asked();

} // namespace umd::check
