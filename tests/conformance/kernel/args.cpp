// SPDX-License-Identifier: MIT
/*
 * DOC: arguments of kernels
 *
 * Lists of arguments, in memory of the library and of the program, and what the device gets of them.
 */
#include "kernel_samples.h"

using namespace conformance;

namespace {

using KernelArgs = WithWorker<DeviceTest>;

struct Triple {
	int32_t left;
	int32_t right;
	int32_t third;
};

constexpr Triple kTriple = {4, 5, 6};

/* Fills a list for store(out, triple, more), whose last argument travels with it. Returns the second argument. */
aclrtParamHandle fill(aclrtArgsHandle list, void *out)
{
	aclrtParamHandle first = nullptr;
	aclrtParamHandle second = nullptr;
	aclrtParamHandle third = nullptr;
	Triple triple = kTriple;
	void *data = nullptr;

	EXPECT_OK(aclrtKernelArgsAppend(list, &out, sizeof(out), &first));
	EXPECT_OK(aclrtKernelArgsAppend(list, &triple, sizeof(triple), &second));
	EXPECT_OK(aclrtKernelArgsAppendPlaceHolder(list, &third));
	EXPECT_OK(aclrtKernelArgsGetPlaceHolderBuffer(list, third, 8, &data));
	const int32_t more[] = {70, 80};
	std::memcpy(data, more, sizeof(more));
	EXPECT_OK(aclrtKernelArgsFinalize(list));
	return second;
}

const std::vector<int32_t> kStored{4, 5, 6, 70, 80};

} // namespace

TEST_F(KernelArgs, ListOfTheLibrary)
{
	const Binary binary;
	const aclrtFuncHandle store = binary.function("store");
	const DeviceBuffer buffer(20);
	aclrtArgsHandle list = nullptr;

	EXPECT_OK(aclrtKernelArgsInit(store, &list));
	const aclrtParamHandle second = fill(list, buffer.data());
	EXPECT_OK(aclrtLaunchKernelWithConfig(store, 1, nullptr, nullptr, list, nullptr));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(buffer.load<int32_t>(), kStored);
	Triple other = {1, 2, 3};
	EXPECT_OK(aclrtKernelArgsParaUpdate(list, second, &other, sizeof(other)));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "aclrtKernelArgsFinalize",
		     aclrtLaunchKernelWithConfig(store, 1, nullptr, nullptr, list, nullptr));
	EXPECT_OK(aclrtKernelArgsFinalize(list));
	EXPECT_OK(aclrtLaunchKernelWithConfig(store, 1, nullptr, nullptr, list, nullptr));
	EXPECT_OK(aclrtSynchronizeDevice());
	const std::vector<int32_t> updated{1, 2, 3, 70, 80};
	EXPECT_EQ(buffer.load<int32_t>(), updated);
}

TEST_F(KernelArgs, ListOfTheProgram)
{
	const Binary binary;
	const aclrtFuncHandle store = binary.function("store");
	const DeviceBuffer buffer(20);
	size_t handle_bytes = 0;
	size_t memory_bytes = 0;

	EXPECT_OK(aclrtKernelArgsGetHandleMemSize(store, &handle_bytes));
	EXPECT_OK(aclrtKernelArgsGetMemSize(store, 36, &memory_bytes));
	EXPECT_GE(memory_bytes, 40u);
	std::vector<uint64_t> handle((handle_bytes + 7) / 8);
	std::vector<uint64_t> memory((memory_bytes + 7) / 8);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "argsHandle",
		     aclrtKernelArgsFinalize(handle.data()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "actualArgsSize",
		     aclrtKernelArgsInitByUserMem(store, handle.data(), memory.data(), 8));
	EXPECT_OK(aclrtKernelArgsInitByUserMem(store, handle.data(), memory.data(), memory_bytes));
	fill(handle.data(), buffer.data());
	EXPECT_OK(aclrtLaunchKernelWithConfig(store, 1, nullptr, nullptr, handle.data(), nullptr));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(buffer.load<int32_t>(), kStored);
}

TEST_F(KernelArgs, WrongArgumentsAreNamed)
{
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	aclrtArgsHandle list = nullptr;
	aclrtParamHandle param = nullptr;
	uint64_t wide = 1;
	int32_t narrow = 2;
	void *data = nullptr;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "argsHandle", aclrtKernelArgsInit(add, nullptr));
	ASSERT_OK(aclrtKernelArgsInit(add, &list));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "argument 0",
		     aclrtKernelArgsAppend(list, &narrow, sizeof(narrow), &param));
	EXPECT_OK(aclrtKernelArgsAppend(list, &wide, sizeof(wide), &param));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "place holder",
		     aclrtKernelArgsGetPlaceHolderBuffer(list, param, 8, &data));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "paramSize",
		     aclrtKernelArgsParaUpdate(list, param, &narrow, sizeof(narrow)));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "paramHandle",
		     aclrtKernelArgsParaUpdate(list, &narrow, &narrow, sizeof(narrow)));
	EXPECT_OK(aclrtKernelArgsAppend(list, &narrow, sizeof(narrow), &param));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "3 parameters", aclrtKernelArgsFinalize(list));
	EXPECT_OK(aclrtKernelArgsAppend(list, &narrow, sizeof(narrow), &param));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "3 parameters",
		     aclrtKernelArgsAppend(list, &narrow, sizeof(narrow), &param));
	EXPECT_OK(aclrtKernelArgsFinalize(list));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "another kernel",
		     aclrtLaunchKernelWithConfig(binary.function("store"), 1, nullptr, nullptr,
						 list, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "reserve",
		     aclrtLaunchKernelWithConfig(add, 1, nullptr, nullptr, list, &narrow));
}

TEST_F(KernelArgs, OldListsBecomeStale)
{
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	aclrtArgsHandle first = nullptr;
	aclrtArgsHandle last = nullptr;
	aclrtParamHandle param = nullptr;
	void *value = nullptr;

	EXPECT_OK(aclrtKernelArgsInit(add, &first));
	for (int i = 0; i < 64; i++)
		EXPECT_OK(aclrtKernelArgsInit(add, &last));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "argsHandle",
		     aclrtKernelArgsAppend(first, &value, sizeof(value), &param));
	EXPECT_OK(aclrtKernelArgsAppend(last, &value, sizeof(value), &param));
}

TEST_F(KernelArgs, PlaceHoldersOfHostArgs)
{
	const Binary binary;
	const aclrtFuncHandle store = binary.function("store");
	const DeviceBuffer buffer(20);
	struct {
		void *out;
		Triple triple;
		int32_t reserved;
		void *more;
		int32_t data[2];
	} args = {buffer.data(), kTriple, 0, nullptr, {70, 80}};
	aclrtPlaceHolderInfo place = {24, 32};
	auto launch = [&](size_t bytes) {
		return aclrtLaunchKernelWithHostArgs(store, 1, nullptr, nullptr, &args, bytes,
						     &place, 1);
	};

	EXPECT_OK(launch(sizeof(args)));
	args = {};
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(buffer.load<int32_t>(), kStored);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "argsSize", launch(16));
	place.dataOffset = 48;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dataOffset", launch(sizeof(args)));
	place = {20, 32};
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "addrOffset", launch(sizeof(args)));
}

TEST_F(KernelArgs, InMemoryOfTheDeviceAreReadWhenTheTaskRuns)
{
	const Stream stream;
	const Binary binary;
	const aclrtFuncHandle add = binary.function("add");
	const DeviceBuffer buffer(4096);
	const DeviceBuffer device_args(sizeof(AddArgs));
	const PinnedBuffer later(sizeof(AddArgs));
	Gate gate;

	*later.as<AddArgs>() = add_args(buffer, 9);
	gate.block(stream);
	EXPECT_OK(aclrtMemcpyAsync(device_args.data(), sizeof(AddArgs), later.data(),
				   sizeof(AddArgs), ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtLaunchKernel(add, 2, device_args.data(), sizeof(AddArgs), stream));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds_numbers(buffer, 9));
	AddArgs args = add_args(buffer, 1);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "argsData",
		     aclrtLaunchKernel(add, 2, &args, sizeof(args), stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "argsSize",
		     aclrtLaunchKernel(add, 2, device_args.data(), 8, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "argsData",
		     aclrtLaunchKernel(add, 2, nullptr, 24, stream));
}
