// SPDX-License-Identifier: MIT
/*
 * DOC: tests of sends and receives, and of the order of operations
 */
#include "oracle.h"
#include "ranks.h"

namespace hccl_test {

class Messages : public testing::Test {
protected:
	static void SetUpTestSuite() { ASSERT_EQ(aclInit(nullptr), 0); }
	static void TearDownTestSuite() { ASSERT_EQ(aclFinalize(), 0); }
};

constexpr HcclDataType BYTE = HCCL_DATA_TYPE_UINT8;
constexpr HcclDataType F32 = HCCL_DATA_TYPE_FP32;

TEST_F(Messages, FromOneRankToAnother)
{
	Ranks ranks(2);
	for (size_t bytes : {size_t{0}, size_t{1}, size_t{1} << 20, (size_t{2} << 20) + 3}) {
		const Bytes data = numbers(BYTE, bytes, 5);
		void *from = ranks.put(0, data);
		void *to = ranks.put(1, Bytes(bytes));
		ranks.select(0);
		EXPECT_EQ(HcclSend(from, bytes, BYTE, 1, ranks.comm(0), ranks.stream(0)),
			  HCCL_SUCCESS);
		ranks.select(1);
		EXPECT_EQ(HcclRecv(to, bytes, BYTE, 0, ranks.comm(1), ranks.stream(1)),
			  HCCL_SUCCESS);
		ranks.finish();
		EXPECT_TRUE(ranks.get(1, to, bytes) == data) << bytes;
	}
}

/* A send is done when its receive is: before that, the stream stays where it is. */
TEST_F(Messages, ASendWaitsForItsReceive)
{
	Ranks ranks(2);
	void *from = ranks.put(0, Bytes(8, 1));
	void *to = ranks.put(1, Bytes(8));
	ranks.select(0);
	EXPECT_EQ(HcclSend(from, 8, BYTE, 1, ranks.comm(0), ranks.stream(0)), HCCL_SUCCESS);
	EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(ranks.stream(0), 50),
		  ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
	take_message();
	ranks.select(1);
	EXPECT_EQ(HcclRecv(to, 8, BYTE, 0, ranks.comm(1), ranks.stream(1)), HCCL_SUCCESS);
	ranks.finish();
}

/* Around a circle, long ones, and one to itself: as plain sends these would wait for each other. */
TEST_F(Messages, ABatchDoesNotWaitForItself)
{
	Ranks ranks(4);
	const size_t bytes = (size_t{1} << 20) + 70005;
	std::vector<void *> from;
	std::vector<void *> to;
	std::vector<void *> own;
	for (uint32_t rank = 0; rank < 4; rank++) {
		from.push_back(ranks.put(rank, numbers(BYTE, bytes, rank)));
		to.push_back(ranks.put(rank, Bytes(bytes)));
		own.push_back(ranks.put(rank, Bytes(bytes)));
	}
	ranks.each([&](uint32_t rank) {
		HcclSendRecvItem items[] = {
			{HCCL_SEND, from[rank], bytes, BYTE, (rank + 1) % 4},
			{HCCL_RECV, to[rank], bytes, BYTE, (rank + 3) % 4},
			{HCCL_RECV, own[rank], bytes, BYTE, rank},
			{HCCL_SEND, from[rank], bytes, BYTE, rank},
		};
		EXPECT_EQ(HcclBatchSendRecv(items, 4, ranks.comm(rank), ranks.stream(rank)),
			  HCCL_SUCCESS)
			<< take_message();
	});
	ranks.finish();
	for (uint32_t rank = 0; rank < 4; rank++) {
		EXPECT_TRUE(ranks.get(rank, to[rank], bytes) ==
			    numbers(BYTE, bytes, (rank + 3) % 4));
		EXPECT_TRUE(ranks.get(rank, own[rank], bytes) == numbers(BYTE, bytes, rank));
	}
}

TEST_F(Messages, AGroupIsABatch)
{
	Ranks ranks(2);
	std::vector<void *> from;
	std::vector<void *> to;
	for (uint32_t rank = 0; rank < 2; rank++) {
		from.push_back(ranks.put(rank, numbers(BYTE, 1200000, rank)));
		to.push_back(ranks.put(rank, Bytes(1200000)));
	}
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(HcclGroupStart(), HCCL_SUCCESS);
		EXPECT_EQ(HcclSend(from[rank], 1200000, BYTE, 1 - rank, ranks.comm(rank),
				   ranks.stream(rank)),
			  HCCL_SUCCESS);
		EXPECT_EQ(HcclRecv(to[rank], 1200000, BYTE, 1 - rank, ranks.comm(rank),
				   ranks.stream(rank)),
			  HCCL_SUCCESS);
		EXPECT_EQ(HcclGroupEnd(), HCCL_SUCCESS) << take_message();
	});
	ranks.finish();
	for (uint32_t rank = 0; rank < 2; rank++)
		EXPECT_TRUE(ranks.get(rank, to[rank], 1200000) == numbers(BYTE, 1200000, 1 - rank));
	EXPECT_TRUE(refused(HcclGroupEnd(), HCCL_E_PARA, "HcclGroupStart"));
}

/* On the ranks the operations are on different streams, but in one order. */
TEST_F(Messages, StreamsOfOneCommunicatorFollowTheCalls)
{
	Ranks ranks(2);
	aclrtStream second[2];
	ranks.each([&](uint32_t rank) { ASSERT_EQ(aclrtCreateStream(&second[rank]), 0); });
	const size_t count = 30000;
	std::vector<void *> buffers;
	std::vector<Bytes> now;
	for (uint32_t rank = 0; rank < 2; rank++) {
		now.push_back(numbers(F32, count, rank));
		buffers.push_back(ranks.put(rank, now[rank]));
	}
	for (int round = 0; round < 40; round++) {
		ranks.each([&](uint32_t rank) {
			const bool is_second = rank == 0 ? round % 2 : round % 3 == 1;
			EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], count, F32,
						round % 4 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM,
						ranks.comm(rank),
						is_second ? second[rank] : ranks.stream(rank)),
				  HCCL_SUCCESS)
				<< take_message();
		});
		now[0] = now[1] = fold(F32, round % 4 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM, now);
	}
	ranks.finish();
	ranks.each([&](uint32_t rank) {
		EXPECT_EQ(aclrtSynchronizeStream(second[rank]), 0);
		EXPECT_TRUE(ranks.get(rank, buffers[rank], count * 4) == now[0]) << rank;
		EXPECT_EQ(aclrtDestroyStream(second[rank]), 0);
	});
}

/* A rank that comes late changes nothing: three times the same bits. */
TEST_F(Messages, TheResultDoesNotDependOnWhoComesFirst)
{
	Ranks ranks(3);
	std::vector<Bytes> data;
	for (uint32_t rank = 0; rank < 3; rank++)
		data.push_back(numbers(F32, 50000, rank + 9));
	for (uint32_t late = 0; late < 3; late++) {
		std::vector<void *> buffers;
		for (uint32_t rank = 0; rank < 3; rank++)
			buffers.push_back(ranks.put(rank, data[rank]));
		for (uint32_t i = 0; i < 3; i++) {
			const uint32_t rank = (late + 1 + i) % 3;
			ranks.select(rank);
			EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], 50000, F32,
						HCCL_REDUCE_SUM, ranks.comm(rank),
						ranks.stream(rank)),
				  HCCL_SUCCESS);
		}
		ranks.finish();
		for (uint32_t rank = 0; rank < 3; rank++)
			EXPECT_TRUE(ranks.get(rank, buffers[rank], 200000) ==
				    fold(F32, HCCL_REDUCE_SUM, data));
		ranks.free_memory();
	}
}

/* Captured operations run again and again, also between others. */
TEST_F(Messages, OperationsAreCapturedAndRunAgain)
{
	Ranks ranks(3);
	const size_t count = 20000;
	std::vector<void *> buffers;
	std::vector<void *> gathered;
	std::vector<Bytes> now;
	aclmdlRI models[3];
	for (uint32_t rank = 0; rank < 3; rank++) {
		now.push_back(numbers(F32, count, rank));
		buffers.push_back(ranks.put(rank, now[rank]));
		gathered.push_back(ranks.put(rank, Bytes(count * 4 * 3)));
	}
	ranks.each([&](uint32_t rank) {
		aclrtStream stream = ranks.stream(rank);
		ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
		EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], count, F32, HCCL_REDUCE_SUM,
					ranks.comm(rank), stream),
			  HCCL_SUCCESS)
			<< take_message();
		EXPECT_EQ(HcclAllGather(buffers[rank], gathered[rank], count, F32, ranks.comm(rank),
					stream),
			  HCCL_SUCCESS);
		ASSERT_EQ(aclmdlRICaptureEnd(stream, &models[rank]), 0) << take_message();
	});
	for (int round = 0; round < 6; round++) {
		ranks.each([&](uint32_t rank) {
			if (round == 3) {
				EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], count, F32,
							HCCL_REDUCE_MIN, ranks.comm(rank),
							ranks.stream(rank)),
					  HCCL_SUCCESS);
			}
			EXPECT_EQ(aclmdlRIExecuteAsync(models[rank], ranks.stream(rank)), 0)
				<< take_message();
		});
		if (round == 3)
			now.assign(3, fold(F32, HCCL_REDUCE_MIN, now));
		now.assign(3, fold(F32, HCCL_REDUCE_SUM, now));
	}
	ranks.finish();
	Bytes all;
	for (int i = 0; i < 3; i++)
		all.insert(all.end(), now[0].begin(), now[0].end());
	for (uint32_t rank = 0; rank < 3; rank++)
		EXPECT_TRUE(ranks.get(rank, gathered[rank], all.size()) == all) << rank;
	ranks.each([&](uint32_t rank) { EXPECT_EQ(aclmdlRIDestroy(models[rank]), 0); });
}

/* Two streams of one capture, which nothing but the communicator orders. */
TEST_F(Messages, StreamsOfACaptureFollowTheCalls)
{
	Ranks ranks(2);
	const size_t count = 20000;
	std::vector<void *> buffers;
	std::vector<Bytes> now;
	aclmdlRI models[2];
	aclrtStream second[2];
	aclrtEvent events[2][2];
	for (uint32_t rank = 0; rank < 2; rank++) {
		now.push_back(numbers(F32, count, rank));
		buffers.push_back(ranks.put(rank, now[rank]));
	}
	ranks.each([&](uint32_t rank) {
		aclrtStream first = ranks.stream(rank);
		ASSERT_EQ(aclrtCreateStream(&second[rank]), 0);
		for (aclrtEvent &event : events[rank])
			ASSERT_EQ(aclrtCreateEvent(&event), 0);
		ASSERT_EQ(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
		ASSERT_EQ(aclrtRecordEvent(events[rank][0], first), 0);
		ASSERT_EQ(aclrtStreamWaitEvent(second[rank], events[rank][0]), 0);
		for (int round = 0; round < 6; round++) {
			EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], count, F32,
						round % 2 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM,
						ranks.comm(rank), round % 2 ? second[rank] : first),
				  HCCL_SUCCESS)
				<< take_message();
		}
		ASSERT_EQ(aclrtRecordEvent(events[rank][1], second[rank]), 0);
		ASSERT_EQ(aclrtStreamWaitEvent(first, events[rank][1]), 0);
		ASSERT_EQ(aclmdlRICaptureEnd(first, &models[rank]), 0) << take_message();
	});
	for (int launch = 0; launch < 3; launch++) {
		ranks.each([&](uint32_t rank) {
			EXPECT_EQ(aclmdlRIExecuteAsync(models[rank], ranks.stream(rank)), 0);
		});
		for (int round = 0; round < 6; round++)
			now.assign(2,
				   fold(F32, round % 2 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM, now));
	}
	ranks.finish();
	ranks.each([&](uint32_t rank) {
		EXPECT_TRUE(ranks.get(rank, buffers[rank], count * 4) == now[0]) << rank;
		EXPECT_EQ(aclmdlRIDestroy(models[rank]), 0);
		for (aclrtEvent event : events[rank])
			EXPECT_EQ(aclrtDestroyEvent(event), 0);
		EXPECT_EQ(aclrtDestroyStream(second[rank]), 0);
	});
}

} // namespace hccl_test
