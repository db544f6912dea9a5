// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

#include "kernels/worker/home.h"

namespace worker {

/** allow_samples() - sample_thread() may follow threads from now on. Context: before any runs a kernel.
 * @is_code: whether code lies in an image. @is_memory: whether an address is device memory.
 * Both must be safe in a signal handler. */
void allow_samples(bool (*is_code)(uint64_t pc), bool (*is_memory)(uint64_t address));

/** sample_thread() - follows a thread of this process. Return: false: it does not answer, or may not be followed.
 * Context: one thread. */
bool sample_thread(int thread, Sample &sample);

/** take_step() - handles a signal of a thread that is followed. Return: false: it is another signal. */
bool take_step(const siginfo_t &info, void *context);

} // namespace worker
