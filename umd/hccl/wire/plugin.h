// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine.h"

namespace umd {

/** find_engine() - the engine of this process, which is loaded once.
 * @text: receives why there is none: a part of a sentence
 * Return: nullptr with @text. */
const WireEngine *find_engine(std::string &text);

/** engine_settings() - pairs of a name and a value: what the engine needs and the environment does not say. */
std::vector<std::string> engine_settings();

} // namespace umd
