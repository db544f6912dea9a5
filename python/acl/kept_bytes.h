// SPDX-License-Identifier: MIT
#pragma once

#include "python/call/python_api.h"

namespace binding {

/** keep_bytes() - in checking mode, keeps a reference to an object whose address the program asks for. */
void keep_bytes(PyObject *bytes);

/**
 * check_kept_bytes() - in checking mode, reports a copy from a bytes object that the program let go.
 * Return: false with an error set when the report failed.
 */
bool check_kept_bytes(const void *address, const char *function);

} // namespace binding
