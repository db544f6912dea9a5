// SPDX-License-Identifier: MIT
/*
 * DOC: things of the program that graphs keep alive
 */
#include "graph/graphs.h"

#include <atomic>

using namespace cuda_test;

namespace {

class UserObjects : public ContextTest {};

} // namespace

TEST_F(UserObjects, GraphsKeepObjectsOfTheProgram)
{
	const Stream stream;
	std::atomic<int> gone{0};
	CUuserObject object = nullptr;
	CUgraphExec exec = nullptr;
	Graph graph;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&object, &gone, nullptr, 1,
							       CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	ASSERT_OK(cuUserObjectCreate(
		&object, &gone, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, 1,
		CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	EXPECT_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
	EXPECT_OK(cuUserObjectRetain(object, 1));
	EXPECT_OK(cuUserObjectRelease(object, 1));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphDestroy(graph.release()));
	EXPECT_EQ(gone.load(), 0);
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_EQ(gone.load(), 1);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuUserObjectRelease(object, 1));
}

/* The device has ended the launch that kept the object, and the next call to look finds that out. */
TEST_F(UserObjects, AnObjectGoesWhileAnotherGraphIsMade)
{
	const Stream stream;
	const Event done;
	std::atomic<int> gone{0};
	std::atomic<int> calls{0};
	CUuserObject object = nullptr;
	CUgraphExec exec = nullptr;
	const Graph next;
	Graph graph;
	Gate gate;

	ASSERT_OK(cuUserObjectCreate(
		&object, &gone, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, 1,
		CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	EXPECT_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphDestroy(graph.release()));
	gate.block(stream);
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuEventRecord(done, stream));
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_EQ(gone.load(), 0);
	gate.open();
	/* Unlike the wait for a stream, this one only waits. */
	EXPECT_OK(cuEventSynchronize(done));
	add_count(next, {}, calls);
	{
		const Exec loaded(next);

		EXPECT_OK(cuGraphLaunch(loaded, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
	}
	EXPECT_EQ(gone.load(), 1);
	EXPECT_EQ(calls.load(), 1);
}

/* They run inside of the call that drops the last reference, and may not call in turn. */
TEST_F(UserObjects, DestructorsOfObjectsMayNotCall)
{
	struct Told {
		CUresult codes[3] = {};
		int calls = 0;
	} told[4];
	const CUhostFn destructor = [](void *data) {
		auto &own = *static_cast<Told *>(data);
		CUcontext context = nullptr;
		CUdeviceptr memory = 0;

		own.codes[0] = cuCtxGetCurrent(&context);
		own.codes[1] = cuMemAlloc(&memory, 64);
		own.codes[2] = cuCtxSynchronize();
		own.calls++;
	};
	CUuserObject objects[4] = {};
	CUgraphExec exec = nullptr;
	Graph releases;
	Graph destroyed;
	Graph instantiated;

	for (int i = 0; i < 4; ++i)
		ASSERT_OK(cuUserObjectCreate(&objects[i], &told[i], destructor, 1,
					     CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	EXPECT_OK(cuUserObjectRelease(objects[0], 1));
	EXPECT_OK(cuGraphRetainUserObject(releases, objects[1], 1, CU_GRAPH_USER_OBJECT_MOVE));
	EXPECT_OK(cuGraphReleaseUserObject(releases, objects[1], 1));
	EXPECT_OK(cuGraphRetainUserObject(destroyed, objects[2], 1, CU_GRAPH_USER_OBJECT_MOVE));
	EXPECT_OK(cuGraphDestroy(destroyed.release()));
	EXPECT_OK(cuGraphRetainUserObject(instantiated, objects[3], 1, CU_GRAPH_USER_OBJECT_MOVE));
	EXPECT_OK(cuGraphInstantiate(&exec, instantiated, 0));
	EXPECT_OK(cuGraphDestroy(instantiated.release()));
	EXPECT_OK(cuGraphExecDestroy(exec));
	for (const Told &one : told) {
		EXPECT_EQ(one.calls, 1);
		for (const CUresult code : one.codes)
			EXPECT_CU(CUDA_ERROR_NOT_PERMITTED, code);
	}
	EXPECT_OK(cuCtxSynchronize());
}
