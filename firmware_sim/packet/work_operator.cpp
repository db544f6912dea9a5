// SPDX-License-Identifier: MIT
/**
 * DOC: OPERATOR
 *
 * An operator with a descriptor, whose operands are strided views of memory. What depends on the kind
 * is in kernels/operator_table.cpp.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

#include "base/copy/copy.h"
#include "base/sync/ordering.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/graph/graph_nodes.h"
#include "firmware_sim/kernels/dtype.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/kernels/operator_table.h"
#include "firmware_sim/kernels/overflow.h"

namespace fw {

static unsigned operator_ranges(const unpu_packet &, const unpu_operator *op, Ranges &out)
{
	for (unsigned i = 0; i < op->noperands; i++) {
		const Reach reach = operand_reach(*op, i);
		if (!reach.is_ok)
			return 0;
		out[i] = {reach.first, reach.bytes, op->operands[i].access};
	}
	return op->noperands;
}

static base::Status execute_operator(const unpu_packet &packet, const unpu_operator *op,
				     const Places &places)
{
	const Operator &row = operator_row(op->kind);
	row.kernel(*op, places);
	if (packet.flags & (UNPU_PACKET_OVERFLOW_FAILS | UNPU_PACKET_SATURATE) &&
	    row.can_overflow && find_overflow(*op, places[0], packet.flags & UNPU_PACKET_SATURATE))
		return base::Status::OVERFLOW;
	return base::Status::OK;
}

/* The memory that operand @i touches. */
static std::span<const std::byte> operand_bytes(const unpu_operator &op, const Places &places,
						unsigned i)
{
	/* If a stride is negative, the accessed range starts below the operand's address. */
	const Reach reach = operand_reach(op, i);
	return {places[i] - (op.operands[i].address - reach.first), reach.bytes};
}

static Written operator_written(const unpu_packet &, const unpu_operator *op, const Places &places)
{
	const std::span<const std::byte> target = operand_bytes(*op, places, 0);
	return {target.data(), target.size()};
}

static bool same_view(const Job &job, unsigned i)
{
	const unpu_operand &target = job.op.operands[0];
	const unpu_operand &source = job.op.operands[i];
	return job.operands[i] == job.operands[0] &&
	       dtype_bytes(source.dtype) == dtype_bytes(target.dtype) &&
	       memcmp(source.strides, target.strides, sizeof(source.strides)) == 0;
}

static uint64_t elements(const unpu_operator &op, unsigned first, unsigned end)
{
	uint64_t count = 1;
	for (unsigned dim = first; dim < end; dim++)
		count *= static_cast<uint64_t>(op.dims[dim]);
	return count;
}

/* The dimension along which an operator is cut: the outermost one with steps that are no longer than a
 * piece. A unit is one step along it, at one place of the dimensions outside it. ndim: a single element. */
static unsigned cut_dim(const unpu_operator &op)
{
	unsigned dim = 0;
	while (dim < op.ndim && op.dims[dim] == 1)
		dim++;
	const uint64_t most = PIECE_BYTES / dtype_bytes(op.operands[0].dtype);
	while (dim + 1u < op.ndim && elements(op, dim + 1, op.ndim) > most)
		dim++;
	return dim;
}

/* Whether the units are independent: no unit writes memory that another unit reads or writes. */
static bool is_parallel(const Job &job, unsigned dim)
{
	const unpu_operator &op = job.op;
	/* The bytes that one step along a dimension writes must not overlap those of the next. */
	uint64_t inner = 1;
	for (unsigned i = op.ndim; i-- > 0;) {
		const auto stride = static_cast<uint64_t>(std::abs(op.operands[0].strides[i]));
		if (i <= dim && op.dims[i] > 1 && stride < inner)
			return false;
		inner += static_cast<uint64_t>(op.dims[i] - 1) * stride;
	}
	const std::span<const std::byte> target = operand_bytes(op, job.operands, 0);
	for (unsigned i = 1; i < op.noperands; i++) {
		if (!same_view(job, i) && base::overlap(target, operand_bytes(op, job.operands, i)))
			return false;
	}
	return true;
}

static Cut cut_operator(const Job &job)
{
	const Operator &row = operator_row(job.op.kind);
	if (row.units)
		return {row.units(job.op), false};
	const unsigned dim = cut_dim(job.op);
	if (!row.can_be_cut || dim == job.op.ndim)
		return {};
	return {elements(job.op, 0, dim + 1), !is_parallel(job, dim)};
}

static void skip(unpu_operator &op, Places &places, unsigned dim, uint64_t steps)
{
	for (unsigned i = 0; i < op.noperands; i++) {
		const int64_t skipped = static_cast<int64_t>(steps) * op.operands[i].strides[dim] *
					static_cast<int64_t>(dtype_bytes(op.operands[i].dtype));
		op.operands[i].address += static_cast<uint64_t>(skipped);
		places[i] += skipped;
	}
}

/* Does @count units from @first on, all at the same place of the dimensions outside @dim. */
static base::Status run_row_of_units(const Job &job, unsigned dim, uint64_t first, uint64_t count)
{
	unpu_operator op = job.op;
	Places places = job.operands;
	for (unsigned i = dim + 1; i-- > 0;) {
		const auto steps = static_cast<uint64_t>(op.dims[i]);
		skip(op, places, i, first % steps);
		first /= steps;
		op.dims[i] = i == dim ? static_cast<int64_t>(count) : 1;
	}
	return execute_operator(job.packet, &op, places);
}

static base::Status run_operator_units(const Job &job, uint64_t first, uint64_t count)
{
	const base::NoteOrder order;
	if (const Operator &row = operator_row(job.op.kind); row.run_units) {
		row.run_units(job.op, job.operands[0], first, count);
		return base::Status::OK;
	}
	const unsigned dim = cut_dim(job.op);
	const auto steps = static_cast<uint64_t>(job.op.dims[dim]);
	base::Status status = base::Status::OK;
	for (const uint64_t end = first + count; first < end;) {
		const uint64_t some = std::min(end - first, steps - first % steps);
		const base::Status part = run_row_of_units(job, dim, first, some);
		if (part != base::Status::OK)
			status = part;
		first += some;
	}
	return status;
}

static void run_operator_node(const Node &node)
{
	const auto &op = *reinterpret_cast<const unpu_operator *>(node.amount);
	operator_row(op.kind).kernel(op, node.places);
}

static void prepare_operator(Node &node, const unpu_packet &, const unpu_operator *op)
{
	node.amount = reinterpret_cast<uint64_t>(op);
	node.run = run_operator_node;
}

static uint64_t operator_cost(const unpu_packet &, const unpu_operator *op)
{
	if (const Operator &row = operator_row(op->kind); row.cost_bytes)
		return row.cost_bytes(*op);
	uint64_t bytes = sizeof(float) * op->noperands;
	for (uint32_t d = 0; d < op->ndim; d++)
		bytes *= static_cast<uint64_t>(op->dims[d]);
	return bytes;
}

/* The host sends small operators as rows, so the faults WILD and TORN need no operator. */
const Work operator_work = {
	.ranges = operator_ranges,
	.execute = execute_operator,
	.written = operator_written,
	.cut = cut_operator,
	.run_units = run_operator_units,
	.prepare = prepare_operator,
	.cost_bytes = operator_cost,
	.redirect = nullptr,
	.halve = nullptr,
};

} // namespace fw
