// SPDX-License-Identifier: MIT
/*
 * DOC: Runs of models from files
 */
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"

namespace conformance {

namespace {

using Floats = std::vector<float>;

class OfflineRuns : public DeviceTest {};

const Floats X = {1, -2, 3, -4, 5, -6, 7, -8};
/* relu(x * {1, 2, 3, 4} - 1) */
const Floats DENSE_OF_X = {0, 0, 8, 0, 4, 0, 20, 0};

DeviceBuffer holding(const Floats &values)
{
	DeviceBuffer buffer(values.size() * sizeof(float));
	buffer.store(values);
	return buffer;
}

Floats dense(const Floats &x)
{
	Floats y(x.size());
	for (size_t i = 0; i < x.size(); i++)
		y[i] = std::max(0.0f, x[i] * static_cast<float>(i % 4 + 1) - 1);
	return y;
}

TEST_F(OfflineRuns, ExecuteComputes)
{
	const LoadedModel model("dense");
	const DeviceBuffer x = holding(X), y(32);
	const Dataset in({&x}), out({&y});
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
	EXPECT_EQ(dense(X), DENSE_OF_X);
}

TEST_F(OfflineRuns, AddressesMayDifferAtEachRun)
{
	const LoadedModel model("dense");
	const DeviceBuffer x = holding(X), y(32);
	for (int k = 1; k < 6; k++) {
		Floats values = X;
		for (float &value : values)
			value *= static_cast<float>(k);
		const DeviceBuffer other_x = holding(values), other_y(64);
		const Dataset in({k % 2 ? &other_x : &x}), out({k % 3 ? &other_y : &y});
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		Floats found = (k % 3 ? other_y : y).load<float>();
		found.resize(8);
		EXPECT_EQ(found, dense(k % 2 ? values : X)) << k;
	}
}

TEST_F(OfflineRuns, AsyncRunsInStreamOrder)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32), z(32);
	{
		const Dataset in({&x}), out({&y}), in2({&y}), out2({&z});
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in2, out2, stream));
	}
	EXPECT_OK(
		aclrtMemcpyAsync(x.data(), 32, z.data(), 32, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
	EXPECT_EQ(x.load<float>(), dense(DENSE_OF_X));
}

/* A description of runs that wait for @timeout ms. */
struct RunConfig {
	explicit RunConfig(int32_t timeout) : handle(aclmdlCreateExecConfigHandle())
	{
		EXPECT_OK(aclmdlSetExecConfigOpt(handle, ACL_MDL_STREAM_SYNC_TIMEOUT, &timeout,
						 sizeof(timeout)));
	}
	~RunConfig() { EXPECT_OK(aclmdlDestroyExecConfigHandle(handle)); }
	RunConfig(const RunConfig &) = delete;
	RunConfig &operator=(const RunConfig &) = delete;

	aclmdlExecConfigHandle *const handle;
};

TEST_F(OfflineRuns, ARunInAStreamMayHaveALimit)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32), z(32);
	const Dataset in({&x}), out({&y}), other({&z});
	const RunConfig patient(-1), hasty(1);
	const uint32_t id = model.id();
	EXPECT_OK(aclmdlExecuteV2(id, in, out, stream, patient.handle));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
	EXPECT_OK(aclmdlExecuteV2(id, in, other, nullptr, hasty.handle));
	EXPECT_EQ(z.load<float>(), DENSE_OF_X);
	y.store(Floats(8));
	EXPECT_OK(aclmdlExecuteAsyncV2(id, in, out, stream, hasty.handle));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
	Gate gate;
	gate.block(stream);
	y.store(Floats(8));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "within the time limit",
		     aclmdlExecuteV2(id, in, out, stream, hasty.handle));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
}

TEST_F(OfflineRuns, ADescriptionOfARunHasToFit)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32);
	const Dataset in({&x}), out({&y});
	const RunConfig config(5);
	const int32_t zero = 0, less = -2, more = 7;
	const uint32_t id = model.id();
	aclmdlExecConfigHandle *handle = config.handle;
	EXPECT_OK(aclmdlSetExecConfigOpt(handle, ACL_MDL_EVENT_SYNC_TIMEOUT, &more, 4));
	for (const int32_t *value : {&zero, &less})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "positive",
			     aclmdlSetExecConfigOpt(handle, ACL_MDL_STREAM_SYNC_TIMEOUT, value, 4));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "valueSize is 8",
		     aclmdlSetExecConfigOpt(handle, ACL_MDL_STREAM_SYNC_TIMEOUT, &more, 8));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attrValue",
		     aclmdlSetExecConfigOpt(handle, ACL_MDL_STREAM_SYNC_TIMEOUT, nullptr, 4));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "attr is 2",
		     aclmdlSetExecConfigOpt(handle, ACL_MDL_WORK_ADDR_PTR, &more, 4));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle is NULL",
		     aclmdlExecuteV2(id, in, out, stream, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle is NULL",
		     aclmdlExecuteAsyncV2(id, in, out, stream, nullptr));
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_NE(aclmdlExecuteV2(id, in, out, stream, handle), ACL_SUCCESS);
	EXPECT_NE(take_message(), "");
	aclmdlRI graph = nullptr;
	(void)aclmdlRICaptureEnd(stream, &graph);
	(void)take_message();
	if (graph)
		EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(OfflineRuns, AnOutputMayLieOnAnInput)
{
	const LoadedModel model("pair");
	const DeviceBuffer x = holding(X), z(32);
	const Dataset in({&x}), out({&x, &z});
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	EXPECT_EQ(x.load<float>(), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
	EXPECT_EQ(z.load<float>(), (Floats{2, 0, 6, 0, 10, 0, 14, 0}));
	/* And apart again, after it. */
	const DeviceBuffer a = holding(X), b(32), c(32);
	const Dataset in2({&a}), out2({&b, &c});
	EXPECT_OK(aclmdlExecute(model.id(), in2, out2));
	EXPECT_EQ(a.load<float>(), X);
	EXPECT_EQ(b.load<float>(), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
	EXPECT_EQ(c.load<float>(), (Floats{2, 0, 6, 0, 10, 0, 14, 0}));
}

TEST_F(OfflineRuns, ACaptureTakesARun)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32);
	{
		const Dataset in({&x}), out({&y});
		EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	}
	aclmdlRI graph = nullptr;
	EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
	EXPECT_EQ(y.load<float>(), Floats(8));
	EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
	EXPECT_OK(aclmdlRIDestroy(graph));
}

/* All runs of a model have one work memory, and no event orders these two. */
TEST_F(OfflineRuns, RunsInTwoStreamsOfACaptureFollowEachOther)
{
	const LoadedModel model("dense");
	const Stream one, two;
	const Event fork = Event::ex(ACL_EVENT_SYNC), join = Event::ex(ACL_EVENT_SYNC);
	const Floats other = {8, 7, 6, 5, 4, 3, 2, 1};
	const DeviceBuffer x = holding(X), y(32), other_x = holding(other), other_y(32);
	const Dataset in({&x}), out({&y}), other_in({&other_x}), other_out({&other_y});
	aclmdlRI graph = nullptr;

	EXPECT_OK(aclmdlRICaptureBegin(one, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_OK(aclrtRecordEvent(fork, one));
	EXPECT_OK(aclrtStreamWaitEvent(two, fork));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, one));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), other_in, other_out, two));
	EXPECT_OK(aclrtRecordEvent(join, two));
	EXPECT_OK(aclrtStreamWaitEvent(one, join));
	EXPECT_OK(aclmdlRICaptureEnd(one, &graph));
	for (int run = 0; run < 200; run++) {
		EXPECT_OK(aclmdlRIExecuteAsync(graph, one));
		EXPECT_OK(aclrtSynchronizeStream(one));
		ASSERT_EQ(y.load<float>(), DENSE_OF_X) << run;
		ASSERT_EQ(other_y.load<float>(), dense(other)) << run;
	}
	EXPECT_OK(aclmdlRIDestroy(graph));
}

/* The run waits for the function, so the function must not wait for the run. */
TEST_F(OfflineRuns, AFunctionOfAStreamUnloadsNoModelThatRuns)
{
	const LoadedModel model("dense");
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32);
	const Dataset in({&x}), out({&y});
	struct Unload {
		uint32_t model;
		aclError code = ACL_SUCCESS;
	} unload{model.id()};
	Gate gate;

	gate.block(stream);
	EXPECT_OK(aclrtLaunchHostFunc(
		stream,
		[](void *argument) {
			auto *of = static_cast<Unload *>(argument);
			of->code = aclmdlUnload(of->model);
		},
		&unload));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(unload.code, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
}

/* A result on its input takes another graph, which waits for the first one. */
TEST_F(OfflineRuns, AWaitForAnotherGraphNamesTheCall)
{
	const LoadedModel model("dense");
	const Stream first, second;
	const DeviceBuffer x = holding(X), y(32);
	const Dataset in({&x}), out({&y});
	Gate gate;
	gate.block(first);
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, first));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, in, second));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "(aclmdlExecuteAsync) waits for",
		     aclrtSynchronizeStreamWithTimeout(second, 1));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(second));
	EXPECT_EQ(x.load<float>(), DENSE_OF_X);
}

TEST_F(OfflineRuns, FreedBuffersAreRefused)
{
	const LoadedModel model("dense");
	const DeviceBuffer x = holding(X), kept(64);
	void *freed = nullptr;
	EXPECT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtFree(freed));
	const Dataset in({&x});
	Dataset out({});
	out.add(freed, 32);
	EXPECT_EQ(aclmdlExecute(model.id(), in, out), ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_NE(take_message().find("output 0"), std::string::npos);
}

/* A program may learn of a failure when it has unloaded the model, and loaded another one. */
TEST_F(OfflineRuns, ALateFailureIsOfNoOtherModel)
{
	const Stream stream;
	const DeviceBuffer ids(16), found(16);
	ids.store(std::vector<int64_t>{2, 3});
	{
		const LoadedModel failing("look");
		const Dataset in({&ids}), out({&found});
		EXPECT_OK(aclmdlExecuteAsync(failing.id(), in, out, stream));
	}
	const LoadedModel other("dense");
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	const std::string message = take_message();
	EXPECT_EQ(message.find("dense"), std::string::npos) << message;
}

TEST_F(OfflineRuns, ACaptureKeepsTheModelsMemory)
{
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32);
	aclmdlRI graph = nullptr;
	{
		const LoadedModel model("dense");
		const Dataset in({&x}), out({&y});
		EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
		EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
	}
	/* What the model has freed would lie in these. */
	std::vector<DeviceBuffer> others;
	for (int k = 0; k < 16; k++) {
		others.emplace_back(4096);
		others.back().store(Floats(1024, 77));
	}
	EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
	for (const DeviceBuffer &other : others)
		EXPECT_EQ(other.load<float>(), Floats(1024, 77));
	EXPECT_OK(aclmdlRIDestroy(graph));
}

/* The second run waits for the first one. */
TEST_F(OfflineRuns, SentencesNameTheCallOfTheProgram)
{
	const LoadedModel model("dense");
	const Stream first, second;
	const DeviceBuffer x = holding(X), y(32), z(32);
	const Dataset in({&x}), out({&y}), other({&z});
	const RunConfig hasty(20);
	Gate gate;
	const uint32_t id = model.id();
	gate.block(first);
	EXPECT_OK(aclmdlExecuteAsync(id, in, out, first));
	EXPECT_OK(aclmdlExecuteAsync(id, in, other, second));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "(aclmdlExecuteAsync) waits",
		     aclrtSynchronizeStreamWithTimeout(second, 20));
	const Stream third;
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "(aclmdlExecuteV2) waits",
		     aclmdlExecuteV2(id, in, other, third, hasty.handle));
	gate.open();
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(z.load<float>(), DENSE_OF_X);
	const void *no_dataset = first;
	EXPECT_FAILS(
		ACL_ERROR_RT_INVALID_HANDLE, "aclmdlExecuteAsync: input",
		aclmdlExecuteAsync(id, static_cast<const aclmdlDataset *>(no_dataset), out, first));
}

TEST_F(OfflineRuns, TheEndOfAContextFreesItsModels)
{
	size_t before = 0, after = 0, total = 0;
	{
		const LoadedModel first("dense"); /* what the first load of all keeps */
	}
	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
	{
		const ForeignContext other;
		uint32_t id = 0;
		for (int k = 0; k < 64; k++)
			EXPECT_OK(aclmdlLoadFromFile(model_path("pair").c_str(), &id));
		size_t within = 0;
		EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &within, &total));
		EXPECT_LT(within, before);
	}
	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
	EXPECT_EQ(after, before);
}

TEST_F(OfflineRuns, ThreadsShareAModel)
{
	const LoadedModel model("dense");
	aclrtContext context = nullptr;
	EXPECT_OK(aclrtGetCurrentContext(&context));
	std::vector<std::thread> threads;
	for (int k = 1; k <= 4; k++)
		threads.emplace_back([&, k] {
			EXPECT_OK(aclrtSetCurrentContext(context));
			Floats values = X;
			for (float &value : values)
				value *= static_cast<float>(k);
			const DeviceBuffer x = holding(values), y(32);
			const Dataset in({&x}), out({&y});
			for (int run = 0; run < 20; run++) {
				EXPECT_OK(aclmdlExecute(model.id(), in, out));
				EXPECT_EQ(y.load<float>(), dense(values));
			}
		});
	for (std::thread &thread : threads)
		thread.join();
}

TEST_F(OfflineRuns, AFailureNamesItsNode)
{
	const LoadedModel model("look");
	const DeviceBuffer ids(16), y(16);
	const Dataset in({&ids}), out({&y});
	ids.store(std::vector<int64_t>{2, 0});
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	EXPECT_EQ(y.load<float>(), (Floats{5, 6, 1, 2}));
	ids.store(std::vector<int64_t>{2, 3});
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find", aclmdlExecute(model.id(), in, out));
	ids.store(std::vector<int64_t>{1, 1});
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	EXPECT_EQ(y.load<float>(), (Floats{3, 4, 3, 4}));
}

/* 255 of them have a number by which a failure is told. */
TEST_F(OfflineRuns, OneOfManyModelsFailsWithTheSameCode)
{
	std::vector<std::unique_ptr<LoadedModel>> models;
	for (int k = 0; k < 256; k++)
		models.push_back(std::make_unique<LoadedModel>("look"));
	const uint32_t id = models.back()->id();
	const Stream stream;
	const RunConfig config(-1);
	const DeviceBuffer ids(16), y(16);
	const Dataset in({&ids}), out({&y});
	ids.store(std::vector<int64_t>{2, 3});
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "node 0 of the graph", aclmdlExecute(id, in, out));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "node 0 of the graph",
		     aclmdlExecuteV2(id, in, out, stream, config.handle));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, "Gather find",
		     aclmdlExecuteV2(models[254]->id(), in, out, stream, config.handle));
	ids.store(std::vector<int64_t>{1, 1});
	EXPECT_OK(aclmdlExecuteV2(id, in, out, stream, config.handle));
}

/* The ranges are those of which a product with 1 / 255 is another number. */
TEST_F(OfflineRuns, TheScaleOfADynamicQuantisationIsAQuotient)
{
	const LoadedModel model("quantise");
	const DeviceBuffer x(16), y(4), scale(4), zero(1);
	const Dataset in({&x}), out({&y, &scale, &zero});
	for (const float most : {3.0f, 6.0f, 7.0f}) {
		x.store(Floats{0, most / 2, most, 0});
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		EXPECT_EQ(scale.load<float>(), Floats{most / 255});
		EXPECT_EQ(y.load<uint8_t>()[2], 255);
	}
}

TEST_F(OfflineRuns, ABranchThatTheShapesForbidFailsOnlyWhenItIsTaken)
{
	const LoadedModel model("choice");
	const DeviceBuffer x = holding(X), go(1), y(32);
	const Dataset in({&x, &go}), out({&y});
	for (int k = 0; k < 2; k++) {
		go.store(std::vector<uint8_t>{1});
		EXPECT_OK(aclmdlExecute(model.id(), in, out));
		EXPECT_EQ(y.load<float>(), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
		go.store(std::vector<uint8_t>{0});
		EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE,
			     "pick, whose else_branch can't run at these shapes: Squeeze drop",
			     aclmdlExecute(model.id(), in, out));
	}
}

TEST_F(OfflineRuns, AnAsyncFailureNamesItsNodeToo)
{
	const LoadedModel dense_model("dense"), model("look");
	const Stream stream;
	const DeviceBuffer x = holding(X), y(32), ids(16), found(16);
	const Dataset dense_in({&x}), dense_out({&y}), in({&ids}), out({&found});
	ids.store(std::vector<int64_t>{2, 3});
	EXPECT_OK(aclmdlExecuteAsync(dense_model.id(), dense_in, dense_out, stream));
	EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
	EXPECT_OK(aclmdlExecuteAsync(dense_model.id(), dense_in, dense_out, stream));
	const std::string name =
		"model " + std::to_string(model.id()) + " (look), Gather find (opset 17)";
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, name.c_str(),
		     aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	const RunConfig config(-1);
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, name.c_str(),
		     aclmdlExecuteV2(model.id(), in, out, stream, config.handle));
}

/* What the process answers a tool (unpu info --pid). */
std::string look_at_myself()
{
	sockaddr_un address = {};
	address.sun_family = AF_UNIX;
	const std::string name = "unpu-look-" + std::to_string(getpid());
	std::memcpy(address.sun_path + 1, name.data(), name.size());
	const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
	std::string text;
	char part[4096];
	if (connect(socket, reinterpret_cast<const sockaddr *>(&address), size) == 0)
		for (ssize_t got = 0; (got = read(socket, part, sizeof(part))) > 0;)
			text.append(part, static_cast<size_t>(got));
	close(socket);
	return text;
}

TEST_F(OfflineRuns, AToolSeesTheNodeThatRuns)
{
	if (std::strstr(getenv("UNPU_DEVICE"), "step"))
		GTEST_SKIP() << "the device runs only while the thread waits that would look";
	const LoadedModel model("long");
	const Stream stream;
	const DeviceBuffer x(512 * 512 * sizeof(float)), y(512 * 512 * sizeof(float));
	const Dataset in({&x}), out({&y});
	const std::string name = "(aclmdlExecuteAsync) runs tasks of a model that have not ended: "
				 "model " +
				 std::to_string(model.id()) + " (long), MatMul turn";
	bool is_seen = false;
	for (int round = 0; round < 50 && !is_seen; round++) {
		EXPECT_OK(aclmdlExecuteAsync(model.id(), in, out, stream));
		is_seen = look_at_myself().find(name) != std::string::npos;
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	EXPECT_TRUE(is_seen);
}

TEST_F(OfflineRuns, BuffersHaveToFit)
{
	const LoadedModel model("dense");
	const DeviceBuffer x = holding(X), y(32), small(16);
	const Dataset in({&x}), out({&y}), none({}), two({&x, &x}), small_one({&small});
	Dataset empty({}), host({}), nowhere({});
	Floats values = X;
	empty.add(nullptr, 32);
	host.add(values.data(), 32);
	nowhere.add(std::bit_cast<void *>(uintptr_t{0x7000}), 32);
	const uint32_t id = model.id();
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "input is NULL", aclmdlExecute(id, nullptr, out));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "output is NULL", aclmdlExecute(id, in, nullptr));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "0 buffers", aclmdlExecute(id, none, out));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "2 buffers", aclmdlExecute(id, two, out));
	EXPECT_FAILS(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "0 buffers", aclmdlExecute(id, in, none));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "needs 32",
		     aclmdlExecute(id, small_one, out));
	EXPECT_FAILS(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, "needs 32",
		     aclmdlExecute(id, in, small_one));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "NULL", aclmdlExecute(id, empty, out));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ordinary memory", aclmdlExecute(id, host, out));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "where the program has no memory",
		     aclmdlExecute(id, nowhere, out));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no loaded model",
		     aclmdlExecute(id + 1000, in, out));
	EXPECT_OK(aclmdlExecute(id, in, out));
	EXPECT_EQ(y.load<float>(), DENSE_OF_X);
}

TEST_F(OfflineRuns, AModelEndsWithItsContext)
{
	uint32_t id = 0;
	{
		const ForeignContext other;
		EXPECT_OK(aclmdlLoadFromFile(model_path("dense").c_str(), &id));
	}
	const DeviceBuffer x = holding(X), y(32);
	const Dataset in({&x}), out({&y});
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "context has ended",
		     aclmdlExecute(id, in, out));
	EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "no loaded model", aclmdlUnload(id));
}

} // namespace

} // namespace conformance
