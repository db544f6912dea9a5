// SPDX-License-Identifier: MIT
/*
 * DOC: models built of streams
 *
 * Streams of ACL_STREAM_PERSISTENT keep what they are given; a model has them run it, as often as
 * wanted. Labels, switches and streams that are started make of it a program.
 */
#include "model/model_build.h"
#include "capture/capture_objects.h"

#include <memory>

namespace conformance {

namespace {

class Labels {
public:
	explicit Labels(size_t count) : labels_(count)
	{
		for (aclrtLabel &label : labels_)
			EXPECT_OK(aclrtCreateLabel(&label));
		EXPECT_OK(aclrtCreateLabelList(labels_.data(), count, &list_));
	}

	~Labels()
	{
		EXPECT_OK(aclrtDestroyLabelList(list_));
		for (aclrtLabel label : labels_)
			EXPECT_OK(aclrtDestroyLabel(label));
	}

	Labels(const Labels &) = delete;
	Labels &operator=(const Labels &) = delete;

	void set(size_t which, aclrtStream stream) const
	{
		EXPECT_OK(aclrtSetLabel(labels_[which], stream));
	}

	aclrtLabel at(size_t which) const { return labels_[which]; }

	/* The stream continues at the label with number @index. */
	void jump(const DeviceBuffer &index, aclrtStream stream) const
	{
		const auto count = static_cast<uint32_t>(labels_.size());

		EXPECT_OK(aclrtSwitchLabelByIndex(index.data(), count, list_, stream));
	}

	aclrtLabelList list() const { return list_; }

private:
	std::vector<aclrtLabel> labels_;
	aclrtLabelList list_ = nullptr;
};

class ModelBuild : public DeviceTest {
protected:
	/* Everything in the buffer moves to the front by so many bytes. */
	void shift(const DeviceBuffer &buffer, size_t bytes, aclrtStream stream) const
	{
		const size_t count = buffer.size() - bytes;

		EXPECT_OK(aclrtMemcpyAsync(spare_->data(), count, buffer.at(bytes), count,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(buffer.data(), count, spare_->data(), count,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	}

	void SetUp() override
	{
		DeviceTest::SetUp();
		spare_ = std::make_unique<DeviceBuffer>(256);
	}

	void TearDown() override
	{
		spare_.reset();
		DeviceTest::TearDown();
	}

private:
	std::unique_ptr<DeviceBuffer> spare_;
};

} // namespace

TEST_F(ModelBuild, Check63_TheSameTasksRunEachTime)
{
	const Kept stream;
	const Counter counter;
	const Built model;

	counter.step(stream);
	model.bind(stream);
	counter.step(stream);
	model.finish(stream);
	EXPECT_EQ(counter.value(), 0u);
	for (size_t i = 1; i <= 5; ++i) {
		model.execute();
		EXPECT_EQ(counter.value(), 2 * i);
	}
}

TEST_F(ModelBuild, Check63_OtherStreamsCantBeBound)
{
	const Stream stream;
	const Kept kept;
	const Built model;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "PERSISTENT",
		     aclmdlRIBindStream(model, stream, kHead));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclmdlRIBindStream(model, nullptr, kHead));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag", aclmdlRIBindStream(model, kept, 1));
	model.bind(kept);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "bound", aclmdlRIBindStream(model, kept, kHead));
}

TEST_F(ModelBuild, Check63_ANumberPastTheListTakesTheLastLabel)
{
	const Kept stream;
	const DeviceBuffer index(sizeof(uint32_t));
	const DeviceBuffer out(64);
	const Labels labels(3);
	const Built model;

	model.bind(stream);
	out.fill_async(9, stream);
	labels.jump(index, stream);
	for (int i = 0; i < 3; ++i) {
		labels.set(size_t(i), stream);
		EXPECT_OK(aclrtMemsetAsync(out.at(size_t(i)), 1, i, 1, stream));
	}
	model.finish(stream);
	for (const uint32_t number : {0u, 1u, 2u, 3u, 70000u, UINT32_MAX}) {
		index.store<uint32_t>({number});
		model.execute();
		const std::vector<uint8_t> ran = out.load<uint8_t>();
		const uint32_t from = std::min(number, 2u);
		for (uint32_t i = 0; i < 3; ++i)
			EXPECT_EQ(ran[i], i < from ? 9 : i) << number << ' ' << i;
	}
}

TEST_F(ModelBuild, ALabelBeforeTheSwitchMakesALoop)
{
	const Kept stream;
	const DeviceBuffer turns(8 * sizeof(uint32_t));
	const Counter counter;
	const Labels labels(2);
	const Built model;

	/* Each turn takes the next number: label 0 three times, then label 1. */
	model.bind(stream);
	labels.set(0, stream);
	counter.step(stream);
	shift(turns, 4, stream);
	labels.jump(turns, stream);
	labels.set(1, stream);
	model.finish(stream);
	for (size_t i = 1; i <= 2; ++i) {
		turns.store<uint32_t>({0, 0, 0, 0, 1, 1, 1, 1});
		model.execute();
		EXPECT_EQ(counter.value(), 4 * i);
	}
}

/* The model goes on in the stream of the label; the rest of the stream with the switch does not run. */
TEST_F(ModelBuild, ASwitchLeadsToALabelOfAnotherStream)
{
	const Kept cases[2];
	const Kept first;
	const DeviceBuffer index(sizeof(uint32_t));
	const DeviceBuffer out(64);
	const Labels labels(3);
	const Built model;

	/* The streams of the labels are bound before the one that leads to them, and after it. */
	model.bind(cases[0], kLater);
	model.bind(first);
	model.bind(cases[1], kLater);
	out.fill_async(0, first);
	labels.jump(index, first);
	EXPECT_OK(aclrtMemsetAsync(out.at(0), 1, 1, 1, first));
	for (size_t i = 0; i < 2; ++i) {
		EXPECT_OK(aclrtMemsetAsync(out.at(1), 1, 1, 1, cases[i]));
		labels.set(i, cases[i]);
		EXPECT_OK(aclrtMemsetAsync(out.at(2 + i), 1, 1, 1, cases[i]));
	}
	labels.set(2, first);
	EXPECT_OK(aclrtMemsetAsync(out.at(4), 1, 1, 1, first));
	model.finish(first);
	const std::vector<std::vector<uint8_t>> expected = {
		{0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};
	for (const uint32_t number : {0u, 1u, 2u, 7u}) {
		index.store<uint32_t>({number});
		model.execute();
		std::vector<uint8_t> ran = out.load<uint8_t>();
		ran.resize(5);
		EXPECT_EQ(ran, expected[std::min(number, 2u)]) << number;
	}
}

/* A loop over two streams. */
TEST_F(ModelBuild, StreamsJumpBackAndForth)
{
	const Kept first;
	const Kept second;
	const DeviceBuffer turns(8 * sizeof(uint32_t));
	const Counter counter;
	const Labels there(1);
	const Labels back(2);
	const Built model;

	model.bind(first);
	model.bind(second, kLater);
	back.set(0, first);
	counter.step(first);
	there.jump(turns, first);
	there.set(0, second);
	counter.step(second);
	shift(turns, 4, second);
	back.jump(turns, second);
	back.set(1, second);
	model.finish(second);
	for (size_t i = 1; i <= 2; ++i) {
		turns.store<uint32_t>({0, 0, 0, 1, 1, 1, 1, 1});
		model.execute();
		EXPECT_EQ(counter.value(), 6 * i);
	}
}

TEST_F(ModelBuild, ALabelIsNotInAStreamThatRunsByItself)
{
	const Kept first;
	const Kept second;
	const Kept third;
	const DeviceBuffer index(sizeof(uint32_t));
	const Labels one(1);
	const Labels other(1);
	const Built model;

	model.bind(first);
	model.bind(second);
	model.bind(third, kLater);
	one.jump(index, first);
	one.set(0, second);
	EXPECT_OK(aclmdlRIEndTask(model, first));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "runs by itself",
		     aclmdlRIBuildEnd(model, nullptr));
	EXPECT_OK(aclmdlRIUnbindStream(model, first));
	EXPECT_OK(aclrtPersistentTaskClean(first));
	other.set(0, third);
	other.jump(index, second);
	model.bind(first);
	other.jump(index, first);
	EXPECT_OK(aclmdlRIEndTask(model, first));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "another stream",
		     aclmdlRIBuildEnd(model, nullptr));
}

TEST_F(ModelBuild, AStreamRunsWhenItIsStarted)
{
	const Kept first;
	const Kept second;
	const Kept never;
	const DeviceBuffer a(64);
	const DeviceBuffer b(64);
	const DeviceBuffer c(64);
	const Built model;

	model.bind(first);
	model.bind(second, kLater);
	model.bind(never, kLater);
	a.fill_async(5, first);
	EXPECT_OK(aclrtActiveStream(second, first));
	copy_async(b, a, second);
	c.fill_async(1, never);
	model.finish(second);
	for (int i = 0; i < 3; ++i) {
		b.fill_async(0, nullptr);
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		model.execute();
		EXPECT_TRUE(holds(b, 5));
		EXPECT_TRUE(holds(c, 0));
	}
}

TEST_F(ModelBuild, ASwitchLeavesTheStreamWhenItHolds)
{
	struct Case {
		aclrtCondition condition;
		bool less, equal, greater;
	};
	constexpr Case cases[] = {
		{ACL_RT_EQUAL, false, true, false},   {ACL_RT_NOT_EQUAL, true, false, true},
		{ACL_RT_GREATER, false, false, true}, {ACL_RT_GREATER_OR_EQUAL, false, true, true},
		{ACL_RT_LESS, true, false, false},    {ACL_RT_LESS_OR_EQUAL, true, true, false},
	};

	for (const Case &one : cases) {
		for (const bool wide : {false, true}) {
			const Kept first;
			const Kept second;
			const DeviceBuffer left(8);
			const DeviceBuffer right(8);
			const DeviceBuffer stayed(64);
			const DeviceBuffer left_for(64);
			const Built model;

			model.bind(first);
			model.bind(second, kLater);
			EXPECT_OK(
				aclrtSwitchStream(left.data(), one.condition, right.data(),
						  wide ? ACL_RT_SWITCH_INT64 : ACL_RT_SWITCH_INT32,
						  second, nullptr, first));
			stayed.fill_async(1, first);
			left_for.fill_async(1, second);
			model.finish(first);
			for (const int side : {-1, 0, 1}) {
				const int64_t value = wide ? side * (int64_t{1} << 40) : side;
				const bool taken = side < 0    ? one.less
						   : side == 0 ? one.equal
							       : one.greater;

				left.store<int64_t>({value});
				stayed.fill_async(0, nullptr);
				left_for.fill_async(0, nullptr);
				EXPECT_OK(aclrtSynchronizeStream(nullptr));
				model.execute();
				EXPECT_TRUE(holds(stayed, taken ? 0 : 1));
				EXPECT_TRUE(holds(left_for, taken ? 1 : 0));
			}
		}
	}
}

TEST_F(ModelBuild, StreamsOfAModelStartEachOther)
{
	const Kept first;
	const Kept second;
	const DeviceBuffer turns(8 * sizeof(int64_t));
	const DeviceBuffer zero(8);
	const Counter counter;
	const Built model;

	/* The first comes again as long as there are ones. */
	model.bind(first);
	model.bind(second, kLater);
	counter.step(first);
	EXPECT_OK(aclrtSwitchStream(turns.data(), ACL_RT_NOT_EQUAL, zero.data(),
				    ACL_RT_SWITCH_INT64, second, nullptr, first));
	shift(turns, 8, second);
	EXPECT_OK(aclrtActiveStream(first, second));
	model.finish(first);
	turns.store<int64_t>({1, 1, 1, 0, 0, 0, 0, 0});
	model.execute();
	EXPECT_EQ(counter.value(), 4u);
}

TEST_F(ModelBuild, FlagsOrderStreamsOfAModel)
{
	const Kept first;
	const Kept second;
	const DeviceBuffer a(64);
	const DeviceBuffer b(64);
	const Event event = Event::with_flag(ACL_EVENT_SYNC);
	const Built model;

	model.bind(second);
	model.bind(first);
	EXPECT_OK(aclrtStreamWaitEvent(second, event));
	EXPECT_OK(aclrtResetEvent(event, second));
	copy_async(b, a, second);
	a.fill_async(4, first);
	EXPECT_OK(aclrtRecordEvent(event, first));
	model.finish(second);
	for (int i = 0; i < 3; ++i) {
		b.fill_async(0, nullptr);
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		model.execute();
		EXPECT_TRUE(holds(b, 4));
	}
}

TEST_F(ModelBuild, HostFunctionsRunEachTime)
{
	const Kept stream;
	const Built model;
	int calls = 0;

	model.bind(stream);
	EXPECT_OK(aclrtLaunchHostFunc(
		stream, [](void *data) { ++*static_cast<int *>(data); }, &calls));
	model.finish(stream);
	for (int i = 1; i <= 3; ++i) {
		model.execute();
		EXPECT_EQ(calls, i);
	}
}

TEST_F(ModelBuild, ItsTasksAreKnownAndCanBeTakenOut)
{
	const Kept stream;
	const DeviceBuffer a(64);
	const DeviceBuffer b(64);
	const Labels labels(1);
	const Built model;
	aclrtStream view = nullptr;
	uint32_t count = 1;

	model.bind(stream);
	a.fill_async(1, stream);
	labels.set(0, stream);
	b.fill_async(2, stream);
	model.finish(stream);
	ASSERT_OK(aclmdlRIGetStreams(model, &view, &count));
	EXPECT_EQ(count, 1u);
	std::vector<aclmdlRITask> tasks(3);
	count = 3;
	ASSERT_OK(aclmdlRIGetTasksByStream(view, tasks.data(), &count));
	ASSERT_EQ(count, 3u);
	EXPECT_OK(aclmdlRITaskDisable(tasks[0]));
	EXPECT_OK(aclmdlRIUpdate(model));
	model.execute();
	EXPECT_TRUE(holds(a, 0));
	EXPECT_TRUE(holds(b, 2));
}

TEST_F(ModelBuild, ExecutionsHaveAPlaceInTheOrderOfAStream)
{
	const Kept kept;
	const Stream stream;
	const DeviceBuffer a(64);
	const DeviceBuffer b(64);
	const DeviceBuffer c(64);
	const Built model;

	model.bind(kept);
	copy_async(b, a, kept);
	model.finish(kept);
	for (const int value : {3, 4}) {
		a.fill_async(value, stream);
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		copy_async(c, b, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(c, value));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "collects", aclmdlRIExecuteAsync(model, kept));
}

TEST_F(ModelBuild, ATimeLimitEndsTheWaitAndTheModelContinues)
{
	const Kept kept;
	const Stream stream;
	const DeviceBuffer out(64);
	Gate gate;

	{
		const Built model;

		model.bind(kept);
		EXPECT_OK(aclrtStreamWaitEvent(kept, gate.event()));
		out.fill_async(1, kept);
		model.finish(kept);
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout", aclmdlRIExecute(model, 0));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit", aclmdlRIExecute(model, 5));
		gate.open();
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(out, 1));
	}
}

TEST_F(ModelBuild, AnAbortEndsAnExecution)
{
	const Kept kept;
	const Stream stream;
	const DeviceBuffer out(64);
	Gate gate;

	{
		const Built model;

		model.bind(kept);
		EXPECT_OK(aclrtStreamWaitEvent(kept, gate.event()));
		out.fill_async(1, kept);
		model.finish(kept);
		EXPECT_OK(aclmdlRIAbort(model));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "", aclmdlRIExecute(model, 5));
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		EXPECT_OK(aclmdlRIAbort(model));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "abort", aclrtSynchronizeStream(stream));
		gate.open();
		EXPECT_TRUE(holds(out, 0));
		model.execute();
		EXPECT_TRUE(holds(out, 1));
	}
}

TEST_F(ModelBuild, WhatIsRefusedWhileItIsBuilt)
{
	const Kept stream;
	const Kept other;
	const Stream plain;
	const DeviceBuffer buffer(64);
	const Labels labels(1);
	aclmdlRI nothing = nullptr;
	const Built model;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclmdlRIBuildBegin(nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag", aclmdlRIBuildBegin(&nothing, 1));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "bound", aclmdlRIEndTask(model, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "bound", aclmdlRIUnbindStream(model, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "bound", aclrtSetLabel(labels.at(0), stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "bound", aclrtActiveStream(other, plain));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclrtSetLabel(labels.at(0), nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclrtActiveStream(nullptr, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclrtActiveStream(stream, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "BuildEnd", aclmdlRIExecuteAsync(model, plain));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "HEAD", aclmdlRIBuildEnd(model, nullptr));
	model.bind(stream);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EndTask", aclmdlRIBuildEnd(model, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "bound", aclrtActiveStream(other, stream));
	model.bind(other, kLater);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "falseStream",
		     aclrtSwitchStream(buffer.data(), ACL_RT_EQUAL, buffer.at(8),
				       ACL_RT_SWITCH_INT64, other, other, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "cond",
		     aclrtSwitchStream(buffer.data(), raw_enum<aclrtCondition>(6), buffer.at(8),
				       ACL_RT_SWITCH_INT64, other, nullptr, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "multiple",
		     aclrtSwitchStream(buffer.at(4), ACL_RT_EQUAL, buffer.at(8),
				       ACL_RT_SWITCH_INT64, other, nullptr, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "maxValue",
		     aclrtSwitchLabelByIndex(buffer.data(), 2, labels.list(), stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "reserve", aclmdlRIBuildEnd(model, &nothing));
	/* The label is in no stream of the model. */
	labels.jump(buffer, stream);
	EXPECT_OK(aclmdlRIEndTask(model, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "label", aclmdlRIBuildEnd(model, nullptr));
	labels.set(0, other);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "set already",
		     aclrtSetLabel(labels.at(0), stream));
}

TEST_F(ModelBuild, ABuiltModelTakesNoMoreTasks)
{
	const Kept stream;
	const Kept late;
	const DeviceBuffer out(64);
	const Built model;

	model.bind(stream);
	model.finish(stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "no more",
		     aclrtMemsetAsync(out.data(), 64, 1, 64, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "built", aclmdlRIBindStream(model, late, kHead));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "model", aclrtPersistentTaskClean(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "model", aclrtDestroyStream(stream));
	EXPECT_OK(aclmdlRIUnbindStream(model, stream));
	EXPECT_OK(aclrtPersistentTaskClean(stream));
	out.fill_async(1, stream);
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "unbound", aclmdlRIExecute(model, -1));
	EXPECT_TRUE(holds(out, 0));
}

TEST_F(ModelBuild, LabelsAreCountedAndKnown)
{
	aclrtLabel label = nullptr;
	aclrtLabelList list = nullptr;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclrtCreateLabel(nullptr));
	ASSERT_OK(aclrtCreateLabel(&label));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "num", aclrtCreateLabelList(&label, 0, &list));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "num", aclrtCreateLabelList(&label, 65536, &list));
	EXPECT_OK(aclrtDestroyLabel(label));
	EXPECT_NE(aclrtCreateLabelList(&label, 1, &list), ACL_SUCCESS);
	EXPECT_NE(aclrtDestroyLabel(label), ACL_SUCCESS);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "NULL", aclrtDestroyLabel(nullptr));
}

} // namespace conformance
