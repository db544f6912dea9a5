// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"

namespace umd {

/**
 * set_error() - keeps a sentence for the calling thread's aclGetRecentErrMsg().
 * @status: what the failing call is about to return
 * @text: names the argument, what was given and what is allowed; cut at about 1 KiB
 * Context: any thread.
 * Return: @status, so that it can end a function.
 */
base::Status set_error(base::Status status, std::string text);

/** take_error() - the sentences since the last call, newest first, or nullptr.
 * Return: owned by the library, valid until the thread's next take_error(). */
const char *take_error();

} // namespace umd
