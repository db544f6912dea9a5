// SPDX-License-Identifier: MIT
/*
 * DOC: binaries of kernels
 *
 * How images are loaded from files and memory, what is refused, and what the functions in them tell.
 */
#include "kernel_samples.h"

using namespace conformance;

namespace {

using Binaries = WithWorker<DeviceTest>;

aclrtBinaryLoadOptions lazy(aclrtBinaryLoadOption &option, uint32_t value)
{
	option = {};
	option.type = ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD;
	option.value.isLazyLoad = value;
	return {&option, 1};
}

} // namespace

TEST_F(Binaries, LoadFromFileAndData)
{
	const std::vector<char> bytes = plain_bytes();
	aclrtBinHandle file = nullptr;
	aclrtBinHandle data = nullptr;
	aclrtBinHandle described = nullptr;

	ASSERT_OK(aclrtBinaryLoadFromFile(plain_path().c_str(), nullptr, &file));
	ASSERT_OK(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &data));
	const aclrtBinary description = aclrtCreateBinary(bytes.data(), bytes.size());
	ASSERT_NE(description, nullptr);
	ASSERT_OK(aclrtBinaryLoad(description, &described));
	EXPECT_OK(aclrtDestroyBinary(description));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "binary", aclrtDestroyBinary(description));
	EXPECT_NE(file, data);
	for (const aclrtBinHandle binary : {file, data, described}) {
		aclrtFuncHandle add = nullptr;
		const DeviceBuffer buffer(4096);

		EXPECT_OK(aclrtBinaryGetFunction(binary, "add", &add));
		EXPECT_OK(launch_add(add, add_args(buffer, 7), nullptr));
		EXPECT_OK(aclrtSynchronizeDevice());
		EXPECT_TRUE(holds_numbers(buffer, 7));
		EXPECT_OK(aclrtBinaryUnLoad(binary));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "binHandle", aclrtBinaryUnLoad(binary));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "funcHandle",
			     launch_add(add, add_args(buffer, 7), nullptr));
	}
}

TEST_F(Binaries, WhatIsNoImageIsRefused)
{
	aclrtBinHandle binary = nullptr;
	const char text[] = "this is a text and no image of kernels; it is long enough for a head";
	std::vector<char> broken = plain_bytes();

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "binPath",
		     aclrtBinaryLoadFromFile(nullptr, nullptr, &binary));
	EXPECT_FAILS(ACL_ERROR_RT_FILE_OPEN, "/nowhere/at.all",
		     aclrtBinaryLoadFromFile("/nowhere/at.all", nullptr, &binary));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "binHandle",
		     aclrtBinaryLoadFromFile(plain_path().c_str(), nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "length",
		     aclrtBinaryLoadFromData(text, 0, nullptr, &binary));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ELF",
		     aclrtBinaryLoadFromData(text, sizeof(text), nullptr, &binary));
	broken.resize(broken.size() / 2);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "image",
		     aclrtBinaryLoadFromData(broken.data(), broken.size(), nullptr, &binary));
	EXPECT_EQ(binary, nullptr);
	EXPECT_EQ(aclrtCreateBinary(nullptr, 4), nullptr);
}

TEST_F(Binaries, OptionsAreChecked)
{
	aclrtBinaryLoadOption option{};
	aclrtBinHandle binary = nullptr;
	void *address = &option;
	size_t bytes = 1;
	auto load = [&](aclrtBinaryLoadOptions options) {
		return aclrtBinaryLoadFromFile(plain_path().c_str(), &options, &binary);
	};

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "isLazyLoad", load(lazy(option, 2)));
	option.type = ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE;
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "CPU_KERNEL_MODE", load({&option, 1}));
	option.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
	option.value.magic = 1;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "magic", load({&option, 1}));
	option.type = raw_enum<aclrtBinaryLoadOptionType>(9);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type", load({&option, 1}));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "options", load({nullptr, 1}));
	option.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
	option.value.magic = ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE;
	ASSERT_OK(load({&option, 1}));
	/* A copy of the file is on the device. */
	std::vector<uint8_t> copied(plain_bytes().size());
	EXPECT_OK(aclrtBinaryGetDevAddress(binary, &address, &bytes));
	ASSERT_EQ(bytes, copied.size());
	EXPECT_OK(aclrtMemcpy(copied.data(), bytes, address, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(memcmp(copied.data(), plain_bytes().data(), bytes), 0);
	EXPECT_OK(aclrtBinaryUnLoad(binary));
	ASSERT_OK(load(lazy(option, 1)));
	EXPECT_OK(aclrtBinaryGetDevAddress(binary, &address, &bytes));
	EXPECT_EQ(address, nullptr);
	EXPECT_EQ(bytes, 0u);
	aclrtFuncHandle add = nullptr;
	EXPECT_OK(aclrtBinaryGetFunction(binary, "add", &add));
	EXPECT_OK(aclrtBinaryGetDevAddress(binary, &address, &bytes));
	EXPECT_EQ(bytes, plain_bytes().size());
	EXPECT_EQ(address, nullptr);
	EXPECT_OK(aclrtBinaryUnLoad(binary));
}

/* The sanitizer's suite runs this test, too: the copy is memory, and not what the program had there before. */
TEST_F(Binaries, TheCopyOfTheFileMayLieWhereMemoryWas)
{
	aclrtBinHandle binary = nullptr;
	void *address = nullptr;
	size_t bytes = plain_bytes().size();
	std::vector<char> copied(bytes);

	{
		const DeviceBuffer before(bytes);
		EXPECT_OK(aclrtMemset(before.data(), bytes, 1, bytes));
	}
	ASSERT_OK(aclrtBinaryLoadFromFile(plain_path().c_str(), nullptr, &binary));
	EXPECT_OK(aclrtBinaryGetDevAddress(binary, &address, &bytes));
	EXPECT_OK(aclrtMemcpy(copied.data(), bytes, address, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(copied, plain_bytes());
	EXPECT_OK(aclrtBinaryUnLoad(binary));
}

TEST_F(Binaries, FunctionsTellOfThemselves)
{
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const aclrtFuncHandle cube = binary.function("tell_cube");
	aclrtBinHandle back = nullptr;
	aclrtFuncHandle none = nullptr;
	char name[16] = {};
	int64_t value = -1;
	size_t number = 0;
	size_t offset = 0;

	EXPECT_EQ(add, binary.function("add"));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "subtract",
		     aclrtBinaryGetFunction(binary, "subtract", &none));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kernelName",
		     aclrtBinaryGetFunction(binary, nullptr, &none));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "funcEntry",
		     aclrtBinaryGetFunctionByEntry(binary, 12, &none));
	EXPECT_FAILS(ACL_ERROR_RT_SYMBOL_NOT_FOUND, "table",
		     aclrtBinaryGetGlobal(binary, "table", nullptr, &number));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dptr",
		     aclrtBinaryGetGlobal(binary, "table", nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICE_FUNCTION, "kernel",
		     aclrtGetFuncBySymbol(&number, &none));
	EXPECT_OK(aclrtGetFunctionName(cube, sizeof(name), name));
	EXPECT_STREQ(name, "tell_cube");
	EXPECT_OK(aclrtGetFunctionName(cube, 5, name));
	EXPECT_STREQ(name, "tell");
	EXPECT_OK(aclrtGetFunctionAttribute(add, ACL_FUNC_ATTR_KERNEL_TYPE, &value));
	EXPECT_EQ(value, ACL_KERNEL_TYPE_VECTOR);
	EXPECT_OK(aclrtGetFunctionAttribute(cube, ACL_FUNC_ATTR_KERNEL_TYPE, &value));
	EXPECT_EQ(value, ACL_KERNEL_TYPE_CUBE);
	EXPECT_OK(aclrtFunctionGetBinary(add, &back));
	EXPECT_EQ(back, static_cast<aclrtBinHandle>(binary));
	EXPECT_OK(aclrtFunctionGetParamCount(add, &number));
	EXPECT_EQ(number, 3u);
	EXPECT_OK(aclrtFunctionGetParamInfo(add, 2, &offset, &number));
	EXPECT_EQ(offset, 16u);
	EXPECT_EQ(number, 4u);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "paramIndex",
		     aclrtFunctionGetParamInfo(add, 3, &offset, &number));
}

TEST_F(Binaries, NamesMayEndInATilingKey)
{
	const Binary binary;
	const DeviceBuffer buffer(64);
	void *out = buffer.data();
	void *args[] = {&out};

	EXPECT_OK(aclrtLaunchKernelWithArgsArray(binary.function("tell_1234"), 2, nullptr, nullptr,
						 args));
	EXPECT_OK(aclrtSynchronizeDevice());
	const std::vector<uint64_t> told{0, 2, 1234, 1, 1, 2, 1234, 1};
	EXPECT_EQ(buffer.load<uint64_t>(), told);
}

TEST_F(Binaries, UnloadWhileLaunchesAreQueued)
{
	const Stream stream;
	const DeviceBuffer buffer(4096);
	Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	Gate gate;

	gate.block(stream);
	for (int32_t i = 0; i < 4; i++)
		EXPECT_OK(launch_add(add, add_args(buffer, 1), stream));
	EXPECT_OK(aclrtBinaryUnLoad(binary.release()));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 4));
}

TEST_F(Binaries, BelongToTheirContext)
{
	Binary binary;
	const aclrtBinHandle handle = binary;
	{
		const ForeignContext other;

		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", aclrtBinaryUnLoad(handle));
	}
	EXPECT_OK(aclrtBinaryUnLoad(binary.release()));
}
