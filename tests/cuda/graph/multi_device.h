// SPDX-License-Identifier: MIT
/*
 * DOC: what tests of graphs with nodes of several devices share
 */
#ifndef UNPU_TESTS_CUDA_MULTI_DEVICE_H
#define UNPU_TESTS_CUDA_MULTI_DEVICE_H

#include "graph/graphs.h"

namespace cuda_test {

/* Two devices with a context, a stream and memory each. The first context is current. */
class Two {
public:
	Two() : first(0), here(), a(16), second(1), there(), b(16)
	{
		EXPECT_OK(cuCtxSetCurrent(first));
	}

	void use_first() const { EXPECT_OK(cuCtxSetCurrent(first)); }
	void use_second() const { EXPECT_OK(cuCtxSetCurrent(second)); }

	const Context first;
	const Stream here;
	const Words a;
	const Context second;
	const Stream there;
	const Words b;
};

/* An event of the context. */
inline Event event_of(CUcontext context)
{
	EXPECT_OK(cuCtxSetCurrent(context));
	return Event();
}

inline CUDA_MEMSET_NODE_PARAMS word(CUdeviceptr address, unsigned value)
{
	CUDA_MEMSET_NODE_PARAMS params = {};

	params.dst = address;
	params.value = value;
	params.elementSize = 4;
	params.width = params.height = 1;
	return params;
}

inline CUgraphNode add_fill(CUgraph graph, const std::vector<CUgraphNode> &after, CUcontext context,
			    CUdeviceptr address, unsigned value)
{
	const CUDA_MEMSET_NODE_PARAMS params = word(address, value);
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params, context));
	return node;
}

inline CUDA_MEMCPY3D word_copy(CUdeviceptr to, CUdeviceptr from)
{
	CUDA_MEMCPY3D params = {};

	params.dstMemoryType = params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	params.dstDevice = to;
	params.srcDevice = from;
	params.WidthInBytes = 4;
	params.Height = params.Depth = 1;
	return params;
}

inline CUgraphNode add_copy(CUgraph graph, const std::vector<CUgraphNode> &after, CUcontext context,
			    CUdeviceptr to, CUdeviceptr from)
{
	const CUDA_MEMCPY3D params = word_copy(to, from);
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemcpyNode(&node, graph, after.data(), after.size(), &params, context));
	return node;
}

inline CUgraphNode add_record(CUgraph graph, const std::vector<CUgraphNode> &after, CUevent event)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddEventRecordNode(&node, graph, after.data(), after.size(), event));
	return node;
}

inline CUgraphNode add_function(CUgraph graph, const std::vector<CUgraphNode> &after,
				CUhostFn function, void *data)
{
	const CUDA_HOST_NODE_PARAMS params = {function, data};
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
	return node;
}

inline CUgraphNode add_gate(CUgraph graph, const std::vector<CUgraphNode> &after, Gate &gate)
{
	return add_function(
		graph, after,
		[](void *opened) { static_cast<std::shared_future<void> *>(opened)->wait(); },
		gate.future());
}

/* A value goes from one device to the other and back, six times. Return: the first node. */
inline CUgraphNode add_ping_pong(CUgraph graph, const Two &two, unsigned value)
{
	const CUgraphNode first = add_fill(graph, {}, two.first, two.a, value);
	CUgraphNode last = first;

	for (CUdeviceptr at = 0; at < 24; at += 4) {
		last = add_copy(graph, {last}, two.second, two.b + at, two.a + at);
		last = add_copy(graph, {last}, two.first, two.a + at + 4, two.b + at);
	}
	return first;
}

inline void expect_ping_pong(const Two &two, unsigned value)
{
	const std::vector<uint32_t> a = two.a.load();
	const std::vector<uint32_t> b = two.b.load();

	for (size_t at = 0; at < 6; ++at) {
		EXPECT_EQ(a[at], value);
		EXPECT_EQ(b[at], value);
	}
	EXPECT_EQ(a[6], value);
}

} // namespace cuda_test

#endif
