// SPDX-License-Identifier: MIT
/*
 * DOC: the fixture of the CUDA suite
 *
 * The suite is an ordinary client of cuda.h: it compiles against ours and against that of another
 * vendor, and links libcuda.so.1. A test has the name of the check it makes true. Each one starts
 * without a context; most make one of device 0 and end with none, and the fixture compares what the
 * process holds before and after.
 *
 * "Slow work" is made without time: a Gate is a host function that stands still until it is opened.
 * Functions of a device are called one after the other, so there is one closed gate at a time.
 * Completion is only asserted after a synchronise call, because a stepped device moves only inside
 * one.
 */
#ifndef UNPU_TESTS_CUDA_FIXTURE_H
#define UNPU_TESTS_CUDA_FIXTURE_H

#include <gtest/gtest.h>

#include <cuda.h>

#include <cstdint>
#include <future>
#include <memory>
#include <vector>

namespace cuda_test {

/* The call returned this code; the message names both. */
testing::AssertionResult returned(CUresult code, CUresult expected);

/* Whether the call returned that code; else a failure of the test at that place. EXPECT_CU and ASSERT_CU are this one
 * call, as an assertion of googletest is hundreds of tokens in each of thousands of lines. */
bool expect_code(CUresult code, CUresult expected, const char *call, const char *file, int line);
bool assert_code(CUresult code, CUresult expected, const char *call, const char *file, int line);

/* What /proc says this process holds. */
struct World {
	size_t fds;
	size_t threads;
	size_t memfd_maps;

	static World look();
};

/* The kernel's number of the calling thread. */
long thread_number();

/* Whether the kernel has a thread of this process asleep. */
bool asleep(long thread);

/* Base of all tests: cuInit, and the comparison. No context. */
class DriverTest : public testing::Test {
protected:
	void SetUp() override;
	void TearDown() override;

private:
	World before_ = {};
};

/* The usual case: a context of device 0 is current on the main thread. */
class ContextTest : public DriverTest {
protected:
	void SetUp() override;
	void TearDown() override;

	CUcontext context_ = nullptr;
};

class Stream {
public:
	explicit Stream(unsigned flags = CU_STREAM_NON_BLOCKING);
	~Stream();
	Stream(const Stream &) = delete;
	Stream &operator=(const Stream &) = delete;

	operator CUstream() const { return handle_; }

	/* The caller destroys it. */
	CUstream release();

private:
	CUstream handle_ = nullptr;
};

class Event {
public:
	explicit Event(unsigned flags = CU_EVENT_DEFAULT);
	~Event();
	Event(const Event &) = delete;
	Event &operator=(const Event &) = delete;

	operator CUevent() const { return handle_; }

	/* The caller destroys it. */
	CUevent release();

private:
	CUevent handle_ = nullptr;
};

/* Another context, current while it lives. */
class Context {
public:
	explicit Context(CUdevice device = 0);
	~Context();
	Context(const Context &) = delete;
	Context &operator=(const Context &) = delete;

	operator CUcontext() const { return handle_; }

private:
	CUcontext handle_ = nullptr;
};

/* Streams that wait for the gate block until it opens. Declare the gate after the streams: its
 * destructor opens it, so that a failed test can still destroy them. */
class Gate {
public:
	Gate() : opened_(open_.get_future().share()) {}
	~Gate() { open(); }
	Gate(const Gate &) = delete;
	Gate &operator=(const Gate &) = delete;

	void block(CUstream stream);
	void open();

	/* For functions that wait by themselves. */
	std::shared_future<void> *future() { return &opened_; }

private:
	static void stand(void *opened);

	std::promise<void> open_;
	std::shared_future<void> opened_;
	bool is_open_ = false;
};

/* Device memory of 32-bit words. */
class Words {
public:
	explicit Words(size_t count, uint32_t value = 0);
	~Words();
	Words(const Words &) = delete;
	Words &operator=(const Words &) = delete;

	operator CUdeviceptr() const { return address_; }
	size_t bytes() const { return count_ * sizeof(uint32_t); }
	std::vector<uint32_t> load() const;

private:
	CUdeviceptr address_ = 0;
	size_t count_;
};

/* Pinned memory of 32-bit words. */
class PinnedWords {
public:
	explicit PinnedWords(size_t count, uint32_t value = 0);
	~PinnedWords();
	PinnedWords(const PinnedWords &) = delete;
	PinnedWords &operator=(const PinnedWords &) = delete;

	uint32_t *data() const { return data_; }
	uint32_t &operator[](size_t index) const { return data_[index]; }
	CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(data_); }

private:
	uint32_t *data_ = nullptr;
};

/* A handle that was destroyed, and one that never was. */
CUstream destroyed_stream();
CUevent destroyed_event();
template <class T> T garbage()
{
	return reinterpret_cast<T>(uintptr_t{0x1234560});
}

} // namespace cuda_test

#define EXPECT_CU(expected, ...) \
	::cuda_test::expect_code((__VA_ARGS__), expected, #__VA_ARGS__, __FILE__, __LINE__)
#define ASSERT_CU(expected, ...) \
	GTEST_AMBIGUOUS_ELSE_BLOCKER_ \
	if (::cuda_test::assert_code((__VA_ARGS__), expected, #__VA_ARGS__, __FILE__, __LINE__)) { \
	} else \
		return
#define EXPECT_OK(...) EXPECT_CU(CUDA_SUCCESS, __VA_ARGS__)
#define ASSERT_OK(...) ASSERT_CU(CUDA_SUCCESS, __VA_ARGS__)

#endif
