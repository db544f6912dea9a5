// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"

namespace umd {

/**
 * set_error() - keeps a sentence for the calling thread's take_error().
 * @status: what the failing call is about to return
 * @text: names the argument, its value and the allowed values; cut at about 1 KiB
 * Context: any thread.
 * Return: @status, so that it can end a function.
 */
base::Status set_error(base::Status status, std::string text);

/**
 * note_error() - the same for front ends that have names of their own for failures
 * @name: of the failure, for the log
 * @text: as above
 * @usual: a normal answer such as "not ready": not kept, and logged only with UNPU_LOG_ERRORS=2
 * Context: any thread.
 */
void note_error(const char *name, std::string text, bool usual = false);

/**
 * tell_once() - logs the sentence of a fault in the program's own code, which no caller of the API may ever ask for.
 * It is logged once, and further times are counted; not with UNPU_LOG_ERRORS, which has a sentence of its own or is 0.
 * Context: any thread.
 */
void tell_once(base::Status status, const std::string &sentence);

/** explains_errors() - whether the sentences of failures are logged. */
bool explains_errors();

/** explains_answers() - whether sentences about answers like "not ready" are logged. */
bool explains_answers();

/** share_errors() - @shared: keep the sentences of all threads in one list of the process. */
void share_errors(bool shared);

/** take_error() - removes and returns the sentences since the last call, newest first, or nullptr.
 * Return: owned by the library, valid until the thread's next take_error(). */
const char *take_error();

} // namespace umd
