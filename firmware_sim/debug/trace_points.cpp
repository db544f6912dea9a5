// SPDX-License-Identifier: MIT
/**
 * DOC: Trace points
 *
 * The entries that channels and graphs write into the trace of their device.
 */
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/packet/channel.h"

namespace fw {

using base::Status;

void Channel::trace(unpu_trace_kind kind, uint32_t object, uint64_t value) const
{
	trace_.put(kind, client_.number, index_, packet_.cookie, object, value);
}

void Channel::trace_fetch() const
{
	trace(UNPU_TRACE_FETCH, timeline_, timeline_base_ + retired_ + 1);
	trace(UNPU_TRACE_START, packet_.opcode, 0);
}

void Channel::trace_end(const Outcome &outcome) const
{
	if (outcome.status != Status::OK)
		trace(UNPU_TRACE_FAULT, static_cast<uint32_t>(outcome.status), outcome.address);
	trace(UNPU_TRACE_END, timeline_, timeline_base_ + retired_ + 1);
}

/* Records that the line's node begins, parks or ends. */
void Graph::trace_node(unpu_trace_kind kind, const Line &line, uint32_t object) const
{
	auto index = static_cast<uint32_t>(&line - lines_.data());
	client_.core.trace.put(kind, client_.number, index, nodes_.cookie(line.at), object,
			       report_);
}

void Graph::trace_end(const Line &line, const Outcome &outcome) const
{
	if (outcome.status != Status::OK)
		client_.core.trace.put(UNPU_TRACE_FAULT, client_.number, 0, nodes_.cookie(line.at),
				       static_cast<uint32_t>(outcome.status), outcome.address);
	trace_node(UNPU_TRACE_NODE_END, line, 0);
}

} // namespace fw
