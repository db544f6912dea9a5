// SPDX-License-Identifier: MIT
/*
 * DOC: the fixture of the CUDA suite
 */
#include "support/fixture.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "own_entries.h"

namespace cuda_test {

static std::string name_of(CUresult code)
{
	const char *name = nullptr;

	if (cuGetErrorName(code, &name) != CUDA_SUCCESS)
		return std::to_string(static_cast<int>(code));
	return std::string(name) + " (" + std::to_string(static_cast<int>(code)) + ")";
}

static std::string difference(CUresult code, CUresult expected)
{
	return " returned " + name_of(code) + " instead of " + name_of(expected);
}

testing::AssertionResult returned(CUresult code, CUresult expected)
{
	if (code == expected)
		return testing::AssertionSuccess();
	return testing::AssertionFailure() << difference(code, expected);
}

bool expect_code(CUresult code, CUresult expected, const char *call, const char *file, int line)
{
	if (code == expected)
		return true;
	ADD_FAILURE_AT(file, line) << call << difference(code, expected);
	return false;
}

bool assert_code(CUresult code, CUresult expected, const char *call, const char *file, int line)
{
	if (code == expected)
		return true;
	GTEST_MESSAGE_AT_(file, line, call, testing::TestPartResult::kFatalFailure)
		<< difference(code, expected);
	return false;
}

World World::look()
{
	/* A sanitizer starts a thread of its own with the first one of the program. */
	static const bool warm = [] {
		const size_t before = count_own("task");

		std::thread([] {}).join();
		await_threads(before);
		return true;
	}();

	static_cast<void>(warm);
	World world = {count_own("fd"), count_own("task"), 0};
	std::ifstream maps("/proc/self/maps");
	std::string line;

	while (std::getline(maps, line)) {
		if (line.find("memfd:") != std::string::npos)
			++world.memfd_maps;
	}
	return world;
}

long thread_number()
{
	return syscall(SYS_gettid);
}

bool asleep(long thread)
{
	std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
	std::string word;

	/* "4711 (name) S"; the names of threads here have no spaces. */
	return file >> word >> word >> word && word == "S";
}

void DriverTest::SetUp()
{
	ASSERT_OK(cuInit(0));
	before_ = World::look();
}

void DriverTest::TearDown()
{
	constexpr auto PATIENCE = std::chrono::seconds(10);
	const auto end = std::chrono::steady_clock::now() + PATIENCE;
	World after = World::look();

	/* The kernel lists a thread for a moment after another one has joined it. */
	while (after.threads > before_.threads && std::chrono::steady_clock::now() < end) {
		std::this_thread::yield();
		after = World::look();
	}

	EXPECT_EQ(after.fds, before_.fds);
	EXPECT_EQ(after.threads, before_.threads);
	EXPECT_EQ(after.memfd_maps, before_.memfd_maps);
}

void ContextTest::SetUp()
{
	DriverTest::SetUp();
	ASSERT_OK(cuCtxCreate(&context_, nullptr, 0, 0));
}

void ContextTest::TearDown()
{
	EXPECT_OK(cuCtxDestroy(context_));
	DriverTest::TearDown();
}

Stream::Stream(unsigned flags)
{
	EXPECT_OK(cuStreamCreate(&handle_, flags));
}

Stream::~Stream()
{
	if (handle_) {
		EXPECT_OK(cuStreamDestroy(handle_));
	}
}

CUstream Stream::release()
{
	return std::exchange(handle_, nullptr);
}

Event::Event(unsigned flags)
{
	EXPECT_OK(cuEventCreate(&handle_, flags));
}

Event::~Event()
{
	if (handle_) {
		EXPECT_OK(cuEventDestroy(handle_));
	}
}

CUevent Event::release()
{
	return std::exchange(handle_, nullptr);
}

Context::Context(CUdevice device)
{
	EXPECT_OK(cuCtxCreate(&handle_, nullptr, 0, device));
}

Context::~Context()
{
	EXPECT_OK(cuCtxDestroy(handle_));
}

/* The function may run after its gate is gone. */
void Gate::stand(void *opened)
{
	const std::unique_ptr<std::shared_future<void>> mine(
		static_cast<std::shared_future<void> *>(opened));

	mine->wait();
}

void Gate::block(CUstream stream)
{
	auto opened = std::make_unique<std::shared_future<void>>(opened_);

	if (cuLaunchHostFunc(stream, stand, opened.get()) == CUDA_SUCCESS)
		(void)opened.release();
	else
		ADD_FAILURE() << "the gate can't block a stream";
}

void Gate::open()
{
	if (!is_open_)
		open_.set_value();
	is_open_ = true;
}

Words::Words(size_t count, uint32_t value) : count_(count)
{
	EXPECT_OK(cuMemAlloc(&address_, bytes()));
	EXPECT_OK(cuMemsetD32(address_, value, count));
	/* Work of the legacy stream, which streams that do not block do not wait for. */
	EXPECT_OK(cuStreamSynchronize(CU_STREAM_LEGACY));
}

Words::~Words()
{
	EXPECT_OK(cuMemFree(address_));
}

std::vector<uint32_t> Words::load() const
{
	std::vector<uint32_t> values(count_);

	EXPECT_OK(cuMemcpyDtoH(values.data(), address_, bytes()));
	return values;
}

PinnedWords::PinnedWords(size_t count, uint32_t value)
{
	void *memory = nullptr;

	EXPECT_OK(cuMemAllocHost(&memory, count * sizeof(uint32_t)));
	data_ = static_cast<uint32_t *>(memory);
	for (size_t i = 0; data_ && i < count; ++i)
		data_[i] = value;
}

PinnedWords::~PinnedWords()
{
	EXPECT_OK(cuMemFreeHost(data_));
}

CUstream destroyed_stream()
{
	CUstream stream = Stream().release();

	EXPECT_OK(cuStreamDestroy(stream));
	return stream;
}

CUevent destroyed_event()
{
	CUevent event = Event().release();

	EXPECT_OK(cuEventDestroy(event));
	return event;
}

} // namespace cuda_test
