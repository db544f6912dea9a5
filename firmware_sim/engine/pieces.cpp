// SPDX-License-Identifier: MIT
/**
 * DOC: Jobs in pieces
 *
 * Engines run pieces in parallel, in any order, so a piece must not write memory that another piece
 * reads or writes. A source must be either the same elements as the destination or not overlap it.
 */
#include "pieces.h"

#include <algorithm>

#include "engine.h"
#include "firmware_sim/packet/opcode.h"

namespace fw {

namespace {

/* Small enough that all engines end at about the same time and that a helping host thread returns soon;
 * large enough to pay for taking the lock once per piece. */
constexpr uint64_t PIECE_BYTES = uint64_t{1} << 20;

} // namespace

uint64_t piece_units(const Job &job)
{
	if (job.work)
		return 0;
	const Work *work = opcode_row(job.packet.opcode).work;
	return work ? work->units(job) : 0;
}

uint64_t units_each(const Job &job, uint64_t units)
{
	const uint64_t unit_bytes = std::max<uint64_t>(job.bytes / units, 1);
	return std::max<uint64_t>(PIECE_BYTES / unit_bytes, 1);
}

base::Status run_units(const Job &job, uint64_t first, uint64_t count)
{
	return opcode_row(job.packet.opcode).work->run_units(job, first, count);
}

base::Status run_pieces(const Job &job, const std::function<void()> &after)
{
	base::Status status = base::Status::OK;
	const uint64_t units = piece_units(job);
	if (units == 0)
		return execute_job(job.packet, &job.op, job.operands);
	const uint64_t each = units_each(job, units);
	for (uint64_t first = 0; first < units; first += each) {
		const base::Status piece = run_units(job, first, std::min(each, units - first));
		if (piece != base::Status::OK)
			status = piece;
		after();
	}
	return status;
}

} // namespace fw
