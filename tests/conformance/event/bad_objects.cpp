// SPDX-License-Identifier: MIT
/*
 * DOC: objects of the program that are not what they should be
 *
 * Data buffers, descriptions and configurations belong to no context, but a program has only handles of them. Each
 * function that takes one is called with a handle that is stale, of another type, or no handle at all. The answer is
 * 107017 and a sentence with the function, the argument and what it got, never a crash.
 */
#include "support/fixture.h"

#include <array>
#include <functional>

#include <unistd.h>

#include "acl/acl_prof.h"

using namespace conformance;

namespace {

using BadObjects = DeviceTest;

template <typename T> struct Call {
	const char *function;
	const char *argument;
	std::function<aclError(T *)> call;
};

std::array<uint64_t, 64> zeros = {};
int on_the_heap = 0;

/* What a program may take for an object; most of it can't be read. */
std::vector<const void *> impostors(const void *stale)
{
	return {stale,
		&zeros,
		&on_the_heap,
		reinterpret_cast<void *>(uintptr_t{1}),
		reinterpret_cast<void *>(uintptr_t{0xdeadbeef}),
		reinterpret_cast<void *>(~uintptr_t{0}),
		reinterpret_cast<void *>(uintptr_t{1} << 63)};
}

std::string text_of(const void *pointer)
{
	std::array<char, 32> text;

	snprintf(text.data(), text.size(), "%p", pointer);
	return text.data();
}

/* @stale: a handle whose object was destroyed */
template <typename T>
void expect_refusals(const std::vector<Call<T>> &calls, T *stale, void *of_another_type)
{
	std::vector<const void *> all = impostors(stale);

	all.push_back(of_another_type);
	for (const Call<T> &call : calls) {
		SCOPED_TRACE(call.function);
		for (const void *impostor : all) {
			const std::string got = std::string(call.function) + ": " + call.argument +
						" " + text_of(impostor) + " is not a live ";

			EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, got.c_str(),
				     call.call(static_cast<T *>(const_cast<void *>(impostor))));
		}
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
			     (std::string(call.argument) + " is NULL").c_str(), call.call(nullptr));
	}
}

/* The code of a call that returns none. */
template <typename F> aclError told(F call)
{
	(void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
	call();
	return aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

} // namespace

TEST_F(BadObjects, DataBuffers)
{
	const std::vector<Call<aclDataBuffer>> calls = {
		{"aclUpdateDataBuffer", "dataBuffer",
		 [](aclDataBuffer *b) { return aclUpdateDataBuffer(b, nullptr, 1); }},
		{"aclGetDataBufferAddr", "dataBuffer",
		 [](aclDataBuffer *b) {
			 return told([b] { EXPECT_EQ(aclGetDataBufferAddr(b), nullptr); });
		 }},
		{"aclGetDataBufferSize", "dataBuffer",
		 [](aclDataBuffer *b) {
			 return told([b] { EXPECT_EQ(aclGetDataBufferSize(b), 0u); });
		 }},
		{"aclGetDataBufferSizeV2", "dataBuffer",
		 [](aclDataBuffer *b) {
			 return told([b] { EXPECT_EQ(aclGetDataBufferSizeV2(b), 0u); });
		 }},
		{"aclDestroyDataBuffer", "dataBuffer",
		 [](aclDataBuffer *b) { return aclDestroyDataBuffer(b); }},
	};
	aclDataBuffer *buffer = aclCreateDataBuffer(zeros.data(), sizeof(zeros));
	aclTensorDesc *other = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);

	EXPECT_OK(aclDestroyDataBuffer(buffer));
	expect_refusals(calls, buffer, other);
	aclDestroyTensorDesc(other);
}

TEST_F(BadObjects, HandlesOfReusedObjectsAreNew)
{
	std::vector<aclDataBuffer *> before;

	for (int i = 0; i < 300; i++) {
		aclDataBuffer *buffer = aclCreateDataBuffer(&zeros, 8);
		ASSERT_NE(buffer, nullptr);
		EXPECT_OK(aclDestroyDataBuffer(buffer));
		EXPECT_EQ(std::find(before.begin(), before.end(), buffer), before.end());
		before.push_back(buffer);
	}
	aclDataBuffer *live = aclCreateDataBuffer(&zeros, 8);
	for (const aclDataBuffer *buffer : before)
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "aclDestroyDataBuffer",
			     aclDestroyDataBuffer(buffer));
	EXPECT_EQ(aclGetDataBufferAddr(live), &zeros);
	EXPECT_OK(aclDestroyDataBuffer(live));
}

TEST_F(BadObjects, OnlyOneOfManyThreadsDestroysABuffer)
{
	std::atomic<int> destroyed = 0;

	for (int round = 0; round < 50; round++) {
		aclDataBuffer *buffer = aclCreateDataBuffer(&zeros, 8);
		std::vector<std::thread> threads;

		for (int i = 0; i < 4; i++)
			threads.emplace_back([&] { destroyed += !aclDestroyDataBuffer(buffer); });
		for (std::thread &thread : threads)
			thread.join();
		EXPECT_EQ(destroyed.exchange(0), 1);
	}
}

TEST_F(BadObjects, DescriptionsOfTensors)
{
	using Desc = aclTensorDesc;
	static int64_t dims[1] = {1};
	static int64_t ranges[1][ACL_TENSOR_SHAPE_RANGE_NUM] = {};
	const std::vector<Call<Desc>> calls = {
		{"aclGetTensorDescType", "desc",
		 [](Desc *d) {
			 return told([d] { EXPECT_EQ(aclGetTensorDescType(d), ACL_DT_UNDEFINED); });
		 }},
		{"aclGetTensorDescFormat", "desc",
		 [](Desc *d) {
			 return told([d] {
				 EXPECT_EQ(aclGetTensorDescFormat(d), ACL_FORMAT_UNDEFINED);
			 });
		 }},
		{"aclGetTensorDescSize", "desc",
		 [](Desc *d) { return told([d] { EXPECT_EQ(aclGetTensorDescSize(d), 0u); }); }},
		{"aclGetTensorDescElementCount", "desc",
		 [](Desc *d) {
			 return told([d] { EXPECT_EQ(aclGetTensorDescElementCount(d), 0u); });
		 }},
		{"aclGetTensorDescNumDims", "desc",
		 [](Desc *d) { return told([d] { EXPECT_EQ(aclGetTensorDescNumDims(d), 0u); }); }},
		{"aclGetTensorDescDim", "desc",
		 [](Desc *d) { return told([d] { EXPECT_EQ(aclGetTensorDescDim(d, 0), -1); }); }},
		{"aclGetTensorDescDimV2", "desc",
		 [](Desc *d) { return aclGetTensorDescDimV2(d, 0, dims); }},
		{"aclGetTensorDescDimRange", "desc",
		 [](Desc *d) { return aclGetTensorDescDimRange(d, 0, 2, ranges[0]); }},
		{"aclGetTensorDescName", "desc",
		 [](Desc *d) {
			 return told([d] { EXPECT_EQ(aclGetTensorDescName(d), nullptr); });
		 }},
		{"aclSetTensorShapeRange", "desc",
		 [](Desc *d) { return aclSetTensorShapeRange(d, 1, ranges); }},
		{"aclSetTensorDescName", "desc",
		 [](Desc *d) { return told([d] { aclSetTensorDescName(d, "x"); }); }},
		{"aclSetTensorFormat", "desc",
		 [](Desc *d) { return aclSetTensorFormat(d, ACL_FORMAT_ND); }},
		{"aclSetTensorShape", "desc",
		 [](Desc *d) { return aclSetTensorShape(d, 1, dims); }},
		{"aclSetTensorPlaceMent", "desc",
		 [](Desc *d) { return aclSetTensorPlaceMent(d, ACL_MEMTYPE_HOST); }},
		{"aclSetTensorConst", "desc",
		 [](Desc *d) { return aclSetTensorConst(d, nullptr, 0); }},
	};
	Desc *desc = aclCreateTensorDesc(ACL_FLOAT16, 1, dims, ACL_FORMAT_NCHW);
	aclDataBuffer *other = aclCreateDataBuffer(nullptr, 0);

	aclSetTensorDescName(desc, "weights");
	EXPECT_OK(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST));
	aclDestroyTensorDesc(desc);
	expect_refusals(calls, desc, other);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "aclDestroyTensorDesc: desc",
		     told([desc] { aclDestroyTensorDesc(desc); }));
	EXPECT_EQ(told([] { aclDestroyTensorDesc(nullptr); }), ACL_SUCCESS);
	/* A new one has nothing of an earlier one. */
	desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
	EXPECT_STREQ(aclGetTensorDescName(desc), "");
	aclDestroyTensorDesc(desc);
	EXPECT_OK(aclDestroyDataBuffer(other));
}

TEST_F(BadObjects, ConfigurationsOfStreams)
{
	using Config = aclrtStreamConfigHandle;
	static const uint32_t priority = 1;
	static aclrtStream stream = nullptr;
	const std::vector<Call<Config>> calls = {
		{"aclrtSetStreamConfigOpt", "handle",
		 [](Config *c) {
			 return aclrtSetStreamConfigOpt(c, ACL_RT_STREAM_PRIORITY, &priority,
							sizeof(priority));
		 }},
		{"aclrtCreateStreamV2", "handle",
		 [](Config *c) { return aclrtCreateStreamV2(&stream, c); }},
		{"aclrtDestroyStreamConfigHandle", "handle",
		 [](Config *c) { return aclrtDestroyStreamConfigHandle(c); }},
	};
	Config *config = aclrtCreateStreamConfigHandle();
	aclDataBuffer *other = aclCreateDataBuffer(nullptr, 0);

	EXPECT_EQ(config->priority, 0u) << "the header shows the fields";
	EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
	expect_refusals(calls, config, other);
	EXPECT_EQ(stream, nullptr);
	EXPECT_OK(aclDestroyDataBuffer(other));
}

TEST_F(BadObjects, ConfigurationsOfProfiles)
{
	const std::vector<Call<aclprofConfig>> calls = {
		{"aclprofStart", "profilerConfig",
		 [](aclprofConfig *c) { return aclprofStart(c); }},
		{"aclprofStop", "profilerConfig", [](aclprofConfig *c) { return aclprofStop(c); }},
		{"aclprofDestroyConfig", "profilerConfig",
		 [](aclprofConfig *c) { return aclprofDestroyConfig(c); }},
	};
	uint32_t device = 0;
	aclprofConfig *config =
		aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_TASK_TIME);
	aclDataBuffer *other = aclCreateDataBuffer(nullptr, 0);

	ASSERT_NE(config, nullptr);
	EXPECT_OK(aclprofDestroyConfig(config));
	expect_refusals(calls, config, other);
	EXPECT_OK(aclDestroyDataBuffer(other));
}

TEST_F(BadObjects, ConfigurationsOfSubscriptions)
{
	const std::vector<Call<aclprofSubscribeConfig>> calls = {
		{"aclprofModelSubscribe", "profSubscribeConfig",
		 [](aclprofSubscribeConfig *c) { return aclprofModelSubscribe(1, c); }},
		{"aclprofDestroySubscribeConfig", "profSubscribeConfig",
		 [](aclprofSubscribeConfig *c) { return aclprofDestroySubscribeConfig(c); }},
	};
	int ends[2];
	ASSERT_EQ(pipe(ends), 0);
	aclprofSubscribeConfig *config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
	aclDataBuffer *other = aclCreateDataBuffer(nullptr, 0);

	ASSERT_NE(config, nullptr);
	EXPECT_OK(aclprofDestroySubscribeConfig(config));
	expect_refusals(calls, config, other);
	EXPECT_OK(aclDestroyDataBuffer(other));
	close(ends[0]);
	close(ends[1]);
}

TEST_F(BadObjects, StepsOfProfiles)
{
	const std::vector<Call<aclprofStepInfo>> calls = {
		{"aclprofGetStepTimestamp", "stepInfo",
		 [](aclprofStepInfo *s) {
			 return aclprofGetStepTimestamp(s, ACL_STEP_START, nullptr);
		 }},
	};
	aclprofStepInfo *step = aclprofCreateStepInfo();
	aclDataBuffer *other = aclCreateDataBuffer(nullptr, 0);

	aclprofDestroyStepInfo(step);
	expect_refusals(calls, step, other);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "aclprofDestroyStepInfo: stepinfo",
		     told([step] { aclprofDestroyStepInfo(step); }));
	EXPECT_OK(aclDestroyDataBuffer(other));
}

TEST_F(BadObjects, ExceptionInfos)
{
	using Info = const aclrtExceptionInfo;
	static constexpr uint32_t unknown = 0xFFFFFFFF;
	static aclrtFuncHandle function = nullptr;
	const std::vector<Call<Info>> calls = {
		{"aclrtGetTaskIdFromExceptionInfo", "info",
		 [](Info *i) {
			 return told(
				 [i] { EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(i), unknown); });
		 }},
		{"aclrtGetStreamIdFromExceptionInfo", "info",
		 [](Info *i) {
			 return told(
				 [i] { EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(i), unknown); });
		 }},
		{"aclrtGetThreadIdFromExceptionInfo", "info",
		 [](Info *i) {
			 return told(
				 [i] { EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(i), unknown); });
		 }},
		{"aclrtGetDeviceIdFromExceptionInfo", "info",
		 [](Info *i) {
			 return told(
				 [i] { EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(i), unknown); });
		 }},
		{"aclrtGetErrorCodeFromExceptionInfo", "info",
		 [](Info *i) {
			 return told([i] {
				 EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(i), unknown);
			 });
		 }},
		{"aclrtGetFuncHandleFromExceptionInfo", "info",
		 [](Info *i) { return aclrtGetFuncHandleFromExceptionInfo(i, &function); }},
	};
	aclDataBuffer *other = aclCreateDataBuffer(nullptr, 0);

	expect_refusals<Info>(calls, reinterpret_cast<Info *>(&zeros), other);
	EXPECT_OK(aclDestroyDataBuffer(other));
}
