// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"

namespace umd {

struct Context;

/** check_unsafe() - whether the calling thread may make an unsafe call now.
 * Return: CAPTURE_MODE if a capture forbids it. */
base::Status check_unsafe(Context &context, const char *call);

} // namespace umd
