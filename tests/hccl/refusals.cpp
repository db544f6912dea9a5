// SPDX-License-Identifier: MIT
/*
 * DOC: tests of what is refused, and of failures of a communicator
 */
#include "oracle.h"
#include "ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

namespace hccl_test {

class Refusals : public testing::Test {
protected:
	static void SetUpTestSuite() { ASSERT_EQ(aclInit(nullptr), 0); }
	static void TearDownTestSuite() { ASSERT_EQ(aclFinalize(), 0); }
};

constexpr HcclDataType F32 = HCCL_DATA_TYPE_FP32;

TEST_F(Refusals, MoreRanksThanThereMayBe)
{
	HcclRootInfo info;
	HcclComm comm = nullptr;
	std::vector<int32_t> devices(257);
	std::vector<HcclComm> comms(257);
	std::vector<uint32_t> members(257);
	ASSERT_EQ(aclrtSetDevice(0), 0);
	ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
	for (const uint32_t count : {0u, 257u, ~0u})
		EXPECT_TRUE(refused(HcclCommInitRootInfo(count, &info, 0, &comm), HCCL_E_PARA,
				    "nRanks is " + std::to_string(count) + "|1 to 256 ranks"));
	EXPECT_TRUE(refused(HcclCommInitAll(257, devices.data(), comms.data()), HCCL_E_PARA,
			    "257|1 to 256 ranks"));
	ASSERT_EQ(HcclCommInitRootInfo(1, &info, 0, &comm), HCCL_SUCCESS);
	HcclComm sub = nullptr;
	EXPECT_TRUE(
		refused(HcclCreateSubCommConfig(&comm, 257, members.data(), 1, 0, nullptr, &sub),
			HCCL_E_PARA, "257|1 to 256 ranks"));
	EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
}

TEST_F(Refusals, Arguments)
{
	Ranks ranks(2);
	HcclComm comm = ranks.comm(0);
	aclrtStream stream = ranks.stream(0);
	void *buffer = ranks.put(0, Bytes(64));
	ranks.select(0);
	const auto reduce = [&](void *send, void *to, uint64_t count, int type, int op) {
		return HcclAllReduce(send, to, count, static_cast<HcclDataType>(type),
				     static_cast<HcclReduceOp>(op), comm, stream);
	};
	EXPECT_TRUE(refused(reduce(nullptr, buffer, 1, F32, 0), HCCL_E_PTR, "sendBuf"));
	EXPECT_TRUE(refused(reduce(buffer, nullptr, 1, F32, 0), HCCL_E_PTR, "recvBuf"));
	EXPECT_TRUE(
		refused(reduce(buffer, buffer, 1 << 20, F32, 0), HCCL_E_PARA, "sendBuf|1048576"));
	EXPECT_TRUE(refused(reduce(buffer, buffer, UINT64_MAX, F32, 0), HCCL_E_PARA, "sendBuf"));
	EXPECT_TRUE(refused(reduce(buffer, buffer, 1, 13, 0), HCCL_E_PARA, "dataType|13"));
	EXPECT_TRUE(refused(reduce(buffer, buffer, 1, F32, 4), HCCL_E_PARA, "op|4"));
	EXPECT_TRUE(refused(reduce(buffer, buffer, 1, HCCL_DATA_TYPE_HIF8, 0), HCCL_E_NOT_SUPPORT,
			    "HIF8|reduced"));
	EXPECT_TRUE(refused(reduce(buffer, buffer, 1, HCCL_DATA_TYPE_INT128, 0), HCCL_E_NOT_SUPPORT,
			    "INT128"));
	EXPECT_TRUE(refused(HcclBroadcast(buffer, 1, F32, 2, comm, stream), HCCL_E_PARA, "root|2"));
	EXPECT_TRUE(refused(HcclSend(buffer, 1, F32, 2, comm, stream), HCCL_E_PARA, "destRank|2"));
	EXPECT_TRUE(refused(HcclSend(buffer, 1, F32, 0, comm, stream), HCCL_E_PARA, "0"));
	EXPECT_TRUE(refused(HcclBroadcast(buffer, 1, F32, 0, nullptr, stream), HCCL_E_PTR, "comm"));
	EXPECT_TRUE(refused(HcclBroadcast(buffer, 1, F32, 0, buffer, stream), HCCL_E_PARA, "comm"));
	HcclSendRecvItem twice[] = {{HCCL_SEND, buffer, 1, F32, 1}, {HCCL_SEND, buffer, 1, F32, 1}};
	EXPECT_TRUE(
		refused(HcclBatchSendRecv(twice, 2, comm, stream), HCCL_E_PARA, "two messages"));
	ranks.select(1);
	EXPECT_TRUE(refused(HcclBarrier(comm, ranks.stream(1)), HCCL_E_PARA, "device"));
	/* Nothing of this has failed the communicator. */
	HcclResult failure = HCCL_E_INTERNAL;
	EXPECT_EQ(HcclGetCommAsyncError(comm, &failure), HCCL_SUCCESS);
	EXPECT_EQ(failure, HCCL_SUCCESS);
}

TEST_F(Refusals, WhatIsNotThere)
{
	Ranks ranks(1);
	EXPECT_TRUE(refused(HcclCommWorkingDevNicSet(ranks.comm(0), nullptr, nullptr, 0),
			    HCCL_E_NOT_SUPPORT, "NIC"));
	EXPECT_TRUE(refused(HcclCommSetMemoryRange(ranks.comm(0), nullptr, 0, 0, 0),
			    HCCL_E_NOT_SUPPORT, "buffers"));
}

TEST_F(Refusals, Facts)
{
	Ranks ranks(3);
	char name[COMM_NAME_MAX_LENGTH];
	char other[COMM_NAME_MAX_LENGTH];
	ASSERT_EQ(HcclGetCommName(ranks.comm(0), name), HCCL_SUCCESS);
	for (uint32_t rank = 0; rank < 3; rank++) {
		uint32_t number = 9;
		EXPECT_EQ(HcclGetRankSize(ranks.comm(rank), &number), HCCL_SUCCESS);
		EXPECT_EQ(number, 3u);
		EXPECT_EQ(HcclGetRankId(ranks.comm(rank), &number), HCCL_SUCCESS);
		EXPECT_EQ(number, rank);
		EXPECT_EQ(HcclGetCommName(ranks.comm(rank), other), HCCL_SUCCESS);
		EXPECT_STREQ(name, other);
	}
	HcclComm found = nullptr;
	EXPECT_EQ(HcclCommGetHandleWithName(name, &found), HCCL_SUCCESS);
	EXPECT_EQ(found, ranks.comm(0));
	EXPECT_TRUE(
		refused(HcclCommGetHandleWithName("nobody", &found), HCCL_E_NOT_FOUND, "nobody"));
	EXPECT_EQ(HcclGetCommConfigCapability(), 9u);
	EXPECT_STREQ(HcclGetErrorString(HCCL_SUCCESS), "success");
	EXPECT_NE(HcclGetErrorString(static_cast<HcclResult>(999)), nullptr);
}

/* The rank that comes later is refused; the other one's stream fails, and both hear of both calls. */
TEST_F(Refusals, RanksThatDifferAreToldBothCalls)
{
	Ranks ranks(3);
	std::vector<void *> buffers;
	for (uint32_t rank = 0; rank < 3; rank++)
		buffers.push_back(ranks.put(rank, Bytes(4096)));
	ranks.select(0);
	EXPECT_EQ(HcclAllReduce(buffers[0], buffers[0], 100, F32, HCCL_REDUCE_SUM, ranks.comm(0),
				ranks.stream(0)),
		  HCCL_SUCCESS);
	ranks.select(1);
	EXPECT_TRUE(
		refused(HcclAllReduce(buffers[1], buffers[1], 101, F32, HCCL_REDUCE_SUM,
				      ranks.comm(1), ranks.stream(1)),
			HCCL_E_PARA,
			"HcclAllReduce(101 FP32, SUM)|HcclAllReduce(100 FP32, SUM)|rank 0|rank 1"));
	ranks.select(0);
	EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_TASK_ABORT_STOP);
	EXPECT_NE(take_message().find("HcclAllReduce(101 FP32, SUM)"), std::string::npos);
	/* The rank that has not called yet is refused. */
	ranks.select(2);
	HcclResult failure = HCCL_SUCCESS;
	while (failure == HCCL_SUCCESS) {
		ASSERT_EQ(HcclGetCommAsyncError(ranks.comm(2), &failure), HCCL_SUCCESS);
		std::this_thread::yield();
	}
	EXPECT_EQ(failure, HCCL_E_PARA);
	EXPECT_TRUE(refused(HcclAllReduce(buffers[2], buffers[2], 100, F32, HCCL_REDUCE_SUM,
					  ranks.comm(2), ranks.stream(2)),
			    HCCL_E_PARA, "failed before|100|101"));
}

/* No process has ended: the sentence of the stream does not say so. */
TEST_F(Refusals, RanksThatDifferAreNotCalledGone)
{
	Ranks ranks(2);
	void *buffer = ranks.put(0, Bytes(64));
	ranks.select(0);
	EXPECT_EQ(HcclAllReduce(buffer, buffer, 8, F32, HCCL_REDUCE_SUM, ranks.comm(0),
				ranks.stream(0)),
		  HCCL_SUCCESS);
	ranks.select(1);
	EXPECT_EQ(HcclBarrier(ranks.comm(1), ranks.stream(1)), HCCL_E_PARA);
	take_message();
	ranks.select(0);
	EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_TASK_ABORT_STOP);
	const std::string text = take_message();
	for (const char *word : {"failed: its communicator has failed", "rank 1 called HcclBarrier",
				 "rank 0 called HcclAllReduce(8 FP32, SUM)"})
		EXPECT_NE(text.find(word), text.npos) << text;
	EXPECT_EQ(text.find("gone"), text.npos) << text;
}

TEST_F(Refusals, EachFieldOfASignatureCounts)
{
	for (int field = 0; field < 4; field++) {
		Ranks ranks(2);
		void *first = ranks.put(0, Bytes(4096));
		void *second = ranks.put(1, Bytes(4096));
		ranks.select(0);
		EXPECT_EQ(HcclReduce(first, first, 10, F32, HCCL_REDUCE_SUM, 0, ranks.comm(0),
				     ranks.stream(0)),
			  HCCL_SUCCESS);
		ranks.select(1);
		EXPECT_TRUE(refused(HcclReduce(second, second, field == 0 ? 11 : 10,
					       field == 1 ? HCCL_DATA_TYPE_INT32 : F32,
					       field == 2 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM,
					       field == 3 ? 1 : 0, ranks.comm(1), ranks.stream(1)),
				    HCCL_E_PARA, "HcclReduce"))
			<< field;
		ranks.select(0);
		EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_TASK_ABORT_STOP);
		take_message();
	}
}

TEST_F(Refusals, MessagesThatDiffer)
{
	Ranks ranks(2);
	void *first = ranks.put(0, Bytes(4096));
	void *second = ranks.put(1, Bytes(4096));
	ranks.select(0);
	EXPECT_EQ(HcclSend(first, 4, F32, 1, ranks.comm(0), ranks.stream(0)), HCCL_SUCCESS);
	ranks.select(1);
	EXPECT_TRUE(refused(HcclRecv(second, 8, F32, 0, ranks.comm(1), ranks.stream(1)),
			    HCCL_E_PARA, "message 1|4 FP32|8 FP32"));
}

/* However far a rank is ahead, the other one does not get data of another call. */
TEST_F(Refusals, MessagesOfARankThatIsAhead)
{
	Ranks ranks(2);
	void *first = ranks.put(0, Bytes(4096));
	void *second = ranks.put(1, Bytes(4096));
	ranks.select(0);
	for (uint32_t i = 0; i < 200; i++)
		ASSERT_EQ(HcclSend(first, i == 0 ? 4 : 8, F32, 1, ranks.comm(0), ranks.stream(0)),
			  HCCL_SUCCESS);
	ranks.select(1);
	EXPECT_TRUE(refused(HcclRecv(second, 8, F32, 0, ranks.comm(1), ranks.stream(1)),
			    HCCL_E_PARA,
			    "message 1: rank 1 called HcclRecv(8 FP32)|rank 0 called something "
			    "else then or before"));
	ranks.select(0);
	EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_TASK_ABORT_STOP);
	take_message();
}

TEST_F(Refusals, CallsOfARankThatIsAhead)
{
	/* Of the calls that are @ahead, digests are kept or not. */
	for (const uint32_t ahead : {1000u, 3000u}) {
		Ranks ranks(2);
		void *first = ranks.put(0, Bytes(4096));
		void *second = ranks.put(1, Bytes(4096));
		const auto call = [&](uint32_t rank, uint64_t count) {
			void *buffer = rank == 0 ? first : second;
			return HcclAllReduce(buffer, buffer, count, F32, HCCL_REDUCE_SUM,
					     ranks.comm(rank), ranks.stream(rank));
		};
		ranks.select(0);
		ASSERT_EQ(call(0, 8), HCCL_SUCCESS);
		for (uint32_t i = 0; i < ahead; i++)
			ASSERT_EQ(call(0, 0), HCCL_SUCCESS);
		ranks.select(1);
		HcclResult told = call(1, 9);
		EXPECT_EQ(told, ahead == 1000 ? HCCL_E_PARA : HCCL_SUCCESS);
		for (uint32_t i = 0; i < ahead && told == HCCL_SUCCESS; i++)
			told = call(1, 0);
		EXPECT_TRUE(refused(told, HCCL_E_PARA,
				    ahead == 1000
					    ? "call 1: rank 1 called HcclAllReduce(9 FP32, "
					      "SUM)|rank 0 called something else then or before"
					    : "rank 0 called something else then or before"));
		take_message();
	}
}

TEST_F(Refusals, CountsThatDifferWithOneSum)
{
	Ranks ranks(2);
	void *first = ranks.put(0, Bytes(4096));
	void *second = ranks.put(1, Bytes(4096));
	const uint64_t offsets[] = {0, 100};
	const uint64_t counts[2][2] = {{4, 6}, {5, 5}};
	ranks.select(0);
	EXPECT_EQ(HcclAllGatherV(first, 4, first, counts[0], offsets, F32, ranks.comm(0),
				 ranks.stream(0)),
		  HCCL_SUCCESS);
	ranks.select(1);
	EXPECT_TRUE(refused(HcclAllGatherV(second, 5, second, counts[1], offsets, F32,
					   ranks.comm(1), ranks.stream(1)),
			    HCCL_E_PARA, "with other counts of the ranks"));
}

/* A destroyed communicator ends what waits for others, at once. */
TEST_F(Refusals, DestroyEndsWhatWaits)
{
	Ranks ranks(2);
	std::vector<int32_t> devices = {0, 1};
	HcclComm comms[2];
	void *buffer = ranks.put(0, Bytes(64));
	ASSERT_EQ(HcclCommInitAll(2, devices.data(), comms), HCCL_SUCCESS) << take_message();
	ranks.select(0);
	EXPECT_EQ(HcclBroadcast(buffer, 4, F32, 1, comms[0], ranks.stream(0)), HCCL_SUCCESS);
	EXPECT_EQ(HcclCommDestroy(comms[0]), HCCL_SUCCESS) << take_message();
	EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_TASK_ABORT_STOP);
	take_message();
	/* The other one hears of it. */
	HcclResult failure = HCCL_SUCCESS;
	while (failure == HCCL_SUCCESS) {
		ASSERT_EQ(HcclGetCommAsyncError(comms[1], &failure), HCCL_SUCCESS);
		std::this_thread::yield();
	}
	EXPECT_EQ(failure, HCCL_E_REMOTE);
	ranks.select(1);
	void *other = ranks.put(1, Bytes(64));
	EXPECT_TRUE(refused(HcclBroadcast(other, 4, F32, 1, comms[1], ranks.stream(1)),
			    HCCL_E_REMOTE, "rank 0 destroyed it"));
	EXPECT_EQ(HcclCommDestroy(comms[1]), HCCL_SUCCESS) << take_message();
	EXPECT_TRUE(refused(HcclCommDestroy(comms[1]), HCCL_E_PARA, "comm"));
}

/* Threads of one process, each with a device. @config: for each rank */
static std::vector<HcclResult> join(uint32_t ranks,
				    const std::function<void(uint32_t, HcclCommConfig &)> &set,
				    std::vector<HcclComm> &comms,
				    const std::vector<int32_t> &devices)
{
	HcclRootInfo info;
	std::vector<HcclResult> results(devices.size());
	std::vector<std::thread> threads;
	EXPECT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS) << take_message();
	comms.assign(devices.size(), nullptr);
	for (uint32_t rank = 0; rank < devices.size(); rank++) {
		threads.emplace_back([&, rank] {
			HcclCommConfig config;
			HcclCommConfigInit(&config);
			set(rank, config);
			EXPECT_EQ(aclrtSetDevice(devices[rank]), 0);
			results[rank] = HcclCommInitRootInfoConfig(ranks, &info, rank, &config,
								   &comms[rank]);
			take_message();
		});
	}
	for (std::thread &thread : threads)
		thread.join();
	return results;
}

/* The device of a rank drops an operation, then the rank destroys its communicator: the destroy tells the others. */
TEST_F(Refusals, DestroyAfterAnAbort)
{
	Ranks ranks(2);
	std::vector<int32_t> devices = {0, 1};
	HcclComm comms[2];
	void *buffers[] = {ranks.put(0, Bytes(64)), ranks.put(1, Bytes(64))};
	aclrtNotify notify;
	ASSERT_EQ(HcclCommInitAll(2, devices.data(), comms), HCCL_SUCCESS) << take_message();
	ranks.select(1);
	ASSERT_EQ(aclrtCreateNotify(&notify, 0), 0);
	ASSERT_EQ(aclrtWaitAndResetNotify(notify, ranks.stream(1), 0), 0);
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], 16, F32, HCCL_REDUCE_SUM,
					comms[rank], ranks.stream(rank)),
			  HCCL_SUCCESS);
	});
	ranks.select(1);
	EXPECT_EQ(aclrtStreamAbort(ranks.stream(1)), 0);
	EXPECT_EQ(HcclCommDestroy(comms[1]), HCCL_SUCCESS) << take_message();
	EXPECT_EQ(aclrtDestroyNotify(notify), 0);
	ranks.select(0);
	EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(ranks.stream(0), 20000),
		  ACL_ERROR_RT_TASK_ABORT_STOP);
	const std::string text = take_message();
	EXPECT_NE(text.find("rank 1 destroyed it after its operations were aborted"), text.npos)
		<< text;
	EXPECT_EQ(HcclCommDestroy(comms[0]), HCCL_SUCCESS);
}

TEST_F(Refusals, ThreadsMeetByRootInfo)
{
	std::vector<HcclComm> comms;
	const auto set = [](uint32_t, HcclCommConfig &config) {
		strcpy(config.hcclCommName, "of threads");
		config.hcclBufferSize = 1;
	};
	EXPECT_EQ(join(3, set, comms, {0, 1, 2}), std::vector<HcclResult>(3, HCCL_SUCCESS));
	char name[COMM_NAME_MAX_LENGTH];
	EXPECT_EQ(HcclGetCommName(comms[2], name), HCCL_SUCCESS);
	EXPECT_STREQ(name, "of threads");
	HcclComm subs[2];
	uint32_t members[] = {2, 0};
	std::vector<std::thread> threads;
	for (uint32_t rank = 0; rank < 2; rank++)
		threads.emplace_back([&, rank] {
			HcclCommConfig config;
			HcclCommConfigInit(&config);
			EXPECT_EQ(HcclCreateSubCommConfig(&comms[members[rank]], 2, members, 7,
							  rank, &config, &subs[rank]),
				  HCCL_SUCCESS)
				<< take_message();
		});
	for (std::thread &thread : threads)
		thread.join();
	uint32_t number = 9;
	EXPECT_EQ(HcclGetRankId(subs[0], &number), HCCL_SUCCESS);
	EXPECT_EQ(number, 0u);
	for (HcclComm comm : {subs[0], subs[1], comms[0], comms[1], comms[2]})
		EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS) << take_message();
}

/* Ranks that have different lists for one sub-communicator are all told, whenever they come, and may come again. */
TEST_F(Refusals, SubCommunicatorsWithDifferentRanks)
{
	std::vector<HcclComm> comms;
	const auto nothing = [](uint32_t, HcclCommConfig &) {};
	ASSERT_EQ(join(3, nothing, comms, {0, 1, 2}), std::vector<HcclResult>(3, HCCL_SUCCESS));
	using List = std::vector<uint32_t>;
	HcclComm subs[3] = {};
	const auto enter = [&](uint32_t rank, List list, bool is_right) {
		HcclCommConfig config;
		HcclCommConfigInit(&config);
		const auto own = std::find(list.begin(), list.end(), rank) - list.begin();
		const HcclResult code = HcclCreateSubCommConfig(
			&comms[rank], static_cast<uint32_t>(list.size()), list.data(), 7,
			static_cast<uint32_t>(own), &config, &subs[rank]);
		if (is_right)
			EXPECT_EQ(code, HCCL_SUCCESS) << take_message();
		else
			EXPECT_TRUE(refused(code, HCCL_E_PARA, "different rankIds: {"));
	};
	const auto began = std::chrono::steady_clock::now();
	const std::vector<std::array<List, 3>> cases = {
		{List{0, 1, 2}, List{0, 1, 2}, List{1, 0, 2}},
		{List{0, 1}, List{0, 1}, List{0, 2}},
		{List{0, 1, 2}, List{1, 2}, List{1, 2, 0}}};
	for (const auto &lists : cases) {
		std::thread first(enter, 2, lists[2], false);
		enter(0, lists[0], false);
		first.join();
		enter(1, lists[1], false);
	}
	EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
	std::vector<std::thread> threads;
	for (uint32_t rank = 0; rank < 3; rank++)
		threads.emplace_back(enter, rank, List{2, 1, 0}, true);
	for (std::thread &thread : threads)
		thread.join();
	for (HcclComm comm : subs)
		EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS) << take_message();
	for (HcclComm comm : comms)
		EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS) << take_message();
}

/* A wait ends at its time limit, and no call queries the stream. */
TEST_F(Refusals, DestroyAfterATimeLimit)
{
	std::vector<HcclComm> comms;
	const auto limits = [](uint32_t, HcclCommConfig &config) { config.hcclExecTimeOut = 1; };
	ASSERT_EQ(join(2, limits, comms, {0, 1}), std::vector<HcclResult>(2, HCCL_SUCCESS));
	aclrtNotify notify;
	aclrtStream streams[2];
	void *buffers[2];
	for (int32_t rank = 1; rank >= 0; rank--) {
		ASSERT_EQ(aclrtSetDevice(rank), 0);
		ASSERT_EQ(aclrtCreateStream(&streams[rank]), 0);
		ASSERT_EQ(aclrtMalloc(&buffers[rank], 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	}
	ASSERT_EQ(aclrtCreateNotify(&notify, 0), 0);
	ASSERT_EQ(aclrtWaitAndResetNotify(notify, streams[0], 0), 0);
	for (int32_t rank = 0; rank < 2; rank++) {
		ASSERT_EQ(aclrtSetDevice(rank), 0);
		ASSERT_EQ(HcclAllReduce(buffers[rank], buffers[rank], 16, F32, HCCL_REDUCE_SUM,
					comms[rank], streams[rank]),
			  HCCL_SUCCESS);
	}
	HcclResult code = HCCL_E_AGAIN;
	for (int tries = 0; tries < 10 && code == HCCL_E_AGAIN; tries++)
		code = HcclCommDestroy(comms[1]);
	EXPECT_EQ(code, HCCL_SUCCESS) << take_message();
	ASSERT_EQ(aclrtSetDevice(0), 0);
	aclrtStream other;
	ASSERT_EQ(aclrtCreateStream(&other), 0);
	ASSERT_EQ(aclrtRecordNotify(notify, other), 0);
	EXPECT_NE(aclrtSynchronizeStream(streams[0]), 0);
	EXPECT_EQ(HcclCommDestroy(comms[0]), HCCL_SUCCESS) << take_message();
	EXPECT_EQ(aclrtResetDeviceForce(0), 0);
	EXPECT_EQ(aclrtResetDeviceForce(1), 0);
}

TEST_F(Refusals, RanksThatDoNotFit)
{
	std::vector<HcclComm> comms;
	const auto nothing = [](uint32_t, HcclCommConfig &) {};
	EXPECT_EQ(join(2, nothing, comms, {1, 1}), std::vector<HcclResult>(2, HCCL_E_PARA));
	const auto sizes = [](uint32_t rank, HcclCommConfig &config) {
		config.hcclBufferSize = rank + 1;
	};
	EXPECT_EQ(join(2, sizes, comms, {0, 1}), std::vector<HcclResult>(2, HCCL_E_PARA));
	const auto limits = [](uint32_t rank, HcclCommConfig &config) {
		config.hcclExecTimeOut = static_cast<int32_t>(rank) + 5;
	};
	EXPECT_EQ(join(2, limits, comms, {0, 1}), std::vector<HcclResult>(2, HCCL_E_PARA));
	const auto names = [](uint32_t rank, HcclCommConfig &config) {
		strcpy(config.hcclCommName, rank == 0 ? "one" : "another");
	};
	EXPECT_EQ(join(2, names, comms, {0, 1}), std::vector<HcclResult>(2, HCCL_E_PARA));
	const auto magic = [](uint32_t, HcclCommConfig &config) { memset(config.reserved, 0, 24); };
	EXPECT_EQ(join(1, magic, comms, {0}), std::vector<HcclResult>(1, HCCL_E_PARA));
	HcclRootInfo noise;
	HcclComm comm;
	memset(&noise, 0x5a, sizeof(noise));
	ASSERT_EQ(aclrtSetDevice(0), 0);
	EXPECT_TRUE(refused(HcclCommInitRootInfo(1, &noise, 0, &comm), HCCL_E_PARA, "rootInfo"));
	EXPECT_TRUE(refused(HcclCommInitRootInfo(0, &noise, 0, &comm), HCCL_E_PARA, "nRanks"));
	EXPECT_TRUE(refused(HcclCommInitRootInfo(2, &noise, 2, &comm), HCCL_E_PARA, "rank"));
	int32_t same[] = {0, 0};
	EXPECT_TRUE(refused(HcclCommInitAll(2, same, &comm), HCCL_E_PARA, "twice"));
}

} // namespace hccl_test
