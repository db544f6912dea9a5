// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"
#include "mode.h"

namespace umd::check {

/** misuse() - writes a line of strict mode to stderr; each text only once. Context: is_on() was true.
 * Return: OK with `warn`; with `error` @status, and sets the error message. */
base::Status misuse(base::Status status, const std::string &sentence);

/** say() - writes a line of strict mode to stderr. Context: is_on() was true. */
void say(const std::string &sentence);

} // namespace umd::check
