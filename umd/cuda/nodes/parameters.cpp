// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of copies, fills and batches
 *
 * A node that the program added keeps the parameters it was given. Those of a node that was captured or
 * cloned are made of its tasks: they describe the same work, but may be written in another way.
 */
#include "parameters.h"

#include "umd/core/copy/copy.h"
#include "umd/cuda/graph/graph_objects.h"

namespace umd::cuda {

std::shared_ptr<NodeParameters> given_parameters(const Context &context)
{
	auto parameters = std::make_shared<NodeParameters>();
	parameters->context = context_handle(context);
	return parameters;
}

static CUresult refuse_task(uint32_t number)
{
	return refuse(
		CUDA_ERROR_NOT_SUPPORTED,
		fmt::format("node {} was made by a call that has no such parameters", number));
}

static CUmemorytype type_of(uint64_t address)
{
	bool host = side_of(reinterpret_cast<void *>(address)) == Side::HOST;
	return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static void put_source(CUDA_MEMCPY3D &copy, uint64_t address)
{
	copy.srcMemoryType = type_of(address);
	if (copy.srcMemoryType == CU_MEMORYTYPE_HOST)
		copy.srcHost = reinterpret_cast<const void *>(address);
	else
		copy.srcDevice = address;
}

static void put_target(CUDA_MEMCPY3D &copy, uint64_t address)
{
	copy.dstMemoryType = type_of(address);
	if (copy.dstMemoryType == CU_MEMORYTYPE_HOST)
		copy.dstHost = reinterpret_cast<void *>(address);
	else
		copy.dstDevice = address;
}

CUresult copy_of(const Graph &graph, uint32_t number, CUDA_MEMCPY3D &copy)
{
	const GraphTask task = graph.task(number);
	copy = CUDA_MEMCPY3D{};
	copy.Height = copy.Depth = 1;
	if (!task.op && task.packet.opcode != UNPU_OP_COPY)
		return refuse_task(number);
	if (!task.op) {
		put_target(copy, task.packet.copy.dst);
		put_source(copy, task.packet.copy.src);
		copy.WidthInBytes = task.packet.copy.bytes;
		return CUDA_SUCCESS;
	}
	const unpu_operator &op = *task.op;
	if (op.kind != UNPU_OPERATOR_COPY || op.ndim != 3)
		return refuse_task(number);
	put_target(copy, op.operands[0].address);
	put_source(copy, op.operands[1].address);
	copy.Depth = static_cast<size_t>(op.dims[0]);
	copy.Height = static_cast<size_t>(op.dims[1]);
	copy.WidthInBytes = static_cast<size_t>(op.dims[2]);
	copy.dstPitch = static_cast<size_t>(op.operands[0].strides[1]);
	copy.srcPitch = static_cast<size_t>(op.operands[1].strides[1]);
	if (copy.dstPitch != 0)
		copy.dstHeight = static_cast<size_t>(op.operands[0].strides[0]) / copy.dstPitch;
	if (copy.srcPitch != 0)
		copy.srcHeight = static_cast<size_t>(op.operands[1].strides[0]) / copy.srcPitch;
	return CUDA_SUCCESS;
}

CUresult fill_of(const Graph &graph, uint32_t number, CUDA_MEMSET_NODE_PARAMS &fill)
{
	const bool rows = graph.kind(number) == TaskKind::CHILD;
	const unpu_packet &first = rows ? graph.child(number).packet(0) : graph.packet(number);
	if (first.opcode != UNPU_OP_FILL)
		return refuse_task(number);
	fill = CUDA_MEMSET_NODE_PARAMS{};
	fill.dst = first.fill.dst;
	fill.value = first.fill.pattern;
	fill.elementSize = first.fill.width;
	fill.width = first.fill.bytes / first.fill.width;
	fill.height = rows ? graph.child(number).size() : 1;
	if (fill.height > 1)
		fill.pitch = graph.child(number).packet(1).fill.dst - fill.dst;
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

} // namespace umd::cuda
