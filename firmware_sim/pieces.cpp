// SPDX-License-Identifier: MIT
/**
 * DOC: Jobs in pieces
 *
 * Engines run pieces in parallel, in any order, so a piece must not write memory that another piece
 * reads or writes. A source must be either the same elements as the destination or not overlap it.
 */
#include "pieces.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

#include "base/copy.h"
#include "base/ordering.h"
#include "engine.h"
#include "kernels/dtype.h"
#include "kernels/operator_check.h"
#include "kernels/operator_table.h"

namespace fw {

namespace {

using Bytes = std::span<const std::byte>;

/* Small enough that all engines end at about the same time and that a helping host thread returns soon;
 * large enough to pay for taking the lock once per piece. */
constexpr uint64_t PIECE_BYTES = uint64_t{1} << 20;

bool row_can_be_cut(const Job &job)
{
	const uint64_t whole = job.packet.row.count * sizeof(float);
	const Bytes target(job.operands[0], whole);
	auto suits = [&](unsigned i, uint32_t one) {
		if (job.packet.variant & one)
			return !base::overlap(target, {job.operands[i], sizeof(float)});
		return job.operands[i] == job.operands[0] ||
		       !base::overlap(target, {job.operands[i], whole});
	};
	return suits(1, UNPU_ROW_LEFT_ONE) && suits(2, UNPU_ROW_RIGHT_ONE);
}

base::Status run_row(const Job &job, uint64_t first, uint64_t count)
{
	Job part;
	part.packet = job.packet;
	part.packet.row.count = static_cast<decltype(part.packet.row.count)>(count);
	part.operands = job.operands;
	part.operands[0] += first * sizeof(float);
	if (!(job.packet.variant & UNPU_ROW_LEFT_ONE))
		part.operands[1] += first * sizeof(float);
	if (!(job.packet.variant & UNPU_ROW_RIGHT_ONE))
		part.operands[2] += first * sizeof(float);
	return execute_job(part.packet, nullptr, part.operands);
}

/* The dimension along which an operator is cut; ndim if it cannot be cut. */
unsigned cut_dim(const unpu_operator &op)
{
	unsigned dim = 0;
	while (dim < op.ndim && op.dims[dim] == 1)
		dim++;
	return dim;
}

Bytes bytes_of(const Job &job, unsigned i)
{
	/* The reach starts below the operand's address when a stride is negative. */
	const Reach reach = operand_reach(job.op, i);
	return {job.operands[i] - (job.op.operands[i].address - reach.first), reach.bytes};
}

bool same_view(const Job &job, unsigned i)
{
	const unpu_operand &target = job.op.operands[0];
	const unpu_operand &source = job.op.operands[i];
	return job.operands[i] == job.operands[0] &&
	       dtype_bytes(source.dtype) == dtype_bytes(target.dtype) &&
	       memcmp(source.strides, target.strides, sizeof(source.strides)) == 0;
}

bool operator_can_be_cut(const Job &job)
{
	const unpu_operator &op = job.op;
	const unsigned dim = cut_dim(op);
	if (!operator_row(op.kind).can_be_cut || dim == op.ndim)
		return false;
	/* The bytes that one step writes must not overlap those of the next. */
	uint64_t inner = 1;
	for (unsigned i = dim + 1; i < op.ndim; i++)
		inner += static_cast<uint64_t>(op.dims[i] - 1) *
			 static_cast<uint64_t>(std::abs(op.operands[0].strides[i]));
	if (static_cast<uint64_t>(std::abs(op.operands[0].strides[dim])) < inner)
		return false;
	const Bytes target = bytes_of(job, 0);
	for (unsigned i = 1; i < op.noperands; i++) {
		if (op.operands[i].access & UNPU_ACCESS_WRITE ||
		    (!same_view(job, i) && base::overlap(target, bytes_of(job, i))))
			return false;
	}
	return true;
}

base::Status run_operator_part(const Job &job, uint64_t first, uint64_t count)
{
	const unsigned dim = cut_dim(job.op);
	unpu_operator op = job.op;
	std::array<std::byte *, 4> operands = job.operands;
	op.dims[dim] = static_cast<int64_t>(count);
	for (unsigned i = 0; i < op.noperands; i++) {
		const int64_t skipped = static_cast<int64_t>(first) * op.operands[i].strides[dim] *
					static_cast<int64_t>(dtype_bytes(op.operands[i].dtype));
		op.operands[i].address += static_cast<uint64_t>(skipped);
		operands[i] += skipped;
	}
	return execute_job(job.packet, &op, operands);
}

void copy_part(const Job &job, uint64_t first, uint64_t count)
{
	const base::NoteOrder order;
	base::copy_piece(job.operands[0] + first, job.operands[1] + first, count,
			 job.packet.copy.bytes);
}

} // namespace

uint64_t piece_units(const Job &job)
{
	if (job.work)
		return 0;
	const unpu_packet &packet = job.packet;
	switch (packet.opcode) {
	case UNPU_OP_COPY: {
		const uint64_t bytes = packet.copy.bytes;
		return base::overlap({job.operands[0], bytes}, {job.operands[1], bytes}) ? 0
											 : bytes;
	}
	case UNPU_OP_FILL:
		return packet.fill.bytes / packet.fill.width;
	case UNPU_OP_ROW:
		return row_can_be_cut(job) ? packet.row.count : 0;
	case UNPU_OP_OPERATOR:
		if (const Operator &row = operator_row(job.op.kind); row.units)
			return row.units(job.op);
		return operator_can_be_cut(job)
			       ? static_cast<uint64_t>(job.op.dims[cut_dim(job.op)])
			       : 0;
	default:
		return 0;
	}
}

uint64_t units_each(const Job &job, uint64_t units)
{
	const uint64_t unit_bytes = std::max<uint64_t>(job.bytes / units, 1);
	return std::max<uint64_t>(PIECE_BYTES / unit_bytes, 1);
}

base::Status run_units(const Job &job, uint64_t first, uint64_t count)
{
	switch (job.packet.opcode) {
	case UNPU_OP_COPY:
		copy_part(job, first, count);
		return base::Status::OK;
	case UNPU_OP_FILL: {
		unpu_packet part = job.packet;
		part.fill.bytes = count * part.fill.width;
		return execute_job(
			part, nullptr,
			{job.operands[0] + first * part.fill.width, nullptr, nullptr, nullptr});
	}
	case UNPU_OP_ROW:
		return run_row(job, first, count);
	default:
		if (const Operator &row = operator_row(job.op.kind); row.run_units) {
			row.run_units(job.op, job.operands[0], first, count);
			return base::Status::OK;
		}
		return run_operator_part(job, first, count);
	}
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
