// SPDX-License-Identifier: MIT
/*
 * DOC: tests of sends and receives, and of the order of operations
 */
#include "oracle.h"
#include "ranks.h"

#include <memory>

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

/* class Orders - rank 0 has a stream that is held up, and calls on others meanwhile. */
class Orders : public Messages {
protected:
	static constexpr size_t COUNT = 20000;

	Orders() : ranks_(2)
	{
		ranks_.each([&](uint32_t rank) {
			for (aclrtStream &stream : streams_[rank])
				EXPECT_EQ(aclrtCreateStream(&stream), 0) << take_message();
		});
		word_ = ranks_.put(0, Bytes(64));
		ranks_.select(0);
		EXPECT_EQ(aclrtValueWait(word_, 1, ACL_STREAM_WAIT_VALUE_EQ, streams_[0][0]), 0)
			<< take_message();
	}
	~Orders() override
	{
		ranks_.each([&](uint32_t rank) {
			for (aclrtStream stream : streams_[rank])
				EXPECT_EQ(aclrtDestroyStream(stream), 0) << take_message();
		});
	}

	/* Numbers of each rank, on its device. */
	std::vector<void *> put(uint32_t salt)
	{
		return {ranks_.put(0, numbers(F32, COUNT, salt)),
			ranks_.put(1, numbers(F32, COUNT, salt + 1))};
	}
	static Bytes sum(uint32_t salt)
	{
		return fold(F32, HCCL_REDUCE_SUM,
			    {numbers(F32, COUNT, salt), numbers(F32, COUNT, salt + 1)});
	}
	void reduce(const std::vector<void *> &buffers, size_t count, uint32_t stream)
	{
		ranks_.each([&](uint32_t rank) {
			EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], count, F32,
						HCCL_REDUCE_SUM, ranks_.comm(rank),
						streams_[rank][stream]),
				  HCCL_SUCCESS)
				<< take_message();
		});
	}
	/* A message of rank 0. */
	void send(const std::vector<void *> &buffers, size_t count, uint32_t stream)
	{
		ranks_.select(0);
		EXPECT_EQ(HcclSend(buffers[0], count, F32, 1, ranks_.comm(0), streams_[0][stream]),
			  HCCL_SUCCESS);
		ranks_.select(1);
		EXPECT_EQ(HcclRecv(buffers[1], count, F32, 0, ranks_.comm(1), streams_[1][stream]),
			  HCCL_SUCCESS);
	}
	/* Lets the stream go on, and waits for all. */
	void go_on()
	{
		ranks_.select(0);
		EXPECT_EQ(aclrtValueWrite(word_, 1, 0, streams_[0][3]), 0) << take_message();
		ranks_.each([&](uint32_t rank) {
			for (aclrtStream stream : streams_[rank])
				EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20000), 0)
					<< take_message();
		});
	}
	Bytes get(const std::vector<void *> &buffers, uint32_t rank)
	{
		return ranks_.get(rank, buffers[rank], COUNT * 4);
	}

	Ranks ranks_;
	aclrtStream streams_[2][4] = {};
	void *word_ = nullptr;
};

/* Of three calls on three streams the second one has no data: the third one still waits for the first. */
TEST_F(Orders, ACallWithoutDataTakesNoPlace)
{
	for (const auto &empty : std::vector<std::function<void(uint32_t)>>{
		     [&](uint32_t rank) {
			     EXPECT_EQ(HcclAllReduce(nullptr, nullptr, 0, F32, HCCL_REDUCE_SUM,
						     ranks_.comm(rank), streams_[rank][1]),
				       HCCL_SUCCESS);
		     },
		     [&](uint32_t rank) {
			     EXPECT_EQ(HcclBroadcast(nullptr, 0, F32, 1, ranks_.comm(rank),
						     streams_[rank][1]),
				       HCCL_SUCCESS);
		     },
		     [&](uint32_t rank) {
			     const uint64_t none[2] = {0, 0};
			     EXPECT_EQ(HcclReduceScatterV(nullptr, none, none, nullptr, 0, F32,
							  HCCL_REDUCE_SUM, ranks_.comm(rank),
							  streams_[rank][1]),
				       HCCL_SUCCESS);
		     },
		     [&](uint32_t rank) {
			     EXPECT_EQ(HcclAlltoAll(nullptr, 0, F32, nullptr, 0, F32,
						    ranks_.comm(rank), streams_[rank][1]),
				       HCCL_SUCCESS);
		     }}) {
		const std::vector<void *> first = put(1);
		const std::vector<void *> third = put(3);
		reduce(first, COUNT, 0);
		ranks_.each(empty);
		reduce(third, COUNT, 2);
		go_on();
		for (uint32_t rank = 0; rank < 2; rank++) {
			EXPECT_TRUE(get(first, rank) == sum(1)) << rank;
			EXPECT_TRUE(get(third, rank) == sum(3)) << rank;
		}
		ranks_.select(0);
		ASSERT_EQ(aclrtMemset(word_, 64, 0, 64), 0);
		ASSERT_EQ(aclrtValueWait(word_, 1, ACL_STREAM_WAIT_VALUE_EQ, streams_[0][0]), 0);
	}
	go_on();
}

TEST_F(Orders, AMessageWithoutDataTakesNoPlace)
{
	const std::vector<void *> first = put(1);
	const std::vector<void *> third = put(3);
	send(first, COUNT, 0);
	send(first, 0, 1);
	send(third, COUNT, 2);
	go_on();
	EXPECT_TRUE(get(first, 1) == numbers(F32, COUNT, 1));
	EXPECT_TRUE(get(third, 1) == numbers(F32, COUNT, 3));
}

/* It does not make its stream wait, either: what is behind it there has nothing to do with the communicator. */
TEST_F(Orders, ACallWithoutDataWaitsForNothing)
{
	const std::vector<void *> buffers = put(1);
	reduce(buffers, COUNT, 0);
	reduce(buffers, 0, 1);
	ranks_.select(0);
	void *other = ranks_.put(0, Bytes(64));
	EXPECT_EQ(aclrtMemsetAsync(other, 64, 7, 64, streams_[0][1]), 0);
	EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(streams_[0][1], 20000), 0) << take_message();
	go_on();
	EXPECT_TRUE(get(buffers, 0) == sum(1));
}

/* Messages and collective calls have orders of their own, and neither waits for the other. */
TEST_F(Orders, AMessageDoesNotWaitForACollectiveCall)
{
	const std::vector<void *> sums = put(1);
	const std::vector<void *> message = put(3);
	reduce(sums, COUNT, 0);
	send(message, COUNT, 1);
	for (uint32_t rank = 0; rank < 2; rank++) {
		ranks_.select(rank);
		EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(streams_[rank][1], 20000), 0)
			<< take_message();
	}
	EXPECT_TRUE(get(message, 1) == numbers(F32, COUNT, 3));
	go_on();
	EXPECT_TRUE(get(sums, 0) == sum(1));
	EXPECT_TRUE(get(sums, 1) == sum(1));
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

/* class Fork - a capture of two streams of a rank. */
class Fork {
public:
	explicit Fork(aclrtStream origin) : first(origin)
	{
		EXPECT_EQ(aclrtCreateStream(&second), 0);
		for (aclrtEvent &event : events_)
			EXPECT_EQ(aclrtCreateEvent(&event), 0);
		EXPECT_EQ(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
		EXPECT_EQ(aclrtRecordEvent(events_[0], first), 0);
		EXPECT_EQ(aclrtStreamWaitEvent(second, events_[0]), 0);
	}
	~Fork()
	{
		EXPECT_EQ(aclmdlRIDestroy(model), 0);
		for (aclrtEvent event : events_)
			EXPECT_EQ(aclrtDestroyEvent(event), 0);
		EXPECT_EQ(aclrtDestroyStream(second), 0);
	}
	Fork(const Fork &) = delete;
	Fork &operator=(const Fork &) = delete;

	void end()
	{
		EXPECT_EQ(aclrtRecordEvent(events_[1], second), 0);
		EXPECT_EQ(aclrtStreamWaitEvent(first, events_[1]), 0);
		EXPECT_EQ(aclmdlRICaptureEnd(first, &model), 0) << take_message();
	}

	aclrtStream first;
	aclrtStream second = nullptr;
	aclmdlRI model = nullptr;

private:
	aclrtEvent events_[2] = {};
};

/* Two captures go on at once: a call in the second one changes nothing in the order of the first. */
TEST_F(Messages, ACaptureHasItsOrderBesideOthers)
{
	Ranks ranks(2);
	const size_t count = 20000;
	std::vector<void *> buffers;
	std::vector<std::unique_ptr<Fork>> forks;
	std::vector<std::unique_ptr<Fork>> others;
	std::vector<aclrtStream> streams(2);
	for (uint32_t rank = 0; rank < 2; rank++)
		buffers.push_back(ranks.put(rank, numbers(F32, count, rank)));
	ranks.each([&](uint32_t rank) {
		ASSERT_EQ(aclrtCreateStream(&streams[rank]), 0);
		forks.push_back(std::make_unique<Fork>(ranks.stream(rank)));
		others.push_back(std::make_unique<Fork>(streams[rank]));
		const auto reduce = [&](HcclReduceOp op, aclrtStream stream) {
			EXPECT_EQ(HcclAllReduce(buffers[rank], buffers[rank], count, F32, op,
						ranks.comm(rank), stream),
				  HCCL_SUCCESS)
				<< take_message();
		};
		for (int round = 0; round < 6; round++) {
			reduce(round % 2 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM,
			       round % 2 ? forks[rank]->second : forks[rank]->first);
			EXPECT_EQ(HcclBarrier(ranks.comm(rank), others[rank]->first), HCCL_SUCCESS);
		}
		forks[rank]->end();
		others[rank]->end();
	});
	std::vector<Bytes> now{numbers(F32, count, 0), numbers(F32, count, 1)};
	for (int launch = 0; launch < 3; launch++) {
		ranks.each([&](uint32_t rank) {
			EXPECT_EQ(aclmdlRIExecuteAsync(forks[rank]->model, ranks.stream(rank)), 0);
		});
		for (int round = 0; round < 6; round++)
			now.assign(2,
				   fold(F32, round % 2 ? HCCL_REDUCE_MAX : HCCL_REDUCE_SUM, now));
	}
	ranks.finish();
	ranks.each([&](uint32_t rank) {
		EXPECT_TRUE(ranks.get(rank, buffers[rank], count * 4) == now[0]) << rank;
		forks[rank].reset();
		others[rank].reset();
		EXPECT_EQ(aclrtDestroyStream(streams[rank]), 0);
	});
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
