// SPDX-License-Identifier: MIT
#pragma once

#include "uapi/packet.h"
#include "umd/core/record/recorder.h"

namespace umd::recorder {

/** struct LatchUse - what a task does with a latch of the trace, which is a notify, a counter or a word of memory. */
struct LatchUse {
	uint64_t latch = 0; /* 0: the task uses none */
	uint64_t value = 0;
	uint16_t flags = 0; /* san::SignalOp, or san::LatchFlag */
	bool waits = false;
};

/** latch_signal() - a task signals. @op: enum unpu_signal_op */
LatchUse latch_signal(uint64_t latch, uint8_t op, uint64_t value);
/** latch_wait() - a task waits for a condition. */
LatchUse latch_wait(uint64_t latch, const unpu_sem_wait &wait);
/** latch_use() - of a packet that is a task of a stream or of a graph. @device: on which it runs */
LatchUse latch_use(Recorder &recorder, const void *device, const unpu_packet &packet);

} // namespace umd::recorder
