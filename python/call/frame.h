// SPDX-License-Identifier: MIT
#pragma once

#include "python_api.h"

namespace binding {

/** struct Line - a line of a Python program. The texts belong to the code object. */
struct Line {
	Owned code;
	const char *file = "unknown";
	const char *function = "unknown";
	int number = 0;
};

/** calling_line() - the line that called a function of the binding. */
Line calling_line();

} // namespace binding
