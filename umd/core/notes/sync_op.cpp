// SPDX-License-Identifier: MIT
/**
 * DOC: signals of notifies, counters and words in a trace
 */
#include "sync_op.h"

#include "umd/core/process/opcode.h"

namespace umd::recorder {

SyncOp latch_signal(uint64_t latch, uint8_t op, uint64_t value)
{
	uint16_t flags = san::SIGNAL_SET;
	if (op == UNPU_SIGNAL_ADD)
		flags = san::SIGNAL_ADD;
	else if (op == UNPU_SIGNAL_OR)
		flags = san::SIGNAL_OR;
	else if (op == UNPU_SIGNAL_AND)
		flags = san::SIGNAL_AND;
	return {latch, value, flags, false};
}

/* If the trace can't express a condition, the judge assumes that all signals so far fulfil it. So it never
 * reports a correct program. */
SyncOp latch_wait(uint64_t latch, const unpu_sem_wait &wait)
{
	const uint16_t clear = wait.flags & UNPU_WAIT_CLEAR ? san::LATCH_CLEAR : 0;
	const auto use = [&](uint64_t value, uint16_t condition) {
		return SyncOp{latch, value, static_cast<uint16_t>(condition | clear), true};
	};
	switch (wait.op) {
	case UNPU_WAIT_EQ:
		return use(wait.value, san::LATCH_EQUAL);
	case UNPU_WAIT_GT:
		return use(wait.value + 1, san::LATCH_AT_LEAST);
	case UNPU_WAIT_GE:
		return use(wait.value, san::LATCH_AT_LEAST);
	default:
		return use(0, san::LATCH_ANY);
	}
}

static SyncOp word_wait(uint64_t latch, const unpu_value_wait &wait)
{
	switch (wait.op) {
	case UNPU_VALUE_EQ:
		return {latch, wait.value, san::LATCH_EQUAL, true};
	case UNPU_VALUE_GE:
		return {latch, wait.value, san::LATCH_AT_LEAST, true};
	default:
		return {latch, 0, san::LATCH_ANY, true};
	}
}

SyncOp sync_op(Recorder &recorder, const void *device, const unpu_packet &packet)
{
	switch (opcode_row(packet).sync) {
	case Sync::NONE:
		break;
	case Sync::SIGNAL:
		return latch_signal(recorder.latch(device, packet.signal_sem), packet.signal_op,
				    packet.signal_value);
	case Sync::WAIT:
		return latch_wait(recorder.latch(device, packet.wait.sem), packet.wait);
	case Sync::WORD_WRITE:
		return latch_signal(recorder.number_of(packet.value_write.address), UNPU_SIGNAL_SET,
				    packet.value_write.value);
	case Sync::WORD_WAIT:
		return word_wait(recorder.number_of(packet.value_wait.address), packet.value_wait);
	}
	return {};
}

} // namespace umd::recorder
