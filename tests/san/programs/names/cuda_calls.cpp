// SPDX-License-Identifier: MIT
/*
 * DOC: Reports name calls as the program does
 *
 * Makes each call that puts something into a trace, also in a capture, and reads the trace: what the call has put there
 * has its name. A function of the interface that sounds as if it used memory or streams and has no row here fails.
 */
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trace_names.h"
#include "unpu/sanitizer.h"

namespace {

constexpr size_t BYTES = 4096;
constexpr size_t ROW = 64;

void check(CUresult code, const char *text)
{
	const char *name = nullptr;
	if (code == CUDA_SUCCESS)
		return;
	(void)cuGetErrorName(code, &name);
	fprintf(stderr, "%s: %s\n", text, name);
	exit(1);
}

#define OK(call) check(call, #call)

CUstream stream;
CUevent event;
CUcontext context;
CUdeviceptr a, b, word;
void *host;

CUDA_MEMCPY2D rows()
{
	CUDA_MEMCPY2D copy = {};
	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = a;
	copy.dstDevice = b;
	copy.srcPitch = copy.dstPitch = 2 * ROW;
	copy.WidthInBytes = ROW;
	copy.Height = 2;
	return copy;
}

CUDA_MEMCPY3D slices()
{
	CUDA_MEMCPY3D copy = {};
	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = a;
	copy.dstDevice = b;
	copy.WidthInBytes = ROW;
	copy.Height = copy.Depth = 2;
	return copy;
}

CUDA_MEMCPY3D_PEER peer_slices()
{
	CUDA_MEMCPY3D_PEER copy = {};
	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = a;
	copy.dstDevice = b;
	copy.srcContext = copy.dstContext = context;
	copy.WidthInBytes = ROW;
	copy.Height = copy.Depth = 2;
	return copy;
}

CUDA_MEMSET_NODE_PARAMS fill_of(size_t height)
{
	CUDA_MEMSET_NODE_PARAMS fill = {};
	fill.dst = a;
	fill.elementSize = 1;
	fill.width = ROW;
	fill.pitch = 2 * ROW;
	fill.height = height;
	return fill;
}

std::vector<CUstreamBatchMemOpParams> two_writes()
{
	std::vector<CUstreamBatchMemOpParams> writes(2);
	for (CUstreamBatchMemOpParams &write : writes) {
		write.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
		write.writeValue.address = word;
	}
	return writes;
}

void CUDA_CB nothing(void *) {}
void CUDA_CB nothing_more(CUstream, CUresult, void *) {}

/* Runs a graph to which @add has added a node. */
CUresult with_graph(const std::function<CUresult(CUgraph)> &add)
{
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuGraphCreate(&graph, 0));
	const CUresult code = add(graph);
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
	return code;
}

CUresult add_any(CUgraphNodeParams params)
{
	return with_graph([&](CUgraph graph) {
		CUgraphNode node = nullptr;
		return cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
	});
}

CUresult add_any_fill()
{
	CUgraphNodeParams params = {};
	params.type = CU_GRAPH_NODE_TYPE_MEMSET;
	params.memset.dst = a;
	params.memset.elementSize = 1;
	params.memset.width = ROW;
	params.memset.height = 2;
	params.memset.pitch = 2 * ROW;
	params.memset.ctx = context;
	return add_any(params);
}

CUgraphExec make_exec()
{
	CUgraph graph = nullptr;
	CUgraphNode node = nullptr;
	CUgraphExec exec = nullptr;
	const CUDA_MEMSET_NODE_PARAMS fill = fill_of(1);
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphDestroy(graph));
	return exec;
}

CUdeviceptr new_memory()
{
	CUdeviceptr memory = 0;
	OK(cuMemAlloc(&memory, BYTES));
	return memory;
}

void *new_host()
{
	void *memory = nullptr;
	OK(cuMemAllocHost(&memory, BYTES));
	return memory;
}

CUresult free_registered()
{
	alignas(4096) static char memory[4096];
	OK(cuMemHostRegister(memory, sizeof(memory), 0));
	return cuMemHostUnregister(memory);
}

/* A capture makes a node of an external record alone, which there is nowhere else. */
unsigned flags_of_record()
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	OK(cuStreamIsCapturing(stream, &status));
	return status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? CU_EVENT_RECORD_EXTERNAL
							 : CU_EVENT_RECORD_DEFAULT;
}

using Make = std::function<CUresult()>;

/* A call. @in_captures: a capture makes a node of it. */
struct Row {
	const char *name;
	Make make;
	bool in_captures = false;
};

std::vector<Row> table()
{
	static CUDA_MEMCPY2D copy_2d = rows();
	static CUDA_MEMCPY3D copy_3d = slices();
	static CUDA_MEMCPY3D_PEER copy_3d_peer = peer_slices();
	static CUDA_MEMSET_NODE_PARAMS fill = fill_of(2);
	static std::vector<CUstreamBatchMemOpParams> writes = two_writes();
	static CUDA_HOST_NODE_PARAMS function = {nothing, nullptr};
	static CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {context, 2, writes.data(), 0};
	static CUgraphExec exec = make_exec();
	auto node = [](auto add) {
		return with_graph([&](CUgraph graph) {
			CUgraphNode added = nullptr;
			return add(&added, graph);
		});
	};
	return {
#define ROW_OF(function, ...) \
	{ \
#function, [] { return function(__VA_ARGS__); } \
	}
#define CAPTURED(function, ...) \
	{ \
#function, [] { return function(__VA_ARGS__); }, true \
	}
#define NODE(function, ...) \
	{ \
#function, [=] { \
		 return node([](CUgraphNode *added, CUgraph graph) { \
			 return function(added, graph, nullptr, 0, __VA_ARGS__); \
		 }); \
	 } \
	}
		ROW_OF(cuMemcpy, a, b, ROW),
		ROW_OF(cuMemcpyHtoD, a, host, ROW),
		ROW_OF(cuMemcpyDtoH, host, a, ROW),
		ROW_OF(cuMemcpyDtoD, a, b, ROW),
		ROW_OF(cuMemcpyPeer, a, context, b, context, ROW),
		ROW_OF(cuMemcpy2D, &copy_2d),
		ROW_OF(cuMemcpy2DUnaligned, &copy_2d),
		ROW_OF(cuMemcpy3D, &copy_3d),
		ROW_OF(cuMemcpy3DPeer, &copy_3d_peer),
		CAPTURED(cuMemcpyAsync, a, b, ROW, stream),
		CAPTURED(cuMemcpyHtoDAsync, a, host, ROW, stream),
		CAPTURED(cuMemcpyDtoHAsync, host, a, ROW, stream),
		CAPTURED(cuMemcpyDtoDAsync, a, b, ROW, stream),
		CAPTURED(cuMemcpyPeerAsync, a, context, b, context, ROW, stream),
		CAPTURED(cuMemcpy2DAsync, &copy_2d, stream),
		CAPTURED(cuMemcpy3DAsync, &copy_3d, stream),
		CAPTURED(cuMemcpy3DPeerAsync, &copy_3d_peer, stream),
		ROW_OF(cuMemsetD8, a, 1, ROW),
		ROW_OF(cuMemsetD16, a, 1, ROW),
		ROW_OF(cuMemsetD32, a, 1, ROW),
		ROW_OF(cuMemsetD2D8, a, 2 * ROW, 1, ROW, 2),
		ROW_OF(cuMemsetD2D16, a, 4 * ROW, 1, ROW, 2),
		ROW_OF(cuMemsetD2D32, a, 8 * ROW, 1, ROW, 2),
		CAPTURED(cuMemsetD8Async, a, 1, ROW, stream),
		CAPTURED(cuMemsetD16Async, a, 1, ROW, stream),
		CAPTURED(cuMemsetD32Async, a, 1, ROW, stream),
		CAPTURED(cuMemsetD2D8Async, a, 2 * ROW, 1, ROW, 2, stream),
		CAPTURED(cuMemsetD2D16Async, a, 4 * ROW, 1, ROW, 2, stream),
		CAPTURED(cuMemsetD2D32Async, a, 8 * ROW, 1, ROW, 2, stream),
		ROW_OF(cuStreamWriteValue32, stream, word, 1, 0),
		ROW_OF(cuStreamWaitValue32, stream, word, 0, CU_STREAM_WAIT_VALUE_GEQ),
		ROW_OF(cuStreamWriteValue64, stream, word, 1, 0),
		ROW_OF(cuStreamWaitValue64, stream, word, 0, CU_STREAM_WAIT_VALUE_GEQ),
		ROW_OF(cuStreamBatchMemOp, stream, 2, writes.data(), 0),
		CAPTURED(cuLaunchHostFunc, stream, nothing, nullptr),
		ROW_OF(cuStreamAddCallback, stream, nothing_more, nullptr, 0),
		ROW_OF(cuEventRecord, event, stream),
		CAPTURED(cuEventRecordWithFlags, event, stream, flags_of_record()),
		ROW_OF(cuStreamWaitEvent, stream, event, 0),
		ROW_OF(cuCtxRecordEvent, context, event),
		ROW_OF(cuCtxWaitEvent, context, event),
		ROW_OF(cuGraphLaunch, exec, stream),
		NODE(cuGraphAddMemcpyNode, &copy_3d, context),
		NODE(cuGraphAddMemsetNode, &fill, context),
		NODE(cuGraphAddHostNode, &function),
		NODE(cuGraphAddEventRecordNode, event),
		NODE(cuGraphAddEventWaitNode, event),
		NODE(cuGraphAddBatchMemOpNode, &batch),
		{"cuGraphAddNode", add_any_fill},
		{"cuMemFree", [] { return cuMemFree(new_memory()); }},
		{"cuMemFreeAsync", [] { return cuMemFreeAsync(new_memory(), stream); }},
		{"cuMemFreeHost", [] { return cuMemFreeHost(new_host()); }},
		{"cuMemHostUnregister", free_registered},
#undef NODE
#undef CAPTURED
#undef ROW_OF
	};
}

/* Functions that sound like the others and put nothing with a name into a trace. */
const std::set<std::string> NAMELESS = {
	"cuGraphAddDependencies", "cuGraphAddEmptyNode", "cuGraphAddChildGraphNode",
	"cuGraphAddMemAllocNode", /* the memory is told of, and memory has no call in a report */
	"cuGraphAddMemFreeNode",
};

/* The header gives newer versions of a function, and those for a thread's own stream, other symbols. */
std::string name_in_source(std::string symbol)
{
	for (const char *form : {"_ptds", "_ptsz"}) {
		const size_t at = symbol.rfind(form);
		if (at != symbol.npos)
			symbol.resize(at);
	}
	const size_t version = symbol.rfind("_v");
	return version == symbol.npos ? symbol : symbol.substr(0, version);
}

bool sounds_like_work(std::string_view name)
{
	static constexpr const char *BEGINNINGS[] = {
		"cuMemcpy",	      "cuMemset",	    "cuStreamWa",   "cuStreamWr",
		"cuStreamBatchMemOp", "cuStreamAddCall",    "cuLaunchHost", "cuEventRecord",
		"cuCtxRecordEvent",   "cuCtxWaitEvent",	    "cuGraphAdd",   "cuGraphLaunch",
		"cuMemFree",	      "cuMemHostUnregister"};
	return std::any_of(std::begin(BEGINNINGS), std::end(BEGINNINGS),
			   [&](const char *text) { return name.substr(0, strlen(text)) == text; });
}

void capture(const Row &row)
{
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	check(row.make(), row.name);
	OK(cuStreamEndCapture(stream, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
}

void make_calls(const std::vector<Row> &calls)
{
	for (const Row &row : calls) {
		unpu_san_mark(row.name);
		check(row.make(), row.name);
		unpu_san_mark("");
		OK(cuCtxSynchronize());
		if (!row.in_captures)
			continue;
		unpu_san_mark((std::string(row.name) + " in a capture").c_str());
		capture(row);
		unpu_san_mark("");
	}
}

unsigned judge(const std::vector<Row> &calls, const std::filesystem::path &folder)
{
	unsigned wrong = 0;
	auto parts = trace_names::read_parts(folder);
	auto compare = [&](const std::string &part, const std::string &wanted) {
		const std::set<std::string> &found = parts[part].names;
		if (found == std::set<std::string>{wanted})
			return;
		wrong++;
		fprintf(stderr, "%s is called", part.c_str());
		for (const std::string &name : found)
			fprintf(stderr, " %s", name.c_str());
		fprintf(stderr, "%s\n", found.empty() ? " nothing" : "");
	};
	for (const Row &row : calls) {
		compare(row.name, row.name);
		if (row.in_captures)
			compare(std::string(row.name) + " in a capture", row.name);
	}
	return wrong;
}

unsigned look_for_others(const std::vector<Row> &calls)
{
	unsigned wrong = 0;
	std::set<std::string> known;
	std::ifstream exports(UNPU_CUDA_EXPORTS);
	std::ifstream refused_file(UNPU_CUDA_REFUSED);
	const std::string refused{std::istreambuf_iterator<char>(refused_file), {}};
	for (std::string symbol; std::getline(exports, symbol);) {
		const std::string name = name_in_source(symbol);
		const bool has_row = std::any_of(calls.begin(), calls.end(),
						 [&](const Row &row) { return name == row.name; });
		if (has_row)
			known.insert(name);
		if (has_row || NAMELESS.count(name) != 0 || !sounds_like_work(name) ||
		    refused.find("X(" + name + ",") != refused.npos)
			continue;
		wrong++;
		fprintf(stderr, "%s: this test has no row for it\n", name.c_str());
	}
	return known.size() < calls.size() ? wrong + 1 : wrong;
}

/* A launch on two devices has the number of a task, too. Its end is a task of the launch stream. */
constexpr const char *TOGETHER = "a launch on two devices";

void launch_on_two_devices()
{
	CUdevice device = 0;
	CUcontext there = nullptr;
	CUgraph graph = nullptr;
	CUgraphNode node = nullptr;
	CUgraphExec exec = nullptr;
	CUDA_MEMSET_NODE_PARAMS fill = fill_of(1);
	OK(cuDeviceGet(&device, 1));
	OK(cuDevicePrimaryCtxRetain(&there, device));
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
	OK(cuCtxSetCurrent(there));
	fill.dst = new_memory();
	OK(cuCtxSetCurrent(context));
	OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, there));
	OK(cuGraphInstantiate(&exec, graph, 0));
	unpu_san_mark(TOGETHER);
	OK(cuGraphLaunch(exec, stream));
	unpu_san_mark("");
	OK(cuStreamSynchronize(stream));
}

unsigned judge_launch(const std::filesystem::path &folder)
{
	const trace_names::Part part = trace_names::read_parts(folder)[TOGETHER];
	if (part.names == std::set<std::string>{"cuGraphLaunch"} && part.numbered == 1)
		return 0;
	fprintf(stderr, "%s: %u records with a task, %zu names\n", TOGETHER, part.numbered,
		part.names.size());
	return 1;
}

} // namespace

int main()
{
	char folder[] = "/tmp/unpu-names-XXXXXX";
	CUdevice device = 0;
	if (!mkdtemp(folder) || setenv("UNPU_SANITIZE", folder, 1) != 0)
		return 1;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
	a = new_memory();
	b = new_memory();
	word = new_memory();
	host = new_host();
	OK(cuMemsetD8(word, 0, BYTES));
	const std::vector<Row> calls = table();
	make_calls(calls);
	launch_on_two_devices();
	const unsigned wrong = judge(calls, folder) + judge_launch(folder) + look_for_others(calls);
	std::filesystem::remove_all(folder);
	printf("%zu calls, %u with another name\n", calls.size(), wrong);
	return wrong == 0 ? 0 : 1;
}
