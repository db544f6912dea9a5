// SPDX-License-Identifier: MIT
/**
 * DOC: ROW
 *
 * An element-wise operator on contiguous F32, without a descriptor.
 */
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "base/copy/copy.h"
#include "base/sync/ordering.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/graph/graph_nodes.h"
#include "firmware_sim/kernels/elementwise.h"
#include "firmware_sim/kernels/operator_table.h"

namespace fw {

bool is_short_row(const unpu_packet &packet)
{
	return packet.row.count <= base::SHORT_WORK_BYTES / sizeof(float);
}

static unsigned row_ranges(const unpu_packet &packet, const unpu_operator *, Ranges &out)
{
	const uint64_t one = sizeof(float);
	const uint64_t all = packet.row.count * one;
	out[0] = {packet.row.out, all, UNPU_ACCESS_WRITE};
	out[1] = {packet.row.left, packet.variant & UNPU_ROW_LEFT_ONE ? one : all,
		  UNPU_ACCESS_READ};
	out[2] = {packet.row.right, packet.variant & UNPU_ROW_RIGHT_ONE ? one : all,
		  UNPU_ACCESS_READ};
	return 3;
}

static simd::Form row_form(const unpu_packet &packet)
{
	return packet.variant & UNPU_ROW_LEFT_ONE    ? simd::Form::ONE_ROW
	       : packet.variant & UNPU_ROW_RIGHT_ONE ? simd::Form::ROW_ONE
						     : simd::Form::ROW_ROW;
}

static base::Status execute_row(const unpu_packet &packet, const unpu_operator *,
				const Places &places)
{
	const Elementwise &arithmetic =
		*operator_row(packet.variant & UNPU_ROW_KIND_MASK).elementwise;
	arithmetic.row(places[0], places[1], places[2], packet.row.count,
		       std::bit_cast<float>(packet.row.scalar), row_form(packet));
	return base::Status::OK;
}

static Written row_written(const unpu_packet &packet, const unpu_operator *, const Places &places)
{
	return {places[0], packet.row.count * sizeof(float)};
}

/* An operand of one element may lie in the target: all pieces use its value from before the work. */
static void capture_row(Job &job)
{
	if (!(job.packet.variant & (UNPU_ROW_LEFT_ONE | UNPU_ROW_RIGHT_ONE)))
		return;
	const unsigned one = job.packet.variant & UNPU_ROW_LEFT_ONE ? 1 : 2;
	memcpy(&job.captured, job.operands[one], sizeof(float));
	job.operands[one] = reinterpret_cast<std::byte *>(&job.captured);
}

/* A source may be the very target, or apart from it; otherwise the order of the pieces matters. */
static Cut cut_row(const Job &job)
{
	const uint64_t whole = job.packet.row.count * sizeof(float);
	const std::span<const std::byte> target(job.operands[0], whole);
	auto suits = [&](unsigned i, uint32_t one) {
		return job.packet.variant & one || job.operands[i] == job.operands[0] ||
		       !base::overlap(target, {job.operands[i], whole});
	};
	return {job.packet.row.count,
		!suits(1, UNPU_ROW_LEFT_ONE) || !suits(2, UNPU_ROW_RIGHT_ONE)};
}

static base::Status run_row_units(const Job &job, uint64_t first, uint64_t count)
{
	const base::NoteOrder order;
	unpu_packet part = job.packet;
	Places places = job.operands;
	part.row.count = static_cast<decltype(part.row.count)>(count);
	places[0] += first * sizeof(float);
	if (!(part.variant & UNPU_ROW_LEFT_ONE))
		places[1] += first * sizeof(float);
	if (!(part.variant & UNPU_ROW_RIGHT_ONE))
		places[2] += first * sizeof(float);
	return execute_row(part, nullptr, places);
}

using NodeRun = void (*)(const Node &);
using NodeRuns = std::array<NodeRun, OPERATOR_ROWS>; /* indexed by operator kind */

template <uint32_t KIND, simd::Form FORM> static void run_row_node(const Node &node)
{
	operator_table[KIND].elementwise->row(node.places[0], node.places[1], node.places[2],
					      node.amount, node.scalar, FORM);
}

template <simd::Form FORM> static constexpr NodeRuns row_runs()
{
	NodeRuns runs{};
#define FW_ROW_RUN(name, number) runs[number] = run_row_node<number, FORM>;
	UNPU_OPERATOR_LIST(FW_ROW_RUN)
#undef FW_ROW_RUN
	return runs;
}

static void prepare_row(Node &node, const unpu_packet &packet, const unpu_operator *)
{
	static constexpr NodeRuns ROW_ROW = row_runs<simd::Form::ROW_ROW>();
	static constexpr NodeRuns ROW_ONE = row_runs<simd::Form::ROW_ONE>();
	static constexpr NodeRuns ONE_ROW = row_runs<simd::Form::ONE_ROW>();

	const simd::Form form = row_form(packet);
	const NodeRuns &runs = form == simd::Form::ROW_ROW   ? ROW_ROW
			       : form == simd::Form::ROW_ONE ? ROW_ONE
							     : ONE_ROW;
	node.amount = packet.row.count;
	node.scalar = std::bit_cast<float>(packet.row.scalar);
	node.run = runs[packet.variant & UNPU_ROW_KIND_MASK];
}

static uint64_t row_cost(const unpu_packet &packet, const unpu_operator *)
{
	return 3 * sizeof(float) * packet.row.count;
}

static void redirect_row(unpu_packet &packet, uint64_t address)
{
	packet.row.out = address;
}

static void halve_row(unpu_packet &packet)
{
	packet.row.count = std::max(packet.row.count / 2, 1u);
}

const Work row_work = {
	.ranges = row_ranges,
	.execute = execute_row,
	.written = row_written,
	.cut = cut_row,
	.run_units = run_row_units,
	.prepare = prepare_row,
	.cost_bytes = row_cost,
	.redirect = redirect_row,
	.halve = halve_row,
	.capture = capture_row,
};

} // namespace fw
