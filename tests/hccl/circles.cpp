// SPDX-License-Identifier: MIT
/*
 * DOC: tests of what is said about ranks that wait for each other
 */
#include "ranks.h"

#include <thread>

namespace hccl_test {

constexpr HcclDataType F32 = HCCL_DATA_TYPE_FP32;

class Circles : public testing::Test {
protected:
	static void SetUpTestSuite() { ASSERT_EQ(aclInit(nullptr), 0); }
	static void TearDownTestSuite() { ASSERT_EQ(aclFinalize(), 0); }
	void SetUp() override { ASSERT_EQ(setenv("HCCL_EXEC_TIMEOUT", "3", 1), 0); }
	void TearDown() override { unsetenv("HCCL_EXEC_TIMEOUT"); }

	/* Waits without a limit for the stream of a rank. Return: what was written to stderr meanwhile. */
	static std::string wait(const Ranks &ranks, uint32_t rank, aclError &code)
	{
		ranks.select(rank);
		testing::internal::CaptureStderr();
		code = aclrtSynchronizeStream(ranks.stream(rank));
		return testing::internal::GetCapturedStderr();
	}
};

/* Rank 0 reduces on A and then on B, rank 1 on B and then on A. */
TEST_F(Circles, OfTwoCommunicatorsIsNamed)
{
	Ranks ranks(2);
	std::vector<int32_t> devices = {0, 1};
	HcclComm others[2];
	ASSERT_EQ(HcclCommInitAll(2, devices.data(), others), HCCL_SUCCESS) << take_message();
	std::vector<void *> buffers;
	for (uint32_t rank = 0; rank < 2; rank++)
		buffers.push_back(ranks.put(rank, Bytes(64)));
	ranks.each([&](uint32_t rank) {
		for (uint32_t turn = 0; turn < 2; turn++) {
			HcclComm comm = turn == rank ? ranks.comm(rank) : others[rank];
			EXPECT_EQ(turn == rank
					  ? HcclAllReduce(buffers[rank], buffers[rank], 8, F32,
							  HCCL_REDUCE_SUM, comm, ranks.stream(rank))
					  : HcclBroadcast(buffers[rank], 8, F32, 1, comm,
							  ranks.stream(rank)),
				  HCCL_SUCCESS)
				<< take_message();
		}
	});
	aclError code = 0;
	const std::string told = wait(ranks, 0, code);
	const std::string why = take_message();
	char names[2][COMM_NAME_MAX_LENGTH];
	ASSERT_EQ(HcclGetCommName(ranks.comm(0), names[0]), HCCL_SUCCESS);
	ASSERT_EQ(HcclGetCommName(others[0], names[1]), HCCL_SUCCESS);
	for (const char *word :
	     {"rank 0 (process ", "rank 1 (process ", "waits in HcclAllReduce(8 FP32, SUM), call 1",
	      "waits in HcclBroadcast(8 FP32, root 1), call 1", static_cast<const char *>(names[0]),
	      static_cast<const char *>(names[1]), "so they wait for each other and never end"})
		EXPECT_NE(told.find(word), told.npos) << word << " is not in: " << told;
	/* The first rank to give up makes room for the other one, which may end well. */
	if (code == ACL_ERROR_RT_TASK_TIMEOUT) {
		EXPECT_NE(why.find("wait for each other"), why.npos) << why;
	}
	ranks.select(1);
	const aclError other = aclrtSynchronizeStream(ranks.stream(1));
	EXPECT_TRUE(code == ACL_ERROR_RT_TASK_TIMEOUT || other == ACL_ERROR_RT_TASK_TIMEOUT)
		<< code << " and " << other;
	/* Both communicators fail by two calls that differ, unless they have. */
	(void)HcclBarrier(ranks.comm(1), ranks.stream(1));
	(void)HcclBarrier(others[1], ranks.stream(1));
	ranks.select(0);
	(void)HcclBroadcast(buffers[0], 1, F32, 0, ranks.comm(0), ranks.stream(0));
	(void)HcclBroadcast(buffers[0], 1, F32, 0, others[0], ranks.stream(0));
	take_message();
	for (uint32_t rank = 0; rank < 2; rank++) {
		ranks.select(rank);
		EXPECT_EQ(HcclCommDestroy(others[rank]), HCCL_SUCCESS) << take_message();
	}
}

/* Both send first, and a send does not end before its receive. */
TEST_F(Circles, OfSendsHeadToHeadIsNamed)
{
	Ranks ranks(2);
	std::vector<void *> buffers;
	for (uint32_t rank = 0; rank < 2; rank++)
		buffers.push_back(ranks.put(rank, Bytes(64)));
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclSend(buffers[rank], 8, F32, 1 - rank, ranks.comm(rank),
				   ranks.stream(rank)),
			  HCCL_SUCCESS);
		EXPECT_EQ(HcclRecv(buffers[rank], 8, F32, 1 - rank, ranks.comm(rank),
				   ranks.stream(rank)),
			  HCCL_SUCCESS);
	});
	aclError code = 0;
	const std::string told = wait(ranks, 1, code);
	EXPECT_NE(told.find("waits in HcclSend(8 FP32)"), told.npos) << told;
	EXPECT_NE(told.find("so they wait for each other"), told.npos) << told;
	take_message();
	/* The first send to reach its limit makes room for the receive behind it, so the other one may end well. */
	ranks.select(0);
	const aclError other = aclrtSynchronizeStream(ranks.stream(0));
	take_message();
	EXPECT_TRUE(code == ACL_ERROR_RT_TASK_TIMEOUT || other == ACL_ERROR_RT_TASK_TIMEOUT)
		<< code << " and " << other;
}

/* A rank has called, and its stream is at a task before that ends later. */
TEST_F(Circles, ALateStreamIsNone)
{
	Ranks ranks(2);
	std::vector<void *> buffers;
	for (uint32_t rank = 0; rank < 2; rank++)
		buffers.push_back(ranks.put(rank, Bytes(64)));
	void *word = ranks.put(1, Bytes(64));
	aclrtStream other;
	ranks.select(1);
	ASSERT_EQ(aclrtCreateStream(&other), 0);
	ASSERT_EQ(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, ranks.stream(1)), 0)
		<< take_message();
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclBroadcast(buffers[rank], 8, F32, 0, ranks.comm(rank),
					ranks.stream(rank)),
			  HCCL_SUCCESS);
	});
	std::thread opener([&] {
		EXPECT_EQ(aclrtSetDevice(1), 0);
		EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(ranks.stream(1), 1500),
			  ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
		EXPECT_EQ(aclrtValueWrite(word, 1, 0, other), 0) << take_message();
	});
	aclError code = 1;
	const std::string told = wait(ranks, 0, code);
	opener.join();
	EXPECT_EQ(code, 0) << take_message();
	EXPECT_EQ(told.find("wait for each other"), told.npos) << told;
	ranks.finish();
	ranks.select(1);
	EXPECT_EQ(aclrtDestroyStream(other), 0);
}

} // namespace hccl_test
