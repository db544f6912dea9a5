// SPDX-License-Identifier: MIT
/**
 * DOC: Strict mode
 *
 * UNPU_CHECK switches on checks for uses that the interface allows or ignores, but that are usually mistakes.
 * With `warn` such a use writes a line to stderr; with `error` the call also fails. Without it each check
 * costs one branch.
 */
#pragma once

#include <cstdint>

#include "base/sync/ordering.h"

namespace umd::check {

/* The values are above all enumerators of an API, so that one comparison tests the mode and an argument. */
enum class Mode : uint32_t { OFF = 0, WARN = 0x100, ERROR = 0x200 };

/* Hidden visibility, so that a load needs no GOT access. */
[[gnu::visibility("hidden")]] extern uint32_t mode;

/** is_on() - whether the program asked for checks. */
inline bool is_on()
{
	return base::load_relaxed(mode) != 0;
}

/** begin_if_asked() - reads UNPU_CHECK. An unknown value is reported on stderr. */
void begin_if_asked();

/** hang_limit_s() - UNPU_HANG_S: the seconds after which a wait is reported; 0: never. The first call reports a
 * value that is no number on stderr. */
double hang_limit_s();

} // namespace umd::check
