// SPDX-License-Identifier: MIT
/*
 * DOC: kernels that fail, and kernels that print
 */
#include "kernel_samples.h"

#include <atomic>

using namespace conformance;

namespace {

using KernelFailures = WithWorker<DeviceTest>;

std::atomic<uint32_t> told_code;
std::atomic<aclrtFuncHandle> told_function;

void tell(aclrtExceptionInfo *info)
{
	aclrtFuncHandle function = nullptr;

	told_code = aclrtGetErrorCodeFromExceptionInfo(info);
	if (aclrtGetFuncHandleFromExceptionInfo(info, &function) == ACL_SUCCESS)
		told_function = function;
}

/* What a function for the failures of a binary finds out about the arguments. */
struct ToldArgs {
	aclError code = ACL_ERROR_FAILURE;
	uint32_t count = 0;
	void *address = nullptr;
	uint64_t first = 0;
	std::atomic<int> calls{0};
};

void tell_args(aclrtExceptionInfo *info, void *data)
{
	auto &told = *static_cast<ToldArgs *>(data);

	told.code = aclrtGetArgsFromExceptionInfo(info, &told.address, &told.count);
	EXPECT_OK(aclrtSetDevice(0));
	if (told.code == ACL_SUCCESS && told.address) {
		EXPECT_OK(aclrtMemcpy(&told.first, sizeof(told.first), told.address,
				      sizeof(told.first), ACL_MEMCPY_DEVICE_TO_HOST));
	}
	EXPECT_OK(aclrtResetDevice(0));
	++told.calls;
}

void tell_binary(aclrtExceptionInfo *, void *data)
{
	++*static_cast<std::atomic<int> *>(data);
}

aclError launch(aclrtFuncHandle function, aclrtStream stream, aclrtLaunchKernelCfg *cfg = nullptr)
{
	return aclrtLaunchKernelWithHostArgs(function, 1, stream, cfg, nullptr, 0, nullptr, 0);
}

} // namespace

TEST_F(KernelFailures, ReachTheSynchronisation)
{
	const Stream stream;
	const Binary binary;
	const DeviceBuffer buffer(64);

	EXPECT_OK(launch(binary.function("trap"), stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "trap", aclrtSynchronizeStream(stream));
	EXPECT_OK(launch(binary.function("trap_cube"), stream));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "trap_cube", aclrtSynchronizeStream(stream));
	EXPECT_OK(launch_add(binary.function("add"), add_args(buffer, 3), stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 3)) << "a later launch runs";
}

TEST_F(KernelFailures, WildPointersAreFound)
{
	const Stream stream;
	const Binary binary;
	void *nowhere = reinterpret_cast<void *>(uintptr_t{0x123000});
	void *args[] = {&nowhere};

	EXPECT_OK(
		aclrtLaunchKernelWithArgsArray(binary.function("poke"), 1, stream, nullptr, args));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "0x123000",
		     aclrtSynchronizeStream(stream));
}

TEST_F(KernelFailures, TimeLimits)
{
	const Stream stream;
	const Binary binary;
	aclrtLaunchKernelAttr attribute{};
	aclrtLaunchKernelCfg cfg{&attribute, 1};

	attribute.id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
	attribute.value.timeoutUs = {100000, 0};
	EXPECT_OK(launch(binary.function("hang"), stream, &cfg));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_TIMEOUT, "hang", aclrtSynchronizeStream(stream));
}

TEST_F(KernelFailures, CallbacksGetTheKernel)
{
	const Stream stream;
	const Binary binary;
	const aclrtFuncHandle trap = binary.function("trap");
	std::atomic<int> calls{0};

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "callback",
		     aclrtBinarySetExceptionCallback(binary, nullptr, nullptr));
	EXPECT_OK(aclrtSetExceptionInfoCallback(tell));
	EXPECT_OK(aclrtBinarySetExceptionCallback(binary, tell_binary, &calls));
	EXPECT_OK(launch(trap, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "trap", aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
	EXPECT_EQ(told_code.load(), static_cast<uint32_t>(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION));
	EXPECT_EQ(told_function.load(), trap);
	EXPECT_EQ(calls.load(), 1);
}

/* Of a stream of its own and of the default stream, and of the launch that failed, not of the last. */
TEST_F(KernelFailures, CallbacksOfABinaryGetTheArguments)
{
	const Stream own;
	const Binary binary;
	const aclrtFuncHandle poke = binary.function("poke");
	const DeviceBuffer fine(64);
	ToldArgs told;

	EXPECT_OK(aclrtBinarySetExceptionCallback(binary, tell_args, &told));
	int rounds = 0;
	for (const aclrtStream stream : {aclrtStream(own), aclrtStream(nullptr)}) {
		void *nowhere = reinterpret_cast<void *>(uintptr_t{0x123000} + 64 * rounds);
		void *somewhere = fine.data();
		void *wild[] = {&nowhere};
		void *good[] = {&somewhere};

		EXPECT_OK(aclrtLaunchKernelWithArgsArray(poke, 1, stream, nullptr, good));
		EXPECT_OK(aclrtLaunchKernelWithArgsArray(poke, 1, stream, nullptr, wild));
		EXPECT_OK(aclrtLaunchKernelWithArgsArray(poke, 1, stream, nullptr, good));
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "0x123",
			     aclrtSynchronizeStream(stream));
		EXPECT_EQ(told.calls, ++rounds);
		EXPECT_EQ(told.code, ACL_SUCCESS);
		EXPECT_EQ(told.count, 1u);
		EXPECT_EQ(told.first, reinterpret_cast<uint64_t>(nowhere));
	}
	/* A kernel without arguments. */
	EXPECT_OK(launch(binary.function("trap"), own));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "trap", aclrtSynchronizeStream(own));
	EXPECT_EQ(told.code, ACL_SUCCESS);
	EXPECT_EQ(told.address, nullptr);
	EXPECT_EQ(told.count, 0u);
	EXPECT_NE(aclrtGetArgsFromExceptionInfo(nullptr, &told.address, &told.count), ACL_SUCCESS);
}

TEST_F(KernelFailures, ArgumentsInDeviceMemoryAreThoseOfTheLaunch)
{
	const Stream stream;
	const Binary binary;
	const DeviceBuffer args(64);
	const uint64_t nowhere = 0x123000;
	ToldArgs told;

	EXPECT_OK(
		aclrtMemcpy(args.data(), 64, &nowhere, sizeof(nowhere), ACL_MEMCPY_HOST_TO_DEVICE));
	EXPECT_OK(aclrtBinarySetExceptionCallback(binary, tell_args, &told));
	EXPECT_OK(aclrtLaunchKernel(binary.function("poke"), 1, args.data(), 8, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "0x123000",
		     aclrtSynchronizeStream(stream));
	EXPECT_EQ(told.address, args.data());
	EXPECT_EQ(told.first, nowhere);
}

TEST_F(KernelFailures, ArgumentsOfOtherLaunchesAreUnknown)
{
	const Stream stream;
	const Binary binary;
	const aclrtFuncHandle trap = binary.function("trap");
	ToldArgs told;
	aclmdlRI model = nullptr;

	EXPECT_OK(aclrtBinarySetExceptionCallback(binary, tell_args, &told));
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(launch(trap, stream));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "trap", aclrtSynchronizeStream(stream));
	EXPECT_EQ(told.calls, 1);
	EXPECT_EQ(told.code, ACL_ERROR_RT_PARAM_INVALID);
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(KernelFailures, OutputIsPrintedBySynchronisations)
{
	const Stream stream;
	const Binary binary;
	const aclrtFuncHandle speak = binary.function("speak");
	int32_t number = 42;
	void *args[] = {&number};

	testing::internal::CaptureStdout();
	EXPECT_OK(aclrtLaunchKernelWithArgsArray(speak, 2, stream, nullptr, args));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(testing::internal::GetCapturedStdout(), "block 0 says 42\nblock 1 says 42\n");
	testing::internal::CaptureStdout();
	number = 43;
	EXPECT_OK(aclrtLaunchKernelWithArgsArray(speak, 1, stream, nullptr, args));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(testing::internal::GetCapturedStdout(), "block 0 says 43\n");
}

/* What @end prints that ends a stream, with two kernels that print, by force. */
std::string printed_at_the_end(const Binary &binary, const std::function<void(Stream &)> &end)
{
	Stream stream;
	const aclrtFuncHandle speak = binary.function("speak");
	int32_t number = 42;
	void *args[] = {&number};

	testing::internal::CaptureStdout();
	EXPECT_OK(aclrtLaunchKernelWithArgsArray(speak, 1, stream, nullptr, args));
	EXPECT_OK(aclrtLaunchKernelWithArgsArray(speak, 1, stream, nullptr, args));
	end(stream);
	return testing::internal::GetCapturedStdout();
}

constexpr const char *kTwoLines = "block 0 says 42\nblock 0 says 42\n";

TEST_F(KernelFailures, OutputIsPrintedByAForcedDestroy)
{
	const Binary binary;

	EXPECT_EQ(printed_at_the_end(binary,
				     [](Stream &stream) {
					     EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
				     }),
		  kTwoLines);
}

TEST_F(KernelFailures, OutputIsPrintedByAForcedReset)
{
	const auto binary = std::make_unique<Binary>();

	EXPECT_EQ(printed_at_the_end(*binary,
				     [](Stream &stream) {
					     static_cast<void>(stream.release());
					     EXPECT_OK(aclrtResetDeviceForce(0));
				     }),
		  kTwoLines);
	EXPECT_OK(aclrtSetDevice(0));
}

TEST_F(KernelFailures, OutputIsPrintedByFinalize)
{
	const auto binary = std::make_unique<Binary>();

	EXPECT_EQ(printed_at_the_end(*binary,
				     [](Stream &stream) {
					     static_cast<void>(stream.release());
					     EXPECT_OK(aclFinalize());
				     }),
		  kTwoLines);
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclrtSetDevice(0));
}

/* The kernel's own limit is an hour. */
void launch_endless(const Binary &binary, aclrtStream stream)
{
	aclrtLaunchKernelAttr attribute{};
	aclrtLaunchKernelCfg cfg{&attribute, 1};

	attribute.id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
	attribute.value.timeoutUs = {3600u * 1000000u, 0};
	EXPECT_OK(launch(binary.function("hang"), stream, &cfg));
}

void expect_kernels_run()
{
	const Binary binary;
	const DeviceBuffer buffer(64);
	const Stream stream;

	EXPECT_OK(launch_add(binary.function("add"), add_args(buffer, 3), stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 3));
}

TEST_F(KernelFailures, AForcedDestroyDropsAKernelThatDoesNotEnd)
{
	Stream stream;
	const Binary binary;

	launch_endless(binary, stream);
	EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
	expect_kernels_run();
}

TEST_F(KernelFailures, AForcedResetDropsKernelsThatDoNotEnd)
{
	const auto binary = std::make_unique<Binary>();

	for (int i = 0; i < 2; ++i) {
		Stream stream;

		launch_endless(*binary, stream);
		static_cast<void>(stream.release());
	}
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_kernels_run();
}

TEST_F(KernelFailures, FinalizeDropsKernelsThatDoNotEnd)
{
	const auto binary = std::make_unique<Binary>();
	aclrtContext context = nullptr;

	for (int i = 0; i < 2; ++i) {
		Stream stream;

		launch_endless(*binary, stream);
		static_cast<void>(stream.release());
		if (i == 0)
			EXPECT_OK(aclrtCreateContext(&context, 0));
	}
	EXPECT_OK(aclFinalize());
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclrtSetDevice(0));
	expect_kernels_run();
}

TEST_F(KernelFailures, AWaitWithALimitLeavesAKernelThatDoesNotEnd)
{
	Stream stream;
	const Binary binary;

	launch_endless(binary, stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "",
		     aclrtSynchronizeStreamWithTimeout(stream, 20));
	expect_kernels_run();
	EXPECT_OK(aclrtStreamAbort(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "aborted", aclrtSynchronizeStream(stream));
	expect_kernels_run();
}
