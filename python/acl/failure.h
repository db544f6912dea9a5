// SPDX-License-Identifier: MIT
#pragma once

#include "python/call/python_api.h"

namespace binding {

/** note_failure() - sets the sentence of a failure that the library doesn't know of, for the calling thread. */
void note_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * refuse() - the result of a function that this implementation does not have.
 * @function: its name; @why: the reason, as the end of a sentence
 * @count: how many values it gives, the status last; 0: one value that is no status
 */
PyObject *refuse(const char *function, const char *why, int count);

} // namespace binding
