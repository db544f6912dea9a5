// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"

namespace umd {

/**
 * set_error() - stores an error message for the calling thread's take_error().
 * @status: the status that the failing call will return
 * @text: names the argument, its value and the allowed values; cut at about 1 KiB
 * Context: any thread.
 * Return: @status, so that it can end a function.
 */
base::Status set_error(base::Status status, std::string text);

/**
 * note_error() - the same for front ends that have their own names for failures
 * @name: name of the failure, for the log; nullptr: the log has a line about it already
 * @text: as above
 * @usual: a normal answer such as "not ready": not kept, and logged only with UNPU_LOG_ERRORS=2
 * Context: any thread.
 */
void note_error(const char *name, std::string text, bool usual = false);

/**
 * tell_once() - logs the message of a fault in the program's own code, because the program may never ask for
 * its error messages. It is logged once, and repetitions are counted. If UNPU_LOG_ERRORS is set, it is not
 * logged here: either the log has the message already, or logging is off.
 * Context: any thread.
 */
void tell_once(base::Status status, const std::string &sentence);

/** explains_errors() - whether error messages are logged. */
bool explains_errors();

/** explains_answers() - whether messages about answers such as "not ready" are logged. */
bool explains_answers();

/** share_errors() - @shared: keep the messages of all threads in one list of the process. */
void share_errors(bool shared);

/** take_error() - removes and returns the messages since the last call, newest first, or nullptr.
 * Return: owned by the library, valid until the thread's next take_error(). */
const char *take_error();

} // namespace umd
