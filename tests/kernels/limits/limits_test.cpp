// SPDX-License-Identifier: MIT
/*
 * DOC: Time and cores of kernels
 *
 * After 2 seconds the runtime reports a kernel that does not end, with its place. unpu-info shows it as a kernel, and
 * the watchdog ends it at its limit. A chip has the cores that its name stands for; no more blocks can wait for each
 * other.
 */
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "abilities.h"
#include "acl/acl.h"

int launch_spin(void *stream, void *word);
int launch_spin_plainly(void *stream, void *word);
int launch_spin_in_header(void *stream, void *bytes, uint64_t count);
int launch_spin_in_instructions(void *stream, void *word);
int launch_meet(uint32_t blocks, void *stream, void *word);
int launch_use_stack(void *stream, void *word);
int launch_say(uint32_t blocks, void *stream, void *word);
int launch_say_wrongly(void *stream, void *word);
int launch_say_and_die(void *stream, void *word, uint32_t how);
int launch_part(uint32_t blocks, void *stream, void *word);
int launch_use_ub(void *stream, void *word, uint32_t bytes, uint32_t behind);
int launch_use_ub_310p(void *stream, void *word, uint32_t bytes, uint32_t behind);

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

	/* The failed check of the kernel that was launched last. */
	std::string failure() const
	{
		EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
		const char *told = aclGetRecentErrMsg();
		return told ? told : "";
	}
	int32_t word_now() const
	{
		int32_t value = 0;
		EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << aclGetRecentErrMsg();
		EXPECT_EQ(aclrtMemcpy(&value, 4, word, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
		return value;
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

/* The place of the line of the kernels that has @words. */
std::string place_of(const std::string &words)
{
	std::ifstream file(KERNELS);
	std::string line;

	for (int number = 1; std::getline(file, line); number++)
		if (line.find(words) != std::string::npos)
			return "kernels.cpp:" + std::to_string(number);
	return "no line";
}

/* What the line about a kernel that does not end has of its place. Only x86-64 tells the address. */
std::string line_of_spin(const std::string &block, const std::string &words, const void *polled)
{
	std::string text = "is a kernel of the program that has not ended: " + block + " at ";
	text += std::string(KERNELS).substr(0, std::string(KERNELS).rfind('/') + 1) +
		place_of(words);
#if defined(__x86_64__)
	std::array<char, 32> address;
	snprintf(address.data(), address.size(), "%p", polled);
	text += std::string(", which reads ") + address.data();
#else
	(void)polled;
#endif
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
			    "watchdog (watchdog_ms); it was here: vector block 0 at "),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find(place_of("/* spins */")), std::string::npos) << text;
	EXPECT_NE(lines.find(line_of_spin("vector block 0", "/* spins */", word)),
		  std::string::npos)
		<< lines;
	EXPECT_EQ(lines.find("UNPU_KERNEL_CHECK"), std::string::npos) << "no check: " << lines;
	EXPECT_NE(seen.find("kernel"), std::string::npos) << seen;
	EXPECT_EQ(seen.find("host call"), std::string::npos) << seen;
}

TEST_F(KernelLimits, LoopsOverPlainPointersHaveTheirPlace)
{
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_spin_plainly(stream, word), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_TIMEOUT);
	const std::string lines = testing::internal::GetCapturedStderr();
	const std::string line = line_of_spin("vector block 1", "/* spins plainly */",
					      static_cast<char *>(word) + 20);
	EXPECT_NE(lines.find(line), std::string::npos) << lines << line;
}

/* Also where the thread is within a check for longer than it is followed. */
TEST_F(KernelLimits, LoopsOverInstructionsHaveTheUsersPlace)
{
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_spin_in_instructions(stream, word), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_TIMEOUT);
	const std::string lines = testing::internal::GetCapturedStderr();
	const std::string told = "has not ended: vector block 0 at " + std::string(KERNELS);
	EXPECT_NE(lines.find(told), std::string::npos) << lines;
}

TEST_F(KernelLimits, LoopsOverFunctionsOfSystemHeadersHaveTheUsersPlace)
{
	constexpr uint64_t BYTES = 8 << 20;
	void *zeros = nullptr;
	ASSERT_EQ(aclrtMalloc(&zeros, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
	ASSERT_EQ(aclrtMemset(zeros, BYTES, 0, BYTES), ACL_SUCCESS);
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_spin_in_header(stream, zeros, BYTES), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_TIMEOUT);
	const std::string lines = testing::internal::GetCapturedStderr();
	EXPECT_EQ(lines.find("/usr/include/"), std::string::npos) << lines;
	EXPECT_NE(lines.find("it was here: vector block 0 at " + std::string(KERNELS)),
		  std::string::npos)
		<< lines;
}

TEST_F(KernelLimits, AKernelThatWasAskedWhereItIsGoesOn)
{
	FILE *told = tmpfile();
	const int before = dup(STDERR_FILENO);
	ASSERT_TRUE(told && dup2(fileno(told), STDERR_FILENO) >= 0);
	const auto has_told = [told] {
		std::array<char, 4096> text{};
		(void)pread(fileno(told), text.data(), text.size() - 1, 0);
		return strstr(text.data(), "has not ended: vector block 1 at ") != nullptr;
	};
	ASSERT_EQ(launch_spin_plainly(stream, word), 0);
	/* Until then, or until the watchdog has ended the kernel. */
	std::atomic<bool> has_ended = false;
	std::thread ends([&] {
		while (!has_told() && !has_ended)
			std::this_thread::yield();
		const int32_t one = 1;
		EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
		EXPECT_EQ(aclrtMemcpy(static_cast<char *>(word) + 20, 4, &one, 4,
				      ACL_MEMCPY_HOST_TO_DEVICE),
			  ACL_SUCCESS);
	});
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << aclGetRecentErrMsg();
	has_ended = true;
	ends.join();
	dup2(before, STDERR_FILENO);
	EXPECT_TRUE(has_told());
	close(before);
	fclose(told);
}

TEST_F(KernelLimits, CoresAreTheChips)
{
	int64_t cores = 0;

	ASSERT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores), ACL_SUCCESS);
	const auto most = static_cast<uint32_t>(cores);
	ASSERT_EQ(launch_meet(most, stream, word), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << aclGetRecentErrMsg();
	ASSERT_EQ(launch_meet(most + 1, stream, word), 0);
	const std::string text = failure();
	EXPECT_NE(text.find("the chip has " + std::to_string(most) + " such cores"),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find(place_of("meet waits") + ": vector 0, vector 1, "), std::string::npos)
		<< text;
}

TEST_F(KernelLimits, DeadlocksNameTheLineOfEachWait)
{
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_part(5, stream, word), 0);
	const std::string text = failure();
	const std::string lines = testing::internal::GetCapturedStderr();
	EXPECT_NE(lines.find(place_of("part waits for all")), std::string::npos) << lines;
	EXPECT_EQ(lines.find("UNPU_KERNEL_CHECK"), std::string::npos) << "no check: " << lines;
	for (const std::string &wait : {std::string("2 block(s) wait at SyncAll ("),
					place_of("part waits for all") + ": vector 3, vector 4)",
					std::string("1 block(s) wait in CrossCoreWaitFlag ("),
					place_of("part waits for a flag") + ": vector 1)",
					std::string("1 block(s) wait in IBWait ("),
					place_of("part waits for a block") + ": vector 2)"})
		EXPECT_NE(text.find(wait), std::string::npos) << wait << " is not in " << text;
}

TEST_F(KernelLimits, AnArrayDoesNotReachBehindTheStack)
{
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_use_stack(stream, word), 0);
	const std::string text = failure();
	const std::string lines = testing::internal::GetCapturedStderr();
	EXPECT_NE(text.find("the stack of the block, 1 MiB, is full"), std::string::npos) << text;
	EXPECT_EQ(lines.find("UNPU_KERNEL_CHECK"), std::string::npos) << "no check: " << lines;
}

TEST_F(KernelLimits, WhatAKernelThatFailsHasSaidComesInOrder)
{
	testing::internal::CaptureStdout();
	ASSERT_EQ(launch_say(1, stream, word), 0);
	const std::string text = failure();
	fflush(stdout);
	const std::string said = testing::internal::GetCapturedStdout();

	EXPECT_NE(text.find("Assertion `block < 0' failed"), std::string::npos) << text;
	size_t at = 0;
	for (const char *part :
	     {"first of 0", "second of 0", "desc=3", "70", "last of 0", "[ASSERT]"}) {
		const size_t found = said.find(part, at);
		ASSERT_NE(found, std::string::npos)
			<< part << " is not behind byte " << at << " of " << said;
		at = found;
	}
	EXPECT_EQ(said.find("never"), std::string::npos) << said;
}

TEST_F(KernelLimits, WhatAKernelHasSaidComesHoweverItEnds)
{
	for (const uint32_t how : {0u, 1u, 2u, 3u}) {
		testing::internal::CaptureStdout();
		ASSERT_EQ(launch_say_and_die(stream, word, how), 0);
		EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
		fflush(stdout);
		EXPECT_EQ(testing::internal::GetCapturedStdout(),
			  "said before " + std::to_string(how) + "\n")
			<< aclGetRecentErrMsg();
	}
}

TEST_F(KernelLimits, AWorkerThatEndsIsNoFailedCheck)
{
	testing::internal::CaptureStderr();
	ASSERT_EQ(launch_say_and_die(stream, word, 4), 0);
	const std::string text = failure();
	const std::string lines = testing::internal::GetCapturedStderr();
	EXPECT_NE(text.find("its worker process ended"), std::string::npos) << text;
	EXPECT_EQ(lines.find("UNPU_KERNEL_CHECK"), std::string::npos) << "no check: " << lines;
}

TEST_F(KernelLimits, ArgumentsThatDoNotFitTheirFormatAreNamed)
{
	testing::internal::CaptureStdout();
	ASSERT_EQ(launch_say_wrongly(stream, word), 0);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
	fflush(stdout);
	const std::string said = testing::internal::GetCapturedStdout();
	const size_t end = said.find('\n');
	EXPECT_EQ(said.rfind("1  |   2|  1.5|x|c|0x", 0), 0u) << said;
	EXPECT_EQ(said.substr(end - 7, 7), "|7|100%") << said;
	EXPECT_EQ(
		said.substr(end + 1),
		"[unpu: argument 1 of printf(\"%d\") is a floating-point number, which %d does "
		"not print]\n"
		"[unpu: argument 2 of printf(\"%u %.2f\") is an integer, which %f does not print]\n"
		"[unpu: argument 1 of printf(\"%s\") is an integer, which %s does not print]\n"
		"[unpu: printf(\"%d %d\") has no argument 2]\n");
}

TEST_F(KernelLimits, UbIsThatOfTheChip)
{
	ASSERT_EQ(launch_use_ub_310p(stream, word, 262144, 0), 0);
	EXPECT_EQ(word_now(), 262144);
	ASSERT_EQ(launch_use_ub(stream, word, 196352, 0), 0);
	EXPECT_EQ(word_now(), 196352);
	/* Behind UB of most chips is nothing, also where a core was Ascend310P's before. */
	ASSERT_EQ(launch_use_ub(stream, word, 196352, 196608), 0);
	const std::string text = failure();
	EXPECT_NE(text.find("UB"), std::string::npos) << text;
}

TEST_F(KernelLimits, UbHasNoMore)
{
	ASSERT_EQ(launch_use_ub(stream, word, 225280, 0), 0);
	const std::string text = failure();
	EXPECT_NE(text.find("UB overflow: needs 225280 of 196352 bytes"), std::string::npos)
		<< text;
}

TEST_F(KernelLimits, UbOfAscend310PHasNoMore)
{
	ASSERT_EQ(launch_use_ub_310p(stream, word, 262176, 0), 0);
	const std::string text = failure();
	EXPECT_NE(text.find("UB overflow: needs 262176 of 262144 bytes"), std::string::npos)
		<< text;
}
