// SPDX-License-Identifier: MIT
/*
 * DOC: Cores of kernels
 *
 * A chip has the cores that its name stands for, and no more blocks can wait for each other.
 */
#include <string>

#include <gtest/gtest.h>

#include "abilities.h"
#include "acl/acl.h"

int launch_meet(uint32_t blocks, void *stream, void *word);

namespace {

class KernelLimits : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
		ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
		SKIP_WITHOUT_WORKERS();
		ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
		ASSERT_EQ(aclrtMalloc(&word, 64, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
		ASSERT_EQ(aclrtMemset(word, 64, 0, 64), ACL_SUCCESS);
	}
	void TearDown() override
	{
		aclrtResetDeviceForce(0);
		EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
	}

	aclrtStream stream = nullptr;
	void *word = nullptr;
};

} // namespace

TEST_F(KernelLimits, CoresAreTheChips)
{
	int64_t cores = 0;

	ASSERT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores), ACL_SUCCESS);
	const auto most = static_cast<uint32_t>(cores);
	ASSERT_EQ(launch_meet(most, stream, word), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << aclGetRecentErrMsg();
	ASSERT_EQ(launch_meet(most + 1, stream, word), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	const char *told = aclGetRecentErrMsg();
	const std::string text = told ? told : "";
	EXPECT_NE(text.find("the chip has " + std::to_string(most) + " such cores"),
		  std::string::npos)
		<< text;
}
