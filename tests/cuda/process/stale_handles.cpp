// SPDX-License-Identifier: MIT
/*
 * DOC: every call with every stale handle
 *
 * The table has each exported function that takes a handle. A test passes each of five wrong
 * handles, with good other arguments: a handle that never existed, one of another kind, one that
 * was destroyed, one of a context that was destroyed while another context keeps the device open,
 * and one of a device that was reset. The call returns its documented code and never crashes.
 */
#include "graph/graphs.h"
#include "support/refused.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <dlfcn.h>

using namespace cuda_test;

namespace {

/*
 * A parameter: c context, s stream, e event, g graph, n host node, r record node, w wait node, k child
 * node, x executable graph, u user object; o memory for what the call says, d device memory, h pinned
 * memory, f a host function, 0 and 1 themselves. A row holds for all versions of the function that
 * have no row of their own.
 */
const std::map<std::string, std::string> kCalls = {
	{"cuCtxDestroy", "c"},
	{"cuCtxDisablePeerAccess", "c"},
	{"cuCtxEnablePeerAccess", "c0"},
	{"cuCtxGetApiVersion", "co"},
	{"cuCtxGetDevice_v2", "oc"},
	{"cuCtxGetId", "co"},
	{"cuCtxPushCurrent", "c"},
	{"cuCtxRecordEvent", "ce"},
	{"cuCtxSetCurrent", "c"},
	{"cuCtxSynchronize_v2", "c"},
	{"cuCtxWaitEvent", "ce"},
	{"cuEventDestroy", "e"},
	{"cuEventElapsedTime", "oee"},
	{"cuEventQuery", "e"},
	{"cuEventRecord", "es"},
	{"cuEventRecordWithFlags", "es0"},
	{"cuEventSynchronize", "e"},
	{"cuGraphAddBatchMemOpNode", "ogo0o"},
	{"cuGraphAddChildGraphNode", "ogo0g"},
	{"cuGraphAddDependencies", "goo00"},
	{"cuGraphAddEmptyNode", "ogo0"},
	{"cuGraphAddEventRecordNode", "ogo0e"},
	{"cuGraphAddEventWaitNode", "ogo0e"},
	{"cuGraphAddHostNode", "ogo0o"},
	{"cuGraphAddMemAllocNode", "ogo0o"},
	{"cuGraphAddMemFreeNode", "ogo0o"},
	{"cuGraphAddMemcpyNode", "ogo0oc"},
	{"cuGraphAddMemsetNode", "ogo0oc"},
	{"cuGraphAddNode", "ogo00o"},
	{"cuGraphBatchMemOpNodeGetParams", "no"},
	{"cuGraphBatchMemOpNodeSetParams", "no"},
	{"cuGraphChildGraphNodeGetGraph", "ko"},
	{"cuGraphClone", "og"},
	{"cuGraphDebugDotPrint", "go0"},
	{"cuGraphDestroy", "g"},
	{"cuGraphDestroyNode", "n"},
	{"cuGraphEventRecordNodeGetEvent", "ro"},
	{"cuGraphEventRecordNodeSetEvent", "re"},
	{"cuGraphEventWaitNodeGetEvent", "wo"},
	{"cuGraphEventWaitNodeSetEvent", "we"},
	{"cuGraphExecBatchMemOpNodeSetParams", "xno"},
	{"cuGraphExecChildGraphNodeSetParams", "xkg"},
	{"cuGraphExecDestroy", "x"},
	{"cuGraphExecEventRecordNodeSetEvent", "xre"},
	{"cuGraphExecEventWaitNodeSetEvent", "xwe"},
	{"cuGraphExecGetFlags", "xo"},
	{"cuGraphExecHostNodeSetParams", "xno"},
	{"cuGraphExecMemcpyNodeSetParams", "xno0"},
	{"cuGraphExecMemsetNodeSetParams", "xno0"},
	{"cuGraphExecNodeSetParams", "xno"},
	{"cuGraphExecUpdate", "xgoo"},
	{"cuGraphGetEdges", "goooo"},
	{"cuGraphGetNodes", "goo"},
	{"cuGraphGetRootNodes", "goo"},
	{"cuGraphHostNodeGetParams", "no"},
	{"cuGraphHostNodeSetParams", "no"},
	{"cuGraphInstantiate", "ogoo0"},
	{"cuGraphInstantiateWithFlags", "og0"},
	{"cuGraphInstantiateWithParams", "ogo"},
	{"cuGraphLaunch", "xs"},
	{"cuGraphMemAllocNodeGetParams", "no"},
	{"cuGraphMemFreeNodeGetParams", "no"},
	{"cuGraphMemcpyNodeGetParams", "no"},
	{"cuGraphMemcpyNodeSetParams", "no"},
	{"cuGraphMemsetNodeGetParams", "no"},
	{"cuGraphMemsetNodeSetParams", "no"},
	{"cuGraphNodeFindInClone", "ong"},
	{"cuGraphNodeGetDependencies", "nooo"},
	{"cuGraphNodeGetDependentNodes", "nooo"},
	{"cuGraphNodeGetEnabled", "xno"},
	{"cuGraphNodeGetType", "no"},
	{"cuGraphNodeSetEnabled", "xn0"},
	{"cuGraphNodeSetParams", "no"},
	{"cuGraphReleaseUserObject", "gu1"},
	{"cuGraphRemoveDependencies", "goo00"},
	{"cuGraphRetainUserObject", "gu10"},
	{"cuGraphUpload", "xs"},
	{"cuIpcGetEventHandle", "oe"},
	{"cuLaunchHostFunc", "sfo"},
	{"cuMemAllocAsync", "o1s"},
	{"cuMemAllocFromPoolAsync", "o1os"},
	{"cuMemFreeAsync", "ds"},
	{"cuMemPrefetchAsync", "d10s"},
	{"cuMemPrefetchAsync_v2", "d110s"},
	{"cuMemcpy2DAsync_v2", "os"},
	{"cuMemcpy3DAsync_v2", "os"},
	{"cuMemcpy3DPeerAsync", "os"},
	{"cuMemcpyAsync", "dd1s"},
	{"cuMemcpyDtoDAsync_v2", "dd1s"},
	{"cuMemcpyDtoHAsync_v2", "hd1s"},
	{"cuMemcpyHtoDAsync_v2", "dh1s"},
	{"cuMemcpyPeer", "dcdc1"},
	{"cuMemcpyPeerAsync", "dcdc1s"},
	{"cuMemsetD16Async", "d01s"},
	{"cuMemsetD2D16Async", "d0011s"},
	{"cuMemsetD2D32Async", "d0011s"},
	{"cuMemsetD2D8Async", "d0011s"},
	{"cuMemsetD32Async", "d01s"},
	{"cuMemsetD8Async", "d01s"},
	{"cuStreamAddCallback", "sfo0"},
	{"cuStreamAttachMemAsync", "sd01"},
	{"cuStreamBatchMemOp", "s1o0"},
	{"cuStreamBeginCapture", "s0"},
	{"cuStreamBeginCaptureToGraph", "sgo000"},
	{"cuStreamCopyAttributes", "ss"},
	{"cuStreamDestroy", "s"},
	{"cuStreamEndCapture", "so"},
	{"cuStreamGetAttribute", "s1o"},
	{"cuStreamGetCaptureInfo", "soooooo"},
	{"cuStreamGetCtx", "soo"},
	{"cuStreamGetDevice", "so"},
	{"cuStreamGetFlags", "so"},
	{"cuStreamGetId", "so"},
	{"cuStreamGetPriority", "so"},
	{"cuStreamIsCapturing", "so"},
	{"cuStreamQuery", "s"},
	{"cuStreamSetAttribute", "s1o"},
	{"cuStreamSynchronize", "s"},
	{"cuStreamUpdateCaptureDependencies", "so000"},
	{"cuStreamWaitEvent", "se0"},
	{"cuStreamWaitValue32", "sd00"},
	{"cuStreamWaitValue64", "sd00"},
	{"cuStreamWriteValue32", "sd00"},
	{"cuStreamWriteValue64", "sd00"},
	{"cuUserObjectRelease", "u1"},
	{"cuUserObjectRetain", "u1"},
};

/* These take none, or are of an old version that looks at no argument. */
const std::set<std::string> kWithoutHandle = {
	"cuCtxCreate",
	"cuCtxGetCacheConfig",
	"cuCtxGetCurrent",
	"cuCtxGetDevice",
	"cuCtxGetFlags",
	"cuCtxGetLimit",
	"cuCtxGetStreamPriorityRange",
	"cuCtxPopCurrent",
	"cuCtxSetCacheConfig",
	"cuCtxSetFlags",
	"cuCtxSetLimit",
	"cuCtxSynchronize",
	"cuDeviceCanAccessPeer",
	"cuDeviceComputeCapability",
	"cuDeviceGet",
	"cuDeviceGetAttribute",
	"cuDeviceGetByPCIBusId",
	"cuDeviceGetCount",
	"cuDeviceGetDefaultMemPool",
	"cuDeviceGetGraphMemAttribute",
	"cuDeviceGetMemPool",
	"cuDeviceGetName",
	"cuDeviceGetP2PAttribute",
	"cuDeviceGetPCIBusId",
	"cuDeviceGetProperties",
	"cuDeviceGetUuid",
	"cuDeviceGraphMemTrim",
	"cuDevicePrimaryCtxGetState",
	"cuDevicePrimaryCtxRelease",
	"cuDevicePrimaryCtxReset",
	"cuDevicePrimaryCtxRetain",
	"cuDevicePrimaryCtxSetFlags",
	"cuDeviceSetGraphMemAttribute",
	"cuDeviceSetMemPool",
	"cuDeviceTotalMem",
	"cuDriverGetVersion",
	"cuEventCreate",
	"cuGetErrorName",
	"cuGetErrorString",
	"cuGetProcAddress",
	"cuGraphCreate",
	"cuInit",
	"cuIpcCloseMemHandle",
	"cuIpcGetMemHandle",
	"cuIpcOpenEventHandle",
	"cuIpcOpenMemHandle",
	"cuMemAddressFree",
	"cuMemAddressReserve",
	"cuMemAdvise",
	"cuMemAlloc",
	"cuMemAllocHost",
	"cuMemAllocManaged",
	"cuMemAllocPitch",
	"cuMemCreate",
	"cuMemExportToShareableHandle",
	"cuMemFree",
	"cuMemFreeHost",
	"cuMemGetAccess",
	"cuMemGetAddressRange",
	"cuMemGetAllocationGranularity",
	"cuMemGetAllocationPropertiesFromHandle",
	"cuMemGetDefaultMemPool",
	"cuMemGetInfo",
	"cuMemGetMemPool",
	"cuMemHostAlloc",
	"cuMemHostGetDevicePointer",
	"cuMemHostGetFlags",
	"cuMemHostRegister",
	"cuMemHostUnregister",
	"cuMemImportFromShareableHandle",
	"cuMemMap",
	"cuMemPoolCreate",
	"cuMemPoolDestroy",
	"cuMemPoolExportPointer",
	"cuMemPoolExportToShareableHandle",
	"cuMemPoolGetAccess",
	"cuMemPoolGetAttribute",
	"cuMemPoolImportFromShareableHandle",
	"cuMemPoolImportPointer",
	"cuMemPoolSetAccess",
	"cuMemPoolSetAttribute",
	"cuMemPoolTrimTo",
	"cuMemRangeGetAttribute",
	"cuMemRangeGetAttributes",
	"cuMemRelease",
	"cuMemRetainAllocationHandle",
	"cuMemSetAccess",
	"cuMemSetMemPool",
	"cuMemUnmap",
	"cuMemcpy",
	"cuMemcpy2D",
	"cuMemcpy2DAsync",
	"cuMemcpy2DUnaligned",
	"cuMemcpy3D",
	"cuMemcpy3DAsync",
	"cuMemcpy3DPeer",
	"cuMemcpyDtoD",
	"cuMemcpyDtoDAsync",
	"cuMemcpyDtoH",
	"cuMemcpyDtoHAsync",
	"cuMemcpyHtoD",
	"cuMemcpyHtoDAsync",
	"cuMemsetD16",
	"cuMemsetD2D16",
	"cuMemsetD2D32",
	"cuMemsetD2D8",
	"cuMemsetD32",
	"cuMemsetD8",
	"cuModuleGetLoadingMode",
	"cuPointerGetAttribute",
	"cuPointerGetAttributes",
	"cuPointerSetAttribute",
	"cuProfilerStart",
	"cuProfilerStop",
	"cuStreamCreate",
	"cuStreamCreateWithPriority",
	"cuThreadExchangeStreamCaptureMode",
	"cuUserObjectCreate",
};

enum class Past { NEVER, OTHER_KIND, DESTROYED, CONTEXT_DESTROYED, DEVICE_RESET };
constexpr Past kPasts[] = {Past::NEVER, Past::OTHER_KIND, Past::DESTROYED, Past::CONTEXT_DESTROYED,
			   Past::DEVICE_RESET};

const char *name(Past past)
{
	switch (past) {
	case Past::NEVER:
		return "never was";
	case Past::OTHER_KIND:
		return "is of another kind";
	case Past::DESTROYED:
		return "was destroyed";
	case Past::CONTEXT_DESTROYED:
		return "is of a destroyed context";
	case Past::DEVICE_RESET:
		return "is of a device that was reset";
	}
	return "";
}

bool of_context(char kind)
{
	return kind == 's' || kind == 'e' || kind == 'c';
}

/* What the interface says of such a handle, see ADR 0032. Calls on graphs say INVALID_VALUE of an event
 * that is none. */
CUresult documented(const std::string &symbol, char kind, Past past)
{
	const bool gone = past == Past::CONTEXT_DESTROYED || past == Past::DEVICE_RESET;
	const bool on_graph = symbol.rfind("cuGraph", 0) == 0;

	switch (kind) {
	case 's':
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	case 'e':
		if (gone)
			return CUDA_ERROR_CONTEXT_IS_DESTROYED;
		return on_graph ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	case 'c':
		return past == Past::NEVER || past == Past::OTHER_KIND
			       ? CUDA_ERROR_INVALID_CONTEXT
			       : CUDA_ERROR_CONTEXT_IS_DESTROYED;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

/* Objects of each kind. */
using Set = std::map<char, uintptr_t>;

template <class T> uintptr_t number(T handle)
{
	return reinterpret_cast<uintptr_t>(handle);
}

template <class T> T handle(uintptr_t number)
{
	return reinterpret_cast<T>(number);
}

/* Of the current context. */
Set make_set()
{
	CUcontext context = nullptr;
	CUstream stream = nullptr;
	CUevent event = nullptr;
	CUgraph graph = nullptr;
	CUgraph inner = nullptr;
	CUgraphNode host = nullptr;
	CUgraphNode record = nullptr;
	CUgraphNode wait = nullptr;
	CUgraphNode child = nullptr;
	CUgraphExec exec = nullptr;
	CUuserObject object = nullptr;
	CUDA_HOST_NODE_PARAMS params = {};

	params.fn = [](void *) {};
	EXPECT_OK(cuCtxGetCurrent(&context));
	EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	EXPECT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuGraphCreate(&inner, 0));
	EXPECT_OK(cuGraphCreate(&graph, 0));
	EXPECT_OK(cuGraphAddHostNode(&host, graph, nullptr, 0, &params));
	EXPECT_OK(cuGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
	EXPECT_OK(cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
	EXPECT_OK(cuGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
	EXPECT_OK(cuGraphDestroy(inner));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuUserObjectCreate(
		&object, nullptr, [](void *) {}, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	return {{'c', number(context)}, {'s', number(stream)}, {'e', number(event)},
		{'g', number(graph)},	{'n', number(host)},   {'r', number(record)},
		{'w', number(wait)},	{'k', number(child)},  {'x', number(exec)},
		{'u', number(object)}};
}

/* Whether they are live or not. */
void destroy_set(const Set &set)
{
	(void)cuGraphExecDestroy(handle<CUgraphExec>(set.at('x')));
	(void)cuGraphDestroy(handle<CUgraph>(set.at('g')));
	(void)cuUserObjectRelease(handle<CUuserObject>(set.at('u')), 1);
	(void)cuEventDestroy(handle<CUevent>(set.at('e')));
	(void)cuStreamDestroy(handle<CUstream>(set.at('s')));
}

/* A current context with one set of live objects, and stale ones beside it. */
class Handles {
public:
	Handles()
	{
		CUcontext primary = nullptr;
		CUcontext gone = nullptr;

		EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
		EXPECT_OK(cuCtxSetCurrent(primary));
		reset_ = make_set();
		EXPECT_OK(cuDevicePrimaryCtxReset(0));
		EXPECT_OK(cuDevicePrimaryCtxRelease(0));
		context_ = std::make_unique<Context>();
		EXPECT_OK(cuCtxCreate(&gone, nullptr, 0, 0));
		destroyed_ = make_set();
		const Set without = make_set();
		destroy_set(without);
		former_ = without;
		EXPECT_OK(cuCtxDestroy(gone));
		EXPECT_OK(cuCtxSetCurrent(*context_));
		live_ = make_set();
		memory_ = std::make_unique<Words>(64);
		pinned_ = std::make_unique<PinnedWords>(64);
	}
	~Handles()
	{
		for (const Set &set : {live_, destroyed_, reset_})
			destroy_set(set);
		memory_.reset();
		pinned_.reset();
		context_.reset();
		/* The primary context, which was reset, is current again. */
		EXPECT_OK(cuCtxSetCurrent(nullptr));
	}
	Handles(const Handles &) = delete;
	Handles &operator=(const Handles &) = delete;

	/* Of a kind that has such a past; 0 for none. */
	uintptr_t stale(char kind, Past past) const
	{
		switch (past) {
		case Past::NEVER:
			return 0x1234560;
		case Past::OTHER_KIND:
			return live_.at(kind == 'e' ? 's' : 'e');
		case Past::DESTROYED:
			return former_.at(kind);
		case Past::CONTEXT_DESTROYED:
			return of_context(kind) ? destroyed_.at(kind) : 0;
		case Past::DEVICE_RESET:
			return of_context(kind) ? reset_.at(kind) : 0;
		}
		return 0;
	}

	/* Calls with good arguments but for one. */
	CUresult call(void *function, const std::string &parameters, size_t at, uintptr_t bad)
	{
		using Call = CUresult (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
					  uintptr_t, uintptr_t, uintptr_t);
		uintptr_t a[8] = {};

		memset(told_, 0, sizeof(told_));
		for (size_t i = 0; i < parameters.size(); ++i)
			a[i] = i == at ? bad : good(parameters[i], i);
		return reinterpret_cast<Call>(function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6],
							a[7]);
	}

private:
	static void nothing(void *) {}

	uintptr_t good(char kind, size_t place)
	{
		switch (kind) {
		case 'o':
			return number(told_[place]);
		case 'd':
			return *memory_;
		case 'h':
			return number(pinned_->data());
		case 'f':
			return number(&nothing);
		case '0':
			return 0;
		case '1':
			return 1;
		default:
			return live_.at(kind);
		}
	}

	std::unique_ptr<Context> context_;
	std::unique_ptr<Words> memory_;
	std::unique_ptr<PinnedWords> pinned_;
	Set live_;
	Set former_;	/* destroyed one by one */
	Set destroyed_; /* with their context */
	Set reset_;
	alignas(64) char told_[8][1024];
};

/* The exported functions that take handles into account: those that are refused ignore their arguments. */
std::vector<std::string> exports()
{
	std::vector<std::string> names;
	std::ifstream file(UNPU_CUDA_EXPORTS);
	const std::vector<RefusedFunction> refused = refused_functions();

	for (std::string line; std::getline(file, line);) {
		const auto is_it = [&](const RefusedFunction &one) { return one.symbol == line; };

		if (!line.empty() && line[0] != '#' &&
		    std::none_of(refused.begin(), refused.end(), is_it))
			names.push_back(line);
	}
	return names;
}

/* The row of a symbol, of all its versions, or nullptr. */
const std::string *find_call(const std::string &symbol)
{
	static const std::regex per_thread("_pt[sd][zs]$");
	static const std::regex version("_v[0-9]+$");
	const std::string name = std::regex_replace(symbol, per_thread, "");
	const std::string base = std::regex_replace(name, version, "");
	static const std::string none;

	if (kCalls.count(name))
		return &kCalls.at(name);
	if (kWithoutHandle.count(name))
		return &none;
	if (kCalls.count(base))
		return &kCalls.at(base);
	return kWithoutHandle.count(base) ? &none : nullptr;
}

bool destroys(const std::string &symbol)
{
	return symbol.find("Destroy") != std::string::npos;
}

void try_all(Handles &handles, const std::string &symbol, const std::string &parameters)
{
	void *function = dlsym(RTLD_DEFAULT, symbol.c_str());

	ASSERT_NE(function, nullptr) << symbol;
	for (size_t at = 0; at < parameters.size(); ++at) {
		const char kind = parameters[at];

		if (!strchr("csegnrwkxu", kind))
			continue;
		for (const Past past : kPasts) {
			const uintptr_t bad = handles.stale(kind, past);

			if (bad == 0)
				continue;
			EXPECT_EQ(handles.call(function, parameters, at, bad),
				  documented(symbol, kind, past))
				<< symbol << ": argument " << at << " " << name(past);
		}
	}
}

class StaleHandles : public DriverTest {};

} // namespace

TEST_F(StaleHandles, TheTableHasEachExportedFunction)
{
	const std::vector<std::string> names = exports();

	EXPECT_GT(names.size(), 200u);
	for (const std::string &symbol : names)
		EXPECT_NE(find_call(symbol), nullptr) << symbol;
}

TEST_F(StaleHandles, EachCallAnswersItsCode)
{
	Handles handles;

	for (const std::string &symbol : exports()) {
		const std::string *parameters = find_call(symbol);

		if (parameters && !parameters->empty() && !destroys(symbol))
			try_all(handles, symbol, *parameters);
	}
}

TEST_F(StaleHandles, EachDestroyAnswersItsCode)
{
	for (const std::string &symbol : exports()) {
		const std::string *parameters = find_call(symbol);

		if (parameters && !parameters->empty() && destroys(symbol)) {
			Handles handles;

			try_all(handles, symbol, *parameters);
		}
	}
}
