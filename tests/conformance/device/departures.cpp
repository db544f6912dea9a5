// SPDX-License-Identifier: MIT
/*
 * DOC: the end of objects for which a thread waits
 *
 * One thread waits for a stream that a host function blocks, in each way that there is to wait.
 * Another thread destroys the device, the context, the stream or the event. The waiting thread gets
 * its result, or a code that says what happened. It does not touch memory that was freed: the
 * sanitizers check that.
 */
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include "support/fixture.h"

using namespace conformance;

namespace {

enum class Wait { STREAM, DEVICE, EVENT, REPORT, COPY, FULL_RING };
enum class End { RESET, FORCE, FINALIZE, CONTEXT, STREAM, STREAM_FORCE, EVENT };

const char *name_of(Wait wait)
{
	static constexpr std::array NAMES = {"Stream", "Device", "Event",
					     "Report", "Copy",	 "FullRing"};
	return NAMES[static_cast<size_t>(wait)];
}

const char *name_of(End end)
{
	static constexpr std::array NAMES = {"Reset",  "Force",	      "Finalize", "Context",
					     "Stream", "StreamForce", "Event"};
	return NAMES[static_cast<size_t>(end)];
}

constexpr unsigned kRounds = 3;
/* So many tasks fill a stream, of which one is the function that holds it up. */
constexpr unsigned kFull = 1024;
constexpr size_t kCopied = size_t{8} << 20;
/* A little time; nothing hangs on how much. */
void give_way()
{
	const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
	while (std::chrono::steady_clock::now() < end)
		std::this_thread::yield();
}

/* Until the thread sleeps in the kernel, or half a minute is over. */
void await_sleep(pid_t thread)
{
	const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
	const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
	while (std::chrono::steady_clock::now() < end) {
		std::string line;
		std::getline(std::ifstream(path), line);
		const size_t name = line.rfind(')');
		if (name != std::string::npos && line[name + 2] == 'S')
			return;
		std::this_thread::yield();
	}
}

/* Holds a stream up until it is let go. */
struct Hold {
	std::promise<void> let_go;
	std::shared_future<void> gone{let_go.get_future()};
};

void hold(void *data)
{
	static_cast<Hold *>(data)->gone.wait();
}

/* One round: the objects that one thread waits for and another thread destroys. */
class Round {
public:
	explicit Round(bool own_context)
	{
		EXPECT_OK(aclrtSetDevice(0));
		if (own_context) {
			EXPECT_OK(aclrtCreateContext(&own_, 0));
		}
		EXPECT_OK(aclrtGetCurrentContext(&context_));
		EXPECT_OK(aclrtCreateStream(&stream_));
		EXPECT_OK(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC));
	}

	void begin(Wait wait)
	{
		if (wait == Wait::COPY || wait == Wait::FULL_RING) {
			EXPECT_OK(aclrtMalloc(&memory_, kCopied, ACL_MEM_MALLOC_HUGE_FIRST));
		}
		if (wait != Wait::REPORT && wait != Wait::COPY) {
			EXPECT_OK(aclrtLaunchHostFunc(stream_, hold, &hold_));
		}
		EXPECT_OK(aclrtRecordEvent(event_, stream_));
		std::promise<pid_t> begun;
		waiter_ = std::thread([this, wait, &begun] {
			EXPECT_OK(aclrtSetCurrentContext(context_));
			if (wait == Wait::REPORT) {
				EXPECT_OK(aclrtSubscribeReport(
					static_cast<uint64_t>(pthread_self()), stream_));
			}
			begun.set_value(gettid());
			result_ = run(wait);
			if (result_ != ACL_SUCCESS) {
				EXPECT_NE(take_message(), "");
			}
		});
		const pid_t thread = begun.get_future().get();
		/* A copy runs, all others sleep in the end. A submit that does not wait yet is none of ours. */
		while (wait == Wait::FULL_RING && submitted_ + 1 < kFull)
			std::this_thread::yield();
		if (wait == Wait::COPY)
			give_way();
		else
			await_sleep(thread);
	}

	/* The stream continues while the other thread ends it. */
	void let_go_soon()
	{
		helper_ = std::thread([this] {
			give_way();
			hold_.let_go.set_value();
		});
	}

	aclError take_away(End end)
	{
		switch (end) {
		case End::RESET:
			return aclrtResetDevice(0);
		case End::FORCE:
			return aclrtResetDeviceForce(0);
		case End::FINALIZE:
			return aclFinalize();
		case End::CONTEXT:
			return aclrtDestroyContext(own_);
		case End::STREAM:
			return aclrtDestroyStream(stream_);
		case End::STREAM_FORCE:
			return aclrtDestroyStreamForce(stream_);
		case End::EVENT:
			return aclrtDestroyEvent(event_);
		}
		return ACL_SUCCESS;
	}

	/* The result of the waiting thread. */
	aclError result()
	{
		helper_.join();
		waiter_.join();
		return result_;
	}

	/* Destroys the remaining objects, in whatever state they are. */
	void clean_up(End end)
	{
		if (end == End::FINALIZE) {
			EXPECT_OK(aclInit(nullptr));
		}
		if (end != End::STREAM && end != End::STREAM_FORCE) {
			EXPECT_OK(aclrtDestroyStream(stream_));
		}
		if (end != End::EVENT) {
			EXPECT_OK(aclrtDestroyEvent(event_));
		}
		/* A reset has released it. */
		if (memory_ && end != End::FINALIZE && end != End::RESET && end != End::FORCE) {
			EXPECT_OK(aclrtFree(memory_));
		}
		if (own_ && end != End::CONTEXT) {
			EXPECT_OK(aclrtDestroyContext(own_));
		}
		if (end != End::RESET && end != End::FORCE && end != End::FINALIZE) {
			EXPECT_OK(aclrtResetDevice(0));
		}
	}

private:
	aclError fill_ring()
	{
		aclError rc = ACL_SUCCESS;
		for (; submitted_ < kFull && rc == ACL_SUCCESS; ++submitted_)
			rc = aclrtMemsetAsync(memory_, 64, 0, 64, stream_);
		return rc;
	}

	aclError copy() const
	{
		std::vector<std::byte> host(kCopied);
		return aclrtMemcpy(host.data(), kCopied, memory_, kCopied,
				   ACL_MEMCPY_DEVICE_TO_HOST);
	}

	aclError run(Wait wait)
	{
		switch (wait) {
		case Wait::STREAM:
			return aclrtSynchronizeStream(stream_);
		case Wait::DEVICE:
			return aclrtSynchronizeDevice();
		case Wait::EVENT:
			return aclrtSynchronizeEvent(event_);
		case Wait::REPORT:
			return aclrtProcessReport(300);
		case Wait::COPY:
			return copy();
		case Wait::FULL_RING:
			return fill_ring();
		}
		return ACL_SUCCESS;
	}

	aclrtContext own_ = nullptr;
	aclrtContext context_ = nullptr;
	aclrtStream stream_ = nullptr;
	aclrtEvent event_ = nullptr;
	void *memory_ = nullptr;
	Hold hold_;
	std::atomic<unsigned> submitted_{0};
	std::thread waiter_;
	std::thread helper_;
	aclError result_ = ACL_SUCCESS;
};

/* Done, or what Documentation/watchdog.rst says of it. */
bool documented(Wait wait, aclError rc)
{
	switch (rc) {
	case ACL_SUCCESS:
		return true;
	case ACL_ERROR_RT_STREAM_ABORT:
		return wait == Wait::STREAM || wait == Wait::DEVICE;
	case ACL_ERROR_RT_INVALID_HANDLE:
		return wait == Wait::STREAM || wait == Wait::FULL_RING;
	case ACL_ERROR_RT_CONTEXT_NULL:
		return wait == Wait::DEVICE || wait == Wait::COPY;
	case ACL_ERROR_RT_THREAD_SUBSCRIBE:
	case ACL_ERROR_RT_REPORT_TIMEOUT:
	case ACL_ERROR_RT_LOST_HEARTBEAT:
		return wait == Wait::REPORT;
	default:
		return false;
	}
}

class Departures : public InitTest, public testing::WithParamInterface<std::tuple<Wait, End>> {};

std::string name_of_case(const testing::TestParamInfo<std::tuple<Wait, End>> &info)
{
	return std::string(name_of(std::get<0>(info.param))) + "While" +
	       name_of(std::get<1>(info.param));
}

} // namespace

TEST_P(Departures, EndTheWait)
{
	const auto [wait, end] = GetParam();

	for (unsigned i = 0; i < kRounds; i++) {
		Round round(end == End::CONTEXT);
		round.begin(wait);
		round.let_go_soon();
		EXPECT_OK(round.take_away(end));
		const aclError rc = round.result();
		EXPECT_TRUE(documented(wait, rc)) << rc;
		round.clean_up(end);
	}
}

INSTANTIATE_TEST_SUITE_P(
	All, Departures,
	testing::Combine(testing::Values(Wait::STREAM, Wait::DEVICE, Wait::EVENT, Wait::REPORT,
					 Wait::COPY, Wait::FULL_RING),
			 testing::Values(End::RESET, End::FORCE, End::FINALIZE, End::CONTEXT,
					 End::STREAM, End::STREAM_FORCE, End::EVENT)),
	name_of_case);
