// SPDX-License-Identifier: MIT
/*
 * DOC: the image of the tests of kernels
 */
#ifndef UNPU_TESTS_CONFORMANCE_KERNEL_SAMPLES_H
#define UNPU_TESTS_CONFORMANCE_KERNEL_SAMPLES_H

#include "abilities.h"
#include "support/fixture.h"

namespace conformance {

/* A fixture whose tests run kernels. */
template <class Test> class WithWorker : public Test {
protected:
	void SetUp() override
	{
		SKIP_WITHOUT_WORKERS();
		Test::SetUp();
	}

	void TearDown() override
	{
		if (!testing::Test::IsSkipped())
			Test::TearDown();
	}
};

/* The file of images/plain.cpp, and its bytes. */
std::string plain_path();
std::vector<char> plain_bytes();

/* The image, loaded in the current context. */
class Binary {
public:
	Binary();
	~Binary();
	Binary(const Binary &) = delete;
	Binary &operator=(const Binary &) = delete;

	operator aclrtBinHandle() const { return handle_; }
	aclrtFuncHandle function(const char *name) const;
	/* The caller unloads it. */
	aclrtBinHandle release();

private:
	aclrtBinHandle handle_ = nullptr;
};

/* The arguments of the kernel add(data, addend, count). */
struct AddArgs {
	void *data;
	int32_t addend;
	uint32_t reserved;
	uint32_t count;
	uint32_t reserved2;
};

AddArgs add_args(const DeviceBuffer &data, int32_t addend);

/* Launches add() with arguments in memory of the host. */
aclError launch_add(aclrtFuncHandle add, const AddArgs &args, aclrtStream stream,
		    uint32_t blocks = 3, aclrtLaunchKernelCfg *cfg = nullptr);

/* All int32_t of the buffer are this number. */
testing::AssertionResult holds_numbers(const DeviceBuffer &buffer, int32_t number);

} // namespace conformance

#endif
