// SPDX-License-Identifier: MIT
/*
 * DOC: the image of the tests of kernels
 */
#include "kernel_samples.h"

#include <fstream>
#include <iterator>

namespace conformance {

std::string plain_path()
{
	return UNPU_TEST_IMAGE;
}

std::vector<char> plain_bytes()
{
	std::ifstream file(plain_path(), std::ios::binary);
	return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Binary::Binary()
{
	EXPECT_OK(aclrtBinaryLoadFromFile(plain_path().c_str(), nullptr, &handle_));
}

Binary::~Binary()
{
	if (handle_) {
		EXPECT_OK(aclrtBinaryUnLoad(handle_));
	}
}

aclrtFuncHandle Binary::function(const char *name) const
{
	aclrtFuncHandle function = nullptr;

	EXPECT_OK(aclrtBinaryGetFunction(handle_, name, &function));
	return function;
}

aclrtBinHandle Binary::release()
{
	return std::exchange(handle_, nullptr);
}

AddArgs add_args(const DeviceBuffer &data, int32_t addend)
{
	return {data.data(), addend, 0, static_cast<uint32_t>(data.size() / sizeof(int32_t)), 0};
}

aclError launch_add(aclrtFuncHandle add, const AddArgs &args, aclrtStream stream, uint32_t blocks,
		    aclrtLaunchKernelCfg *cfg)
{
	AddArgs copy = args;

	return aclrtLaunchKernelWithHostArgs(add, blocks, stream, cfg, &copy, sizeof(copy), nullptr,
					     0);
}

testing::AssertionResult holds_numbers(const DeviceBuffer &buffer, int32_t number)
{
	const auto values = buffer.load<int32_t>();

	for (size_t i = 0; i < values.size(); i++) {
		if (values[i] != number)
			return testing::AssertionFailure()
			       << "number " << i << " is " << values[i] << ", not " << number;
	}
	return testing::AssertionSuccess();
}

} // namespace conformance
