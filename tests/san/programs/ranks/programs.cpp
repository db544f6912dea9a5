// SPDX-License-Identifier: MIT
/**
 * DOC: programs with collective operations of two ranks
 *
 * The ranks are devices of one process. Each has a stream, and one thread submits for both.
 */
#include <array>
#include <cstdlib>
#include <string>

#include "acl.h"
#include "hccl/hccl.h"

namespace {

constexpr uint32_t RANKS = 2;
constexpr uint64_t COUNT = BYTES / sizeof(float);

/* class Ranks - a communicator. */
class Ranks {
public:
	Ranks()
	{
		int32_t devices[] = {0, 1};
		OK(HcclCommInitAll(RANKS, devices, comms_.data()));
		each([this](uint32_t rank) { streams_[rank] = new_stream(); });
	}
	~Ranks()
	{
		each([this](uint32_t rank) { OK(HcclCommDestroy(comms_[rank])); });
		select(0);
	}
	Ranks(const Ranks &) = delete;
	Ranks &operator=(const Ranks &) = delete;

	HcclComm comm(uint32_t rank) const { return comms_[rank]; }
	aclrtStream stream(uint32_t rank) const { return streams_[rank]; }
	void select(uint32_t rank) const { OK(aclrtSetDevice(static_cast<int32_t>(rank))); }

	/* Calls @call for each rank with its device current. */
	template <class Call> void each(Call call) const
	{
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			call(rank);
		}
	}

	/* Memory of each rank. */
	std::array<char *, RANKS> memory(size_t bytes = BYTES) const
	{
		std::array<char *, RANKS> made;
		each([&](uint32_t rank) { made[rank] = new_memory(bytes); });
		return made;
	}

	/* Adds the floats of the ranks, on the stream @on or that of the rank. */
	void all_reduce(uint32_t rank, void *send, void *receive, aclrtStream on = nullptr) const
	{
		OK(HcclAllReduce(send, receive, COUNT, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
				 comms_[rank], on ? on : streams_[rank]));
	}
	void broadcast(uint32_t rank, void *buffer, uint32_t root) const
	{
		OK(HcclBroadcast(buffer, BYTES, HCCL_DATA_TYPE_INT8, root, comms_[rank],
				 streams_[rank]));
	}
	void barrier() const
	{
		each([this](uint32_t rank) { OK(HcclBarrier(comms_[rank], streams_[rank])); });
	}
	void finish() const
	{
		each([](uint32_t) { OK(aclrtSynchronizeDevice()); });
	}

private:
	std::array<HcclComm, RANKS> comms_{};
	std::array<aclrtStream, RANKS> streams_{};
};

/* Lets the current device use memory of the other one. */
void reach_each_other(const Ranks &ranks)
{
	ranks.each([](uint32_t rank) {
		OK(aclrtDeviceEnablePeerAccess(static_cast<int32_t>(1 - rank), 0));
	});
}

} // namespace

/* The next batch is copied over what the operation still reads. */
PROGRAM(M01_send_buffer_is_written_by_another_stream, "RACE-WAR")
{
	const Ranks ranks;
	const auto gradients = ranks.memory(), sums = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream copies = new_stream();
		aclrtEvent reduced = new_event();
		ranks.all_reduce(rank, gradients[rank], sums[rank]);
		record(reduced, ranks.stream(rank));
		if (fixed)
			wait(copies, reduced);
		fill(copies, gradients[rank]);
	});
	ranks.finish();
}

PROGRAM(M02_result_is_read_without_a_synchronize, "HOST-READ-INFLIGHT")
{
	const Ranks ranks;
	const auto data = ranks.memory();
	ranks.each([&](uint32_t rank) {
		fill(ranks.stream(rank), data[rank]);
		ranks.all_reduce(rank, data[rank], data[rank]);
	});
	ranks.each([&](uint32_t rank) {
		if (fixed)
			sync(ranks.stream(rank));
		(void)contents(data[rank]);
	});
	ranks.finish();
}

PROGRAM(M03_result_is_used_by_another_stream, "RACE-RAW")
{
	const Ranks ranks;
	const auto own = ranks.memory(), all = ranks.memory(RANKS * BYTES), used = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream compute = new_stream();
		aclrtEvent gathered = new_event();
		fill(ranks.stream(rank), own[rank]);
		if (!fixed)
			record(gathered, ranks.stream(rank));
		OK(HcclAllGather(own[rank], all[rank], COUNT, HCCL_DATA_TYPE_FP32, ranks.comm(rank),
				 ranks.stream(rank)));
		if (fixed)
			record(gathered, ranks.stream(rank));
		wait(compute, gathered);
		add(compute, used[rank], all[rank], all[rank] + BYTES);
	});
	ranks.finish();
}

/* The input comes by another stream. */
PROGRAM(M04_send_buffer_is_not_there_yet, "RACE-RAW")
{
	const Ranks ranks;
	const auto data = ranks.memory(), sums = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream compute = new_stream();
		aclrtEvent computed = new_event();
		add(compute, data[rank], data[rank], data[rank]);
		record(computed, compute);
		if (fixed)
			wait(ranks.stream(rank), computed);
		ranks.all_reduce(rank, data[rank], sums[rank]);
	});
	ranks.finish();
}

PROGRAM(M05_receive_buffer_is_in_use, "RACE-WAR")
{
	const Ranks ranks;
	const auto data = ranks.memory(), used = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream compute = new_stream();
		aclrtEvent free = new_event();
		copy(compute, used[rank], data[rank]);
		record(free, compute);
		if (fixed)
			wait(ranks.stream(rank), free);
		ranks.broadcast(rank, data[rank], 0);
	});
	ranks.finish();
}

/* What comes after a broadcast is after what the root did before it, and not after what the others did. */
PROGRAM(M06_broadcast_orders_only_from_its_root, "RACE-RAW")
{
	const Ranks ranks;
	const auto data = ranks.memory(), used = ranks.memory();
	reach_each_other(ranks);
	ranks.select(0);
	char *shared = new_memory();
	ranks.each([&](uint32_t rank) {
		if (rank == 1)
			copy(ranks.stream(1), shared, data[1]);
		ranks.broadcast(rank, data[rank], fixed ? 1 : 0);
	});
	ranks.select(0);
	copy(ranks.stream(0), used[0], shared);
	ranks.finish();
}

PROGRAM(M07_message_is_read_too_early, "RACE-RAW")
{
	const Ranks ranks;
	const auto data = ranks.memory(), used = ranks.memory();
	reach_each_other(ranks);
	ranks.select(1);
	char *shared = new_memory();
	ranks.select(0);
	copy(ranks.stream(0), shared, data[0]);
	OK(HcclSend(data[0], COUNT, HCCL_DATA_TYPE_FP32, 1, ranks.comm(0), ranks.stream(0)));
	ranks.select(1);
	if (!fixed)
		copy(ranks.stream(1), used[1], shared);
	OK(HcclRecv(data[1], COUNT, HCCL_DATA_TYPE_FP32, 0, ranks.comm(1), ranks.stream(1)));
	if (fixed)
		copy(ranks.stream(1), used[1], shared);
	ranks.finish();
}

/* Operations of a communicator follow each other, on whatever streams. Other work does not. */
PROGRAM(M08_only_operations_follow_each_other, "RACE-RAW RACE-WAW")
{
	const Ranks ranks;
	const auto data = ranks.memory(), other = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream second = new_stream();
		ranks.all_reduce(rank, data[rank], data[rank]);
		fill(ranks.stream(rank), fixed ? other[rank] : data[rank]);
		ranks.all_reduce(rank, data[rank], data[rank], second);
	});
	ranks.finish();
}

PROGRAM(M09_replay_reads_what_is_written, "RACE-WAR")
{
	const Ranks ranks;
	const auto data = ranks.memory(), sums = ranks.memory();
	std::array<aclmdlRI, RANKS> models{};
	ranks.each([&](uint32_t rank) {
		const aclrtStream stream = ranks.stream(rank);
		OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
		ranks.all_reduce(rank, data[rank], sums[rank]);
		OK(aclmdlRICaptureEnd(stream, &models[rank]));
	});
	ranks.each(
		[&](uint32_t rank) { OK(aclmdlRIExecuteAsync(models[rank], ranks.stream(rank))); });
	ranks.each([&](uint32_t rank) {
		if (fixed)
			sync(ranks.stream(rank));
		fill(new_stream(), data[rank]);
	});
	ranks.finish();
	ranks.each([&](uint32_t rank) { OK(aclmdlRIDestroy(models[rank])); });
}

PROGRAM(M10_sum_of_what_was_never_written, "UNINIT")
{
	const Ranks ranks;
	ranks.each([&](uint32_t rank) {
		char *data = new_undefined(), *sum = new_undefined();
		if (fixed)
			fill(ranks.stream(rank), data);
		ranks.all_reduce(rank, data, sum);
	});
	ranks.finish();
}

PROGRAM(M11_buffer_is_freed_too_early, "UAF")
{
	const Ranks ranks;
	const auto data = ranks.memory(), sums = ranks.memory();
	ranks.each([&](uint32_t rank) { ranks.all_reduce(rank, data[rank], sums[rank]); });
	ranks.each([&](uint32_t rank) {
		if (fixed)
			sync(ranks.stream(rank));
		OK(aclrtFree(data[rank]));
	});
	ranks.finish();
}

/* Both ranks send first. */
PROGRAM(M12_sends_that_wait_for_each_other, "DEADLOCK")
{
	{
		const Ranks ranks;
		const auto data = ranks.memory(), got = ranks.memory();
		ranks.each([&](uint32_t rank) {
			HcclSendRecvItem items[] = {
				{HCCL_SEND, data[rank], COUNT, HCCL_DATA_TYPE_FP32, 1 - rank},
				{HCCL_RECV, got[rank], COUNT, HCCL_DATA_TYPE_FP32, 1 - rank},
			};
			if (fixed) {
				OK(HcclBatchSendRecv(items, 2, ranks.comm(rank),
						     ranks.stream(rank)));
				return;
			}
			OK(HcclSend(data[rank], COUNT, HCCL_DATA_TYPE_FP32, 1 - rank,
				    ranks.comm(rank), ranks.stream(rank)));
			OK(HcclRecv(got[rank], COUNT, HCCL_DATA_TYPE_FP32, 1 - rank,
				    ranks.comm(rank), ranks.stream(rank)));
		});
		if (!fixed)
			std::_Exit(0);
		ranks.finish();
	}
}

/* The result of the operation and the copy are in one place, in any order. */
PROGRAM(M13_receive_buffer_is_written_by_another_stream, "RACE-WAW")
{
	const Ranks ranks;
	const auto data = ranks.memory(), sums = ranks.memory(), others = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream copies = new_stream();
		aclrtEvent reduced = new_event();
		ranks.all_reduce(rank, data[rank], sums[rank]);
		record(reduced, ranks.stream(rank));
		if (fixed)
			wait(copies, reduced);
		copy(copies, sums[rank], others[rank]);
	});
	ranks.finish();
}

PROGRAM(M14_message_is_overwritten_before_it_is_sent, "RACE-WAR")
{
	const Ranks ranks;
	const auto data = ranks.memory(), others = ranks.memory();
	ranks.select(0);
	aclrtStream copies = new_stream();
	aclrtEvent sent = new_event();
	OK(HcclSend(data[0], COUNT, HCCL_DATA_TYPE_FP32, 1, ranks.comm(0), ranks.stream(0)));
	record(sent, ranks.stream(0));
	if (fixed)
		wait(copies, sent);
	copy(copies, data[0], others[0]);
	ranks.select(1);
	OK(HcclRecv(data[1], COUNT, HCCL_DATA_TYPE_FP32, 0, ranks.comm(1), ranks.stream(1)));
	ranks.finish();
}

PROGRAM(M15_message_comes_where_another_stream_writes, "RACE-WAW")
{
	const Ranks ranks;
	const auto data = ranks.memory(), others = ranks.memory();
	ranks.select(0);
	OK(HcclSend(data[0], COUNT, HCCL_DATA_TYPE_FP32, 1, ranks.comm(0), ranks.stream(0)));
	ranks.select(1);
	aclrtStream copies = new_stream();
	aclrtEvent copied = new_event();
	copy(copies, data[1], others[1]);
	record(copied, copies);
	if (fixed)
		wait(ranks.stream(1), copied);
	OK(HcclRecv(data[1], COUNT, HCCL_DATA_TYPE_FP32, 0, ranks.comm(1), ranks.stream(1)));
	ranks.finish();
}

/* Training: each step reduces the gradients in place, and the host reads the loss. */
CORRECT(N01_steps_of_training)
{
	const Ranks ranks;
	const auto weights = ranks.memory(), gradients = ranks.memory();
	for (int step = 0; step < 5; step++) {
		ranks.each([&](uint32_t rank) {
			fill(ranks.stream(rank), gradients[rank]);
			ranks.all_reduce(rank, gradients[rank], gradients[rank]);
			add(ranks.stream(rank), weights[rank], weights[rank], gradients[rank]);
		});
		ranks.each([&](uint32_t rank) {
			sync(ranks.stream(rank));
			(void)contents(weights[rank]);
		});
	}
}

/* Each rank writes into the memory of the other one, and a barrier parts the turns. */
CORRECT(N02_turns_by_barriers)
{
	const Ranks ranks;
	const auto windows = ranks.memory(), data = ranks.memory();
	reach_each_other(ranks);
	for (int turn = 0; turn < 3; turn++) {
		ranks.each([&](uint32_t rank) {
			copy(ranks.stream(rank), windows[1 - rank], data[rank]);
		});
		ranks.barrier();
		ranks.each([&](uint32_t rank) {
			copy(ranks.stream(rank), data[rank], windows[rank]);
		});
		ranks.barrier();
	}
	ranks.finish();
}

/* A rank submits many operations before the other one begins. */
CORRECT(N03_a_rank_that_is_far_behind)
{
	constexpr int CALLS = 40;
	const Ranks ranks;
	const auto data = ranks.memory(), copies = ranks.memory();
	ranks.each([&](uint32_t rank) {
		for (int i = 0; i < CALLS; i++) {
			if (rank == 0)
				fill(ranks.stream(0), data[0]);
			ranks.broadcast(rank, data[rank], 0);
			copy(ranks.stream(rank), copies[rank], data[rank]);
		}
	});
	ranks.finish();
	EXPECT((ranks.select(1), has(copies[1], 1)));
}

/* Operations on two streams, each of which uses what the last one has made. */
CORRECT(N04_two_streams_of_one_communicator)
{
	const Ranks ranks;
	const auto data = ranks.memory();
	ranks.each([&](uint32_t rank) {
		aclrtStream second = new_stream();
		for (int i = 0; i < 4; i++)
			ranks.all_reduce(rank, data[rank], data[rank],
					 i % 2 == 0 ? ranks.stream(rank) : second);
	});
	ranks.finish();
}

/* Graphs and calls take turns; one rank runs a graph where the other one calls. */
CORRECT(N05_replays_and_calls)
{
	const Ranks ranks;
	const auto data = ranks.memory(), windows = ranks.memory();
	aclmdlRI model = nullptr;
	reach_each_other(ranks);
	ranks.select(0);
	OK(aclmdlRICaptureBegin(ranks.stream(0), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	ranks.all_reduce(0, data[0], data[0]);
	copy(ranks.stream(0), windows[1], data[0]);
	OK(HcclBarrier(ranks.comm(0), ranks.stream(0)));
	OK(aclmdlRICaptureEnd(ranks.stream(0), &model));
	for (int i = 0; i < 3; i++) {
		ranks.select(0);
		OK(aclmdlRIExecuteAsync(model, ranks.stream(0)));
		ranks.select(1);
		ranks.all_reduce(1, data[1], data[1]);
		OK(HcclBarrier(ranks.comm(1), ranks.stream(1)));
		copy(ranks.stream(1), data[1], windows[1]);
	}
	ranks.finish();
	ranks.select(0);
	OK(aclmdlRIDestroy(model));
}

/* One call after the other on the same buffers. */
CORRECT(N06_all_calls)
{
	const Ranks ranks;
	const auto sends = ranks.memory(RANKS * BYTES), receives = ranks.memory(RANKS * BYTES);
	const uint64_t counts[] = {COUNT, COUNT / 2}, offsets[] = {0, COUNT};
	const uint64_t matrix[] = {COUNT, COUNT / 2, COUNT, COUNT / 2};
	ranks.each([&](uint32_t rank) {
		const HcclComm comm = ranks.comm(rank);
		const aclrtStream stream = ranks.stream(rank);
		const HcclDataType type = HCCL_DATA_TYPE_FP32;
		const HcclReduceOp sum = HCCL_REDUCE_SUM;
		const uint64_t ins[] = {counts[rank], counts[rank]};
		char *const send = sends[rank], *const receive = receives[rank];
		OK(HcclReduce(send, receive, COUNT, type, sum, 1, comm, stream));
		OK(HcclAllGatherV(send, counts[rank], receive, counts, offsets, type, comm,
				  stream));
		OK(HcclReduceScatter(send, receive, COUNT, type, sum, comm, stream));
		OK(HcclReduceScatterV(send, counts, offsets, receive, counts[rank], type, sum, comm,
				      stream));
		OK(HcclScatter(send, receive, COUNT, type, 0, comm, stream));
		OK(HcclAlltoAll(send, COUNT, type, receive, COUNT, type, comm, stream));
		OK(HcclAlltoAllV(send, counts, offsets, type, receive, ins, offsets, type, comm,
				 stream));
		OK(HcclAlltoAllVC(send, matrix, type, receive, type, comm, stream));
	});
	ranks.finish();
}

/* Another stream uses what is between the parts of a buffer. */
CORRECT(N08_between_the_parts)
{
	const Ranks ranks;
	const auto own = ranks.memory(), all = ranks.memory(RANKS * BYTES);
	const uint64_t counts[] = {COUNT / 2, COUNT / 2}, offsets[] = {0, COUNT};
	ranks.each([&](uint32_t rank) {
		OK(HcclAllGatherV(own[rank], COUNT / 2, all[rank], counts, offsets,
				  HCCL_DATA_TYPE_FP32, ranks.comm(rank), ranks.stream(rank)));
		fill(new_stream(), all[rank] + BYTES / 2, BYTES / 2);
	});
	ranks.finish();
}

/* A rank that is destroyed while its operation waits for the other one, which never calls. */
CORRECT(N07_an_end_in_the_middle)
{
	const Ranks ranks;
	const auto data = ranks.memory();
	ranks.select(0);
	ranks.all_reduce(0, data[0], data[0]);
}

static void prepare()
{
	programs::use_two_devices();
	OK(aclInit(nullptr));
	OK(aclrtSetDevice(1));
	OK(aclrtSetDevice(0));
}

static void finish()
{
	OK(aclrtResetDeviceForce(1));
	OK(aclrtResetDeviceForce(0));
	OK(aclFinalize());
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare, finish);
}
