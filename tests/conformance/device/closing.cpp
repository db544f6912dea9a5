// SPDX-License-Identifier: MIT
/*
 * DOC: devices that close while other threads call
 *
 * One thread closes a device, with its last reset or by force. Other threads work on other devices, free pinned memory
 * that outlives the device, run functions of the device, or use it themselves. All calls come back, with success or
 * with a documented code.
 */
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "support/child_process.h"

using namespace conformance;

namespace {

using Closing = InitTest;

constexpr size_t kBytes = 4096;
constexpr auto kHang = std::chrono::seconds(60);
/* A device in a process of its own takes long to open: fewer rounds will do there. */
constexpr auto kLong = std::chrono::seconds(1);

void *take(size_t bytes)
{
	void *memory = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	return memory;
}

/* Another device, or the same one, opens and closes so often. */
void open_and_close(int32_t device, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		EXPECT_OK(aclrtSetDevice(device));
		EXPECT_OK(aclrtResetDevice(device));
	}
}

/* Runs a call on a thread of its own. Return: whether it came back. */
template <class Call> bool comes_back(Call call)
{
	auto done = std::make_shared<std::promise<void>>();
	std::future<void> back = done->get_future();
	std::thread thread([call, done] {
		call();
		done->set_value();
	});
	const bool came = back.wait_for(kHang) == std::future_status::ready;

	if (came)
		thread.join();
	else
		thread.detach();
	return came;
}

/* A function of the program that runs for the device, and says when it has begun. */
struct Function {
	std::promise<void> begun;
	std::promise<void> go;
	std::promise<aclError> result;
	aclError (*call)();
};

void run(void *data)
{
	auto *function = static_cast<Function *>(data);

	function->begun.set_value();
	function->go.get_future().wait();
	function->result.set_value(function->call());
}

Function *told;

void tell(aclrtExceptionInfo *)
{
	run(told);
}

aclError count_devices()
{
	uint32_t count;

	return aclrtGetDeviceCount(&count);
}

aclError set_and_reset()
{
	const aclError rc = aclrtSetDevice(0);

	return rc == ACL_SUCCESS ? aclrtResetDevice(0) : rc;
}

/* Whether a call in a context that another thread ends has ended as it may; tells the test if not. */
bool ends_well(aclError rc, const char *call)
{
	for (aclError good : {ACL_SUCCESS, ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_INVALID_HANDLE,
			      ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_LOST_HEARTBEAT}) {
		if (rc == good)
			return true;
	}
	ADD_FAILURE() << call << " -> " << rc << ": " << take_message();
	return false;
}

/* Memory, and calls on the device, of a thread whose device is reset at any moment. */
void use_memory(const std::atomic<bool> &over)
{
	const std::vector<char> host(kBytes);

	while (!over) {
		void *memory = nullptr;
		size_t free_bytes;
		size_t total;

		if (!ends_well(aclrtSetDevice(0), "aclrtSetDevice"))
			return;
		(void)ends_well(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY),
				"aclrtMalloc");
		(void)ends_well(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total),
				"aclrtGetMemInfo");
		if (memory) {
			const aclError rc = aclrtMemcpy(memory, kBytes, host.data(), kBytes,
							ACL_MEMCPY_HOST_TO_DEVICE);

			/* The device may have been opened anew, without the memory. */
			if (rc != ACL_ERROR_RT_PARAM_INVALID)
				(void)ends_well(rc, "aclrtMemcpy");
		}
		(void)ends_well(aclrtSynchronizeDevice(), "aclrtSynchronizeDevice");
		if (memory)
			(void)aclrtFree(memory); /* it may have gone with the device */
	}
}

} // namespace

TEST(ClosingOneOfTwo, WhileOtherThreadsUseTheOther)
{
	constexpr unsigned kRounds = 50;
	std::atomic<bool> over{false};
	std::atomic<unsigned> misplaced{0};
	std::vector<std::thread> users;

	if (!alone("devices=2"))
		return;
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclrtSetDevice(1));
	for (unsigned i = 0; i < 3; i++)
		users.emplace_back([&] {
			EXPECT_OK(aclrtSetDevice(1));
			while (!over) {
				aclrtPtrAttributes attributes;
				void *memory = take(kBytes);

				for (unsigned k = 0; k < 8; k++) {
					EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
					misplaced += attributes.location.id != 1;
				}
				EXPECT_OK(aclrtFree(memory));
			}
			EXPECT_OK(aclrtResetDevice(1));
		});
	open_and_close(0, kRounds);
	over = true;
	for (std::thread &user : users)
		user.join();
	EXPECT_EQ(misplaced, 0U);
	EXPECT_OK(aclFinalize());
}

TEST(ClosingOneOfTwo, DoesNotWaitForCopiesOfTheOther)
{
	constexpr size_t kCopied = size_t{2} << 20;
	std::atomic<bool> over{false};
	std::atomic<unsigned> copying{0};
	std::vector<std::thread> users;

	if (!alone("devices=2"))
		return;
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclrtSetDevice(0));
	for (unsigned i = 0; i < 3; i++)
		users.emplace_back([&] {
			const std::vector<char> host(kCopied, 1);

			EXPECT_OK(aclrtSetDevice(0));
			void *memory = take(kCopied);
			copying++;
			while (!over)
				EXPECT_OK(aclrtMemcpy(memory, kCopied, host.data(), kCopied,
						      ACL_MEMCPY_HOST_TO_DEVICE));
			EXPECT_OK(aclrtFree(memory));
			EXPECT_OK(aclrtResetDevice(0));
		});
	while (copying < users.size())
		std::this_thread::yield();
	EXPECT_TRUE(comes_back([] { open_and_close(1, 3); }));
	over = true;
	for (std::thread &user : users)
		user.join();
	EXPECT_OK(aclFinalize());
}

TEST_F(Closing, WhileItsPinnedMemoryIsFreedByOtherThreads)
{
	constexpr unsigned kRounds = 100;
	std::array<std::thread, 4> threads;
	std::array<std::atomic<void *>, 4> blocks{};
	std::atomic<unsigned> freed{0};
	std::atomic<bool> over{false};

	for (size_t i = 0; i < threads.size(); i++)
		threads[i] = std::thread([&, i] {
			while (!over) {
				void *memory = blocks[i].exchange(nullptr);
				if (!memory) {
					std::this_thread::yield();
					continue;
				}
				EXPECT_OK(aclrtFreeHost(memory));
				freed++;
			}
		});
	const auto end = std::chrono::steady_clock::now() + kLong;
	for (unsigned round = 0; round < kRounds && std::chrono::steady_clock::now() < end;
	     round++) {
		std::array<void *, 4> memory;

		EXPECT_OK(aclrtSetDevice(0));
		for (void *&block : memory)
			ASSERT_OK(aclrtMallocHost(&block, kBytes));
		freed = 0;
		for (size_t i = 0; i < blocks.size(); i++)
			blocks[i] = memory[i];
		EXPECT_OK(aclrtResetDevice(0));
		while (freed < memory.size())
			std::this_thread::yield();
	}
	over = true;
	for (std::thread &thread : threads)
		thread.join();
}

TEST_F(Closing, WaitsForAFunctionThatCallsUs)
{
	for (auto call : {count_devices, set_and_reset}) {
		Function function{{}, {}, {}, call};
		aclrtStream stream;
		aclrtEvent event;

		told = &function;
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtSetExceptionInfoCallback(tell));
		EXPECT_OK(aclrtCreateStream(&stream));
		EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
		/* No thread records the event. */
		EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream, event, 1));
		auto begun = function.begun.get_future();
		while (begun.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
			turn_device();
		EXPECT_OK(aclrtDestroyEvent(event));
		EXPECT_OK(aclrtDestroyStream(stream));

		std::atomic<bool> resets{false};
		std::thread soon([&] {
			while (!resets)
				std::this_thread::yield();
			function.go.set_value();
		});
		EXPECT_TRUE(comes_back([&] {
			resets = true;
			EXPECT_OK(aclrtResetDevice(0));
		}));
		soon.join();
		std::future<aclError> result = function.result.get_future();
		ASSERT_EQ(result.wait_for(kHang), std::future_status::ready);
		EXPECT_EQ(result.get(), ACL_SUCCESS);
		EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
	}
}

/* Opens device 0 and takes it away so many times, while other threads use memory of it. */
template <class Take> static void take_away_beside_users(unsigned rounds, Take take)
{
	std::atomic<bool> over{false};
	std::vector<std::thread> users;

	for (unsigned i = 0; i < 3; i++)
		users.emplace_back([&] { use_memory(over); });
	for (unsigned i = 0; i < rounds; i++) {
		EXPECT_OK(aclrtSetDevice(0));
		take();
	}
	over = true;
	for (std::thread &user : users)
		user.join();
	(void)aclrtResetDeviceForce(0);
}

TEST_F(Closing, ByForceWhileOtherThreadsUseMemory)
{
	take_away_beside_users(100, [] { EXPECT_OK(aclrtResetDeviceForce(0)); });
}

TEST_F(Closing, ByTheEndOfTheLibraryWhileOtherThreadsUseMemory)
{
	take_away_beside_users(30, [] {
		EXPECT_OK(aclFinalize());
		EXPECT_OK(aclInit(nullptr));
	});
}
