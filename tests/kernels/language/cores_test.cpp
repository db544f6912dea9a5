// SPDX-License-Identifier: MIT
/*
 * DOC: Waits between blocks, printing, tiling data, and scalar functions.
 */
#include "ub.h"

#include <cassert> /* behind the header of the language, on purpose */

using namespace AscendC;
using namespace kernel_test;

TEST(KernelSync, SyncAllOrdersBlocks)
{
	for (int soft = 0; soft < 2; soft++) {
		BlockHost host(3);
		int32_t *values = host.zeros<int32_t>(8);
		int32_t *sums = host.zeros<int32_t>(8);
		int32_t *memory = host.zeros<int32_t>(64);

		ASSERT_TRUE(host.run(8, [&] {
			TPipe pipe;
			TBuf<> buffer;
			GlobalTensor<int32_t> in, out, workspace;

			pipe.InitBuffer(buffer, 256);
			in.SetGlobalBuffer(values);
			out.SetGlobalBuffer(sums);
			workspace.SetGlobalBuffer(memory);
			in.SetValue(uint64_t(GetBlockIdx()), int32_t(GetBlockIdx() + 1));
			if (soft)
				SyncAll(workspace, buffer.Get<int32_t>());
			else
				SyncAll();
			int32_t sum = 0;

			for (int i = 0; i < 8; i++)
				sum += in.GetValue(uint64_t(i));
			out.SetValue(uint64_t(GetBlockIdx()), sum);
		})) << host.failure().sentence;
		for (int i = 0; i < 8; i++)
			EXPECT_EQ(sums[i], 36);
	}
}

TEST(KernelSync, IBSetAndIBWaitMakeAChain)
{
	BlockHost host(3);
	int32_t *order = host.zeros<int32_t>(5);

	ASSERT_TRUE(host.run(4, [&] {
		GlobalTensor<int32_t> gm;
		LocalTensor<int32_t> ub;
		const int32_t me = int32_t(GetBlockIdx());

		if (me != 3)
			IBWait(gm, ub, me + 1, 0);
		order[1 + order[0]++] = me;
		if (me != 0)
			IBSet(gm, ub, me, 0);
	})) << host.failure().sentence;
	EXPECT_EQ(order[1], 3);
	EXPECT_EQ(order[4], 0);
}

TEST(KernelSync, CrossCoreFlagsJoinCubeAndVector)
{
	BlockHost host(3);
	int32_t *words = host.zeros<int32_t>(8);

	host.type = KERNEL_TYPE_MIX_AIC_1_2;
	ASSERT_TRUE(host.run(2, [&] {
		if ASCEND_IS_AIC {
			words[GetBlockIdx()] = 5;
			CrossCoreSetFlag<2, PIPE_FIX>(3);
			wait_flag_dev(4);
			words[4 + GetBlockIdx()] = words[2] + words[3];
		}
		if ASCEND_IS_AIV {
			CrossCoreWaitFlag(3);
			if (GetSubBlockIdx() == 0)
				words[2 + GetBlockIdx() / 2] = words[GetBlockIdx() / 2] * 2;
			ffts_cross_core_sync(PIPE_MTE3, 1 | 2 << 4 | 4 << 8); /* mode 2, flag 4 */
		}
		CrossCoreSetFlag<0, PIPE_S>(5);
		CrossCoreWaitFlag(5);
	})) << host.failure().sentence;
	EXPECT_EQ(words[2], 10);
	EXPECT_EQ(words[3], 10);
}

/* CrossCoreSetFlag keeps the flags from 11 on for the language; the chip has 16, and kernels take them by hand. */
TEST(KernelSync, FlagsByHandAreAllOfTheChip)
{
	BlockHost host(3);
	int32_t *words = host.zeros<int32_t>(2);

	host.type = KERNEL_TYPE_MIX_AIC_1_2;
	ASSERT_TRUE(host.run(1, [&] {
		if ASCEND_IS_AIC {
			words[0] = 5;
			ffts_cross_core_sync(PIPE_FIX, 1 | 2 << 4 | 15 << 8);
			wait_flag_dev(11);
		}
		if ASCEND_IS_AIV {
			wait_flag_dev(15);
			if (GetSubBlockIdx() == 0)
				words[1] = words[0] * 2;
			ffts_cross_core_sync(PIPE_MTE3, 1 | 2 << 4 | 11 << 8);
		}
	})) << host.failure().sentence;
	EXPECT_EQ(words[1], 10);
	EXPECT_FALSE(host.run(1, [] { wait_flag_dev(16); }));
	EXPECT_EQ(host.failure().sentence,
		  "wait_flag_dev: the identifier is 16; kernels have 0 to 15");
	EXPECT_FALSE(host.run(1, [] { CrossCoreSetFlag<0, PIPE_S>(11); }));
	EXPECT_EQ(host.failure().sentence,
		  "CrossCoreSetFlag: the identifier is 11; kernels have 0 to 10");
}

TEST(KernelSync, APollingBlockLetsOthersRun)
{
	BlockHost host(3);
	int32_t *flag = host.zeros<int32_t>(16);

	ASSERT_TRUE(host.run(2, [&] {
		GlobalTensor<int32_t> tensor;

		tensor.SetGlobalBuffer(flag);
		if (GetBlockIdx() == 0) {
			while (tensor.GetValue(0) == 0)
				DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
							 DcciDst::CACHELINE_OUT>(tensor);
			tensor.SetValue(1, 1);
			return;
		}
		tensor.SetValue(0, 1);
		dcci(flag, SINGLE_CACHE_LINE);
		while (tensor.GetValue(1) == 0)
			;
		DataSyncBarrier<MemDsbT::ALL>();
	})) << host.failure().sentence;
}

TEST(KernelSync, ABarrierThatSomeSkipIsADeadlock)
{
	BlockHost host;

	EXPECT_FALSE(host.run(2, [] {
		if (GetBlockIdx() == 0)
			SyncAll();
	}));
	EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_DEADLOCK));
}

TEST(KernelPrint, FormatsNumbersOfTheDevice)
{
	BlockHost host;

	ASSERT_TRUE(host.run(2, [] {
		AscendC::printf("block %d: %f %s\n", int(GetBlockIdx()), half(1.5f), "text");
		PRINTF("%u %x\n", 7u, 255);
	}));
	EXPECT_EQ(host.output(), "block 0: 1.500000 text\n7 ff\nblock 1: 1.500000 text\n7 ff\n");
}

/* In a file with kernels, printf() of the host is a template of the language if the file uses namespace AscendC. */
TEST(KernelPrint, HostCodePrintsToTheProgramsOutput)
{
	const unpu_kernel_services *const kept = unpu::lang::services;

	unpu::lang::services = nullptr;
	testing::internal::CaptureStdout();
	AscendC::printf("%d of %s\n", 3, "host");
	unpu::lang::services = kept;
	EXPECT_EQ(testing::internal::GetCapturedStdout(), "3 of host\n");
}

TEST(KernelPrint, DumpTensor)
{
	BlockHost host;

	ASSERT_TRUE(host.run(1, [] {
		Ub ub;
		auto tensor = ub.put<half>({half(1), half(2), half(3)});

		DumpTensor(tensor, 5, 3);
	}));
	EXPECT_EQ(host.output(), "DumpTensor: desc=5, addr=0, data_type=float16, position=UB, "
				 "dump_size=3\n[1.000000, 2.000000, 3.000000]\n");
}

TEST(KernelPrint, AssertionsEndTheKernel)
{
	BlockHost host;
	int line = 0;

	EXPECT_FALSE(host.run(1, [&] {
		ASSERT(GetBlockNum() == 1 && "one block");
		line = __LINE__ + 1;
		ascendc_assert(GetBlockNum() == 2, "there is %d", 1);
	}));
	EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_ASSERT));
	EXPECT_EQ(host.failure().line, uint32_t(line));
	EXPECT_NE(host.output().find("Assertion `GetBlockNum() == 2' failed. there is 1"),
		  std::string::npos);
	EXPECT_FALSE(host.run(1, [&] {
		assert(GetBlockNum() == 1);
		line = __LINE__ + 1;
		assert((std::is_same<int, long>::value || GetBlockNum() == 3));
	}));
	EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_ASSERT));
	EXPECT_EQ(host.failure().line, uint32_t(line));
	EXPECT_FALSE(host.run(1, [] { Trap(); }));
	EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_TRAP));
}

struct TestTiling {
	uint32_t length;
	float scale;
};

namespace operator_kernel {
REGISTER_TILING_DEFAULT(TestTiling);

static void read_tiling(GM_ADDR tiling, float *out)
{
	GET_TILING_DATA(data, tiling);
	GET_TILING_DATA_WITH_STRUCT(TestTiling, other, tiling);
	GET_TILING_DATA_MEMBER(TestTiling, length, length, tiling);
	if (TILING_KEY_IS(7))
		*out = data.scale * float(other.length) + float(length);
}
} // namespace operator_kernel

TEST(KernelTiling, MacrosReadStructs)
{
	BlockHost host;
	TestTiling *tiling = host.make<TestTiling>({{10, 0.5f}});
	float out = 0;

	host.tiling_key = 7;
	ASSERT_TRUE(host.run(
		1, [&] { operator_kernel::read_tiling(reinterpret_cast<GM_ADDR>(tiling), &out); }));
	EXPECT_EQ(out, 15.0f);
}

TEST(KernelTiling, Workspaces)
{
	BlockHost host;

	host.workspace = 4096;
	ASSERT_TRUE(host.run(1, [] {
		EXPECT_EQ(reinterpret_cast<uint64_t>(GetSysWorkSpacePtr()), 4096u);
		SetSysWorkspace(reinterpret_cast<GM_ADDR>(8192));
		EXPECT_EQ(reinterpret_cast<uint64_t>(GetSysWorkSpacePtr()), 8192u);
		EXPECT_EQ(reinterpret_cast<uint64_t>(
				  GetUserWorkspace(reinterpret_cast<GM_ADDR>(4096))),
			  4096u + (16u << 20));
		/* What a kernel gets with HAVE_WORKSPACE is the user's part. */
		EXPECT_EQ(reinterpret_cast<uint64_t>(
				  GetUserWorkspace(reinterpret_cast<GM_ADDR>(8192 + (16 << 20)))),
			  8192u + (16u << 20));
	}));
}

TEST(KernelScalarUnit, BitsAndCasts)
{
	EXPECT_EQ(ScalarGetSFFValue<1>(8), 3);
	EXPECT_EQ(ScalarGetSFFValue<0>(7), 3);
	EXPECT_EQ(ScalarGetSFFValue<1>(0), -1);
	EXPECT_EQ(ScalarCountLeadingZero(1), 63);
	EXPECT_EQ(ScalarGetCountOfValue<1>(255), 8);
	EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(1.25f)), 2);
	EXPECT_EQ(float(ScalarCast<float, half, RoundMode::CAST_FLOOR>(-1.0f - 0x1p-12f)),
		  -1.0f - 0x1p-10f);
}

TEST(KernelCopy, FillsOfGlobalMemoryAndIntrinsics)
{
	BlockHost host;
	float *out = host.zeros<float>(64);

	ASSERT_TRUE(host.run(1, [&] {
		Ub ub;
		GlobalTensor<float> tensor;
		auto local = ub.make<float>(64);

		tensor.SetGlobalBuffer(out);
		InitOutput<float>(tensor, 64, 3.0f);
		copy_gm_to_ubuf((__ubuf__ void *)local.GetPhyAddr(), out, 0, 1, 8, 0, 0);
		pipe_barrier(PIPE_ALL);
		set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
		wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
		Muls(local, local, 2.0f, 64);
		copy_ubuf_to_gm(out, (__ubuf__ void *)local.GetPhyAddr(), 0, 1, 1, 0, 0);
	})) << host.failure().sentence;
	EXPECT_EQ(out[7], 6.0f);
	EXPECT_EQ(out[8], 3.0f);
}

TEST(KernelCopy, RowsBecomeBlocksOfColumns)
{
	BlockHost host;
	half *in = host.make(random_values<half>(4 * 24));

	ASSERT_TRUE(host.run(1, [&] {
		GlobalTensor<half> from;
		LocalTensor<half> to(TPosition::A1, 0, 16 * 32);

		from.SetGlobalBuffer(in);
		DataCopy(to, from, Nd2NzParams(1, 4, 20, 0, 24, 16, 1, 0));
		EXPECT_EQ(float(to.GetValue(0)), float(in[0]));
		EXPECT_EQ(float(to.GetValue(16 + 3)), float(in[24 + 3]));
		EXPECT_EQ(float(to.GetValue(16 * 16 + 2)), float(in[18]));
		EXPECT_EQ(float(to.GetValue(16 * 16 + 5)), 0.0f);
	})) << host.failure().sentence;
}
