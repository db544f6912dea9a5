// SPDX-License-Identifier: MIT
/**
 * DOC: the bound
 */
#include "timeline.h"

namespace timing {

Timeline bound_of(const Graph &graph, std::vector<Cost> costs)
{
	Timeline line;
	line.costs = std::move(costs);
	line.slots.resize(graph.vertices.size());
	for (Id id = 0; id < graph.vertices.size(); id++) {
		const Vertex &vertex = graph.vertices[id];
		Slot &slot = line.slots[id];
		for (uint32_t i = 0; i < vertex.count; i++) {
			const Id before = graph.before[vertex.first + i];
			if (slot.last != NO_VERTEX && line.slots[before].end <= slot.ready)
				continue;
			slot.ready = line.slots[before].end;
			slot.last = before;
		}
		slot.cause = slot.last;
		slot.why = slot.ready == 0 ? Why::NOTHING : Why::ORDER;
		slot.begin = slot.ready;
		slot.end = later(slot.begin, line.costs[id].time);
		if (line.final == NO_VERTEX || slot.end > line.total) {
			line.total = slot.end;
			line.final = id;
		}
	}
	return line;
}

} // namespace timing
