// SPDX-License-Identifier: MIT
/*
 * DOC: tasks of a model
 *
 * Check 61: a group of captured operators gets new arguments by a task of another stream. Beside it
 * the other way to change a model: its streams, their tasks, their parameters.
 */
#include "aclnnop/aclnn_muls.h"
#include "capture/capture_objects.h"
#include "operator/operator_objects.h"

namespace conformance {

namespace {

constexpr int64_t kCount = 8;

/* Vectors of a model: sum = left + right. */
class Vectors {
public:
	void add(aclrtStream stream) const { conformance::add(left_, right_, one_, sum_, stream); }

	/* The same with other inputs, for an update. */
	void add_others(aclrtStream stream) const
	{
		conformance::add(left_, others_, one_, sum_, stream);
	}

	std::vector<float> sum() const { return sum_memory_.load<float>(); }
	void clear() const { sum_memory_.store(std::vector<float>(kCount)); }

	void *left() const { return left_memory_.data(); }

private:
	static DeviceBuffer filled(float value)
	{
		return device_copy(std::vector<float>(kCount, value));
	}

	const DeviceBuffer left_memory_ = filled(1);
	const DeviceBuffer right_memory_ = filled(2);
	const DeviceBuffer others_memory_ = filled(20);
	const DeviceBuffer sum_memory_ = filled(0);
	const Tensor left_ = Tensor(left_memory_, ACL_FLOAT, {kCount});
	const Tensor right_ = Tensor(right_memory_, ACL_FLOAT, {kCount});
	const Tensor others_ = Tensor(others_memory_, ACL_FLOAT, {kCount});
	const Tensor sum_ = Tensor(sum_memory_, ACL_FLOAT, {kCount});
	const Scalar one_ = Scalar(1.0f, ACL_FLOAT);
};

std::vector<float> all(float value)
{
	return std::vector<float>(kCount, value);
}

std::vector<aclrtStream> streams_of(aclmdlRI model)
{
	uint32_t count = 0;

	EXPECT_OK(aclmdlRIGetStreams(model, nullptr, &count));
	std::vector<aclrtStream> streams(count);
	EXPECT_OK(aclmdlRIGetStreams(model, streams.data(), &count));
	EXPECT_EQ(count, streams.size());
	return streams;
}

std::vector<aclmdlRITask> tasks_of(aclrtStream stream)
{
	uint32_t count = 0;

	EXPECT_OK(aclmdlRIGetTasksByStream(stream, nullptr, &count));
	std::vector<aclmdlRITask> tasks(count);
	EXPECT_OK(aclmdlRIGetTasksByStream(stream, tasks.data(), &count));
	EXPECT_EQ(count, tasks.size());
	return tasks;
}

aclmdlRITaskType type_of(aclmdlRITask task)
{
	aclmdlRITaskType type = ACL_MODEL_RI_TASK_VALUE_WAIT;

	EXPECT_OK(aclmdlRITaskGetType(task, &type));
	return type;
}

using TaskGroup = DeviceTest;
using ModelTasks = DeviceTest;

} // namespace

TEST_F(TaskGroup, Check61_OnlyOperatorsMayBeInOne)
{
	const Stream stream;
	const Vectors vectors;
	const DeviceBuffer buffer(64);
	aclrtTaskGrp group = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "group|nest",
		     aclmdlRICaptureTaskGrpBegin(stream));
	EXPECT_FAILS(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, "group|operator",
		     aclrtMemsetAsync(buffer.data(), 64, 1, 64, stream));
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_INTR, "group",
		     aclmdlRICaptureTaskGrpEnd(stream, &group));
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "group",
		     aclmdlRICaptureTaskGrpEnd(stream, &group));
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	vectors.add(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
	EXPECT_NE(group, nullptr);
	const Model model(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(vectors.sum(), all(3));
}

TEST_F(TaskGroup, CallsAreForCapturingStreamsAndGroupsMustBeEnded)
{
	const Stream stream;
	aclrtTaskGrp group = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclmdlRICaptureTaskGrpBegin(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclmdlRICaptureTaskGrpEnd(stream, &group));
	begin_capture(stream);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", aclmdlRICaptureTaskGrpEnd(stream, nullptr));
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	expect_failed_end(ACL_ERROR_STREAM_TASK_GROUP_STATUS, stream, {stream});
}

TEST_F(TaskGroup, Check61_AnUpdateHoldsWhenItsStreamHasComeThere)
{
	const Stream stream;
	const Stream updating;
	const Vectors vectors;
	aclrtTaskGrp group = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	vectors.add(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
	const Model model(stream);

	Gate gate;
	gate.block(updating);
	EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, group));
	vectors.add_others(updating);
	EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(updating));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(vectors.sum(), all(3)) << "the update has not come to its turn";
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(updating));
	EXPECT_EQ(vectors.sum(), all(3)) << "an update runs nothing";
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(vectors.sum(), all(21));
}

/* The graph waits for the update; the update waits for no task. */
TEST_F(TaskGroup, Check61_AnExternalEventOrdersUpdateAndExecution)
{
	const Stream stream;
	const Stream updating;
	const Vectors vectors;
	const Event updated = Event::with_flag(ACL_EVENT_EXTERNAL);
	aclrtTaskGrp group = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclrtStreamWaitEvent(stream, updated));
	EXPECT_OK(aclrtResetEvent(updated, stream));
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	vectors.add(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
	const Model model(stream);

	for (int round = 0; round < 4; ++round) {
		vectors.clear();
		model.execute(stream);
		turn_device();
		EXPECT_EQ(vectors.sum(), all(0));
		EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, group));
		if (round % 2)
			vectors.add(updating);
		else
			vectors.add_others(updating);
		EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(updating));
		EXPECT_OK(aclrtRecordEvent(updated, updating));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(vectors.sum(), all(round % 2 ? 3 : 21)) << round;
	}
	EXPECT_OK(aclrtSynchronizeStream(updating));
}

TEST_F(TaskGroup, OperatorsWithoutElementsCount)
{
	const Stream stream;
	const Vectors vectors;
	const DeviceBuffer memory = device_copy(all(7));
	const Tensor nothing(memory, ACL_FLOAT, {0});
	const Scalar one(1.0f, ACL_FLOAT), two(2.0f, ACL_FLOAT);
	aclrtTaskGrp group = nullptr;
	const auto add_nothing = [&] { conformance::add(nothing, nothing, one, nothing, stream); };
	const auto multiply_nothing = [&] {
		uint64_t bytes = 0;
		aclOpExecutor *executor = nullptr;
		EXPECT_OK(aclnnMulsGetWorkspaceSize(nothing, two, nothing, &bytes, &executor));
		EXPECT_OK(aclnnMuls(nullptr, bytes, executor, stream));
	};
	const auto update = [&](const auto &first, const auto &second) {
		EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream, group));
		first();
		second();
		EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream));
	};
	const auto sum = [&](const Model &model) {
		vectors.clear();
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		return vectors.sum();
	};

	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	vectors.add(stream);
	add_nothing();
	EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
	const Model model(stream);
	EXPECT_EQ(sum(model), all(3));
	update(add_nothing, multiply_nothing);
	EXPECT_EQ(sum(model), all(0));
	update(multiply_nothing, [&] { vectors.add_others(stream); });
	EXPECT_EQ(sum(model), all(21));
	EXPECT_EQ(memory.load<float>(), all(7));
}

TEST_F(TaskGroup, UpdatesAreRefusedWhereTheyMakeNoSense)
{
	const Stream stream;
	const Stream updating;
	const Stream other;
	const Vectors vectors;
	const DeviceBuffer buffer(64);
	aclrtTaskGrp group = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	vectors.add(stream);
	vectors.add(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclmdlRICaptureTaskUpdateBegin(stream, group));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, "captur",
		     aclmdlRICaptureTaskUpdateBegin(updating, group));
	aclmdlRI model = nullptr;
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle",
		     aclmdlRICaptureTaskUpdateBegin(updating, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, "keeps",
		     aclmdlRICaptureTaskUpdateBegin(Stream(0, ACL_STREAM_PERSISTENT), group));
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "group",
		     aclmdlRICaptureTaskUpdateEnd(updating));
	EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, group));
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "group",
		     aclmdlRICaptureTaskUpdateBegin(updating, group));
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "group",
		     aclmdlRICaptureTaskUpdateBegin(other, group));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP, "group|operator",
		     aclrtMemsetAsync(buffer.data(), 64, 1, 64, updating));
	vectors.add_others(updating);
	EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "2 tasks|1 were",
		     aclmdlRICaptureTaskUpdateEnd(updating));
	buffer.fill_async(7, updating);
	EXPECT_OK(aclrtSynchronizeStream(updating));
	EXPECT_TRUE(holds(buffer, 7)) << "the stream works as before";
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(vectors.sum(), all(3)) << "nothing was changed";
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "group",
		     aclmdlRICaptureTaskUpdateBegin(updating, group));
}

TEST_F(ModelTasks, StreamsAndTasksAreListedInOrder)
{
	const Stream stream;
	const Stream joined;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);
	const Vectors vectors;
	const DeviceBuffer word(8);
	const DeviceBuffer buffer(64);

	begin_capture(stream);
	vectors.add(stream);
	follow(joined, stream, fork);
	EXPECT_OK(aclrtValueWrite(word.data(), 1, 0, joined));
	EXPECT_OK(aclrtValueWait(word.data(), 1, ACL_STREAM_WAIT_VALUE_GEQ, joined));
	buffer.fill_async(1, joined);
	follow(stream, joined, join);
	vectors.add(stream);
	aclmdlRI capturing = nullptr;
	uint32_t count = 9;
	ASSERT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &capturing));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, "captur",
		     aclmdlRIGetStreams(capturing, nullptr, &count));
	const Model model(stream);

	const std::vector<aclrtStream> streams = streams_of(model);
	ASSERT_EQ(streams.size(), 2u);
	count = 1;
	std::vector<aclrtStream> few(2);
	EXPECT_FAILS(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, "2|places",
		     aclmdlRIGetStreams(model, few.data(), &count));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "num", aclmdlRIGetStreams(model, nullptr, nullptr));

	const std::vector<aclmdlRITask> first = tasks_of(streams[0]);
	const std::vector<aclmdlRITask> second = tasks_of(streams[1]);
	ASSERT_EQ(first.size(), 2u);
	ASSERT_EQ(second.size(), 3u);
	EXPECT_EQ(type_of(first[0]), ACL_MODEL_RI_TASK_KERNEL);
	EXPECT_EQ(type_of(second[0]), ACL_MODEL_RI_TASK_VALUE_WRITE);
	EXPECT_EQ(type_of(second[1]), ACL_MODEL_RI_TASK_VALUE_WAIT);
	EXPECT_EQ(type_of(second[2]), ACL_MODEL_RI_TASK_DEFAULT);
	uint32_t before = 0;
	uint32_t after = 0;
	EXPECT_OK(aclmdlRITaskGetSeqId(first[0], &before));
	EXPECT_OK(aclmdlRITaskGetSeqId(first[1], &after));
	EXPECT_LT(before, after);
	count = 0;
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
		     aclmdlRIGetTasksByStream(stream, nullptr, &count));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "task", aclmdlRITaskDisable(stream));
	EXPECT_EQ(aclrtSynchronizeStream(streams[0]), ACL_ERROR_RT_INVALID_HANDLE)
		<< "it is no stream to work with";
}

TEST_F(ModelTasks, ChangedParametersHoldFromTheUpdateOn)
{
	const Stream stream;
	const Vectors vectors;
	const DeviceBuffer word(8);
	const DeviceBuffer nine = device_copy(std::vector<float>(kCount, 9));

	begin_capture(stream);
	vectors.add(stream);
	EXPECT_OK(aclrtValueWrite(word.data(), 5, 0, stream));
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(model)[0]);
	aclmdlRITaskParams add = {};
	aclmdlRITaskParams write = {};

	ASSERT_OK(aclmdlRITaskGetParams(tasks[0], &add));
	ASSERT_OK(aclmdlRITaskGetParams(tasks[1], &write));
	EXPECT_EQ(add.type, ACL_MODEL_RI_TASK_KERNEL);
	EXPECT_EQ(add.taskGrp, nullptr);
	EXPECT_EQ(add.kernelTaskParams.isHostArgs, 1u);
	EXPECT_EQ(write.type, ACL_MODEL_RI_TASK_VALUE_WRITE);
	EXPECT_EQ(write.valueWriteTaskParams.devAddr, word.data());
	EXPECT_EQ(write.valueWriteTaskParams.value, 5u);

	/* The model keeps one copy for each task, however often a program asks. */
	aclmdlRITaskParams again = {};
	ASSERT_OK(aclmdlRITaskGetParams(tasks[0], &again));
	EXPECT_EQ(again.kernelTaskParams.args, add.kernelTaskParams.args);

	/* Whatever the arguments are, the address of the left source is among them once. */
	std::vector<uint64_t> args(add.kernelTaskParams.argsSize / sizeof(uint64_t));
	memcpy(args.data(), add.kernelTaskParams.args, args.size() * sizeof(uint64_t));
	const auto left = reinterpret_cast<uint64_t>(vectors.left());
	ASSERT_EQ(std::count(args.begin(), args.end(), left), 1);
	std::replace(args.begin(), args.end(), left, reinterpret_cast<uint64_t>(nine.data()));
	add.kernelTaskParams.args = args.data();
	write.valueWriteTaskParams.value = 6;
	EXPECT_OK(aclmdlRITaskSetParams(tasks[0], &add));
	EXPECT_OK(aclmdlRITaskSetParams(tasks[1], &write));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(vectors.sum(), all(3));
	EXPECT_EQ(word.load<uint64_t>()[0], 5u);
	EXPECT_OK(aclmdlRIUpdate(model));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(vectors.sum(), all(11));
	EXPECT_EQ(word.load<uint64_t>()[0], 6u);
}

TEST_F(ModelTasks, UpdatesDoNotTouchExecutionsThatAreQueued)
{
	const Stream stream;
	const DeviceBuffer word(8);
	const DeviceBuffer seen(64);

	begin_capture(stream);
	EXPECT_OK(aclrtValueWrite(word.data(), 1, 0, stream));
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(model)[0]);
	Gate gate;
	gate.block(stream);
	for (uint64_t value = 2; value <= 5; ++value) {
		model.execute(stream);
		EXPECT_OK(aclrtMemcpyAsync(seen.at(8 * value), 8, word.data(), 8,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		aclmdlRITaskParams params = {};
		EXPECT_OK(aclmdlRITaskGetParams(tasks[0], &params));
		params.valueWriteTaskParams.value = value;
		EXPECT_OK(aclmdlRITaskSetParams(tasks[0], &params));
		EXPECT_OK(aclmdlRIUpdate(model));
	}
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	for (uint64_t value = 2; value <= 5; ++value)
		EXPECT_EQ(seen.load<uint64_t>()[value], value - 1);
}

TEST_F(ModelTasks, UpdatesReachTheModelOfAConditionalTask)
{
	const Stream stream;
	const Stream inside;
	const DeviceBuffer word(8);
	aclmdlRI outer = nullptr;
	aclmdlRI body = nullptr;
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &outer));
	ASSERT_OK(aclmdlRICondHandleCreate(outer, 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT,
					   &handle));
	ASSERT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body}, stream, 0));
	ASSERT_OK(aclmdlRICaptureToModelRIBegin(inside, body, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(aclrtValueWrite(word.data(), 1, 0, inside));
	ASSERT_OK(aclmdlRICaptureEnd(inside, nullptr));
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(body)[0]);
	ASSERT_EQ(tasks.size(), 1u);
	aclmdlRITaskParams params = {};
	ASSERT_OK(aclmdlRITaskGetParams(tasks[0], &params));
	params.valueWriteTaskParams.value = 2;
	ASSERT_OK(aclmdlRITaskSetParams(tasks[0], &params));
	EXPECT_OK(aclmdlRIUpdate(model));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(word.load<uint64_t>()[0], 2u);
}

TEST_F(ModelTasks, DisabledTasksAreLeftOut)
{
	const Stream stream;
	const DeviceBuffer first(64);
	const DeviceBuffer second(64);

	begin_capture(stream);
	first.fill_async(1, stream);
	second.fill_async(1, stream);
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(model)[0]);
	EXPECT_OK(aclmdlRITaskDisable(tasks[0]));
	EXPECT_OK(aclmdlRIUpdate(model));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(first, 0));
	EXPECT_TRUE(holds(second, 1));
}

TEST_F(ModelTasks, WrongParametersAreRefused)
{
	const Stream stream;
	const Vectors vectors;
	const DeviceBuffer word(8);
	const DeviceBuffer buffer(64);
	uint64_t host = 0;

	begin_capture(stream);
	vectors.add(stream);
	EXPECT_OK(aclrtValueWrite(word.data(), 1, 0, stream));
	EXPECT_OK(aclrtValueWait(word.data(), 1, ACL_STREAM_WAIT_VALUE_GEQ, stream));
	buffer.fill_async(1, stream);
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(model)[0]);
	const auto set = [&](size_t task, const auto &change) {
		aclmdlRITaskParams params = {};
		EXPECT_OK(aclmdlRITaskGetParams(tasks[task], &params));
		change(params);
		return aclmdlRITaskSetParams(tasks[task], &params);
	};
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type",
		     set(1, [](auto &p) { p.type = ACL_MODEL_RI_TASK_KERNEL; }));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devAddr",
		     set(1, [&](auto &p) { p.valueWriteTaskParams.devAddr = &host; }));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devAddr",
		     set(1, [&](auto &p) { p.valueWriteTaskParams.devAddr = buffer.at(4); }));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     set(2, [](auto &p) { p.valueWaitTaskParams.flag = 4; }));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "bytes|arguments",
		     set(0, [](auto &p) { p.kernelTaskParams.argsSize = 8; }));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "DEFAULT", set(3, [](auto &) {}));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "params", aclmdlRITaskSetParams(tasks[0], nullptr));
}

/* The device finds the fault when it gets the descriptor, after the calls have accepted it. */
template <class Launch> void change_beside_refused(const Launch &launch)
{
	const Stream stream;
	const DeviceBuffer in = device_copy(all(1)), others = device_copy(all(5));
	const DeviceBuffer first = device_copy(all(0)), second = device_copy(all(0));
	begin_capture(stream);
	launch(stream, in, first);
	launch(stream, in, second);
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(model)[0]);
	const auto set = [&](size_t task, const auto &change) {
		aclmdlRITaskParams params = {};
		EXPECT_OK(aclmdlRITaskGetParams(tasks[task], &params));
		const auto *args = static_cast<const uint64_t *>(params.kernelTaskParams.args);
		std::vector<uint64_t> words(args, args + params.kernelTaskParams.argsSize / 8);
		const std::vector<uint64_t> before = words;
		change(words);
		params.kernelTaskParams.args = words.data();
		EXPECT_OK(aclmdlRITaskSetParams(tasks[task], &params));
		EXPECT_OK(aclmdlRIUpdate(model));
		return before;
	};
	set(0, [&](auto &words) {
		std::replace(words.begin(), words.end(), reinterpret_cast<uint64_t>(in.data()),
			     reinterpret_cast<uint64_t>(others.data()));
	});
	const auto good = set(1, [](auto &words) { words[0] = UINT64_MAX; });
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
	EXPECT_EQ(first.load<float>(), all(10)) << "the other changes hold";
	first.store(all(0));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(first.load<float>(), all(10));
	EXPECT_EQ(second.load<float>(), all(2)) << "it keeps what it had";
	set(1, [&](auto &words) { words = good; });
	first.store(all(0));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(first.load<float>(), all(10));
}

TEST_F(ModelTasks, ARefusedChangeCostsNoOtherOne)
{
	const Scalar one(1.0f, ACL_FLOAT), two(2.0f, ACL_FLOAT);

	change_beside_refused(
		[&](aclrtStream stream, const DeviceBuffer &in, const DeviceBuffer &out) {
			const Tensor from(in, ACL_FLOAT, {kCount}), to(out, ACL_FLOAT, {kCount});
			conformance::add(from, from, one, to, stream);
		});
	change_beside_refused(
		[&](aclrtStream stream, const DeviceBuffer &in, const DeviceBuffer &out) {
			const Tensor from(in, ACL_FLOAT, {kCount}), to(out, ACL_FLOAT, {kCount});
			uint64_t bytes = 0;
			aclOpExecutor *executor = nullptr;
			EXPECT_OK(aclnnMulsGetWorkspaceSize(from, two, to, &bytes, &executor));
			EXPECT_OK(aclnnMuls(nullptr, bytes, executor, stream));
		});
}

TEST_F(ModelTasks, NotesStayWithTheTaskTheyWereMadeFor)
{
	const Stream stream;
	const Vectors vectors;
	const char info[] = "what it is about";

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "captur", aclrtCacheLastTaskOpInfo(info, 4));
	begin_capture(stream);
	vectors.add(stream);
	EXPECT_OK(aclrtCacheLastTaskOpInfo(info, sizeof(info)));
	vectors.add(stream);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "infoSize", aclrtCacheLastTaskOpInfo(info, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "infoSize",
		     aclrtCacheLastTaskOpInfo(info, (64 << 10) + 1));
	const Model model(stream);
	const std::vector<aclmdlRITask> tasks = tasks_of(streams_of(model)[0]);
	aclmdlRITaskParams params = {};
	ASSERT_OK(aclmdlRITaskGetParams(tasks[0], &params));
	ASSERT_EQ(params.opInfoSize, sizeof(info));
	EXPECT_STREQ(static_cast<const char *>(params.opInfoPtr), info);
	ASSERT_OK(aclmdlRITaskGetParams(tasks[1], &params));
	EXPECT_EQ(params.opInfoPtr, nullptr);
}

} // namespace conformance
