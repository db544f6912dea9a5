// SPDX-License-Identifier: MIT
#pragma once

#include "hal/wait_policy.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** priority_of() - the priority in the range of the interface. */
int priority_of(const Stream &stream);

/** way_of() - how a thread waits for the stream. The policy of the stream or of its context decides. */
hal::WaitWay way_of(const Stream &stream);

/** synchronize_stream() - waits until all work of the stream is complete. */
CUresult synchronize_stream(Stream &stream);

} // namespace umd::cuda
