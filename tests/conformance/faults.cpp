// SPDX-License-Identifier: MIT
/*
 * DOC: faults on purpose
 *
 * What Documentation/faults.rst says of a rule is what a program sees, and what it is not for goes on.
 */
#include "child.h"
#include "firmware.h"

#include <cstdlib>

using namespace conformance;

namespace {

constexpr size_t kBytes = 4096;
constexpr size_t kMiB = size_t{1} << 20;
constexpr int32_t kShortMs = 100;

aclError finish(aclrtStream stream)
{
	return aclrtSynchronizeStream(stream);
}

/* This process becomes the client of a firmware that gets these things wrong. */
class FaultyDevice {
public:
	explicit FaultyDevice(const char *rules) : firmware_({"--memory", "2G", "--faults", rules})
	{
		setenv("UNPU_DEVICE", firmware_.device_string().c_str(), 1);
		open_device();
	}
	~FaultyDevice() { close_device(); }
	FaultyDevice(const FaultyDevice &) = delete;
	FaultyDevice &operator=(const FaultyDevice &) = delete;

private:
	Firmware firmware_;
};

} // namespace

TEST(Faults, ALostCompletionIsMadeUpForByTheNext)
{
	if (!alone())
		return;
	const FaultyDevice device("drop:op=fill:nth=3");
	{
		const DeviceBuffer x(kBytes);
		const Stream stream;

		for (int value = 1; value <= 2; ++value) {
			x.fill_async(value, stream);
			EXPECT_OK(finish(stream));
		}
		x.fill_async(3, stream);
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
			     aclrtSynchronizeStreamWithTimeout(stream, kShortMs));
		EXPECT_TRUE(holds(x, 3)) << "the work was done";
		x.fill_async(4, stream);
		EXPECT_OK(finish(stream));
		EXPECT_TRUE(holds(x, 4));
	}
}

TEST(Faults, AMappingFails)
{
	if (!alone())
		return;
	const FaultyDevice device("fail:message=map:nth=5");
	int failures = 0;
	std::vector<void *> all;

	for (int i = 0; i < 8; ++i) {
		void *memory = nullptr;
		const aclError code = aclrtMalloc(&memory, 64 * kMiB, ACL_MEM_MALLOC_NORMAL_ONLY);

		if (code == ACL_SUCCESS) {
			all.push_back(memory);
			continue;
		}
		++failures;
		EXPECT_TRUE(code == ACL_ERROR_RT_MEMORY_ALLOCATION ||
			    code == ACL_ERROR_RT_RESOURCE_ALLOC_FAIL)
			<< code;
		EXPECT_FALSE(take_message().empty());
	}
	EXPECT_EQ(failures, 1);
	for (void *memory : all)
		EXPECT_OK(aclrtFree(memory));
	expect_device_works();
}

TEST(Faults, ATaskHangsUntilItIsAborted)
{
	if (!alone())
		return;
	const FaultyDevice device("hang:op=fill:nth=2");
	{
		const DeviceBuffer x(kBytes);
		const DeviceBuffer y(kBytes);
		const Stream stuck;
		const Stream other;

		x.fill_async(1, stuck);
		EXPECT_OK(finish(stuck));
		x.fill_async(2, stuck);
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
			     aclrtSynchronizeStreamWithTimeout(stuck, kShortMs));
		y.fill_async(3, other);
		EXPECT_OK(finish(other));
		EXPECT_TRUE(holds(y, 3));
		EXPECT_OK(aclrtStreamAbort(stuck));
		(void)finish(stuck);
		EXPECT_TRUE(holds(x, 1));
		x.fill_async(4, stuck);
		EXPECT_OK(finish(stuck));
		EXPECT_TRUE(holds(x, 4));
	}
}

TEST(Faults, ATaskFails)
{
	if (!alone())
		return;
	const FaultyDevice device("fail:op=fill:nth=2:status=mmu_fault;fail:op=copy:nth=1");
	{
		const DeviceBuffer x(kBytes);
		const DeviceBuffer y(kBytes);
		const Stream a;
		const Stream b;

		x.fill_async(1, a);
		EXPECT_OK(finish(a));
		x.fill_async(2, a);
		EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "", finish(a));
		EXPECT_TRUE(holds(x, 1)) << "a task that fails is not done";
		EXPECT_OK(aclrtMemcpyAsync(y.data(), kBytes, x.data(), kBytes,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, b));
		EXPECT_NE(finish(b), ACL_SUCCESS);
		EXPECT_TRUE(holds(y, 0));
	}
}

TEST(Faults, NoStreamCanBeHad)
{
	if (!alone())
		return;
	const FaultyDevice device("fail:message=channel_create:nth=4");
	std::vector<aclrtStream> all;
	int failures = 0;

	for (int i = 0; i < 8; ++i) {
		aclrtStream stream = nullptr;
		const aclError code = aclrtCreateStream(&stream);

		if (code == ACL_SUCCESS)
			all.push_back(stream);
		else
			EXPECT_EQ(code, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
		failures += code != ACL_SUCCESS;
	}
	EXPECT_EQ(failures, 1);
	for (aclrtStream stream : all)
		EXPECT_OK(aclrtDestroyStream(stream));
	expect_device_works();
}

/* A seed gives the same faults again. */
TEST(Faults, ChanceComesFromTheSeed)
{
	if (!alone())
		return;
	std::string runs[2];

	for (std::string &run : runs) {
		const FaultyDevice device("fail:op=fill:percent=30;seed=5");
		const DeviceBuffer x(kBytes);
		const Stream stream;

		for (int i = 0; i < 40; ++i) {
			x.fill_async(1, stream);
			run += finish(stream) == ACL_SUCCESS ? '.' : 'x';
		}
	}
	EXPECT_EQ(runs[0], runs[1]);
	EXPECT_NE(runs[0].find('x'), std::string::npos);
	EXPECT_NE(runs[0].find('.'), std::string::npos);
}

TEST(Faults, TheFirmwareEnds)
{
	if (!alone())
		return;
	Firmware firmware({"--memory", "256M", "--faults", "exit:op=fill:nth=3"});

	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	open_device();
	aclrtStream stream = nullptr;
	void *memory = nullptr;

	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	for (int i = 0; i < 4; ++i)
		(void)aclrtMemsetAsync(memory, kBytes, i, kBytes, stream);
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "gone", finish(stream));
	EXPECT_EQ(firmware.end(0), 1) << "it has ended by itself";
	close_device();
}
