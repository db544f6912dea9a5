// SPDX-License-Identifier: MIT
/*
 * DOC: launches of kernels
 *
 * Their order in streams, what is refused, and how captures, models and persistent streams take them.
 */
#include "kernel_samples.h"

#include "capture/capture_objects.h"
#include "model/model_build.h"

using namespace conformance;

namespace {

using Launches = WithWorker<DeviceTest>;

aclrtLaunchKernelCfg with(aclrtLaunchKernelAttr &attribute, aclrtLaunchKernelAttrId id)
{
	attribute.id = id;
	return {&attribute, 1};
}

std::vector<aclmdlRITask> tasks_of(const Model &model)
{
	aclrtStream stream = nullptr;
	uint32_t count = 1;

	EXPECT_OK(aclmdlRIGetStreams(model, &stream, &count));
	EXPECT_OK(aclmdlRIGetTasksByStream(stream, nullptr, &count));
	std::vector<aclmdlRITask> tasks(count);
	EXPECT_OK(aclmdlRIGetTasksByStream(stream, tasks.data(), &count));
	return tasks;
}

} // namespace

TEST_F(Launches, FollowTheStream)
{
	const Stream one;
	const Stream other;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(65536);

	buffer.fill_async(1, one);
	EXPECT_OK(launch_add(add, add_args(buffer, 1), one, 48));
	EXPECT_OK(aclrtRecordEvent(event, one));
	EXPECT_OK(aclrtStreamWaitEvent(other, event));
	EXPECT_OK(launch_add(add, add_args(buffer, 1), other, 1));
	EXPECT_OK(aclrtSynchronizeStream(other));
	EXPECT_TRUE(holds_numbers(buffer, 0x01010103));
	EXPECT_OK(launch_add(add, add_args(buffer, -0x01010103), nullptr, 65535));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds_numbers(buffer, 0));
}

TEST_F(Launches, WithoutArguments)
{
	const Binary binary;
	const aclrtFuncHandle nothing = binary.function("nothing");

	EXPECT_OK(aclrtLaunchKernel(nothing, 1, nullptr, 0, nullptr));
	EXPECT_OK(aclrtLaunchKernelWithHostArgs(nothing, 1, nullptr, nullptr, nullptr, 0, nullptr,
						0));
	EXPECT_OK(aclrtLaunchKernelWithArgsArray(nothing, 1, nullptr, nullptr, nullptr));
	EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(Launches, WrongOnesAreRefused)
{
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(64);
	const AddArgs args = add_args(buffer, 1);

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "funcHandle", launch_add(nullptr, args, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "funcHandle", launch_add(binary, args, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "numBlocks", launch_add(add, args, nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "65535", launch_add(add, args, nullptr, 65536));
	const ForeignContext other;
	const Stream foreign;
	other.leave();
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", launch_add(add, args, foreign));
	other.enter();
}

TEST_F(Launches, AttributesAreChecked)
{
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(64);
	const AddArgs args = add_args(buffer, 1);
	aclrtLaunchKernelAttr attribute{};
	auto launch = [&](aclrtLaunchKernelAttrId id) {
		aclrtLaunchKernelCfg cfg = with(attribute, id);
		return launch_add(add, args, nullptr, 1, &cfg);
	};

	attribute.value.timeout = 5;
	EXPECT_OK(launch(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT));
	attribute.value.timeoutUs = {5000000, 0};
	EXPECT_OK(launch(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US));
	attribute.value = {};
	attribute.value.schemMode = 2;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "schemMode",
		     launch(ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "isDataDump",
		     launch(ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "enableProfiling",
		     launch(ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "blockDimOffset",
		     launch(ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET));
	attribute.value.localMemorySize = 1 << 20;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "localMemorySize",
		     launch(ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE));
	attribute.value.engineType = ACL_RT_ENGINE_TYPE_AIC;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "engineType",
		     launch(ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE));
	attribute.value.engineType = ACL_RT_ENGINE_TYPE_AIV;
	EXPECT_OK(launch(ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "id",
		     launch(raw_enum<aclrtLaunchKernelAttrId>(10)));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds_numbers(buffer, 3));
}

TEST_F(Launches, AreCapturedAndChanged)
{
	const Stream stream;
	Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(4096);
	aclrtLaunchKernelAttr attribute{};
	aclrtLaunchKernelCfg cfg = with(attribute, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT);

	attribute.value.timeout = 60;
	begin_capture(stream);
	EXPECT_OK(launch_add(add, add_args(buffer, 1), stream, 3, &cfg));
	EXPECT_OK(launch_add(add, add_args(buffer, 10), stream));
	Model model(stream);
	EXPECT_TRUE(holds_numbers(buffer, 0));
	model.execute(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 22));

	const std::vector<aclmdlRITask> tasks = tasks_of(model);
	ASSERT_EQ(tasks.size(), 2u);
	aclmdlRITaskType type = ACL_MODEL_RI_TASK_DEFAULT;
	EXPECT_OK(aclmdlRITaskGetType(tasks[0], &type));
	EXPECT_EQ(type, ACL_MODEL_RI_TASK_KERNEL);
	aclmdlRITaskParams params{};
	EXPECT_OK(aclmdlRITaskGetParams(tasks[0], &params));
	aclmdlRIKernelTaskParams &kernel = params.kernelTaskParams;
	EXPECT_EQ(kernel.funcHandle, add);
	EXPECT_EQ(kernel.numBlocks, 3u);
	EXPECT_EQ(kernel.isHostArgs, 1u);
	ASSERT_EQ(kernel.argsSize, sizeof(AddArgs));
	EXPECT_EQ(static_cast<AddArgs *>(kernel.args)->addend, 1);
	aclrtLaunchKernelAttrValue value{};
	EXPECT_OK(aclmdlRIKernelTaskGetAttribute(tasks[0], ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT,
						 &value));
	EXPECT_EQ(value.timeout, 60);
	static_cast<AddArgs *>(kernel.args)->addend = 5;
	kernel.numBlocks = 1;
	EXPECT_OK(aclmdlRITaskSetParams(tasks[0], &params));
	kernel.numBlocks = 0;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "numBlocks",
		     aclmdlRITaskSetParams(tasks[0], &params));
	EXPECT_OK(aclmdlRIUpdate(model));
	/* The model keeps the image. */
	EXPECT_OK(aclrtBinaryUnLoad(binary.release()));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 37));
}

TEST_F(Launches, UpdateATaskGroup)
{
	const Stream stream;
	const Stream updating;
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(4096);
	aclrtTaskGrp group = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
	EXPECT_OK(launch_add(add, add_args(buffer, 1), stream));
	EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
	Model model(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, group));
	EXPECT_OK(launch_add(add, add_args(buffer, 100), updating));
	EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(updating));
	EXPECT_OK(aclrtSynchronizeStream(updating));
	EXPECT_TRUE(holds_numbers(buffer, 1));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 101));
}

TEST_F(Launches, DataOfPlaceHoldersLivesAsLongAsTheModel)
{
	const Stream stream;
	const Binary binary;
	const aclrtFuncHandle store = binary.function("store");
	const DeviceBuffer buffer(20);
	struct {
		void *out;
		int32_t triple[4];
		void *more;
		int32_t data[2];
	} args = {buffer.data(), {4, 5, 6, 0}, nullptr, {70, 80}};
	aclrtPlaceHolderInfo place = {24, 32};
	const std::vector<int32_t> stored{4, 5, 6, 70, 80};

	begin_capture(stream);
	EXPECT_OK(aclrtLaunchKernelWithHostArgs(store, 1, stream, nullptr, &args, sizeof(args),
						&place, 1));
	Model model(stream);
	for (int i = 0; i < 3; i++) {
		/* Other memory takes the place of any that is free. */
		const DeviceBuffer noise(4096);

		noise.fill_async(0xee, stream);
		buffer.fill_async(0, stream);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(buffer.load<int32_t>(), stored);
	}
}

TEST_F(Launches, ArePartOfBuiltModels)
{
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(4096);
	const Kept stream;
	const Built model;

	model.bind(stream);
	EXPECT_OK(launch_add(add, add_args(buffer, 1), stream));
	EXPECT_OK(launch_add(add, add_args(buffer, 2), stream));
	model.finish(stream);
	EXPECT_TRUE(holds_numbers(buffer, 0));
	model.execute();
	EXPECT_TRUE(holds_numbers(buffer, 3));
	model.execute();
	EXPECT_TRUE(holds_numbers(buffer, 6));
}

TEST_F(Launches, CapturedArgumentsInMemoryAreReadByEachExecution)
{
	const Stream stream;
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(4096);
	const DeviceBuffer args(sizeof(AddArgs));

	args.store(std::vector<AddArgs>{add_args(buffer, 1)});
	begin_capture(stream);
	EXPECT_OK(aclrtLaunchKernel(add, 2, args.data(), sizeof(AddArgs), stream));
	const Model model(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	args.store(std::vector<AddArgs>{add_args(buffer, 10)});
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 11));
	const std::vector<aclmdlRITask> tasks = tasks_of(model);
	ASSERT_EQ(tasks.size(), 1u);
	aclmdlRITaskParams params{};
	EXPECT_OK(aclmdlRITaskGetParams(tasks[0], &params));
	EXPECT_EQ(params.kernelTaskParams.isHostArgs, 0u);
	EXPECT_EQ(params.kernelTaskParams.args, args.data());
}
