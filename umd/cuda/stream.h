// SPDX-License-Identifier: MIT
#pragma once

#include "front.h"

namespace umd::cuda {

/** priority_of() - in the numbers of the interface. */
int priority_of(const Stream &stream);

/** waits_asleep() - whether who waits for the stream doesn't poll, by its policy or its context's. */
bool waits_asleep(const Stream &stream);

/** synchronize_stream() - until everything the stream was given is done. */
CUresult synchronize_stream(Stream &stream);

} // namespace umd::cuda
