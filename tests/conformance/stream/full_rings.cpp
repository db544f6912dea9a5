// SPDX-License-Identifier: MIT
/*
 * DOC: calls on a stream whose ring is full
 *
 * A stream of a model has to wait for each launch of that model. When its ring is full the wait finds no
 * room, and only the program can make some. Calls that ask for the state of the stream answer all the
 * same, limits are kept, and no call of another thread has to wait.
 */
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "support/child_process.h"
#include "support/fixture.h"

using namespace conformance;

namespace {

/* The number of tasks that a stream accepts before a submit blocks. */
constexpr unsigned kFull = 1024;
constexpr int32_t kLimitMs = 50;

/* The test does not check how long a call takes, only that it returns while the ring is full. */
constexpr std::chrono::seconds kPatience(30);
constexpr size_t kBytes = 64;

/* A stream of a model whose ring is full. Its first task waits for the gate, and the model was launched. */
class FullMember {
public:
	FullMember()
	{
		EXPECT_OK(aclrtGetCurrentContext(&context_));
		EXPECT_OK(aclrtMalloc(&memory_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
		EXPECT_OK(aclrtCreateStream(&origin_));
		EXPECT_OK(aclrtCreateStream(&member_));
		EXPECT_OK(aclrtCreateEventWithFlag(&gate_, ACL_EVENT_SYNC));
		capture();
		EXPECT_OK(aclrtStreamWaitEvent(member_, gate_));
		for (unsigned i = 1; i < kFull; ++i)
			EXPECT_OK(aclrtMemsetAsync(memory_, kBytes, 3, kBytes, member_));
		EXPECT_OK(aclmdlRIExecuteAsync(model_, origin_));
	}
	FullMember(const FullMember &) = delete;
	FullMember &operator=(const FullMember &) = delete;

	void destroy()
	{
		open_gate();
		EXPECT_OK(aclrtSynchronizeStream(member_));
		EXPECT_OK(aclrtSynchronizeStream(origin_));
		EXPECT_OK(aclmdlRIDestroy(model_));
		EXPECT_OK(aclrtDestroyEvent(gate_));
		EXPECT_OK(aclrtDestroyStream(member_));
		EXPECT_OK(aclrtDestroyStream(origin_));
		EXPECT_OK(aclrtFree(memory_));
	}

	void open_gate()
	{
		if (std::exchange(open_, true))
			return;
		const Stream opener;
		EXPECT_OK(aclrtRecordEvent(gate_, opener));
		EXPECT_OK(aclrtSynchronizeStream(opener));
	}

	/* Another thread makes the call, which has to return before the gate opens. Return: the result of the call. */
	template <typename Call> aclError answer(Call call)
	{
		std::future<aclError> answered = std::async(std::launch::async, [&] {
			EXPECT_OK(aclrtSetCurrentContext(context_));
			return call();
		});
		EXPECT_EQ(answered.wait_for(kPatience), std::future_status::ready)
			<< "the call waits for room in the ring";
		if (answered.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
			open_gate();
		return answered.get();
	}

	aclrtContext context() const { return context_; }
	aclrtStream member() const { return member_; }
	aclrtStream origin() const { return origin_; }

private:
	void capture()
	{
		const Event fork = Event::ex(ACL_EVENT_SYNC);
		const Event join = Event::ex(ACL_EVENT_SYNC);
		EXPECT_OK(aclmdlRICaptureBegin(origin_, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		EXPECT_OK(aclrtMemsetAsync(memory_, kBytes, 1, kBytes, origin_));
		EXPECT_OK(aclrtRecordEvent(fork, origin_));
		EXPECT_OK(aclrtStreamWaitEvent(member_, fork));
		EXPECT_OK(aclrtMemsetAsync(memory_, kBytes, 2, kBytes, member_));
		EXPECT_OK(aclrtRecordEvent(join, member_));
		EXPECT_OK(aclrtStreamWaitEvent(origin_, join));
		EXPECT_OK(aclmdlRICaptureEnd(origin_, &model_));
	}

	aclrtContext context_ = nullptr;
	aclrtStream member_ = nullptr;
	aclrtStream origin_ = nullptr;
	aclrtEvent gate_ = nullptr;
	void *memory_ = nullptr;
	aclmdlRI model_ = nullptr;
	bool open_ = false;
};

using FullRings = DeviceTest;

TEST_F(FullRings, AQueryAnswers)
{
	FullMember full;
	aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;

	EXPECT_OK(full.answer([&] { return aclrtStreamQuery(full.member(), &status); }));
	EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
	full.open_gate();
	EXPECT_OK(aclrtSynchronizeStream(full.member()));
	EXPECT_EQ(query(full.member()), ACL_STREAM_STATUS_COMPLETE);
	full.destroy();
}

TEST_F(FullRings, AWaitKeepsItsLimit)
{
	FullMember full;

	EXPECT_EQ(full.answer([&] {
		return aclrtSynchronizeStreamWithTimeout(full.member(), kLimitMs);
	}),
		  ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
	EXPECT_EQ(full.answer([] { return aclrtSynchronizeDeviceWithTimeout(kLimitMs); }),
		  ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
	full.destroy();
}

/* The thread that opens the gate has to create a stream first. */
TEST_F(FullRings, AWaitForTheDeviceHoldsUpNoOtherCall)
{
	FullMember full;
	std::promise<void> begun;
	std::thread waiter([&] {
		EXPECT_OK(aclrtSetCurrentContext(full.context()));
		begun.set_value();
		EXPECT_OK(aclrtSynchronizeDevice());
	});
	begun.get_future().wait();
	for (unsigned i = 0; i < 50; ++i)
		EXPECT_OK(full.answer([] {
			const Stream other;
			return aclrtSynchronizeStream(other);
		}));
	full.open_gate();
	waiter.join();
	EXPECT_EQ(query(full.member()), ACL_STREAM_STATUS_COMPLETE);
	full.destroy();
}

/* What follows a launch in a stream of the model comes after it, also where the ring was full. */
TEST_F(FullRings, TheLaunchComesBeforeWhatFollows)
{
	FullMember full;
	const DeviceBuffer mark(kBytes);
	std::thread submitter([&] {
		EXPECT_OK(aclrtSetCurrentContext(full.context()));
		mark.fill_async(7, full.member());
	});

	full.open_gate();
	submitter.join();
	EXPECT_OK(aclrtSynchronizeStream(full.member()));
	EXPECT_EQ(query(full.origin()), ACL_STREAM_STATUS_COMPLETE);
	EXPECT_TRUE(holds(mark, 7));
	full.destroy();
}

TEST_F(FullRings, AnAbortEmptiesThem)
{
	FullMember full;

	EXPECT_OK(aclrtStreamAbort(full.member()));
	EXPECT_EQ(full.answer([&] { return aclrtSynchronizeStream(full.member()); }),
		  ACL_ERROR_RT_STREAM_ABORT);
	EXPECT_EQ(query(full.member()), ACL_STREAM_STATUS_COMPLETE);
	full.destroy();
}

TEST(FullRingsAlone, AResetByForceEnds)
{
	if (!alone("patience_ms=1000"))
		return;
	open_device();
	FullMember full;
	std::promise<void> begun;
	std::thread waiter([&] {
		EXPECT_OK(aclrtSetCurrentContext(full.context()));
		begun.set_value();
		EXPECT_NE(aclrtSynchronizeDevice(), ACL_SUCCESS);
	});
	begun.get_future().wait();
	EXPECT_OK(full.answer([] { return aclrtResetDeviceForce(0); }));
	waiter.join();
	EXPECT_OK(aclFinalize());
}

/* Fills the free slots of a stream's ring. */
void fill_ring(aclrtStream stream, void *memory, unsigned tasks)
{
	for (unsigned i = 0; i < tasks; ++i)
		EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 3, kBytes, stream));
}

uint64_t time_stamp(aclrtEvent event)
{
	uint64_t stamp = 0;
	EXPECT_OK(aclrtEventGetTimestamp(event, &stamp));
	return stamp;
}

/* Both records have begun before either of them found room. The event keeps the time of the record
 * that ends last; the other time is dropped. */
TEST_F(FullRings, OfTwoRecordsOfAnEventTheLastOneToEndGivesTheTime)
{
	const DeviceBuffer memory(kBytes);
	const Event event = Event::plain();
	const Stream slow;
	const Stream fast;
	Gate slow_gate;
	Gate end_gate;
	Gate fast_gate;
	aclrtContext context = nullptr;
	const auto record = [&](aclrtStream stream) {
		EXPECT_OK(aclrtSetCurrentContext(context));
		return aclrtRecordEvent(event, stream);
	};
	const auto is_blocked = [](std::future<aclError> &call) {
		return call.wait_for(std::chrono::milliseconds(kLimitMs)) !=
		       std::future_status::ready;
	};

	EXPECT_OK(aclrtGetCurrentContext(&context));
	slow_gate.block(slow);
	fill_ring(slow, memory.data(), kFull - 2);
	end_gate.block(slow);
	fast_gate.block(fast);
	fill_ring(fast, memory.data(), kFull - 1);
	auto early = std::async(std::launch::async, record, aclrtStream(slow));
	EXPECT_TRUE(is_blocked(early));
	auto late = std::async(std::launch::async, record, aclrtStream(fast));
	EXPECT_TRUE(is_blocked(late));
	slow_gate.open();
	EXPECT_OK(early.get());
	fast_gate.open();
	EXPECT_OK(late.get());
	EXPECT_OK(aclrtSynchronizeEvent(event));
	const uint64_t stamp = time_stamp(event);
	EXPECT_NE(stamp, 0u);
	end_gate.open();
	EXPECT_OK(aclrtSynchronizeStream(slow));
	EXPECT_EQ(time_stamp(event), stamp);
	EXPECT_OK(aclrtRecordEvent(event, slow));
	EXPECT_OK(aclrtSynchronizeStream(slow));
	EXPECT_GT(time_stamp(event), stamp) << "the event goes on to be recorded";
}

} // namespace
