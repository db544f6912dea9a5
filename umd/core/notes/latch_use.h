// SPDX-License-Identifier: MIT
#pragma once

#include "uapi/packet.h"
#include "umd/core/record/recorder.h"

namespace umd::recorder {

/** struct LatchUse - how a task uses a latch of the trace. A latch is a notify, a counter or a word of
 * memory. */
struct LatchUse {
	uint64_t latch = 0; /* 0: the task uses no latch */
	uint64_t value = 0;
	uint16_t flags = 0; /* san::SignalOp of a signal, san::LatchFlag of a wait */
	bool waits = false;
};

/** latch_signal() - describes a signal. @op: enum unpu_signal_op */
LatchUse latch_signal(uint64_t latch, uint8_t op, uint64_t value);
/** latch_wait() - describes a wait for a condition. */
LatchUse latch_wait(uint64_t latch, const unpu_sem_wait &wait);
/** latch_use() - how a packet of a stream or of a graph uses a latch. @device: the device that runs it */
LatchUse latch_use(Recorder &recorder, const void *device, const unpu_packet &packet);

} // namespace umd::recorder
