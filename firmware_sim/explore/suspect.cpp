// SPDX-License-Identifier: MIT
/**
 * DOC: Suspects
 *
 * A run can try to confirm a finding of the sanitizer. Suspects are the commands that access the memory of
 * that finding. The accesses of a kernel are unknown before it has run, so if the finding is about a kernel,
 * every kernel is a suspect.
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
