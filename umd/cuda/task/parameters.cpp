// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of copies, fills and batches
 *
 * A node that the program added keeps the parameters it was given. For a captured or cloned node, the
 * parameters are computed from its tasks. They describe the same work, but may differ from the parameters
 * that the program passed.
 */
#include "parameters.h"

#include "tasks.h"
#include "umd/core/copy/copy.h"
#include "umd/cuda/object/graph_objects.h"

namespace umd::cuda {

CUcontext context_of(const NodeObject &node)
{
	return reinterpret_cast<CUcontext>(home_of(*node.graph->graph, node.number).context);
}

static CUresult refuse_task(uint32_t number)
{
	return refuse(
		CUDA_ERROR_NOT_SUPPORTED,
		fmt::format("node {} was made by a call that has no such parameters", number));
}

static CUmemorytype type_of(const void *address)
{
	bool host = side_of(address) == Side::HOST;
	return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static void put_source(CUDA_MEMCPY3D &copy, const void *address)
{
	copy.srcMemoryType = type_of(address);
	if (copy.srcMemoryType == CU_MEMORYTYPE_HOST)
		copy.srcHost = address;
	else
		copy.srcDevice = reinterpret_cast<CUdeviceptr>(address);
}

static void put_target(CUDA_MEMCPY3D &copy, void *address)
{
	copy.dstMemoryType = type_of(address);
	if (copy.dstMemoryType == CU_MEMORYTYPE_HOST)
		copy.dstHost = address;
	else
		copy.dstDevice = reinterpret_cast<CUdeviceptr>(address);
}

CUresult copy_of(const Graph &graph, uint32_t number, CUDA_MEMCPY3D &copy)
{
	Box box;
	if (!copied_box(graph.task(number), box))
		return refuse_task(number);
	copy = CUDA_MEMCPY3D{};
	put_target(copy, box.dst);
	put_source(copy, box.src);
	copy.WidthInBytes = box.width;
	copy.Height = box.height;
	copy.Depth = box.depth;
	if (box.height == 1 && box.depth == 1)
		return CUDA_SUCCESS;
	copy.dstPitch = box.dst_pitch;
	copy.srcPitch = box.src_pitch;
	if (copy.dstPitch != 0)
		copy.dstHeight = box.dst_slice / copy.dstPitch;
	if (copy.srcPitch != 0)
		copy.srcHeight = box.src_slice / copy.srcPitch;
	return CUDA_SUCCESS;
}

CUresult fill_of(const Graph &graph, uint32_t number, CUDA_MEMSET_NODE_PARAMS &fill)
{
	const bool rows = graph.kind(number) == TaskKind::CHILD;
	unpu_fill first{};
	unpu_fill second{};
	if (!filled_range(rows ? graph.child(number).task(0) : graph.task(number), first))
		return refuse_task(number);
	fill = CUDA_MEMSET_NODE_PARAMS{};
	fill.dst = first.dst;
	fill.value = first.pattern;
	fill.elementSize = first.width;
	fill.width = first.bytes / first.width;
	fill.height = rows ? graph.child(number).size() : 1;
	if (fill.height > 1 && filled_range(graph.child(number).task(1), second))
		fill.pitch = second.dst - fill.dst;
	return CUDA_SUCCESS;
}

static CUstreamBatchMemOpParams operation_of(const unpu_packet &packet)
{
	CUstreamBatchMemOpParams params{};
	if (packet.opcode == UNPU_OP_VALUE_WAIT) {
		const unpu_value_wait &wait = packet.value_wait;
		params.waitValue.operation = wait.bytes == 8 ? CU_STREAM_MEM_OP_WAIT_VALUE_64
							     : CU_STREAM_MEM_OP_WAIT_VALUE_32;
		params.waitValue.address = wait.address;
		params.waitValue.value64 = wait.value;
		params.waitValue.flags = wait.op;
	} else if (packet.opcode == UNPU_OP_VALUE_WRITE) {
		const unpu_value_write &write = packet.value_write;
		params.writeValue.operation = write.bytes == 8 ? CU_STREAM_MEM_OP_WRITE_VALUE_64
							       : CU_STREAM_MEM_OP_WRITE_VALUE_32;
		params.writeValue.address = write.address;
		params.writeValue.value64 = write.value;
	} else {
		params.operation = CU_STREAM_MEM_OP_BARRIER;
	}
	return params;
}

CUresult operations_of(const Graph &graph, uint32_t number,
		       std::vector<CUstreamBatchMemOpParams> &operations)
{
	operations.clear();
	if (graph.kind(number) != TaskKind::CHILD) {
		operations.push_back(operation_of(graph.packet(number)));
		return CUDA_SUCCESS;
	}
	const Graph &parts = graph.child(number);
	for (uint32_t part = 0; part < parts.size(); part++)
		operations.push_back(operation_of(parts.packet(part)));
	return CUDA_SUCCESS;
}

CUresult parameters_of(NodeObject &node, const NodeParameters *&parameters)
{
	if (!node.given) {
		const Graph &graph = *node.graph->graph;
		auto made = std::make_shared<NodeParameters>();
		switch (node_type(graph, node.number)) {
		case CU_GRAPH_NODE_TYPE_MEMCPY:
			TRY(copy_of(graph, node.number, made->copy));
			break;
		case CU_GRAPH_NODE_TYPE_MEMSET:
			TRY(fill_of(graph, node.number, made->fill));
			break;
		default:
			TRY(operations_of(graph, node.number, made->operations));
		}
		node.given = std::move(made);
	}
	parameters = node.given.get();
	return CUDA_SUCCESS;
}

CUresult find_parameters(CUgraphNode handle, CUgraphNodeType type,
			 const NodeParameters *&parameters)
{
	NodeObject *node = nullptr;
	TRY(find_typed(handle, type, node));
	return parameters_of(*node, parameters);
}

} // namespace umd::cuda
