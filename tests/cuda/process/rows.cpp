// SPDX-License-Identifier: MIT
/*
 * DOC: fills of rows, copies between contexts, and the division of a cache
 */
#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class Rows : public ContextTest {};

using Values = std::vector<uint32_t>;

} // namespace

TEST_F(Rows, FillsOfEachWidth)
{
	const Words words(8, 0);

	EXPECT_OK(cuMemsetD2D32(words, 16, 0x01020304, 2, 2));
	EXPECT_EQ(words.load(),
		  (Values{0x01020304, 0x01020304, 0, 0, 0x01020304, 0x01020304, 0, 0}));
	EXPECT_OK(cuMemsetD2D16(words, 16, 0x0506, 2, 2));
	EXPECT_EQ(words.load()[4], 0x05060506u);
	EXPECT_OK(cuMemsetD2D8(words, 1, 7, 1, 32));
	EXPECT_EQ(words.load(), Values(8, 0x07070707));
	EXPECT_OK(cuMemsetD2D8(words, 0, 8, 0, 5));
	EXPECT_EQ(words.load(), Values(8, 0x07070707));
}

TEST_F(Rows, FillsInAStream)
{
	const Stream stream;
	const Words words(8, 0);

	EXPECT_OK(cuMemsetD2D8Async(words, 16, 1, 4, 2, stream));
	EXPECT_OK(cuMemsetD2D16Async(words + 4, 16, 0x0202, 2, 2, stream));
	EXPECT_OK(cuMemsetD2D32Async(words + 8, 16, 3, 2, 2, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(),
		  (Values{0x01010101, 0x02020202, 3, 3, 0x01010101, 0x02020202, 3, 3}));
}

TEST_F(Rows, WrongFills)
{
	const Words words(8, 9);

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(words, 4, 0, 2, 2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(words + 2, 16, 0, 1, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(words, size_t{1} << 62, 0, 1, 8));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(words, 16, 0, 16, size_t{1} << 40));
	EXPECT_EQ(words.load(), Values(8, 9));
}

TEST_F(Rows, ACapturedFillIsOneNode)
{
	const Stream stream;
	const Words words(8, 0);
	CUgraph made = nullptr;
	Capturing capture(stream);

	EXPECT_OK(cuMemsetD2D32Async(words, 16, 3, 1, 2, stream));
	EXPECT_OK(capture.end(&made));
	const Graph graph(made);
	ASSERT_EQ(graph.size(), 1u);
	EXPECT_EQ(type_of(graph.nodes()[0]), CU_GRAPH_NODE_TYPE_MEMSET);
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), (Values{3, 0, 0, 0, 3, 0, 0, 0}));
}

TEST_F(Rows, CopiesBetweenContexts)
{
	const Stream stream;
	const Words from(8, 4);
	const Words to(8, 0);
	CUDA_MEMCPY3D_PEER copy = {};
	CUDA_MEMCPY2D flat = {};

	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = from;
	copy.dstDevice = to;
	copy.srcContext = copy.dstContext = context_;
	copy.srcPitch = copy.dstPitch = 16;
	copy.WidthInBytes = 4;
	copy.Height = 2;
	copy.Depth = 1;
	EXPECT_OK(cuMemcpy3DPeer(&copy));
	EXPECT_OK(cuStreamSynchronize(CU_STREAM_LEGACY));
	EXPECT_EQ(to.load(), (Values{4, 0, 0, 0, 4, 0, 0, 0}));
	copy.dstXInBytes = 4;
	EXPECT_OK(cuMemcpy3DPeerAsync(&copy, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(to.load(), (Values{4, 4, 0, 0, 4, 4, 0, 0}));
	copy.srcContext = garbage<CUcontext>();
	EXPECT_NE(cuMemcpy3DPeer(&copy), CUDA_SUCCESS);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DPeer(nullptr));
	flat.srcMemoryType = flat.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	flat.srcDevice = from;
	flat.dstDevice = to;
	flat.WidthInBytes = 32;
	flat.Height = 1;
	EXPECT_OK(cuMemcpy2DUnaligned(&flat));
	EXPECT_OK(cuStreamSynchronize(CU_STREAM_LEGACY));
	EXPECT_EQ(to.load(), Values(8, 4));
}

TEST_F(Rows, NoCacheToDivide)
{
	CUfunc_cache config = CU_FUNC_CACHE_PREFER_L1;

	EXPECT_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
	EXPECT_OK(cuCtxGetCacheConfig(&config));
	EXPECT_EQ(config, CU_FUNC_CACHE_PREFER_NONE);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuCtxGetCacheConfig(nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuCtxSetCacheConfig(static_cast<CUfunc_cache>(9)));
}
