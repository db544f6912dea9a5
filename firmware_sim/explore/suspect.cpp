// SPDX-License-Identifier: MIT
/**
 * DOC: Suspects
 *
 * The commands that touch the memory of the finding that a run is to confirm. What a kernel touches is not known before
 * it has run: if the finding is about a kernel, each of them is a suspect.
 */
#include "suspect.h"

#include "firmware_sim/engine/opcode.h"

namespace fw {

bool touches_suspect(const base::SchedulePlan &plan, const unpu_packet &packet,
		     const unpu_operator *op)
{
	if (packet.opcode == UNPU_OP_KERNEL)
		return plan.kernels;
	const Opcode &row = opcode_row(packet.opcode);
	if (row.stored_word)
		return is_suspect_range(plan, row.stored_word(packet), sizeof(uint64_t));
	if (!row.work)
		return false;
	Ranges ranges;
	const unsigned count = row.work->ranges(packet, op, ranges);
	for (unsigned i = 0; i < count; i++) {
		if (is_suspect_range(plan, ranges[i].va, ranges[i].bytes))
			return true;
	}
	return false;
}

} // namespace fw
