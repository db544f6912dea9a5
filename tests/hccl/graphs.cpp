// SPDX-License-Identifier: MIT
/*
 * DOC: tests of graphs that outlive their communicator, and the reverse
 *
 * A launch that can't be right any more ends with a code and a sentence; nothing waits for the time limit.
 */
#include "ranks.h"

#include <array>
#include <chrono>
#include <cstdlib>

namespace hccl_test {

namespace {

constexpr uint32_t RANKS = 2;
constexpr size_t COUNT = 1000;
constexpr int TASK_ABORT = 107035;
constexpr int WAIT_TIMEOUT = 107020;
/* Half of what a destroy may wait, and far below the time limit. */
constexpr std::chrono::seconds SOON(5);

class Graphs : public testing::Test {
protected:
	static void SetUpTestSuite() { ASSERT_EQ(aclInit(nullptr), 0); }
	static void TearDownTestSuite() { ASSERT_EQ(aclFinalize(), 0); }

	void SetUp() override
	{
		int32_t devices[] = {0, 1};
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			ASSERT_EQ(aclrtCreateStream(&streams[rank]), 0);
			ASSERT_EQ(aclrtMalloc(&memory[rank], COUNT * 4, ACL_MEM_MALLOC_HUGE_FIRST),
				  0);
			ASSERT_EQ(aclrtMemset(memory[rank], COUNT * 4, 0, COUNT * 4), 0);
		}
		ASSERT_EQ(setenv("HCCL_EXEC_TIMEOUT", limit_s, 1), 0);
		ASSERT_EQ(HcclCommInitAll(RANKS, devices, comms.data()), HCCL_SUCCESS);
		for (uint32_t rank = 0; rank < RANKS; rank++)
			capture(rank);
	}

	void TearDown() override
	{
		unsetenv("HCCL_EXEC_TIMEOUT");
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			if (graphs[rank]) {
				EXPECT_EQ(aclmdlRIDestroy(graphs[rank]), 0) << take_message();
			}
			destroy(rank);
			EXPECT_EQ(aclrtFree(memory[rank]), 0);
			EXPECT_EQ(aclrtDestroyStream(streams[rank]), 0);
		}
		for (uint32_t rank = 0; rank < RANKS; rank++)
			(void)aclrtResetDeviceForce(static_cast<int32_t>(rank));
		EXPECT_LT(std::chrono::steady_clock::now() - began, 4 * SOON);
	}

	static void select(uint32_t rank)
	{
		ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
	}

	HcclResult call(uint32_t rank)
	{
		select(rank);
		return HcclAllReduce(memory[rank], memory[rank], COUNT, HCCL_DATA_TYPE_FP32,
				     HCCL_REDUCE_SUM, comms[rank], streams[rank]);
	}

	void capture(uint32_t rank)
	{
		select(rank);
		ASSERT_EQ(aclmdlRICaptureBegin(streams[rank], ACL_MODEL_RI_CAPTURE_MODE_RELAXED),
			  0);
		ASSERT_EQ(call(rank), HCCL_SUCCESS) << take_message();
		ASSERT_EQ(aclmdlRICaptureEnd(streams[rank], &graphs[rank]), 0) << take_message();
	}

	void launch(uint32_t rank)
	{
		select(rank);
		EXPECT_EQ(aclmdlRIExecuteAsync(graphs[rank], streams[rank]), 0) << take_message();
	}

	int synchronise(uint32_t rank)
	{
		select(rank);
		return aclrtSynchronizeStream(streams[rank]);
	}

	/* The launch has failed because of the communicator, and the stream goes on afterwards. */
	void expect_failed(uint32_t rank, int other_code = TASK_ABORT)
	{
		const int code = synchronise(rank);
		EXPECT_TRUE(code == TASK_ABORT || code == other_code) << code;
		const std::string text = take_message();
		EXPECT_NE(text.find("HcclAllReduce"), text.npos) << text;
		EXPECT_EQ(aclrtMemsetAsync(memory[rank], COUNT * 4, 0, COUNT * 4, streams[rank]),
			  0);
		EXPECT_EQ(synchronise(rank), 0) << take_message();
	}

	void destroy(uint32_t rank)
	{
		select(rank);
		if (comms[rank]) {
			EXPECT_EQ(HcclCommDestroy(comms[rank]), HCCL_SUCCESS) << take_message();
		}
		comms[rank] = nullptr;
	}

	/* A rank has failed because rank 0 has left, and says so. */
	void expect_left(uint32_t rank)
	{
		EXPECT_EQ(synchronise(rank), TASK_ABORT);
		const std::string text = take_message();
		EXPECT_NE(text.find("rank 0 destroyed the communicator"), text.npos) << text;
	}

	const char *limit_s = "1"; /* for other ranks */
	const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
	std::array<HcclComm, RANKS> comms{};
	std::array<aclrtStream, RANKS> streams{};
	std::array<void *, RANKS> memory{};
	std::array<aclmdlRI, RANKS> graphs{};
};

/* class LongGraphs - those whose time limit comes too late. */
class LongGraphs : public Graphs {
protected:
	LongGraphs() { limit_s = "600"; }
};

} // namespace

TEST_F(LongGraphs, LaunchThatWaitsForARankThatLeavesEndsSoon)
{
	launch(1);
	destroy(0);
	expect_left(1);
}

TEST_F(LongGraphs, LaunchAfterARankHasLeftEndsSoon)
{
	destroy(0);
	launch(1);
	expect_left(1);
}

/* What the rank that leaves has run is right on the others, and what it has not run fails. */
TEST_F(LongGraphs, LaunchesBeforeARankLeavesAreRight)
{
	constexpr int LAUNCHES = 3;
	for (int i = 0; i < LAUNCHES; i++) {
		for (uint32_t rank = 0; rank < RANKS; rank++)
			launch(rank);
	}
	EXPECT_EQ(synchronise(0), 0) << take_message();
	destroy(0);
	EXPECT_EQ(synchronise(1), 0) << take_message();
	/* For twice as long as the communicator needs to notice. */
	const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
	HcclResult error = HCCL_SUCCESS;
	while (error == HCCL_SUCCESS && std::chrono::steady_clock::now() < end)
		EXPECT_EQ(HcclGetCommAsyncError(comms[1], &error), HCCL_SUCCESS);
	EXPECT_EQ(error, HCCL_SUCCESS);
	launch(1);
	expect_left(1);
}

TEST_F(Graphs, LaunchAfterTheDestroyFails)
{
	for (const bool is_destroyed : {false, true}) {
		for (uint32_t rank = 0; rank < RANKS; rank++)
			launch(rank);
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			if (is_destroyed)
				expect_failed(rank);
			else
				EXPECT_EQ(synchronise(rank), 0) << take_message();
			if (!is_destroyed)
				continue;
			/* Also a second time. */
			launch(rank);
			expect_failed(rank);
		}
		for (uint32_t rank = 0; rank < RANKS; rank++)
			destroy(rank);
	}
}

/* Its signals to that rank fail at once, and its wait ends at the time limit. */
TEST_F(Graphs, LaunchAfterAnotherRankIsDestroyedFails)
{
	destroy(0);
	launch(1);
	expect_failed(1);
	launch(0);
	expect_failed(0);
}

TEST_F(Graphs, DestroyEndsALaunchThatWaits)
{
	launch(1);
	destroy(1);
	expect_failed(1, WAIT_TIMEOUT);
	launch(0);
	expect_failed(0);
}

/* Not even the time limit of a launch makes a communicator one that can't be destroyed. */
TEST_F(Graphs, DestroyAfterALaunchHasTimedOut)
{
	launch(1);
	expect_failed(1, WAIT_TIMEOUT);
	destroy(1);
}

/* It has signalled before the rank has left, or after. */
TEST_F(Graphs, LaunchThatAnotherRankLeavesFails)
{
	launch(1);
	destroy(0);
	expect_failed(1, WAIT_TIMEOUT);
}

TEST_F(Graphs, GraphsMayGoBeforeTheirCommunicator)
{
	for (uint32_t rank = 0; rank < RANKS; rank++)
		launch(rank);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		EXPECT_EQ(synchronise(rank), 0) << take_message();
		EXPECT_EQ(aclmdlRIDestroy(graphs[rank]), 0) << take_message();
		graphs[rank] = nullptr;
	}
	for (uint32_t rank = 0; rank < RANKS; rank++)
		EXPECT_EQ(call(rank), HCCL_SUCCESS) << take_message();
	for (uint32_t rank = 0; rank < RANKS; rank++)
		EXPECT_EQ(synchronise(rank), 0) << take_message();
}

} // namespace hccl_test
