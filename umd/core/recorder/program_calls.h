// SPDX-License-Identifier: MIT
#pragma once

#include "san/calls/attach.h"

namespace umd::recorder {

/** ProgramCalls - what the runtime does for calls of the C library. SetAction - sigaction(). */
using ProgramCalls = san::GuardCalls;
using san::SetAction;

/** attach() - lets the library that "unpu-san run" preloads call these functions, if it is there.
 * Return: sigaction() for the use of the runtime */
SetAction attach(const ProgramCalls &calls);

} // namespace umd::recorder
