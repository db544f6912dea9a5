// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"
#include "mode.h"

namespace umd::check {

/** misuse() - writes a line, once for each text. Context: is_on() was true.
 * Return: OK with `warn`; with `error` @status, with the sentence set. */
base::Status misuse(base::Status status, const std::string &sentence);

/** say() - writes a line. Context: is_on() was true. */
void say(const std::string &sentence);

} // namespace umd::check
