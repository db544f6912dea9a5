// SPDX-License-Identifier: MIT
/*
 * DOC: the conformance fixture
 *
 * Owners of the handles that tests make, the gate that holds a stream, and the look at /proc that
 * tells whether a test left something behind.
 */
#include "support/fixture.h"

#include <strings.h>
#include <thread>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "own_entries.h"

namespace conformance {

namespace {

size_t count_memfd_maps()
{
	std::ifstream maps("/proc/self/maps");
	std::string line;
	size_t count = 0;

	while (std::getline(maps, line))
		count += line.find("memfd:") != std::string::npos;
	return count;
}

bool contains_word(const std::string &text, const std::string &word)
{
	const auto same = [](char a, char b) { return strncasecmp(&a, &b, 1) == 0; };

	return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

bool mentions(const std::string &text, const std::string &words)
{
	size_t begin = 0;

	if (words.empty())
		return true;
	while (begin <= words.size()) {
		const size_t end = std::min(words.find('|', begin), words.size());

		if (contains_word(text, words.substr(begin, end - begin)))
			return true;
		begin = end + 1;
	}
	return false;
}

/*
 * The first initialisation of the library in a process may create objects that stay for all later
 * ones. So this function initialises and finalises the library once, before the leak check counts.
 */
void live_once()
{
	static bool done = false;

	if (done)
		return;
	done = true;
	ASSERT_OK(aclInit(nullptr));
	ASSERT_OK(aclrtSetDevice(0));
	turn_device();
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclFinalize());
}

void release_devices()
{
	uint32_t count = 0;

	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS)
		return;
	/* Most devices were never set, and the error of such a reset does not matter. */
	for (uint32_t device = 0; device < count; ++device)
		static_cast<void>(aclrtResetDeviceForce(static_cast<int32_t>(device)));
}

World look_when_settled(size_t threads)
{
	World now = World::look();

	now.threads = await_threads(threads);
	return now;
}

template <typename Bytes>
testing::AssertionResult all_equal(const Bytes *bytes, size_t size, int value)
{
	for (size_t i = 0; i < size; ++i) {
		if (bytes[i] != static_cast<uint8_t>(value)) {
			return testing::AssertionFailure()
			       << "byte " << i << " of " << size << " is " << int(bytes[i])
			       << ", not " << value;
		}
	}
	return testing::AssertionSuccess() << "all " << size << " bytes are " << value;
}

} // namespace

std::string take_message()
{
	const char *text = aclGetRecentErrMsg();

	return text ? text : "";
}

testing::AssertionResult succeeded(aclError rc)
{
	if (rc == ACL_SUCCESS)
		return testing::AssertionSuccess();
	return testing::AssertionFailure() << "returned " << rc << ": " << take_message();
}

bool expect_success(aclError rc, const char *call, const char *file, int line)
{
	if (rc == ACL_SUCCESS)
		return true;
	ADD_FAILURE_AT(file, line) << call << " returned " << rc << ": " << take_message();
	return false;
}

bool assert_success(aclError rc, const char *call, const char *file, int line)
{
	if (rc == ACL_SUCCESS)
		return true;
	GTEST_MESSAGE_AT_(file, line, call, testing::TestPartResult::kFatalFailure)
		<< " returned " << rc << ": " << take_message();
	return false;
}

testing::AssertionResult failed_with(aclError rc, aclError expected, const char *mention)
{
	const std::string text = take_message();

	if (rc != expected) {
		return testing::AssertionFailure() << "returned " << rc << ", not " << expected
						   << "; the text is \"" << text << "\"";
	}
	if (text.empty())
		return testing::AssertionFailure() << rc << " came without an error text";
	if (!mentions(text, mention)) {
		return testing::AssertionFailure() << "the text of " << rc << " names none of \""
						   << mention << "\": \"" << text << "\"";
	}
	return testing::AssertionSuccess();
}

World World::look()
{
	/* A sanitizer starts a thread of its own with the first one of the program. That one must not be counted. */
	static const bool warm = [] {
		const size_t before = count_own("task");

		std::thread([] {}).join();
		await_threads(before);
		return true;
	}();

	static_cast<void>(warm);
	return {count_own("fd"), count_own("task"), count_memfd_maps()};
}

void InitTest::SetUp()
{
	ASSERT_NO_FATAL_FAILURE(live_once());
	before_ = World::look();
	ASSERT_OK(aclInit(nullptr));
	static_cast<void>(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
	take_message();
}

void InitTest::TearDown()
{
	release_devices();
	/* A test of finalize has done it already. */
	static_cast<void>(aclFinalize());
	take_message();

	const World after = look_when_settled(before_.threads);

	EXPECT_EQ(after.fds, before_.fds) << "open files leaked";
	EXPECT_EQ(after.threads, before_.threads) << "threads leaked";
	EXPECT_EQ(after.memfd_maps, before_.memfd_maps) << "shared memory mappings leaked";
}

void DeviceTest::SetUp()
{
	ASSERT_NO_FATAL_FAILURE(InitTest::SetUp());
	ASSERT_OK(aclrtSetDevice(0));
}

Stream::Stream()
{
	EXPECT_OK(aclrtCreateStream(&handle_));
}

Stream::Stream(uint32_t priority, uint32_t flags)
{
	EXPECT_OK(aclrtCreateStreamWithConfig(&handle_, priority, flags));
}

Stream::Stream(Stream &&other) noexcept : handle_(other.release()) {}

Stream::~Stream()
{
	if (handle_) {
		EXPECT_OK(aclrtDestroyStream(handle_));
	}
}

aclrtStream Stream::release()
{
	return std::exchange(handle_, nullptr);
}

Event Event::plain()
{
	Event event;

	EXPECT_OK(aclrtCreateEvent(&event.handle_));
	return event;
}

Event Event::with_flag(uint32_t flag)
{
	Event event;

	EXPECT_OK(aclrtCreateEventWithFlag(&event.handle_, flag));
	return event;
}

Event Event::ex(uint32_t flag)
{
	Event event;

	EXPECT_OK(aclrtCreateEventExWithFlag(&event.handle_, flag));
	return event;
}

Event::Event(Event &&other) noexcept : handle_(other.release()) {}

Event::~Event()
{
	if (handle_) {
		EXPECT_OK(aclrtDestroyEvent(handle_));
	}
}

aclrtEvent Event::release()
{
	return std::exchange(handle_, nullptr);
}

Gate::Gate() : event_(Event::with_flag(ACL_EVENT_SYNC)) {}

Gate::~Gate()
{
	if (!open_)
		open();
}

void Gate::block(aclrtStream stream)
{
	EXPECT_OK(aclrtStreamWaitEvent(stream, event_));
}

void Gate::open()
{
	open_ = true;
	EXPECT_OK(aclrtRecordEvent(event_, opener_));
}

void Gate::reset()
{
	EXPECT_OK(aclrtResetEvent(event_, opener_));
	EXPECT_OK(aclrtSynchronizeStream(opener_));
	open_ = false;
}

DeviceBuffer::DeviceBuffer(size_t size_bytes) : size_(size_bytes)
{
	EXPECT_OK(aclrtMalloc(&data_, size_, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_OK(aclrtMemset(data_, size_, 0, size_));
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other) noexcept
	: data_(std::exchange(other.data_, nullptr)), size_(other.size_)
{
}

DeviceBuffer::~DeviceBuffer()
{
	if (data_) {
		EXPECT_OK(aclrtFree(data_));
	}
}

void *DeviceBuffer::release()
{
	return std::exchange(data_, nullptr);
}

void DeviceBuffer::fill_async(int value, aclrtStream stream) const
{
	EXPECT_OK(aclrtMemsetAsync(data_, size_, value, size_, stream));
}

PinnedBuffer::PinnedBuffer(size_t size_bytes) : size_(size_bytes)
{
	EXPECT_OK(aclrtMallocHost(&data_, size_));
	if (data_)
		std::memset(data_, 0, size_);
}

PinnedBuffer::PinnedBuffer(PinnedBuffer &&other) noexcept
	: data_(std::exchange(other.data_, nullptr)), size_(other.size_)
{
}

PinnedBuffer::~PinnedBuffer()
{
	if (data_) {
		EXPECT_OK(aclrtFreeHost(data_));
	}
}

ForeignContext::ForeignContext()
{
	EXPECT_OK(aclrtGetCurrentContext(&home_));
	EXPECT_OK(aclrtCreateContext(&handle_, 0));
}

ForeignContext::~ForeignContext()
{
	EXPECT_OK(aclrtDestroyContext(handle_));
	leave();
}

void ForeignContext::enter() const
{
	EXPECT_OK(aclrtSetCurrentContext(handle_));
}

void ForeignContext::leave() const
{
	EXPECT_OK(aclrtSetCurrentContext(home_));
}

RelaxedScope::RelaxedScope()
{
	EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode_));
}

RelaxedScope::~RelaxedScope()
{
	EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode_));
}

testing::AssertionResult holds(const DeviceBuffer &buffer, int value)
{
	const std::vector<uint8_t> bytes = buffer.load<uint8_t>();

	return all_equal(bytes.data(), bytes.size(), value);
}

testing::AssertionResult holds(const PinnedBuffer &buffer, int value)
{
	return all_equal(buffer.as<uint8_t>(), buffer.size(), value);
}

/* The CPU that the thread has used, in nanoseconds. */
static int64_t used_cpu_ns()
{
	timespec used{};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * int64_t{1'000'000'000} + used.tv_nsec;
}

/* A device that explores other orders of commands runs what no thread waits for only when the program polls: one
 * command after 2 ms, then two, then four. */
static void poll_device(aclrtStream stream)
{
	constexpr int64_t POLLS_NS = 30'000'000;
	const int64_t begin = used_cpu_ns();

	while (used_cpu_ns() - begin < POLLS_NS)
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_COMPLETE);
}

void turn_device()
{
	constexpr unsigned TURNS = 8;
	const DeviceBuffer scratch(64);
	const Stream stream;

	for (unsigned i = 0; i < TURNS; i++) {
		scratch.fill_async(1, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	if (getenv("UNPU_SCHEDULE"))
		poll_device(stream);
}

aclrtStreamStatus query(aclrtStream stream)
{
	aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;

	EXPECT_OK(aclrtStreamQuery(stream, &status));
	return status;
}

aclrtEventRecordedStatus query_event(aclrtEvent event)
{
	aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;

	EXPECT_OK(aclrtQueryEventStatus(event, &status));
	return status;
}

} // namespace conformance
