// SPDX-License-Identifier: MIT
/**
 * DOC: Tasks of graph nodes
 *
 * A node is one task of the runtime, or a labelled child graph of several tasks: the rows of a fill, or
 * the operations of a batch.
 */
#include "tasks.h"

#include "copy_rules.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "memory_operation.h"
#include "umd/core/copy/copy.h"
#include "umd/core/event/event.h"
#include "umd/core/process/call.h"
#include "umd/cuda/object/event_checks.h"

namespace umd::cuda {

using base::Status;

static uint64_t cookie_of(Call call)
{
	return drv::cookie_call(static_cast<uint16_t>(call));
}

static uint64_t cookie_of(CudaCall call)
{
	return cookie_of(number_of(call));
}

/* A batch may have no operation; then it runs on any device. */
static NodePlacement home_of_parts(const Graph &parts)
{
	return parts.size() > 0 ? parts.home(0) : NodePlacement{};
}

NodePlacement home_of(const NodeTask &node)
{
	return node.parts ? home_of_parts(*node.parts) : node.task.home;
}

NodePlacement home_of(const Graph &graph, uint32_t node)
{
	return graph.kind(node) == TaskKind::CHILD ? home_of_parts(graph.child(node))
						   : graph.home(node);
}

CUresult empty_task(NodeTask &node)
{
	node.task = graph_task(drv::nop_packet(cookie_of(Call::OTHER)), nullptr);
	return CUDA_SUCCESS;
}

CUresult host_task(const CUDA_HOST_NODE_PARAMS *params, NodeTask &node)
{
	if (!params)
		return null_argument("nodeParams");
	if (!params->fn)
		return null_argument("nodeParams->fn");
	node.type = CU_GRAPH_NODE_TYPE_HOST;
	node.task.kind = TaskKind::HOST;
	node.task.packet = drv::host_call_packet(cookie_of(CudaCall::ADD_HOST_NODE), 0);
	node.task.host = {params->fn, params->userData};
	return CUDA_SUCCESS;
}

CUresult copy_task(const CUDA_MEMCPY3D *params, CUcontext handle, NodeTask &node)
{
	if (!params)
		return null_argument("copyParams");
	ContextHold context;
	Box box;
	bool empty = false;
	TRY(find_context(handle, context));
	TRY(box_of(*params, box, empty));
	if (empty)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "the copy has 0 bytes; a node copies 1 or more");
	node.type = CU_GRAPH_NODE_TYPE_MEMCPY;
	node.given = std::make_shared<NodeParameters>();
	node.given->copy = *params;
	TRY(box_task(*context, box, rules_of(CudaCall::ADD_MEMCPY_NODE, *params), node.task,
		     node.op));
	node.task.home = home_in(*context, node.task);
	return CUDA_SUCCESS;
}

CUresult check_fill(const CUDA_MEMSET_NODE_PARAMS &fill)
{
	if (fill.elementSize != 1 && fill.elementSize != 2 && fill.elementSize != 4)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("elementSize is {}; it must be 1, 2 or 4", fill.elementSize));
	if (fill.width == 0 || fill.height == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("width is {} and height {}; both must be positive",
					  fill.width, fill.height));
	if (fill.dst % fill.elementSize != 0 ||
	    (fill.height > 1 && fill.pitch % fill.elementSize != 0))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("dst {:#x} or pitch {} is not a multiple of {}", fill.dst,
					  fill.pitch, fill.elementSize));
	if (fill.height > 1 && fill.pitch / fill.elementSize < fill.width)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("pitch is {}, less than a row", fill.pitch));
	return CUDA_SUCCESS;
}

CUresult fill_task(CudaCall call, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext handle,
		   NodeTask &node)
{
	constexpr size_t MOST_ROWS = 1u << 16;
	if (!params)
		return null_argument("memsetParams");
	ContextHold context;
	TRY(find_context(handle, context));
	TRY(check_fill(*params));
	const CUDA_MEMSET_NODE_PARAMS &fill = *params;
	if (fill.height > MOST_ROWS)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("height is {}; a node fills at most {} rows", fill.height,
					  MOST_ROWS));
	if (fill.width > UINT64_MAX / fill.elementSize)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("width is {}, more than the address space", fill.width));
	node.type = CU_GRAPH_NODE_TYPE_MEMSET;
	node.given = std::make_shared<NodeParameters>();
	node.given->fill = fill;
	auto row_task = [&](size_t row, GraphTask &task) -> CUresult {
		TRY(umd::fill_task(*context, pointer(fill.dst + row * fill.pitch),
				   fill.width * fill.elementSize, fill.value, fill.elementSize,
				   task, number_of(call)));
		task.home = home_in(*context, task);
		return CUDA_SUCCESS;
	};
	if (fill.height == 1)
		return row_task(0, node.task);
	node.parts = std::make_unique<Graph>();
	for (size_t row = 0; row < fill.height; row++) {
		GraphTask task;
		TRY(row_task(row, task));
		(void)node.parts->add(task, 0, {});
	}
	return CUDA_SUCCESS;
}

static GraphTask operation_task(CudaCall call, const MemoryOperation &operation)
{
	if (operation.kind == MemoryOperation::Kind::WAIT) {
		unpu_value_wait wait{operation.address, operation.value, 0,
				     static_cast<uint32_t>(operation.condition), operation.bytes};
		return graph_task(drv::value_wait_packet(cookie_of(call), wait), nullptr);
	}
	if (operation.kind == MemoryOperation::Kind::WRITE)
		return graph_task(drv::value_write_packet(cookie_of(call), operation.address,
							  operation.value, operation.bytes),
				  nullptr);
	return graph_task(drv::nop_packet(cookie_of(call)), nullptr);
}

CUresult batch_task(CudaCall call, CUcontext handle, unsigned count,
		    const CUstreamBatchMemOpParams *operations, unsigned flags, NodeTask &node)
{
	ContextHold context;
	TRY(check_batch(count, operations, flags));
	TRY(find_context(handle, context));
	node.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
	node.given = std::make_shared<NodeParameters>();
	node.given->operations.assign(operations, operations + count);
	node.parts = std::make_unique<Graph>();
	std::vector<uint32_t> after;
	for (unsigned i = 0; i < count; i++) {
		MemoryOperation operation;
		TRY(memory_operation(operations[i], operation));
		uint32_t access = operation.kind == MemoryOperation::Kind::WRITE ? UNPU_ACCESS_WRITE
										 : UNPU_ACCESS_READ;
		drv::Place place;
		if (operation.bytes != 0 &&
		    !context->device().reaches(operation.address, operation.bytes, place, access))
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("the word at {:#x} is not inside a live "
						  "allocation that the device reaches",
						  operation.address));
		GraphTask task = operation_task(call, operation);
		task.home = home_in(*context, task);
		after.assign(1, node.parts->add(task, 0, after));
	}
	return CUDA_SUCCESS;
}

void set_call(NodeTask &node, CudaCall call)
{
	node.task.packet.cookie = cookie_of(call);
	for (uint32_t i = 0; node.parts && i < node.parts->size(); i++) {
		GraphTask task = node.parts->task(i);
		task.packet.cookie = cookie_of(call);
		node.parts->set(i, task);
	}
}

GraphTask event_task(const Event &event, TaskKind kind, Call call)
{
	if (kind == TaskKind::WAIT) {
		GraphTask task = umd::wait_task(cookie_of(call), event.handle);
		task.packet.wait.flags = event.outlives_peers ? UNPU_WAIT_OUTLIVE : 0;
		return task;
	}
	return umd::record_task(cookie_of(call), event.handle, event.flags & EVENT_TIME_LINE);
}

static CUresult event_node(CUevent handle, TaskKind kind, NodeTask &node)
{
	const Held<Event> event(Event::table(), handle);
	if (!event)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("event {} is not live: it was destroyed, or is something else",
				    fmt::ptr(handle)));
	TRY(check_owner(*event));
	node.task = event_task(*event, kind,
			       number_of(kind == TaskKind::WAIT ? CudaCall::ADD_WAIT_NODE
								: CudaCall::ADD_RECORD_NODE));
	/* A wait node may run on any device. A record runs on the device of the event. */
	if (kind == TaskKind::RECORD)
		node.task.home = {event->device.state, event->owner, 0, 0};
	return CUDA_SUCCESS;
}

CUresult record_task(CUevent event, NodeTask &node)
{
	node.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
	return event_node(event, TaskKind::RECORD, node);
}

CUresult wait_task(CUevent event, NodeTask &node)
{
	node.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
	return event_node(event, TaskKind::WAIT, node);
}

CUresult find_typed(CUgraphNode handle, CUgraphNodeType type, NodeObject *&node)
{
	TRY(find_node(handle, node));
	CUgraphNodeType found = node_type(*node->graph->graph, node->number);
	if (found == type)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("node {} is of type {}, not {}", node->number,
				  static_cast<int>(found), static_cast<int>(type)));
}

CUresult add_node(GraphObject &graph, const NodeTask &node, const std::vector<uint32_t> &after,
		  CUgraphNode *handle)
{
	uint32_t number;
	if (node.parts) {
		number = graph.graph->add_child(*node.parts, 0, after);
		graph.graph->set_label(number, static_cast<uint8_t>(node.type));
	} else {
		number = graph.graph->add(node.task, 0, after);
	}
	TRY(node_handle(graph, number, *handle));
	graph.nodes[number]->given = node.given;
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
