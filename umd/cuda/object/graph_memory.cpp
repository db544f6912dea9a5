// SPDX-License-Identifier: MIT
/**
 * DOC: Memory of graph nodes
 *
 * An update of an executable graph may change the addresses of a node, but not the kind of the memory there
 * or the context that it belongs to. A node remembers the context that owned its memory when the node was
 * made. So a graph can't use memory that has passed to another context since then.
 */
#include "graph_memory.h"

#include "allocations.h"
#include "drv/device.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"

namespace umd::cuda {

static NodeMemory::End end_at(uint64_t address)
{
	drv::Place place;
	const DeviceHold device = Devices::get().locate(reinterpret_cast<void *>(address), place);
	if (!device)
		return {CU_MEMORYTYPE_HOST, 0};
	const Allocation found = find_allocation(device->memory().lookup(address).va);
	const bool is_device =
		place == drv::Place::DEVICE || found.kind == Allocation::Kind::MANAGED;
	return {is_device ? unsigned{CU_MEMORYTYPE_DEVICE} : unsigned{CU_MEMORYTYPE_HOST},
		found.context};
}

NodeMemory memory_of(const GraphTask &task)
{
	Box box;
	unpu_fill fill;
	if (copied_box(task, box))
		return {end_at(reinterpret_cast<uint64_t>(box.dst)),
			end_at(reinterpret_cast<uint64_t>(box.src))};
	if (filled_range(task, fill))
		return {end_at(fill.dst), {}};
	return {};
}

/* memory_of() ignores words in memory, because an update may change a node to any other word. */
static NodeMemory used_by(const GraphTask &task)
{
	if (task.kind == TaskKind::VALUE_WRITE)
		return {end_at(task.packet.value_write.address), {}};
	if (task.kind == TaskKind::VALUE_WAIT)
		return {{}, end_at(task.packet.value_wait.address)};
	return memory_of(task);
}

NodePlacement home_in(const Context &context, const GraphTask &task)
{
	const NodeMemory memory = used_by(task);
	return {context.state, context.handle, memory.to.context, memory.from.context};
}

void note_memory(const Graph &graph, GraphMemory &memory)
{
	std::vector<NodeMemory> &nodes = memory[&graph];
	nodes.resize(graph.size());
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (!graph.live(node))
			continue;
		if (graph.kind(node) == TaskKind::CHILD)
			note_memory(graph.child(node), memory);
		else
			nodes[node] = memory_of(graph.task(node));
	}
}

static bool fits(const NodeMemory::End &old, const NodeMemory::End &fresh)
{
	const bool is_known = old.type != 0 && fresh.type != 0;
	const bool has_contexts = old.context != 0 && fresh.context != 0;
	return (!is_known || old.type == fresh.type) &&
	       (!has_contexts || old.context == fresh.context);
}

bool can_replace(const NodeMemory &old, const NodeMemory &fresh)
{
	return fits(old.to, fresh.to) && fits(old.from, fresh.from);
}

namespace {

struct Rows {
	uint64_t count = 1;
	uint64_t bytes = 0;
	uint64_t element = 0;
	uint64_t pitch = 0;

	bool operator==(const Rows &) const = default;
};

} // namespace

static Rows rows_of(const Graph *rows)
{
	if (!rows)
		return {};
	unpu_fill first{};
	unpu_fill second{};
	(void)filled_range(rows->task(0), first);
	(void)filled_range(rows->task(1), second);
	return {rows->size(), first.bytes, first.width, second.dst - first.dst};
}

bool same_rows(const Graph *left, const Graph *right)
{
	return rows_of(left) == rows_of(right);
}

} // namespace umd::cuda
