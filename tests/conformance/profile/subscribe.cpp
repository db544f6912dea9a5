// SPDX-License-Identifier: MIT
/*
 * DOC: subscriptions of models
 *
 * Each execution of a model that is subscribed to sends a record of each operator through the
 * program's pipe, and the pipe ends with the subscription.
 */
#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include "acl/acl_prof.h"
#include "capture/capture_objects.h"
#include "operator/operator_objects.h"
#include "profile/records.h"

using namespace conformance;

namespace {

class Subscribe : public DeviceTest {
protected:
	void SetUp() override
	{
		DeviceTest::SetUp();
		memory_ = std::make_unique<DeviceBuffer>(4096);
		stream_ = std::make_unique<Stream>();
	}

	void TearDown() override
	{
		stream_.reset();
		memory_.reset();
		DeviceTest::TearDown();
	}

	/* A fill, an operator, a copy. */
	aclmdlRI capture(uint32_t *id) const
	{
		const Tensor all(*memory_, ACL_FLOAT, {256});
		const Scalar one(1.0f, ACL_FLOAT);
		aclmdlRI model = nullptr;

		EXPECT_OK(aclmdlRICaptureBegin(*stream_, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
		EXPECT_OK(aclrtMemsetAsync(memory_->data(), 1024, 0, 1024, *stream_));
		add(all, all, one, all, *stream_);
		EXPECT_OK(aclrtMemcpyAsync(memory_->at(2048), 1024, memory_->data(), 1024,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, *stream_));
		EXPECT_OK(aclmdlRICaptureEnd(*stream_, &model));
		EXPECT_OK(aclmdlRIGetId(model, id));
		return model;
	}

	/* Adds something at an address where there is nothing. */
	void trap(aclrtStream stream) const
	{
		const int64_t one = 1;
		const Tensor self(*memory_, ACL_FLOAT, {1});
		const Scalar alpha(1.0f, ACL_FLOAT);
		aclTensor *nowhere = aclCreateTensor(&one, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND,
						     &one, 1, reinterpret_cast<void *>(64));

		ASSERT_NE(nowhere, nullptr);
		add(self, nowhere, alpha, self, stream);
		EXPECT_EQ(aclDestroyTensor(nowhere), 0);
	}

	void execute(aclmdlRI model, int times) const
	{
		for (int i = 0; i < times; ++i)
			EXPECT_OK(aclmdlRIExecuteAsync(model, *stream_));
		EXPECT_OK(aclrtSynchronizeStream(*stream_));
	}

	std::unique_ptr<DeviceBuffer> memory_;
	std::unique_ptr<Stream> stream_;
};

} // namespace

TEST_F(Subscribe, EachExecutionTellsItsOperators)
{
	Pipe pipe;
	uint32_t id = 0;
	aclmdlRI model = capture(&id);
	const Config config(pipe);

	execute(model, 1); /* is not subscribed to */
	EXPECT_OK(aclprofModelSubscribe(id, config));
	execute(model, 3);
	EXPECT_OK(aclprofModelUnSubscribe(id));
	execute(model, 1); /* no more */
	const auto records = decode(pipe.rest());
	ASSERT_EQ(records.size(), 9u);
	uint64_t before = 0;
	for (size_t i = 0; i < records.size(); ++i) {
		const char *types[] = {"MemsetAsync", "Add", "MemcpyAsync"};
		EXPECT_EQ(records[i].type, types[i % 3]);
		EXPECT_EQ(records[i].name, records[i % 3].name);
		EXPECT_EQ(records[i].name.find(records[i].type), 0u);
		EXPECT_EQ(records[i].model, id);
		EXPECT_GE(records[i].start, before);
		EXPECT_GE(records[i].end, records[i].start);
		before = records[i].start;
	}
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Subscribe, ModelsShareAPipe)
{
	Pipe pipe;
	uint32_t ids[2] = {};
	aclmdlRI models[] = {capture(&ids[0]), capture(&ids[1])};
	const Config config(pipe);

	EXPECT_NE(ids[0], ids[1]);
	for (const uint32_t id : ids)
		EXPECT_OK(aclprofModelSubscribe(id, config));
	execute(models[0], 1);
	EXPECT_OK(aclprofModelUnSubscribe(ids[0]));
	execute(models[1], 2);
	/* A model that goes away ends its subscription. */
	for (aclmdlRI model : models)
		EXPECT_OK(aclmdlRIDestroy(model));
	const auto records = decode(pipe.rest());
	EXPECT_EQ(std::count_if(records.begin(), records.end(),
				[&](const Record &one) { return one.model == ids[0]; }),
		  3);
	EXPECT_EQ(std::count_if(records.begin(), records.end(),
				[&](const Record &one) { return one.model == ids[1]; }),
		  6);
}

TEST_F(Subscribe, ExecutionsUnderWayTellTheirOperators)
{
	Pipe pipe;
	Gate gate;
	uint32_t id = 0;
	aclmdlRI model = capture(&id);
	const Config config(pipe);

	EXPECT_OK(aclprofModelSubscribe(id, config));
	gate.block(*stream_);
	EXPECT_OK(aclmdlRIExecuteAsync(model, *stream_));
	EXPECT_OK(aclprofModelUnSubscribe(id));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(*stream_));
	EXPECT_EQ(decode(pipe.rest()).size(), 3u);
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Subscribe, ThePipeNeedNotBeRead)
{
	Pipe pipe;
	uint32_t id = 0;
	aclmdlRI model = capture(&id);
	const Config config(pipe);

	EXPECT_OK(aclprofModelSubscribe(id, config));
	execute(model, 100); /* more than a pipe holds */
	pipe.stop_reading(); /* and no signal */
	execute(model, 1);
	const int descriptor = *pipe.target();
	EXPECT_OK(aclprofModelUnSubscribe(id));
	EXPECT_OK(aclmdlRIDestroy(model));
	/* The pipe is closed without another call. */
	while (fcntl(descriptor, F_GETFD) >= 0)
		std::this_thread::yield();
}

/* Nothing else would tell the reader that no more comes. */
TEST_F(Subscribe, ATimelessSubscriptionSendsTheEndOnly)
{
	Pipe pipe;
	uint32_t id = 0;
	aclmdlRI model = capture(&id);
	const Config config(pipe, 0, ACL_AICORE_PIPE_UTILIZATION);

	EXPECT_OK(aclprofModelSubscribe(id, config));
	execute(model, 1);
	EXPECT_OK(aclprofModelUnSubscribe(id));
	EXPECT_TRUE(pipe.rest().empty());
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Subscribe, ANumberWithoutAModelSendsTheEndOnly)
{
	constexpr uint32_t kNumbers[] = {4000000000u, 4000000001u};
	Pipe pipe;
	const Config config(pipe);
	Pipe other;
	const Config timeless(other, 0);

	for (const uint32_t number : kNumbers)
		EXPECT_OK(aclprofModelSubscribe(number, config));
	EXPECT_FAILS(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, "UnSubscribe",
		     aclprofModelSubscribe(kNumbers[0], timeless));
	EXPECT_FAILS(ACL_ERROR_PROF_API_CONFLICT, "UnSubscribe", aclprofInit("/tmp", 4));
	EXPECT_OK(aclprofModelUnSubscribe(kNumbers[0]));
	EXPECT_OK(aclprofModelSubscribe(kNumbers[0], timeless));
	EXPECT_OK(aclprofModelUnSubscribe(kNumbers[1]));
	EXPECT_TRUE(pipe.rest().empty());
	EXPECT_OK(aclprofModelUnSubscribe(kNumbers[0]));
	EXPECT_TRUE(other.rest().empty());
	for (const uint32_t number : kNumbers)
		EXPECT_FAILS(ACL_ERROR_INVALID_MODEL_ID, "not subscribed",
			     aclprofModelUnSubscribe(number));
	EXPECT_OK(aclprofInit("/tmp", 4));
	EXPECT_OK(aclprofFinalize());
}

/* The device never comes to what would tell of them. */
TEST_F(Subscribe, ThePipeEndsWhereExecutionsAreDropped)
{
	for (const bool destroyed : {false, true}) {
		Pipe pipe;
		Gate gate;
		uint32_t id = 0;
		aclmdlRI model = capture(&id);
		const Config config(pipe);
		Stream dropping;

		EXPECT_OK(aclprofModelSubscribe(id, config));
		gate.block(dropping);
		EXPECT_OK(aclmdlRIExecuteAsync(model, dropping));
		EXPECT_OK(aclmdlRIExecuteAsync(model, dropping));
		EXPECT_OK(aclprofModelUnSubscribe(id));
		if (destroyed)
			EXPECT_OK(aclrtDestroyStreamForce(dropping.release()));
		else
			EXPECT_OK(aclrtStreamAbort(dropping));
		EXPECT_TRUE(pipe.rest().empty());
		gate.open();
		EXPECT_OK(aclmdlRIDestroy(model));
	}
}

TEST_F(Subscribe, ThePipeEndsWhereExecutionsAreSkipped)
{
	Pipe pipe;
	Gate gate;
	uint32_t id = 0;
	const ForeignContext context;
	const Stream stream;
	const DeviceBuffer buffer(64);
	aclmdlRI model = nullptr;
	const Config config(pipe);

	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	buffer.fill_async(1, stream);
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIGetId(model, &id));
	EXPECT_OK(aclprofModelSubscribe(id, config));
	gate.block(stream);
	trap(stream);
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclprofModelUnSubscribe(id));
	context.leave();
	gate.open();
	context.enter();
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(stream));
	EXPECT_TRUE(decode(pipe.rest()).empty());
	EXPECT_TRUE(holds(buffer, 0));
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Subscribe, WhatIsRefused)
{
	Pipe pipe;
	uint32_t id = 0;
	aclmdlRI model = capture(&id);
	int closed = 1 << 20;
	int reading = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const auto wrong = [](const char *mention, int8_t times, aclprofAicoreMetrics metrics,
			      void *fd) {
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, mention,
			     aclprofCreateSubscribeConfig(times, metrics, fd)
				     ? ACL_SUCCESS
				     : aclrtGetLastError(ACL_RT_THREAD_LEVEL));
	};

	wrong("timeInfoSwitch", 2, ACL_AICORE_NONE, pipe.target());
	wrong("aicoreMetrics", 1, raw_enum<aclprofAicoreMetrics>(9), pipe.target());
	wrong("fd", 1, ACL_AICORE_NONE, nullptr);
	wrong("fd", 1, ACL_AICORE_NONE, &closed);
	wrong("fd", 1, ACL_AICORE_NONE, &reading);
	EXPECT_EQ(close(reading), 0);

	const Config config(pipe);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "profSubscribeConfig",
		     aclprofModelSubscribe(id, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_MODEL_ID, "modelId", aclprofModelUnSubscribe(~id));
	EXPECT_FAILS(ACL_ERROR_INVALID_MODEL_ID, "not subscribed", aclprofModelUnSubscribe(id));
	EXPECT_OK(aclprofModelSubscribe(id, config));
	EXPECT_FAILS(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, "UnSubscribe",
		     aclprofModelSubscribe(id, config));
	/* The two ways of profiling exclude each other. */
	EXPECT_FAILS(ACL_ERROR_PROF_API_CONFLICT, "UnSubscribe", aclprofInit("/tmp", 4));
	EXPECT_OK(aclprofModelUnSubscribe(id));
	EXPECT_TRUE(pipe.rest().empty());
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "closed", aclprofModelSubscribe(id, config));
	EXPECT_OK(aclprofInit("/tmp", 4));
	Pipe other;
	const Config second(other);
	EXPECT_FAILS(ACL_ERROR_PROF_API_CONFLICT, "aclprofFinalize",
		     aclprofModelSubscribe(id, second));
	EXPECT_OK(aclprofFinalize());
	EXPECT_EQ(close(*other.target()), 0);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "profSubscribeConfig",
		     aclprofDestroySubscribeConfig(nullptr));
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Subscribe, WhatIsNoRecord)
{
	size_t size = 0;
	size_t length = 0;
	uint32_t count = 0;
	char text[8];

	EXPECT_OK(aclprofGetOpDescSize(&size));
	EXPECT_GT(size, size_t{ACL_PROF_MAX_OP_NAME_LEN} + ACL_PROF_MAX_OP_TYPE_LEN);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opDescSize", aclprofGetOpDescSize(nullptr));
	const std::vector<char> zeros(2 * size);
	EXPECT_OK(aclprofGetOpNum(zeros.data(), zeros.size(), &count));
	EXPECT_EQ(count, 2u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opNumber",
		     aclprofGetOpNum(zeros.data(), zeros.size(), nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opInfo", aclprofGetOpNum(nullptr, size, &count));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opInfoLen",
		     aclprofGetOpNum(zeros.data(), size + 1, &count));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "index",
		     aclprofGetOpTypeLen(zeros.data(), size, 1, &length));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "no record",
		     aclprofGetOpNameLen(zeros.data(), size, 0, &length));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "no record",
		     aclprofGetOpType(zeros.data(), size, 0, text, sizeof(text)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opName",
		     aclprofGetOpName(zeros.data(), size, 0, nullptr, 8));
	EXPECT_EQ(aclprofGetOpStart(zeros.data(), size, 0), 0u);
	EXPECT_EQ(aclprofGetOpEnd(zeros.data(), size, 2), 0u);
	EXPECT_EQ(aclprofGetOpDuration(nullptr, size, 0), 0u);
	EXPECT_EQ(aclprofGetModelId(zeros.data(), size, 0), 0u);
	EXPECT_EQ(aclprofGetOpFlag(zeros.data(), size, 0), ACL_SUBSCRIBE_NONE);
	EXPECT_EQ(aclprofGetOpAttriValue(zeros.data(), size, 0, ACL_SUBSCRIBE_ATTRI_THREADID),
		  nullptr);
}
