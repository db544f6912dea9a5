// SPDX-License-Identifier: MIT
/**
 * DOC: Jobs in pieces
 *
 * Engines run pieces in parallel, in any order, if no piece writes memory that another piece reads or
 * writes: a source is either the same elements as the destination or does not overlap it. The pieces of
 * any other job run in order, one at a time. So engines are shared by time whatever the jobs are.
 */
#include "pieces.h"

#include <algorithm>

#include "engine.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "opcode.h"

namespace fw {

Cut cut_of(const Job &job)
{
	if (job.work || job.step)
		return {};
	if (job.tensor)
		return {.units = job.tensor->units(), .is_ordered = !job.tensor->can_be_cut()};
	const Work *work = opcode_row(job.packet.opcode).work;
	return work ? work->cut(job) : Cut{};
}

uint64_t units_each(const Job &job, uint64_t units, uint64_t bytes)
{
	const uint64_t unit_bytes = std::max<uint64_t>(job.bytes / units, 1);
	return std::max<uint64_t>(bytes / unit_bytes, 1);
}

base::Status run_units(const Job &job, uint64_t first, uint64_t count, PieceFault &fault)
{
	const base::UnmapGuard guard;
	const base::Status status =
		job.tensor ? job.tensor->run(first, count, {fault.address, fault.detail})
			   : opcode_row(job.packet.opcode).work->run_units(job, first, count);
	if (status != base::Status::OK || !is_lost(guard, job.operands))
		return status;
	fault.address = guard.lost_at();
	return base::Status::MMU_FAULT;
}

base::Status run_pieces(const Job &job, const std::function<void()> &after)
{
	base::Status status = base::Status::OK;
	const uint64_t units = cut_of(job).units;
	if (units == 0 && job.tensor)
		return base::Status::OK;
	if (units == 0) {
		const base::UnmapGuard guard;
		status = execute_job(job.packet, &job.op, job.operands);
		return is_lost(guard, job.operands) ? base::Status::MMU_FAULT : status;
	}
	const uint64_t each = units_each(job, units);
	for (uint64_t first = 0; first < units; first += each) {
		PieceFault fault;
		const base::Status piece =
			run_units(job, first, std::min(each, units - first), fault);
		if (piece != base::Status::OK)
			status = piece;
		after();
	}
	return status;
}

} // namespace fw
