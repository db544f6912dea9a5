// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/front.h"

namespace umd::cuda {

/** priority_of() - the priority in the range of the interface. */
int priority_of(const Stream &stream);

/** waits_asleep() - whether a thread that waits for the stream sleeps instead of polling. The policy of
 * the stream or of its context decides. */
bool waits_asleep(const Stream &stream);

/** synchronize_stream() - waits until all work of the stream is complete. */
CUresult synchronize_stream(Stream &stream);

} // namespace umd::cuda
