// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "models/lower/launch_list.h"

namespace unpu_command {

/** draw_program() - an SVG: a row for each launch, with lines from what it reads, and how much memory lives then.
 * @title: plain text */
std::string draw_program(const std::string &title, const models::Program &program);

} // namespace unpu_command
