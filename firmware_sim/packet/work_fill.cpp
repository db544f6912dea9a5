// SPDX-License-Identifier: MIT
/**
 * DOC: FILL
 *
 * Sets a range to a repeated pattern of 1, 2 or 4 bytes.
 */
#include <algorithm>
#include <cstring>

#include "base/copy/fill.h"
#include "base/hot_path.h"
#include "base/sync/ordering.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/graph/graph_nodes.h"

namespace fw {

HOT_PATH bool is_short_fill(const unpu_packet &packet)
{
	return packet.fill.bytes <= base::SHORT_WORK_BYTES;
}

static unsigned fill_ranges(const unpu_packet &packet, const unpu_operator *, Ranges &out)
{
	out[0] = {packet.fill.dst, packet.fill.bytes, UNPU_ACCESS_WRITE};
	return 1;
}

static base::Status execute_fill(const unpu_packet &packet, const unpu_operator *,
				 const Places &places)
{
	base::fill_pattern(places[0], packet.fill.bytes, packet.fill.pattern, packet.fill.width);
	return base::Status::OK;
}

static Written fill_written(const unpu_packet &packet, const unpu_operator *, const Places &places)
{
	return {places[0], packet.fill.bytes};
}

static Cut cut_fill(const Job &job)
{
	return {job.packet.fill.bytes / job.packet.fill.width, false};
}

static base::Status run_fill_units(const Job &job, uint64_t first, uint64_t count)
{
	const unpu_fill &fill = job.packet.fill;
	const base::NoteOrder order;
	base::fill_pattern(job.operands[0] + first * fill.width, count * fill.width, fill.pattern,
			   fill.width);
	return base::Status::OK;
}

static void run_fill_bytes(const Node &node)
{
	memset(node.places[0], static_cast<int>(node.pattern & 0xff), node.amount);
}

template <class T> static void run_fill_node(const Node &node)
{
	auto value = static_cast<T>(node.pattern);
	for (uint64_t at = 0; at < node.amount; at += sizeof(T))
		memcpy(node.places[0] + at, &value, sizeof(T));
}

static void prepare_fill(Node &node, const unpu_packet &packet, const unpu_operator *)
{
	const uint32_t width = packet.fill.width;
	node.amount = packet.fill.bytes;
	node.pattern = packet.fill.pattern;
	node.run = width == 1	? run_fill_bytes
		   : width == 2 ? run_fill_node<uint16_t>
				: run_fill_node<uint32_t>;
}

static uint64_t fill_cost(const unpu_packet &packet, const unpu_operator *)
{
	return packet.fill.bytes;
}

static void redirect_fill(unpu_packet &packet, uint64_t address)
{
	packet.fill.dst = address;
}

static void halve_fill(unpu_packet &packet)
{
	const uint64_t elements = packet.fill.bytes / packet.fill.width;
	packet.fill.bytes = std::max<uint64_t>(elements / 2, 1) * packet.fill.width;
}

const Work fill_work = {
	.ranges = fill_ranges,
	.execute = execute_fill,
	.written = fill_written,
	.cut = cut_fill,
	.run_units = run_fill_units,
	.prepare = prepare_fill,
	.cost_bytes = fill_cost,
	.redirect = redirect_fill,
	.halve = halve_fill,
};

} // namespace fw
