// SPDX-License-Identifier: MIT
/**
 * DOC: Captures
 *
 * A capture adds nodes to a graph that has a handle from the beginning: the program may inspect the
 * graph and add its own nodes while the capture is active.
 */
#include "capture.h"

#include <set>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"

namespace umd::cuda {

using base::Status;

/* Tasks that can run on any device, although the stream belongs to one. */
static bool runs_anywhere(TaskKind kind)
{
	return kind == TaskKind::EMPTY || kind == TaskKind::HOST || kind == TaskKind::WAIT;
}

static NodePlacement captured_home(const Stream &stream, const GraphTask &task)
{
	return runs_anywhere(task.kind) ? NodePlacement{} : home_in(*stream.context, task);
}

static constexpr CaptureRules RULES = {
	/* if a wrong thread tries to end the capture, the capture continues */ false,
	/* a stream has joined when all its captured nodes lead to the origin's next task */ false,
	/* events with CU_EVENT_INTERPROCESS fork and join streams */ true,
	/* streams of other contexts and devices may join */ captured_home,
};

static bool is_legacy(CUstream handle)
{
	return !handle || handle == CU_STREAM_LEGACY;
}

/* Called when a capture ends. If the capture created the graph and failed, the graph is destroyed. */
static void close_graph(GraphObject &graph, bool complete) REQUIRES(graphs_mutex())
{
	graph.capture = nullptr;
	graph.answers.clear();
	base::fetch_add(attention, uint64_t{0} - ONE_CAPTURE);
	if (!complete && graph.captured_new)
		forget_graph(graph);
}

/* Call without graphs_mutex(): find_stream() may create the calling thread's own stream. */
static CUresult find_origin(CUstream handle, CUstreamCaptureMode mode, Held<Stream> &stream)
{
	if (is_legacy(handle))
		return refuse(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
			      "the legacy stream can't capture; make a stream for it");
	if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("mode is {}; it must be GLOBAL (0), THREAD_LOCAL (1) or "
					  "RELAXED (2)",
					  static_cast<int>(mode)));
	TRY(find_stream(handle, stream));
	mention(stream->handle);
	return CUDA_SUCCESS;
}

/* Begins a capture. @into: an existing graph, in which the first captured task follows the nodes @after;
 * nullptr: a new graph. */
static CUresult begin(Held<Stream> &stream, CUstreamCaptureMode mode, GraphObject *into,
		      std::vector<uint32_t> after) REQUIRES(graphs_mutex())
{
	if (capture_of(*stream))
		return refuse(
			CUDA_ERROR_ILLEGAL_STATE,
			fmt::format(
				"stream {} captures already; cuStreamEndCapture ends that capture",
				stream->id));
	GraphObject *graph = into;
	if (!graph) {
		TRY(new_graph(std::make_unique<Graph>(), graph));
		graph->device = stream->context->state;
	}
	Capture::begin_into(*stream, static_cast<CaptureMode>(mode), RULES, *graph->graph,
			    graph->handle, std::move(after),
			    [graph](bool complete)
				    REQUIRES(graphs_mutex()) { close_graph(*graph, complete); });
	graph->capture = capture_of(*stream);
	graph->captured_new = !into;
	base::fetch_add(attention, ONE_CAPTURE);
	note(stream->handle, Action::JOINED);
	return CUDA_SUCCESS;
}

CUresult begin_capture(CUstream stream, CUstreamCaptureMode mode, const char *call)
{
	TRY(enter(call));
	Held<Stream> origin;
	TRY(find_origin(stream, mode, origin));
	std::unique_lock lock(graphs_mutex());
	return begin(origin, mode, nullptr, {});
}

static CUresult begin_into(CUstream stream, CUgraph handle, const CUgraphNode *dependencies,
			   const CUgraphEdgeData *edges, size_t count, CUstreamCaptureMode mode)
{
	Held<Stream> origin;
	TRY(find_origin(stream, mode, origin));
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	std::vector<uint32_t> after;
	TRY(find_graph(handle, graph));
	if (graph->capture)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "a capture into hGraph is under way; end it first");
	TRY(numbers_of(*graph, dependencies, edges, count, after));
	return begin(origin, mode, graph, std::move(after));
}

/* For the call history: the end of a capture concerns @stream and all streams of the capture. */
static std::vector<uint64_t> mention_members(const Capture &capture, const Stream &stream)
	REQUIRES(graphs_mutex())
{
	std::vector<uint64_t> members;
	if (!keeps_history()) [[likely]]
		return members;
	mention_handle(stream.handle);
	(void)capture.any_member([&](const Stream &member) {
		members.push_back(member.handle);
		mention_handle(member.handle);
		return false;
	});
	return members;
}

/* The program does not want the graph. If it also got no handle of the graph during the capture, nothing can
 * reach the graph, so it is destroyed. */
static void give_graph(GraphObject &graph, CUgraph *out) REQUIRES(graphs_mutex())
{
	if (out)
		*out = graph_handle(graph);
	else if (graph.captured_new && !graph.is_told)
		forget_graph(graph);
}

static CUresult end(CUstream handle, CUgraph *out)
{
	if (out)
		*out = nullptr;
	Held<Stream> stream;
	TRY(find_stream(handle, stream));
	std::unique_lock lock(graphs_mutex());
	Capture *capture = capture_of(*stream);
	GraphObject *graph =
		capture ? graph_tables().graphs.get(reinterpret_cast<const void *>(capture->tag()))
			: nullptr;
	if (!graph)
		return refuse(
			CUDA_ERROR_ILLEGAL_STATE,
			fmt::format("stream {} does not capture; call cuStreamBeginCapture first",
				    stream->id));
	const std::vector<uint64_t> members = mention_members(*capture, *stream);
	Status status = Capture::end_into(*stream);
	if (!capture_of(*stream)) {
		for (uint64_t member : members)
			note(member, Action::LEFT);
	}
	TRY(status);
	give_graph(*graph, out);
	return CUDA_SUCCESS;
}

/* The call succeeds, and later calls can't end the capture. */
static void tell_lost(const Stream &stream, const char *call)
{
	const std::string sentence = fmt::format(
		"{}: stream {} began a capture that has not ended, so the captured tasks are lost; "
		"call cuStreamEndCapture first",
		call, stream.id);
	tell_once(Status::CAPTURE_INVALIDATED, sentence);
	(void)set_error(Status::CAPTURE_INVALIDATED, sentence);
}

CUresult leave_capture(Stream &stream, const char *call)
{
	if (!capturing(stream)) [[likely]]
		return CUDA_SUCCESS;
	std::unique_lock lock(graphs_mutex());
	Capture *capture = capture_of(stream);
	if (!capture)
		return CUDA_SUCCESS;
	if (capture->model()) {
		lock.unlock();
		return refuse_capturing(stream, call);
	}
	note(stream.handle, Action::LEFT);
	const bool is_lost = capture->origin() == stream.handle;
	capture->leave(stream);
	lock.unlock();
	if (is_lost)
		tell_lost(stream, call);
	return CUDA_SUCCESS;
}

CUresult capture_task(Stream &stream, const GraphTask &task)
{
	std::unique_lock lock(TaskSink::mutex);
	Capture *capture = capture_of(stream);
	if (!capture)
		return refuse(
			CUDA_ERROR_ILLEGAL_STATE,
			"the capture was ended meanwhile; end it when no thread uses its streams");
	return result(capture->add(stream, task));
}

CUresult capture_parts(Stream &stream, const Graph &parts, uint8_t label)
{
	Capture *capture = capture_of(stream);
	if (!capture)
		return refuse(
			CUDA_ERROR_ILLEGAL_STATE,
			"the capture was ended meanwhile; end it when no thread uses its streams");
	return result(capture->add_child(stream, parts, label));
}

/* The handle of the graph into which a capture adds its nodes. */
static CUresult append_memory(Capture &capture, Stream &stream, const MemoryNode &node)
	REQUIRES(graphs_mutex())
{
	MemoryNode checked = node;
	GraphObject *graph =
		graph_tables().graphs.get(reinterpret_cast<const void *>(capture.tag()));
	if (!graph)
		return refuse(CUDA_ERROR_ILLEGAL_STATE, "the graph of the capture is gone; destroy "
							"it after the end of the capture");
	TRY(check_takes_memory(*graph));
	if (!node.allocation)
		TRY(make_free(graph->memory_nodes, node.freed, checked));
	const uint64_t cookie = drv::cookie_call(static_cast<uint8_t>(Call::OTHER));
	TRY(capture.add(stream, graph_task(drv::nop_packet(cookie), nullptr)));
	note_memory_node(*graph, capture.last_node(stream), checked);
	return CUDA_SUCCESS;
}

CUresult capture_memory(Stream &stream, const MemoryNode &node)
{
	bool is_foreign = false;
	{
		std::unique_lock lock(graphs_mutex());
		Capture *capture = capture_of(stream);
		if (!capture)
			return refuse(CUDA_ERROR_ILLEGAL_STATE,
				      "the capture was ended meanwhile; end it when no thread uses "
				      "its streams");
		is_foreign = capture->model() != nullptr;
		if (!is_foreign)
			return append_memory(*capture, stream, node);
	}
	return refuse_capturing(stream, "an allocation or a free");
}

static CUstreamCaptureStatus status_of(const Capture *capture) REQUIRES(graphs_mutex())
{
	if (!capture)
		return CU_STREAM_CAPTURE_STATUS_NONE;
	return capture->valid() ? CU_STREAM_CAPTURE_STATUS_ACTIVE
				: CU_STREAM_CAPTURE_STATUS_INVALIDATED;
}

/* Returns the nodes that the stream's next task will follow. The arrays stay valid until the next call
 * for the same stream. */
static CUresult give_frontier(Capture &capture, Stream &stream, GraphObject &graph,
			      const CUgraphNode **nodes, const CUgraphEdgeData **edges,
			      size_t *count) REQUIRES(graphs_mutex())
{
	CaptureAnswer &answer = graph.answers[stream.handle];
	const Graph &captured = *graph.graph;
	std::set<uint32_t> seen;
	std::vector<uint32_t> frontier = capture.frontier(stream);
	std::erase_if(frontier, [&](uint32_t number) {
		return !captured.live(number) || !seen.insert(number).second;
	});
	answer.nodes.resize(frontier.size());
	answer.edges.assign(frontier.size(), CUgraphEdgeData{});
	for (size_t i = 0; i < frontier.size(); i++)
		TRY(node_handle(graph, frontier[i], answer.nodes[i]));
	if (nodes)
		*nodes = answer.nodes.data();
	if (edges)
		*edges = answer.edges.data();
	if (count)
		*count = answer.nodes.size();
	return CUDA_SUCCESS;
}

CUresult capture_info(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id,
		      CUgraph *graph_out, const CUgraphNode **dependencies,
		      const CUgraphEdgeData **edges, size_t *count, const char *call)
{
	TRY(enter(call));
	if (!status)
		return null_argument("captureStatus_out");
	if (edges && !dependencies)
		return null_argument("dependencies_out, but not edgeData_out,");
	Held<Stream> stream;
	TRY(find_stream(handle, stream));
	mention(stream->handle);
	TRY(check_implicit(*stream, nullptr));
	std::unique_lock lock(graphs_mutex());
	Capture *capture = capture_of(*stream);
	*status = status_of(capture);
	if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
		return CUDA_SUCCESS;
	if (id)
		*id = capture->id();
	GraphObject *graph =
		graph_tables().graphs.get(reinterpret_cast<const void *>(capture->tag()));
	if (graph && (graph_out || dependencies))
		graph->is_told = true;
	if (graph_out)
		*graph_out = graph ? graph_handle(*graph) : nullptr;
	if (!graph || !(dependencies || count))
		return CUDA_SUCCESS;
	return give_frontier(*capture, *stream, *graph, dependencies, edges, count);
}

CUresult update_dependencies(CUstream handle, const CUgraphNode *dependencies,
			     const CUgraphEdgeData *edges, size_t count, unsigned flags,
			     const char *call)
{
	TRY(enter(call));
	if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be ADD (0) or SET (1)", flags));
	Held<Stream> stream;
	TRY(find_stream(handle, stream));
	std::unique_lock lock(graphs_mutex());
	Capture *capture = capture_of(*stream);
	GraphObject *graph =
		capture ? graph_tables().graphs.get(reinterpret_cast<const void *>(capture->tag()))
			: nullptr;
	if (!graph)
		return refuse(
			CUDA_ERROR_ILLEGAL_STATE,
			fmt::format("stream {} does not capture; cuStreamBeginCapture begins one",
				    stream->id));
	std::vector<uint32_t> numbers;
	TRY(numbers_of(*graph, dependencies, edges, count, numbers));
	if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
		capture->clear_frontier(*stream, numbers);
	std::vector<uint32_t> &frontier = capture->frontier(*stream);
	frontier.insert(frontier.end(), numbers.begin(), numbers.end());
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Stream;
using umd::ThreadState;

CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)
{
	return begin_capture(hStream, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
				     const CUgraphNode *dependencies,
				     const CUgraphEdgeData *dependencyData, size_t numDependencies,
				     CUstreamCaptureMode mode)
{
	TRY(enter());
	return begin_into(hStream, hGraph, dependencies, dependencyData, numDependencies, mode);
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
	TRY(enter());
	return end(hStream, phGraph);
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
	return capture_info(hStream, captureStatus, nullptr, nullptr, nullptr, nullptr, nullptr);
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
				cuuint64_t *id_out, CUgraph *graph_out,
				const CUgraphNode **dependencies_out,
				const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
	return capture_info(hStream, captureStatus_out, id_out, graph_out, dependencies_out,
			    edgeData_out, numDependencies_out);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
					   const CUgraphEdgeData *dependencyData,
					   size_t numDependencies, unsigned int flags)
{
	return update_dependencies(hStream, dependencies, dependencyData, numDependencies, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	TRY(enter());
	if (!mode)
		return null_argument("mode");
	if (*mode < CU_STREAM_CAPTURE_MODE_GLOBAL || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("mode is {}; it must be GLOBAL (0), THREAD_LOCAL (1) or "
					  "RELAXED (2)",
					  static_cast<int>(*mode)));
	auto &current = ThreadState::mine().exchange_mode;
	auto old = static_cast<CUstreamCaptureMode>(current);
	current = static_cast<umd::CaptureMode>(*mode);
	*mode = old;
	return CUDA_SUCCESS;
}
