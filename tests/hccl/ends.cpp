// SPDX-License-Identifier: MIT
/*
 * DOC: tests of communicators that begin with few descriptors, and of an end beside a resume
 */
#include "ranks.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>

namespace hccl_test {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t RANKS = 2;
constexpr size_t COUNT = 16;
/* Far below HCCL_CONNECT_TIMEOUT. */
constexpr std::chrono::seconds SOON(10);

class Ends : public testing::Test {
protected:
	static void SetUpTestSuite() { ASSERT_EQ(aclInit(nullptr), 0); }
	static void TearDownTestSuite() { ASSERT_EQ(aclFinalize(), 0); }

	void SetUp() override
	{
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			ASSERT_EQ(aclrtCreateStream(&streams[rank]), 0);
			ASSERT_EQ(aclrtMalloc(&memory[rank], COUNT * 4, ACL_MEM_MALLOC_HUGE_FIRST),
				  0);
			ASSERT_EQ(aclrtMemset(memory[rank], COUNT * 4, 0, COUNT * 4), 0);
		}
	}

	void TearDown() override
	{
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			EXPECT_EQ(aclrtFree(memory[rank]), 0);
			EXPECT_EQ(aclrtDestroyStream(streams[rank]), 0);
		}
		for (uint32_t rank = 0; rank < RANKS; rank++)
			(void)aclrtResetDeviceForce(static_cast<int32_t>(rank));
	}

	static void select(uint32_t rank)
	{
		ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
	}

	HcclResult begin()
	{
		int32_t devices[] = {0, 1};
		return HcclCommInitAll(RANKS, devices, comms.data());
	}

	void reduce()
	{
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			EXPECT_EQ(HcclAllReduce(memory[rank], memory[rank], COUNT,
						HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comms[rank],
						streams[rank]),
				  HCCL_SUCCESS)
				<< take_message();
		}
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			select(rank);
			EXPECT_EQ(aclrtSynchronizeStream(streams[rank]), 0) << take_message();
		}
	}

	std::array<HcclComm, RANKS> comms{};
	std::array<aclrtStream, RANKS> streams{};
	std::array<void *, RANKS> memory{};
};

size_t open_descriptors()
{
	const std::filesystem::directory_iterator all("/proc/self/fd");
	return static_cast<size_t>(std::distance(begin(all), end(all)));
}

/* Lets the process open @more descriptors, as long as this lives. */
class FewDescriptors {
public:
	explicit FewDescriptors(unsigned more)
	{
		EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &usual_), 0);
		int number = 0;
		while (fcntl(number, F_GETFD) >= 0 || more-- > 0)
			number++;
		rlimit few = usual_;
		few.rlim_cur = static_cast<rlim_t>(number);
		EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
	}
	~FewDescriptors() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &usual_), 0); }
	FewDescriptors(const FewDescriptors &) = delete;
	FewDescriptors &operator=(const FewDescriptors &) = delete;

private:
	rlimit usual_{};
};

} // namespace

/* With too few descriptors a communicator is refused soon, and leaves none open. One that is there needs no more. */
TEST_F(Ends, FewDescriptors)
{
	constexpr unsigned ENOUGH = 64;
	unsigned refusals = 0;
	HcclResult code = HCCL_E_UNAVAIL;
	const size_t before = open_descriptors();
	for (unsigned more = 0; more < ENOUGH && code != HCCL_SUCCESS; more++) {
		const Clock::time_point began = Clock::now();
		{
			const FewDescriptors few(more);
			code = begin();
		}
		EXPECT_LT(Clock::now() - began, SOON) << more << " descriptors";
		if (code == HCCL_SUCCESS)
			break;
		refusals++;
		/* The firmware, which is of this process, says of a segment only that it has no memory. */
		EXPECT_TRUE(code == HCCL_E_UNAVAIL || code == HCCL_E_OOM) << code;
		EXPECT_NE(take_message(), "") << more << " descriptors";
		/* The thread where the ranks met ends by itself. */
		while (open_descriptors() != before && Clock::now() - began < SOON)
			std::this_thread::yield();
		ASSERT_EQ(open_descriptors(), before) << more << " descriptors";
	}
	ASSERT_EQ(code, HCCL_SUCCESS) << take_message();
	EXPECT_GT(refusals, 3u);
	const FewDescriptors none(0);
	reduce();
	for (HcclComm comm : comms)
		EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS) << take_message();
}

/* A communicator in HcclCommResume is not destroyed by another thread. */
TEST_F(Ends, DestroyWhileAResumeWaits)
{
	ASSERT_EQ(begin(), HCCL_SUCCESS) << take_message();
	/* Two threads resume; when one has been refused, the other one is there. */
	std::atomic<bool> is_there{false};
	std::vector<std::thread> threads;
	for (int i = 0; i < 2; i++)
		threads.emplace_back([&] {
			HcclResult code = HCCL_E_AGAIN;
			std::string text;
			while (code == HCCL_E_AGAIN && text.find("HcclCommResume") == text.npos) {
				code = HcclCommResume(comms[0]);
				text = take_message();
			}
			EXPECT_EQ(code, is_there.exchange(true) ? HCCL_SUCCESS : HCCL_E_AGAIN)
				<< text;
		});
	const Clock::time_point began = Clock::now();
	while (!is_there && Clock::now() - began < SOON)
		std::this_thread::yield();
	EXPECT_TRUE(refused(HcclCommDestroy(comms[0]), HCCL_E_AGAIN, "HcclCommResume"));
	EXPECT_EQ(HcclCommResume(comms[1]), HCCL_SUCCESS) << take_message();
	for (std::thread &thread : threads)
		thread.join();
	reduce();
	for (HcclComm comm : comms)
		EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS) << take_message();
}

/* Of both at once, one is first, and the other one returns soon. */
TEST_F(Ends, DestroyBesideAResume)
{
	constexpr int ROUNDS = 40;
	int destroyed = 0;
	for (int round = 0; round < ROUNDS; round++) {
		ASSERT_EQ(begin(), HCCL_SUCCESS) << take_message();
		std::array<HcclResult, RANKS> resumed{};
		const Clock::time_point began = Clock::now();
		std::vector<std::thread> threads;
		for (uint32_t rank = 0; rank < RANKS; rank++)
			threads.emplace_back(
				[&, rank] { resumed[rank] = HcclCommResume(comms[rank]); });
		for (int i = 0; i < round % 8 * 10; i++)
			std::this_thread::yield();
		const HcclResult code = HcclCommDestroy(comms[0]);
		for (std::thread &thread : threads)
			thread.join();
		EXPECT_LT(Clock::now() - began, SOON);
		if (code == HCCL_SUCCESS) {
			destroyed++;
			/* The other rank may have resumed before. */
			EXPECT_TRUE(resumed[0] == HCCL_E_PARA || resumed[0] == HCCL_E_AGAIN ||
				    resumed[0] == HCCL_SUCCESS)
				<< resumed[0];
			EXPECT_EQ(resumed[1],
				  resumed[0] == HCCL_SUCCESS ? HCCL_SUCCESS : HCCL_E_REMOTE);
		} else {
			EXPECT_EQ(code, HCCL_E_AGAIN);
			EXPECT_EQ(resumed, (std::array<HcclResult, RANKS>{}));
			EXPECT_EQ(HcclCommDestroy(comms[0]), HCCL_SUCCESS) << take_message();
		}
		EXPECT_EQ(HcclCommDestroy(comms[1]), HCCL_SUCCESS) << take_message();
	}
	RecordProperty("destroyed", destroyed);
}

} // namespace hccl_test
