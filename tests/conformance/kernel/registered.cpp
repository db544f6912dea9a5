// SPDX-License-Identifier: MIT
/*
 * DOC: images that are part of the program
 *
 * What the launch code that a compiler generates calls.
 */
#include "kernel_samples.h"

#include "unpu/kernel.h"

using namespace conformance;

namespace {

using RegisteredImages = WithWorker<InitTest>;

void stands_for_add() {}

const void *symbol()
{
	return reinterpret_cast<const void *>(&stands_for_add);
}

/* Adds 5 on the device that is set. */
void add_five(void *image)
{
	const DeviceBuffer buffer(4096);
	const AddArgs args = add_args(buffer, 5);

	EXPECT_OK(static_cast<aclError>(
		unpu_launch_kernel(image, "add", 4, nullptr, &args, sizeof(args))));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds_numbers(buffer, 5));
}

} // namespace

TEST_F(RegisteredImages, LaunchOnEachOpeningOfADevice)
{
	const std::vector<char> bytes = plain_bytes();
	void *image = unpu_kernel_register_image(bytes.data(), bytes.size());

	ASSERT_NE(image, nullptr);
	for (int i = 0; i < 2; i++) {
		ASSERT_OK(aclrtSetDevice(0));
		add_five(image);
		add_five(image);
		EXPECT_OK(aclrtResetDevice(0));
	}
	ASSERT_OK(aclrtSetDevice(0));
	add_five(image);
	unpu_kernel_unregister_image(image);
	unpu_kernel_unregister_image(nullptr);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "image",
		     static_cast<aclError>(
			     unpu_launch_kernel(image, "nothing", 1, nullptr, nullptr, 0)));
	EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(RegisteredImages, WrongLaunchesAreRefused)
{
	const std::vector<char> bytes = plain_bytes();
	const char text[] =
		"no image of kernels, but as long as the head of an ELF file would be, and more";
	void *image = unpu_kernel_register_image(bytes.data(), bytes.size());
	void *broken = unpu_kernel_register_image(text, sizeof(text));
	auto launch = [](void *of, const char *name, uint32_t blocks, size_t size) {
		const uint64_t args[4] = {};

		return static_cast<aclError>(
			unpu_launch_kernel(of, name, blocks, nullptr, args, size));
	};

	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "", launch(image, "nothing", 1, 0));
	ASSERT_OK(aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "name", launch(image, nullptr, 1, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "missing", launch(image, "missing", 1, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "numBlocks", launch(image, "nothing", 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "argsSize", launch(image, "add", 1, 16));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ELF", launch(broken, "add", 1, 24));
	unpu_kernel_unregister_image(broken);
	unpu_kernel_unregister_image(image);
	EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(RegisteredImages, FunctionsStandForKernels)
{
	const std::vector<char> bytes = plain_bytes();
	void *image = unpu_kernel_register_image(bytes.data(), bytes.size());
	aclrtFuncHandle add = nullptr;
	aclrtBinHandle binary = nullptr;
	char name[8] = {};
	size_t count = 0;

	EXPECT_EQ(unpu_kernel_register_function(image, nullptr, "add"), 1u);
	EXPECT_EQ(unpu_kernel_register_function(image, symbol(), "add"), 0u);
	ASSERT_OK(aclrtSetDevice(0));
	{
		const DeviceBuffer buffer(4096);
		AddArgs values = add_args(buffer, 6);
		void *args[] = {&values.data, &values.addend, &values.count};

		EXPECT_OK(aclrtLaunchKernelWithArgsArray(const_cast<void *>(symbol()), 2, nullptr,
							 nullptr, args));
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		EXPECT_TRUE(holds_numbers(buffer, 6));
	}
	EXPECT_OK(aclrtGetFuncBySymbol(symbol(), &add));
	EXPECT_OK(aclrtGetFunctionName(add, sizeof(name), name));
	EXPECT_STREQ(name, "add");
	EXPECT_OK(aclrtFunctionGetParamCount(symbol(), &count));
	EXPECT_EQ(count, 3u);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "program",
		     aclrtFunctionGetBinary(add, &binary));
	unpu_kernel_unregister_image(image);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICE_FUNCTION, "kernel",
		     aclrtGetFuncBySymbol(symbol(), &add));
	EXPECT_OK(aclrtResetDevice(0));
}
