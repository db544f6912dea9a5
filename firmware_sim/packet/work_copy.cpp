// SPDX-License-Identifier: MIT
/**
 * DOC: COPY
 *
 * Moves bytes between two ranges, which may overlap.
 */
#include <algorithm>
#include <cstring>

#include "base/copy/copy.h"
#include "base/sync/ordering.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/graph/graph_nodes.h"

namespace fw {

bool is_short_copy(const unpu_packet &packet)
{
	return packet.copy.bytes <= base::SHORT_WORK_BYTES;
}

static unsigned copy_ranges(const unpu_packet &packet, const unpu_operator *, Ranges &out)
{
	out[0] = {packet.copy.dst, packet.copy.bytes, UNPU_ACCESS_WRITE};
	out[1] = {packet.copy.src, packet.copy.bytes, UNPU_ACCESS_READ};
	return 2;
}

static base::Status execute_copy(const unpu_packet &packet, const unpu_operator *,
				 const Places &places)
{
	base::copy_bytes(places[0], places[1], packet.copy.bytes);
	return base::Status::OK;
}

static Written copy_written(const unpu_packet &packet, const unpu_operator *, const Places &places)
{
	return {places[0], packet.copy.bytes};
}

static bool overlaps(const Job &job)
{
	const uint64_t bytes = job.packet.copy.bytes;
	return base::overlap({job.operands[0], bytes}, {job.operands[1], bytes});
}

static Cut cut_copy(const Job &job)
{
	return {job.packet.copy.bytes, overlaps(job)};
}

/* If the ranges overlap and the target is the higher one, the copy goes from the end to the begin. */
static base::Status run_copy_units(const Job &job, uint64_t first, uint64_t count)
{
	const base::NoteOrder order;
	const uint64_t bytes = job.packet.copy.bytes;
	const bool is_backward = overlaps(job) && job.operands[0] > job.operands[1];
	const uint64_t at = is_backward ? bytes - first - count : first;
	base::copy_piece(job.operands[0] + at, job.operands[1] + at, count, bytes);
	return base::Status::OK;
}

static void run_copy_node(const Node &node)
{
	memmove(node.places[0], node.places[1], node.amount);
}

static void prepare_copy(Node &node, const unpu_packet &packet, const unpu_operator *)
{
	node.amount = packet.copy.bytes;
	node.run = run_copy_node;
}

static uint64_t copy_cost(const unpu_packet &packet, const unpu_operator *)
{
	return packet.copy.bytes;
}

static void redirect_copy(unpu_packet &packet, uint64_t address)
{
	packet.copy.dst = address;
}

static void halve_copy(unpu_packet &packet)
{
	packet.copy.bytes = std::max<uint64_t>(packet.copy.bytes / 2, 1);
}

const Work copy_work = {
	.ranges = copy_ranges,
	.execute = execute_copy,
	.written = copy_written,
	.cut = cut_copy,
	.run_units = run_copy_units,
	.prepare = prepare_copy,
	.cost_bytes = copy_cost,
	.redirect = redirect_copy,
	.halve = halve_copy,
	.lone_bytes = tuning::LONE_COPY_BYTES,
};

} // namespace fw
