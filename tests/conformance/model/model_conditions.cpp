// SPDX-License-Identifier: MIT
/*
 * DOC: conditional tasks
 *
 * Models inside a model. When the device reaches the conditional task, it reads a word, which
 * earlier tasks may have written, and chooses the model to run.
 */
#include "capture/capture_objects.h"

namespace conformance {

namespace {

class Conditional : public DeviceTest {
protected:
	/* A condition of what @stream captures. */
	uint64_t *condition(aclrtStream stream, uint32_t value, bool assign,
			    aclmdlRICondHandle &handle)
	{
		aclmdlRI model = nullptr;
		uint64_t *word = nullptr;
		const auto flag = raw_enum<aclmdlRICondHandleFlag>(assign);

		EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &model));
		EXPECT_OK(aclmdlRICondHandleCreate(model, value, flag, &handle));
		EXPECT_OK(aclmdlRICondHandleGetCondPtr(handle, &word));
		EXPECT_NE(word, nullptr);
		return word;
	}

	std::vector<aclmdlRI> add(aclrtStream stream, aclmdlRICondHandle handle,
				  aclmdlRICondTaskType type, uint32_t size)
	{
		std::vector<aclmdlRI> models(size);

		EXPECT_OK(aclmdlRIAddCondTask({handle, type, size, models.data()}, stream, 0));
		return models;
	}

	/* The task of a model inside another. */
	template <typename Body> void fill(aclmdlRI model, const Body &body)
	{
		const Stream stream;

		ASSERT_OK(aclmdlRICaptureToModelRIBegin(stream, model,
							ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
		body(stream);
		EXPECT_OK(aclmdlRICaptureEnd(stream, nullptr));
	}

	static void set(const uint64_t *word, uint64_t value, aclrtStream stream)
	{
		EXPECT_OK(aclrtValueWrite(const_cast<uint64_t *>(word), value, 0, stream));
	}
};

} // namespace

TEST_F(Conditional, IfRunsOneOfTwo)
{
	const Stream stream;
	const DeviceBuffer yes(64);
	const DeviceBuffer no(64);
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	const uint64_t *word = condition(stream, 0, false, handle);
	const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_IF, 2);
	fill(models[0], [&](aclrtStream inner) { yes.fill_async(1, inner); });
	fill(models[1], [&](aclrtStream inner) { no.fill_async(1, inner); });
	const Model model(stream);
	for (const int value : {1, 0, 7}) {
		yes.fill_async(0, stream);
		no.fill_async(0, stream);
		set(word, static_cast<uint64_t>(value), stream);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(yes, value ? 1 : 0));
		EXPECT_TRUE(holds(no, value ? 0 : 1));
	}
}

TEST_F(Conditional, TheDefaultHoldsAtEachExecutionIfAskedFor)
{
	for (const bool assign : {true, false}) {
		const Stream stream;
		const Counter counter;
		aclmdlRICondHandle handle = nullptr;

		begin_capture(stream);
		const uint64_t *word = condition(stream, 1, assign, handle);
		const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_IF, 1);
		fill(models[0], [&](aclrtStream inner) {
			counter.step(inner);
			set(word, 0, inner);
		});
		const Model model(stream);
		if (!assign)
			set(word, 1, stream);
		for (int i = 0; i < 3; ++i)
			model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(counter.value(), assign ? 3u : 1u);
	}
}

TEST_F(Conditional, WhileRunsUntilItsBodyEndsIt)
{
	const Stream stream;
	const Counter counter;
	const DeviceBuffer list(8 * 16);
	const DeviceBuffer moved(8 * 16);
	const DeviceBuffer done(64);
	aclmdlRICondHandle handle = nullptr;

	/* The next element of a list decides about the next turn. */
	begin_capture(stream);
	uint64_t *word = condition(stream, 1, true, handle);
	const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_WHILE, 1);
	fill(models[0], [&](aclrtStream inner) {
		counter.step(inner);
		EXPECT_OK(aclrtMemcpyAsync(word, 8, list.data(), 8, ACL_MEMCPY_DEVICE_TO_DEVICE,
					   inner));
		EXPECT_OK(aclrtMemcpyAsync(moved.data(), 120, list.at(8), 120,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, inner));
		EXPECT_OK(aclrtMemcpyAsync(list.data(), 120, moved.data(), 120,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, inner));
	});
	done.fill_async(1, stream);
	const Model model(stream);
	size_t turns = 0;
	for (const size_t more : {0u, 3u, 9u}) {
		std::vector<uint64_t> values(16);
		std::fill_n(values.begin(), more, 1);
		list.store(values);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		turns += more + 1;
		EXPECT_EQ(counter.value(), turns);
		EXPECT_TRUE(holds(done, 1));
	}
}

TEST_F(Conditional, SwitchRunsTheModelOfItsConditionOrNone)
{
	const Stream stream;
	const DeviceBuffer cases(8 * 3);
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	const uint64_t *word = condition(stream, 0, false, handle);
	const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_SWITCH, 3);
	for (size_t i = 0; i < 3; ++i) {
		fill(models[i], [&](aclrtStream inner) {
			EXPECT_OK(aclrtMemsetAsync(cases.at(8 * i), 8, 1, 8, inner));
		});
	}
	const Model model(stream);
	for (const uint64_t value : {uint64_t{0}, uint64_t{2}, uint64_t{3}, UINT64_MAX}) {
		cases.fill_async(0, stream);
		set(word, value, stream);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		for (uint64_t i = 0; i < 3; ++i)
			EXPECT_EQ(cases.load<uint64_t>()[i] != 0, i == value);
	}
}

TEST_F(Conditional, ModelsNestAndHaveStreamsOfTheirOwn)
{
	const Stream stream;
	const Stream forked;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);
	const Counter outer;
	const Counter inner;
	aclmdlRICondHandle first = nullptr;
	aclmdlRICondHandle second = nullptr;

	begin_capture(stream);
	const uint64_t *run = condition(stream, 1, true, first);
	const uint64_t *again = condition(stream, 1, true, second);
	const auto models = add(stream, first, ACL_MODEL_RI_COND_TYPE_IF, 1);
	const Stream body;
	ASSERT_OK(aclmdlRICaptureToModelRIBegin(body, models[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	outer.step(body);
	follow(forked, body, fork);
	const auto loop = add(forked, second, ACL_MODEL_RI_COND_TYPE_WHILE, 1);
	fill(loop[0], [&](aclrtStream deep) {
		inner.step(deep);
		set(again, 0, deep);
	});
	follow(body, forked, join);
	EXPECT_OK(aclmdlRICaptureEnd(body, nullptr));
	const Model model(stream);
	(void)run;
	for (size_t i = 1; i <= 3; ++i) {
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(outer.value(), i);
		EXPECT_EQ(inner.value(), i);
	}
}

TEST_F(Conditional, HostFunctionsRunInLoops)
{
	struct State {
		uint64_t *left;
		int calls;
	};
	const Stream stream;
	const PinnedBuffer left(8);
	State state = {left.as<uint64_t>(), 0};
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	uint64_t *word = condition(stream, 1, true, handle);
	const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_WHILE, 1);
	fill(models[0], [&](aclrtStream inner) {
		const auto count = [](void *data) {
			auto *shared = static_cast<State *>(data);
			--*shared->left;
			++shared->calls;
		};
		EXPECT_OK(aclrtLaunchHostFunc(inner, count, &state));
		EXPECT_OK(aclrtMemcpyAsync(word, 8, left.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE,
					   inner));
	});
	const Model model(stream);
	*state.left = 5;
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(state.calls, 5);
}

TEST_F(Conditional, AnInnerCaptureMustEndBeforeTheOuterOne)
{
	const Stream stream;
	const Stream inner;
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	condition(stream, 0, false, handle);
	const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_IF, 1);
	ASSERT_OK(
		aclmdlRICaptureToModelRIBegin(inner, models[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	expect_failed_end(ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING, stream, {stream, inner});
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclmdlRICaptureEnd(inner, nullptr));
}

TEST_F(Conditional, WhatGoesWrongInsideSpoilsTheOuterCapture)
{
	const Stream stream;
	const Stream inner;
	const Stream lost;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer buffer(64);
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	condition(stream, 0, false, handle);
	const auto models = add(stream, handle, ACL_MODEL_RI_COND_TYPE_IF, 1);
	ASSERT_OK(
		aclmdlRICaptureToModelRIBegin(inner, models[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	follow(lost, inner, event);
	buffer.fill_async(1, lost);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_UNJOINED, "join", aclmdlRICaptureEnd(inner, nullptr));
	EXPECT_EQ(capture_status(lost), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
	EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
	expect_failed_end(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, stream, {stream, inner, lost});
}

TEST_F(Conditional, CallsThatMakeNoSenseAreRefused)
{
	const Stream stream;
	const Stream other;
	const auto none = raw_enum<aclmdlRICondHandleFlag>(0);
	aclmdlRICondHandle handle = nullptr;
	aclmdlRICondHandle foreign = nullptr;
	aclmdlRI capturing = nullptr;
	aclmdlRI models[3] = {};
	const auto add = [&](aclmdlRICondTaskType type, uint32_t size) {
		return aclmdlRIAddCondTask({handle, type, size, models}, stream, 0);
	};

	begin_capture(stream);
	ASSERT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &capturing));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclmdlRICondHandleCreate(capturing, 0, raw_enum<aclmdlRICondHandleFlag>(2),
					      &handle));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle",
		     aclmdlRICondHandleCreate(capturing, 0, none, nullptr));
	ASSERT_OK(aclmdlRICondHandleCreate(capturing, 0, none, &handle));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "size", add(ACL_MODEL_RI_COND_TYPE_IF, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "size", add(ACL_MODEL_RI_COND_TYPE_IF, 3));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "size", add(ACL_MODEL_RI_COND_TYPE_WHILE, 2));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "size", add(ACL_MODEL_RI_COND_TYPE_SWITCH, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type", add(raw_enum<aclmdlRICondTaskType>(3), 1));
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "flags",
		aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, models}, stream, 1));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, models}, other, 0));
	begin_capture(other);
	aclmdlRI elsewhere = nullptr;
	ASSERT_OK(aclmdlRICaptureGetInfo(other, nullptr, &elsewhere));
	ASSERT_OK(aclmdlRICondHandleCreate(elsewhere, 0, none, &foreign));
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "another",
		aclmdlRIAddCondTask({foreign, ACL_MODEL_RI_COND_TYPE_IF, 1, models}, stream, 0));
	ASSERT_OK(add(ACL_MODEL_RI_COND_TYPE_IF, 1));
	EXPECT_FAILS(
		ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		aclmdlRICaptureToModelRIBegin(other, models[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	const Model second(other);
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "model",
		aclmdlRICaptureToModelRIBegin(other, second, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	ASSERT_OK(
		aclmdlRICaptureToModelRIBegin(other, models[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(aclmdlRICaptureEnd(other, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "modelRI", aclmdlRICaptureEnd(stream, nullptr));
	const Model model(stream);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "captur",
		     aclmdlRICondHandleCreate(model, 0, none, &handle));
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "ended",
		aclmdlRICaptureToModelRIBegin(other, models[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "itself",
		     aclmdlRIExecuteAsync(models[0], stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "itself", aclmdlRIDestroy(models[0]));
}

} // namespace conformance
