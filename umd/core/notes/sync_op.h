// SPDX-License-Identifier: MIT
#pragma once

#include "uapi/packet.h"
#include "umd/core/recorder/recorder.h"

namespace umd::recorder {

/** struct SyncOp - how a task uses a latch of the trace. A latch is a notify, a counter or a word of
 * memory. */
struct SyncOp {
	uint64_t latch = 0; /* 0: the task uses no latch */
	uint64_t value = 0;
	uint16_t flags = 0; /* san::SignalOp of a signal, san::LatchFlag of a wait */
	bool waits = false;
};

/** latch_signal() - describes a signal. @op: enum unpu_signal_op */
SyncOp latch_signal(uint64_t latch, uint8_t op, uint64_t value);
/** latch_wait() - describes a wait for a condition. */
SyncOp latch_wait(uint64_t latch, const unpu_sem_wait &wait);
/** sync_op() - how a packet of a stream or of a graph uses a latch. @device: the device that runs it */
SyncOp sync_op(Recorder &recorder, const void *device, const unpu_packet &packet);

} // namespace umd::recorder
