// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernels/abi/worker.h"

namespace worker {

/** handle_signals() - from now on, signals that are caused by wrong code are reported to the firmware, which then kills
 * the worker. @find: finds the image of a code address, and changes it to the address that the file has; 0: none.
 * It must be safe in a signal handler. */
void handle_signals(uint32_t (*find)(uint64_t &pc));

/** use_signal_stack() - the calling thread handles its signals on a stack of their own. */
void use_signal_stack();

/** note_thread_closed() - the calling thread has given up its system calls. */
void note_thread_closed();

/** await_threads_closed() - waits until @threads have called note_thread_closed(). */
void await_threads_closed(uint32_t threads);

/** note_message() - the type of the message that is handled. */
void note_message(uint32_t type);

} // namespace worker
