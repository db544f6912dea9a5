// SPDX-License-Identifier: MIT
/**
 * DOC: Executable graphs
 *
 * An executable graph owns a clone of its source graph. The nodes of the clone have the same numbers,
 * so a handle of a node of the source also identifies the node of the clone.
 */
#include "drv/device.h"
#include "exec.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "graph_divide.h"
#include "umd/core/device/open_device.h"
#include "umd/core/graph/graph_compiler.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/call.h"
#include "umd/core/process/check.h"
#include "umd/core/process/error.h"
#include "umd/core/recorder/graph_use.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/object/graph_objects.h"
#include "umd/cuda/stream/order.h"

namespace umd::cuda {

static constexpr uint64_t PLAIN_FLAGS = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
					CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH |
					CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

static CUresult check_flags(uint64_t flags, uint64_t known)
{
	constexpr uint64_t CONTRADICTION = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
					   CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
	if (flags & ~known)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; this call knows the bits {:#x}", flags,
					  known));
	if ((flags & CONTRADICTION) == CONTRADICTION)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "flags has AUTO_FREE_ON_LAUNCH and DEVICE_LAUNCH, which exclude each "
			      "other; pass one of them");
	if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "flags has DEVICE_LAUNCH: the device does not launch graphs; launch "
			      "it by cuGraphLaunch");
	return CUDA_SUCCESS;
}

/* A copy of the source graph, which load() loads to the device without graphs_mutex(). */
struct Source {
	std::unique_ptr<Graph> graph;
	DeviceHold device;	  /* empty if the nodes are on several devices */
	UserObjects user_objects; /* the retained references */
	MemoryNodes memory_nodes;
};

static CUresult check_one_exec(const MemoryNodes &nodes)
{
	if (!is_instantiated(nodes, {}))
		return CUDA_SUCCESS;
	return refuse(
		CUDA_ERROR_NOT_SUPPORTED,
		"hGraph has nodes that allocate memory, and an executable graph; destroy that "
		"first");
}

/* @state: the device; nullptr: the device of the current context */
static CUresult hold_device(DeviceState *state, DeviceHold &device)
{
	if (!state) {
		ContextHold context;
		TRY(current_context(context));
		state = context->state;
	}
	device = DeviceHold(*state);
	if (device)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED,
		      "the device of the graph's nodes has no context any more; make the graph "
		      "again after cuDevicePrimaryCtxRetain or cuCtxCreate");
}

static CUresult copy_source(CUgraph handle, Source &source)
{
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	TRY(find_graph(handle, graph));
	TRY(check_captured(*graph, "hGraph"));
	TRY(check_moved(*graph, "hGraph"));
	TRY(contexts_of(*graph->graph).check());
	TRY(check_one_exec(graph->memory_nodes));
	const std::vector<NodePlacement> homes = homes_of(*graph->graph);
	if (homes.size() <= 1)
		TRY(hold_device(homes.empty() ? graph->device : homes[0].device, source.device));
	source.graph = graph->graph->clone();
	source.user_objects = outermost(*graph).user_objects;
	retain_all(source.user_objects);
	source.memory_nodes = graph->memory_nodes;
	set_instantiated(source.memory_nodes, true);
	return CUDA_SUCCESS;
}

static base::Status load(Source &source, LoadedGraph &loaded)
{
	if (source.device) [[likely]] {
		auto exec = GraphExec::create(source.device.open(), std::move(source.graph));
		TRY(exec.status());
		loaded.single = exec.take();
		return base::Status::OK;
	}
	auto exec = MultiExec::create(std::move(source.graph), {});
	TRY(exec.status());
	loaded.multi = exec.take();
	return base::Status::OK;
}

static CUresult load(CUgraphExec *out, CUgraph handle, uint64_t flags, Source &source)
{
	LoadedGraph exec;
	TRY(load(source, exec));
	GraphMemory memory;
	note_memory(exec.graph(), memory);
	std::unique_lock lock(graphs_mutex());
	ExecObject *object = graph_tables().execs.create();
	if (!object)
		return refuse(CUDA_ERROR_OUT_OF_MEMORY, "too many executable graphs; destroy some");
	object->exec = std::move(exec);
	object->device = source.device ? DeviceRef(source.device.open()) : DeviceRef{};
	object->source = reinterpret_cast<uint64_t>(handle);
	object->flags = flags & ~uint64_t{CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD};
	object->memory = std::move(memory);
	object->user_objects = std::exchange(source.user_objects, {});
	object->memory_nodes = std::exchange(source.memory_nodes, {});
	*out = reinterpret_cast<CUgraphExec>(object->handle.now());
	return CUDA_SUCCESS;
}

/* Finds a node on a circle, if the graph can't be instantiated because of a circle. */
static void find_obstacle(CUgraph handle, Obstacle &obstacle)
{
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = graph_tables().graphs.get(handle);
	if (!graph)
		return;
	const std::vector<uint32_t> path = find_circle(*graph->graph);
	if (path.empty())
		return;
	obstacle.why = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
	for (size_t i = 0; i + 1 < path.size(); i++) {
		if (child_object(*graph, path[i], graph) != CUDA_SUCCESS)
			return;
	}
	(void)node_handle(*graph, path.back(), obstacle.node);
}

CUresult instantiate(CUgraphExec *out, CUgraph handle, uint64_t flags, uint64_t known,
		     Obstacle &obstacle, const char *call)
{
	TRY(enter(call));
	if (!out)
		return null_argument("phGraphExec");
	TRY(check_flags(flags, known));
	Source source;
	TRY(copy_source(handle, source));
	CUresult code = load(out, handle, flags, source);
	/* After a failure source still has the references; otherwise it has none. */
	destroy_user_objects(release_all(source.user_objects));
	set_instantiated(source.memory_nodes, false);
	if (code == CUDA_ERROR_INVALID_VALUE)
		find_obstacle(handle, obstacle);
	return code;
}

/* A graph is always loaded when it is instantiated, so the stream of UPLOAD is only checked. */
static CUresult check_upload(const CUDA_GRAPH_INSTANTIATE_PARAMS &params)
{
	if (!(params.flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD))
		return CUDA_SUCCESS;
	Held<Stream> stream;
	return take_stream(params.hUploadStream, stream, "cuGraphInstantiateWithParams");
}

/* Finds the copy of the node's graph in the executable graph. The node may be in a graph that child nodes of the
 * source graph hold, so the function follows their path. */
CUresult find_part(ExecObject &exec, const NodeObject &node, Graph *&part)
{
	std::vector<uint32_t> path;
	const GraphObject *graph = node.graph;
	for (; graph->parent && graph->handle != exec.source; graph = graph->parent)
		path.push_back(graph->parent_node);
	part = graph->handle == exec.source ? &exec.exec.graph() : nullptr;
	for (auto number = path.rbegin(); part && number != path.rend(); ++number) {
		bool there = part->live(*number) && part->kind(*number) == TaskKind::CHILD;
		part = there ? &part->child(*number) : nullptr;
	}
	if (part && part->live(node.number))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      "the executable graph was made of another graph, or without this node; pass "
		      "a node of the graph that was instantiated");
}

/* Calls @release when all of @pending have passed. A device that has closed has no work left. */
static void release_after(const std::vector<DeviceFence> &pending,
			  const std::function<void()> &release)
{
	auto left = std::make_shared<std::atomic<size_t>>(pending.size() + 1);
	const auto leave = [left, release] {
		if (--*left == 0)
			release();
	};
	for (const DeviceFence &fence : pending) {
		const DeviceHold open = fence.device.hold();
		if (open)
			open->defer_after({fence.fence}, leave);
		else
			leave();
	}
	leave();
}

/* The handle is stale at once. Launches that the device has queued keep the resources that they
 * need. */
static CUresult destroy(CUgraphExec handle)
{
	LoadedGraph exec;
	UserObjects objects;
	DeviceRef device;
	MemoryNodes memory_nodes;
	{
		std::unique_lock lock(graphs_mutex());
		ExecObject *object = nullptr;
		TRY(find_exec(handle, object));
		exec = std::exchange(object->exec, {});
		objects = std::exchange(object->user_objects, {});
		device = object->device;
		object->memory.clear();
		memory_nodes = std::exchange(object->memory_nodes, {});
		graph_tables().execs.destroy(*object);
	}
	const std::vector<DeviceFence> pending = exec.pending(device);
	exec = {};
	set_instantiated(memory_nodes, false);
	memory_nodes.clear();
	free_left_memory();
	if (!objects.empty())
		release_after(pending, [objects] { destroy_user_objects(release_all(objects)); });
	return CUDA_SUCCESS;
}

/* For the call history: a launch records the events of the graph's record nodes. */
static void note_records(const Graph &graph, uint64_t stream)
{
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (!graph.live(node))
			continue;
		if (graph.kind(node) == TaskKind::CHILD)
			note_records(graph.child(node), stream);
		else if (graph.kind(node) == TaskKind::RECORD)
			note_action(graph.task(node).event, Action::RECORDED, stream);
	}
}

/* Strict mode: whether the memory of copies and fills is still there. */
static base::Status check_uses(const Graph &graph, int32_t device)
{
	std::vector<recorder::Used> all;
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (!graph.live(node))
			continue;
		const TaskKind kind = graph.kind(node);
		if (kind == TaskKind::CHILD)
			TRY(check_uses(graph.child(node), device));
		else if (kind == TaskKind::COPY || kind == TaskKind::FILL)
			recorder::add_uses(all, graph.task(node), node);
	}
	for (const recorder::Used &used : all) {
		const std::string name = fmt::format("node {} ({}), {}", used.node,
						     call_name(used.call), used.role());
		TRY(check::check_use("cuGraphLaunch", name.c_str(), used.address, used.bytes,
				     device));
	}
	return base::Status::OK;
}

/* Whether the graph is loaded for one device, and @stream is of another one. */
static bool is_apart(const ExecObject &exec, const Stream &stream) REQUIRES(graphs_mutex())
{
	return exec.device.state && !exec.device.is(*stream.context->open);
}

/* Moves a graph that needs no device to that of the stream. Without analysis: divide_exec() gives the lock back. */
static CUresult move_exec(std::unique_lock<base::Mutex> &lock, CUgraphExec handle,
			  const Stream &stream, ExecObject *&object)
	REQUIRES(graphs_mutex()) NO_THREAD_SAFETY_ANALYSIS
{
	const Context &context = *stream.context;
	TRY(divide_exec(lock, handle, *object, {}, {context.state, context.handle}));
	lock.lock();
	return find_exec(handle, object);
}

static CUresult take_exec(CUgraphExec handle, Stream &stream, LoadedGraph &exec, bool &is_captured,
			  bool &has_memory_nodes)
{
	ExecObject *object = nullptr;
	std::unique_lock lock(graphs_mutex());
	TRY(find_exec(handle, object));
	TRY(object->exec.check_contexts());
	is_captured = capturing(stream);
	if (is_captured && !object->memory_nodes.empty())
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "an executable graph with nodes that allocate or free memory can't "
			      "be captured; launch it outside the capture");
	if (is_captured)
		return capture_parts(stream, object->exec.graph(), 0);
	if (is_apart(*object, stream)) [[unlikely]]
		TRY(move_exec(lock, handle, stream, object));
	TRY(check_memory_launch(object->memory_nodes,
				object->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
	exec = object->exec;
	has_memory_nodes = !object->memory_nodes.empty();
	return CUDA_SUCCESS;
}

static CUresult launch(CUgraphExec handle, CUstream stream_handle)
{
	Held<Stream> stream;
	LoadedGraph exec;
	bool is_captured = false;
	TRY(take_stream(stream_handle, stream, "cuGraphLaunch"));
	bool has_memory_nodes = false;
	TRY(take_exec(handle, *stream, exec, is_captured, has_memory_nodes));
	if (is_captured)
		return CUDA_SUCCESS;
	if (check::is_on() && !exec.multi && !has_memory_nodes) [[unlikely]]
		TRY(result(check_uses(exec.graph(), stream->context->state->index)));
	if (keeps_history())
		note_records(exec.graph(), stream->handle);
	Turn turn(*stream);
	/* A launch may wait for room in the ring, so no lock is held. If another thread destroys the
	 * graph meanwhile, @exec keeps it alive until the launch returns. */
	constexpr auto CALL = static_cast<uint8_t>(Call::EXECUTE_MODEL);
	if (!exec.multi) [[likely]]
		return result(exec.single->launch(*stream, CALL).status());
	const base::Status status = exec.multi->launch(stream, CALL);
	if (!stream)
		turn.drop();
	return result(status);
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Stream;

CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags)
{
	Obstacle obstacle;
	return instantiate(phGraphExec, hGraph, flags, PLAIN_FLAGS, obstacle);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
				      CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
	TRY(enter());
	if (!instantiateParams)
		return null_argument("instantiateParams");
	Obstacle obstacle;
	CUresult code = check_upload(*instantiateParams);
	if (code == CUDA_SUCCESS)
		code = instantiate(phGraphExec, hGraph, instantiateParams->flags,
				   PLAIN_FLAGS | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, obstacle);
	instantiateParams->hErrNode_out = obstacle.node;
	if (code == CUDA_SUCCESS)
		obstacle.why = CUDA_GRAPH_INSTANTIATE_SUCCESS;
	else if (code == CUDA_ERROR_NOT_SUPPORTED)
		obstacle.why = CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
	instantiateParams->result_out = obstacle.why;
	return code;
}

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
	TRY(enter());
	if (!flags)
		return null_argument("flags");
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	TRY(find_exec(hGraphExec, exec));
	*flags = exec->flags;
	return CUDA_SUCCESS;
}

CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)
{
	TRY(enter());
	Held<Stream> stream;
	ExecObject *exec = nullptr;
	TRY(take_stream(hStream, stream, "cuGraphUpload"));
	std::unique_lock lock(graphs_mutex());
	TRY(find_exec(hGraphExec, exec));
	return result(exec->exec.check_contexts());
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
	TRY(enter());
	return launch(hGraphExec, hStream);
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
	TRY(enter());
	return destroy(hGraphExec);
}
