// SPDX-License-Identifier: MIT
/*
 * DOC: Time and cores of kernels
 *
 * A kernel that does not end is told of after 2 seconds, is a kernel for unpu-info, and ends at the watchdog's limit. A
 * chip has the cores that its name stands for, and no more blocks can wait for each other.
 */
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "abilities.h"
#include "acl/acl.h"

int launch_spin(void *stream, void *word);
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

std::string output_of(const std::string &command)
{
	std::string text;
	std::array<char, 4096> part;
	FILE *file = popen(command.c_str(), "r");

	while (file && fgets(part.data(), part.size(), file))
		text += part.data();
	if (file)
		pclose(file);
	return text;
}

} // namespace

TEST_F(KernelLimits, WatchdogEndsAKernel)
{
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_spin(stream, word), 0);
	std::string seen;
	std::atomic<bool> has_ended = false;
	std::thread look([&] {
		const std::string command =
			std::string(UNPU_INFO) + " --pid " + std::to_string(getpid());
		while (!has_ended && seen.find("kernel") == std::string::npos)
			seen = output_of(command);
	});
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_TIMEOUT);
	has_ended = true;
	look.join();
	const std::string lines = testing::internal::GetCapturedStderr();
	const char *told = aclGetRecentErrMsg();
	const std::string text = told ? told : "";
	EXPECT_NE(text.find("kernel spin: it did not end within 4000 ms, the limit of the device's "
			    "watchdog (watchdog_ms)"),
		  std::string::npos)
		<< text;
	EXPECT_NE(lines.find("is a kernel of the program that has not ended"), std::string::npos)
		<< lines;
	EXPECT_NE(seen.find("kernel"), std::string::npos) << seen;
	EXPECT_EQ(seen.find("host call"), std::string::npos) << seen;
}

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
