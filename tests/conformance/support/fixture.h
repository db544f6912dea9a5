// SPDX-License-Identifier: MIT
/*
 * DOC: the conformance fixture
 *
 * The suite is an ordinary client: it includes the public headers and links the public libraries,
 * so it can check what a program sees and nothing else. Every test begins and ends with an
 * uninitialised library. The fixture compares the process before and after: open files, threads and
 * shared memory mappings have to be the same.
 *
 * "Slow work" needs no time: a Gate is an event that behaves like a flag. A stream that waits for
 * it stays blocked until another stream records it. Tests assert completion only after a
 * synchronise call, because a stepped device moves only inside one.
 */
#ifndef UNPU_TESTS_CONFORMANCE_FIXTURE_H
#define UNPU_TESTS_CONFORMANCE_FIXTURE_H

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"

namespace conformance {

/* Take and clear this thread's error text; empty when there is none. */
std::string take_message();

testing::AssertionResult succeeded(aclError rc);

/* Whether the call returned ACL_SUCCESS; else a failure of the test at that place. EXPECT_OK and ASSERT_OK are this
 * one call, as an assertion of googletest is hundreds of tokens in each of thousands of lines. */
bool expect_success(aclError rc, const char *call, const char *file, int line);
bool assert_success(aclError rc, const char *call, const char *file, int line);

/*
 * The code is the expected one and the error text is a sentence about it. mention is a list of
 * words parted by '|', any of which may stand in the text in either case; "" asks for no word.
 */
testing::AssertionResult failed_with(aclError rc, aclError expected, const char *mention);

template <typename Call>
testing::AssertionResult fails(aclError expected, const char *mention, Call &&call)
{
	take_message();
	return failed_with(call(), expected, mention);
}

/* A number a C program may pass where an enumerator is expected, outside the list or not. */
template <typename Enum> Enum raw_enum(int value)
{
	static_assert(sizeof(Enum) == sizeof(int));
	Enum result;
	std::memcpy(&result, &value, sizeof(result));
	return result;
}

/* What /proc says this process holds. */
struct World {
	size_t fds;
	size_t threads;
	size_t memfd_maps;

	static World look();
};

/* Base of all tests: aclInit in SetUp, teardown and the leak check in TearDown. No device. */
class InitTest : public testing::Test {
protected:
	void SetUp() override;
	void TearDown() override;

private:
	World before_ = {};
};

/* The usual case: device 0 is set on the main thread. */
class DeviceTest : public InitTest {
protected:
	void SetUp() override;
};

class Stream {
public:
	Stream();
	Stream(uint32_t priority, uint32_t flags);
	~Stream();
	Stream(Stream &&other) noexcept;
	Stream(const Stream &) = delete;
	Stream &operator=(const Stream &) = delete;
	Stream &operator=(Stream &&) = delete;

	operator aclrtStream() const { return handle_; }

	/* The caller destroys it. */
	aclrtStream release();

private:
	aclrtStream handle_ = nullptr;
};

class Event {
public:
	/* aclrtCreateEvent */
	static Event plain();
	/* aclrtCreateEventWithFlag */
	static Event with_flag(uint32_t flag);
	/* aclrtCreateEventExWithFlag */
	static Event ex(uint32_t flag);

	~Event();
	Event(Event &&other) noexcept;
	Event(const Event &) = delete;
	Event &operator=(const Event &) = delete;
	Event &operator=(Event &&) = delete;

	operator aclrtEvent() const { return handle_; }

	aclrtEvent release();

private:
	Event() = default;

	aclrtEvent handle_ = nullptr;
};

/*
 * A closed gate holds each stream that was told to wait for it; opening it lets all of them go.
 * Declare it after the streams it blocks: it opens when it dies, so that a failed test can still
 * tear down.
 */
class Gate {
public:
	Gate();
	~Gate();
	Gate(const Gate &) = delete;
	Gate &operator=(const Gate &) = delete;

	void block(aclrtStream stream);
	void open();
	/* Close it again; returns when the device has done so. */
	void reset();

	aclrtEvent event() const { return event_; }

private:
	Stream opener_;
	Event event_;
	bool open_ = false;
};

/* Device memory, zeroed. Reading and writing it are synchronous copies. */
class DeviceBuffer {
public:
	explicit DeviceBuffer(size_t size_bytes);
	~DeviceBuffer();
	DeviceBuffer(DeviceBuffer &&other) noexcept;
	DeviceBuffer(const DeviceBuffer &) = delete;
	DeviceBuffer &operator=(const DeviceBuffer &) = delete;
	DeviceBuffer &operator=(DeviceBuffer &&) = delete;

	void *data() const { return data_; }
	void *at(size_t offset_bytes) const { return static_cast<char *>(data_) + offset_bytes; }
	size_t size() const { return size_; }

	/* The caller frees it. */
	void *release();

	void fill_async(int value, aclrtStream stream) const;

	template <typename T> void store(const std::vector<T> &values) const
	{
		const size_t bytes = values.size() * sizeof(T);

		EXPECT_TRUE(succeeded(aclrtMemcpy(data_, size_, values.data(), bytes,
						  ACL_MEMCPY_HOST_TO_DEVICE)));
	}

	template <typename T> std::vector<T> load() const
	{
		std::vector<T> values(size_ / sizeof(T));
		const size_t bytes = values.size() * sizeof(T);

		EXPECT_TRUE(succeeded(aclrtMemcpy(values.data(), bytes, data_, bytes,
						  ACL_MEMCPY_DEVICE_TO_HOST)));
		return values;
	}

private:
	void *data_ = nullptr;
	size_t size_ = 0;
};

/* Page-locked host memory, zeroed. */
class PinnedBuffer {
public:
	explicit PinnedBuffer(size_t size_bytes);
	~PinnedBuffer();
	PinnedBuffer(PinnedBuffer &&other) noexcept;
	PinnedBuffer(const PinnedBuffer &) = delete;
	PinnedBuffer &operator=(const PinnedBuffer &) = delete;
	PinnedBuffer &operator=(PinnedBuffer &&) = delete;

	void *data() const { return data_; }
	size_t size() const { return size_; }
	void fill(int value) const { std::memset(data_, value, size_); }

	template <typename T> T *as() const { return static_cast<T *>(data_); }

private:
	void *data_ = nullptr;
	size_t size_ = 0;
};

/* An extra context, current from its construction on; the former one is current again after it. */
class ForeignContext {
public:
	ForeignContext();
	~ForeignContext();
	ForeignContext(const ForeignContext &) = delete;
	ForeignContext &operator=(const ForeignContext &) = delete;

	void enter() const;
	/* Back to the context that was current before. */
	void leave() const;

	aclrtContext home() const { return home_; }
	operator aclrtContext() const { return handle_; }

private:
	aclrtContext home_ = nullptr;
	aclrtContext handle_ = nullptr;
};

/* This thread may call the functions that a capture makes unsafe, until the end of the scope. */
class RelaxedScope {
public:
	RelaxedScope();
	~RelaxedScope();
	RelaxedScope(const RelaxedScope &) = delete;
	RelaxedScope &operator=(const RelaxedScope &) = delete;

private:
	aclmdlRICaptureMode mode_ = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
};

/* All bytes of the buffer have this value. */
testing::AssertionResult holds(const DeviceBuffer &buffer, int value);
testing::AssertionResult holds(const PinnedBuffer &buffer, int value);

/* Round trips of unrelated work: whatever the device can do for other streams, it may do meanwhile. */
void turn_device();

aclrtStreamStatus query(aclrtStream stream);
aclrtEventRecordedStatus query_event(aclrtEvent event);

} // namespace conformance

#define EXPECT_OK(...) \
	::conformance::expect_success((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define ASSERT_OK(...) \
	GTEST_AMBIGUOUS_ELSE_BLOCKER_ \
	if (::conformance::assert_success((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)) { \
	} else \
		return

/* The call returns this code and leaves a sentence with one of these words. */
#define EXPECT_FAILS(expected, mention, ...) \
	EXPECT_TRUE(::conformance::fails(expected, mention, [&] { return (__VA_ARGS__); }))

#endif
