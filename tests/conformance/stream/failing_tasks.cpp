// SPDX-License-Identifier: MIT
/*
 * DOC: faults on purpose
 *
 * A program sees the effect of a fault rule that Documentation/watchdog.rst describes, and work that
 * the rule does not select succeeds. Each recipe of that page is a test here.
 */
#include "stream/failing_tasks.h"
#include "firmware_process.h"
#include "operator/operator_objects.h"

#include <chrono>
#include <cstdlib>
#include <memory>

using namespace conformance;

namespace {

/* Fills with 0 to count - 1, waits for each, and checks the result. */
void fill_in_turn(const DeviceBuffer &x, aclrtStream stream, int count)
{
	for (int value = 0; value < count; ++value) {
		x.fill_async(value, stream);
		EXPECT_OK(finish(stream));
	}
	EXPECT_TRUE(holds(x, count - 1));
}

/* Of 8 calls one fails and says why; afterwards the device is as good as before. */
void expect_one_failure(const std::function<aclError(int)> &call)
{
	int failures = 0;

	for (int i = 0; i < 8; ++i) {
		take_message();
		const aclError code = call(i);

		if (code == ACL_SUCCESS)
			continue;
		++failures;
		EXPECT_TRUE(code == ACL_ERROR_RT_MEMORY_ALLOCATION ||
			    code == ACL_ERROR_RT_RESOURCE_ALLOC_FAIL)
			<< code;
		EXPECT_FALSE(take_message().empty());
	}
	EXPECT_EQ(failures, 1);
	expect_device_works();
}

/* Allocations that are mappings of their own. */
void expect_one_allocation_fails()
{
	std::vector<void *> all;

	expect_one_failure([&](int) {
		void *memory = nullptr;
		const aclError code = aclrtMalloc(&memory, 64 * kMiB, ACL_MEM_MALLOC_NORMAL_ONLY);

		if (code == ACL_SUCCESS)
			all.push_back(memory);
		return code;
	});
	for (void *memory : all)
		EXPECT_OK(aclrtFree(memory));
}

/* A stream that aclrtStreamGetId calls 2. */
std::unique_ptr<Stream> second_stream()
{
	std::vector<std::unique_ptr<Stream>> others;

	for (int i = 0; i < 4; ++i) {
		auto stream = std::make_unique<Stream>();
		int32_t id = -1;

		EXPECT_OK(aclrtStreamGetId(*stream, &id));
		if (id == 2)
			return stream;
		others.push_back(std::move(stream));
	}
	ADD_FAILURE() << "no stream has the number 2";
	return std::make_unique<Stream>();
}

} // namespace

/* "The third completion of stream 2 is lost" */
TEST(Faults, ALostCompletionIsMadeUpForByTheNext)
{
	WITH_FAULTS("drop:stream=2:nth=3");
	const DeviceBuffer x(kBytes);
	const auto stream = second_stream();

	fill_in_turn(x, *stream, 2);
	x.fill_async(3, *stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
		     aclrtSynchronizeStreamWithTimeout(*stream, kShortMs));
	EXPECT_TRUE(holds(x, 3)) << "the work was done";
	x.fill_async(4, *stream);
	EXPECT_OK(finish(*stream));
	EXPECT_TRUE(holds(x, 4));
}

/* "Each copy starts 0 to 2 ms late": in order and complete all the same. */
TEST(Faults, CopiesAreLate)
{
	WITH_FAULTS("delay:op=copy:ms=0-2;seed=7");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream stream;
	const auto begin = std::chrono::steady_clock::now();

	for (int i = 0; i < 32; ++i) {
		x.fill_async(i, stream);
		copy(y, x, stream);
	}
	EXPECT_OK(finish(stream));
	/* The seed gives 32 times; a machine can only make them longer. */
	EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(8));
	EXPECT_TRUE(holds(y, 31));
}

TEST(Faults, AMappingFails)
{
	WITH_FAULTS("fail:message=map:nth=5");
	expect_one_allocation_fails();
}

TEST(Faults, TheProgramCantMap)
{
	WITH_FAULTS("fail:call=map:nth=5:status=no_memory");
	expect_one_allocation_fails();
}

TEST(Faults, TheProgramHasNoDescriptorsLeft)
{
	WITH_FAULTS("fail:call=take:nth=5");
	expect_one_allocation_fails();
}

TEST(Faults, NoStreamCanBeHad)
{
	WITH_FAULTS("fail:message=channel_create:nth=4");
	std::vector<aclrtStream> all;

	expect_one_failure([&](int) {
		aclrtStream stream = nullptr;
		const aclError code = aclrtCreateStream(&stream);

		if (code == ACL_SUCCESS)
			all.push_back(stream);
		return code;
	});
	for (aclrtStream stream : all)
		EXPECT_OK(aclrtDestroyStream(stream));
}

/* The thread has a channel of its own, the second of the program. */
TEST(Faults, TheThreadForFunctionsCantBeStartedAtFirst)
{
	WITH_FAULTS("fail:message=channel_create:nth=2");
	const Stream stream;
	int runs = 0;
	auto launch = [&] {
		return aclrtLaunchHostFunc(
			stream, [](void *count) { ++*static_cast<int *>(count); }, &runs);
	};

	EXPECT_FAILS(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "RLIMIT_NPROC", launch());
	EXPECT_OK(launch());
	EXPECT_OK(finish(stream));
	EXPECT_EQ(runs, 1);
}

TEST(Faults, TheDeviceCantBeOpenedAtFirst)
{
	if (!alone("faults=fail:call=open:nth=1"))
		return;
	ASSERT_OK(aclInit(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "faults=", aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "faults=", aclrtSetDevice(0));
	EXPECT_OK(aclFinalize());
}

TEST(Faults, ATaskHangsUntilItIsAborted)
{
	WITH_FAULTS("hang:op=fill:nth=2");
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

/* Recipe "The compute engine hangs": copies and fills continue; after an abort operators do too. */
TEST(Faults, TheComputeEngineHangs)
{
	WITH_FAULTS("hang:op=operator:nth=1:count=2");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Tensor in(x, ACL_FLOAT, {16});
	const Tensor out(y, ACL_FLOAT, {16});
	const Stream stuck;
	const Stream also_stuck;
	const Stream other;

	multiply(in, in, out, stuck);
	multiply(in, in, out, also_stuck);
	for (aclrtStream stream : {aclrtStream(stuck), aclrtStream(also_stuck)})
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
			     aclrtSynchronizeStreamWithTimeout(stream, kShortMs));
	x.fill_async(6, other);
	copy(y, x, other);
	EXPECT_OK(finish(other));
	EXPECT_TRUE(holds(y, 6));
	for (aclrtStream stream : {aclrtStream(stuck), aclrtStream(also_stuck)}) {
		EXPECT_OK(aclrtStreamAbort(stream));
		(void)finish(stream);
	}
	x.fill_async(0, stuck);
	multiply(in, in, out, stuck);
	EXPECT_OK(finish(stuck));
	EXPECT_EQ(y.load<float>()[15], 0.0f);
}

TEST(Faults, ATaskFails)
{
	WITH_FAULTS("fail:op=fill:nth=2:status=mmu_fault;fail:op=copy:nth=1");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream a;
	const Stream b;

	x.fill_async(1, a);
	EXPECT_OK(finish(a));
	x.fill_async(2, a);
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "", finish(a));
	EXPECT_TRUE(holds(x, 1)) << "a task that fails is not done";
	copy(y, x, b);
	EXPECT_NE(finish(b), ACL_SUCCESS);
	EXPECT_TRUE(holds(y, 0));
}

/* The answer is a task of a stream of the library's own. */
TEST(Faults, TheAnswerOfAHostFunctionFails)
{
	WITH_FAULTS("fail:op=host_done:nth=2");
	const DeviceBuffer x(kBytes);
	const Stream stream;
	std::atomic<int> called{0};

	for (int i = 1; i <= 3; ++i) {
		x.fill_async(i, stream);
		EXPECT_OK(aclrtLaunchHostFunc(
			stream, [](void *count) { ++*static_cast<std::atomic<int> *>(count); },
			&called));
	}
	EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 60000),
		  ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	EXPECT_EQ(called, 3);
	EXPECT_TRUE(holds(x, 3));
}

TEST(Faults, ATaskWritesWhereNothingIs)
{
	WITH_FAULTS("wild:op=fill:nth=2");
	const DeviceBuffer x(kBytes);
	const Stream stream;

	x.fill_async(1, stream);
	EXPECT_OK(finish(stream));
	x.fill_async(2, stream);
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "0x1000", finish(stream));
	EXPECT_TRUE(holds(x, 1));
}

TEST(Faults, ACopyIsTorn)
{
	WITH_FAULTS("torn:op=copy:nth=1");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream stream;
	std::vector<char> found(kBytes);

	x.fill_async(5, stream);
	copy(y, x, stream);
	EXPECT_OK(finish(stream));
	EXPECT_OK(aclrtMemcpy(found.data(), kBytes, y.data(), kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(std::string(found.begin(), found.end()),
		  std::string(kBytes / 2, '\5') + std::string(kBytes / 2, '\0'));
}

/* "One operator in a hundred traps" */
TEST(Faults, SomeOperatorsTrap)
{
	WITH_FAULTS("fail:op=operator:percent=1");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Tensor in(x, ACL_FLOAT, {16});
	const Tensor out(y, ACL_FLOAT, {16});
	int failures = 0;

	for (int i = 0; i < 500; ++i) {
		const Stream stream;

		multiply(in, in, out, stream);
		failures += finish(stream) != ACL_SUCCESS;
	}
	EXPECT_GT(failures, 0);
	EXPECT_LT(failures, 50);
	expect_device_works();
}

TEST(Faults, NodesOfAGraphFail)
{
	WITH_FAULTS("fail:in=graph:op=fill:nth=2");
	const DeviceBuffer x(kBytes);
	const Stream stream;
	const ThreeFills graph(x, stream);

	x.fill_async(7, stream);
	graph.launch(stream);
	EXPECT_NE(finish(stream), ACL_SUCCESS);
	EXPECT_TRUE(holds(x, 3)) << "the nodes behind it run";
	x.fill_async(7, stream);
	graph.launch(stream);
	EXPECT_OK(finish(stream));
	EXPECT_TRUE(holds(x, 3));
}

TEST(Faults, NodesOfAGraphAreLate)
{
	WITH_FAULTS("delay:in=graph:us=100-900");
	const DeviceBuffer x(kBytes);
	const Stream stream;
	const ThreeFills graph(x, stream);

	for (int i = 0; i < 3; ++i) {
		x.fill_async(7, stream);
		graph.launch(stream);
	}
	EXPECT_OK(finish(stream));
	EXPECT_TRUE(holds(x, 3));
}

TEST(Faults, ANodeOfAGraphHangsUntilItsStreamIsAborted)
{
	WITH_FAULTS("hang:in=graph:nth=3");
	const DeviceBuffer x(kBytes);
	const Stream stream;
	const ThreeFills graph(x, stream);

	graph.launch(stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
		     aclrtSynchronizeStreamWithTimeout(stream, kShortMs));
	EXPECT_TRUE(holds(x, 2));
	EXPECT_OK(aclrtStreamAbort(stream));
	(void)finish(stream);
	graph.launch(stream);
	EXPECT_OK(finish(stream));
	EXPECT_TRUE(holds(x, 3));
}

/* Delays as the scheduler of a busy machine causes them. */
TEST(Faults, TheProgramIsLate)
{
	WITH_FAULTS("delay:call=wait:us=1-500;delay:call=kick:us=1-500;delay:call=map:us=100");
	expect_device_works();
	const DeviceBuffer x(kBytes);
	const Stream stream;

	fill_in_turn(x, stream, 20);
}

TEST(Faults, ALostKickIsMadeUpFor)
{
	WITH_FAULTS("drop:call=kick:nth=2:count=3");
	expect_device_works();
	const DeviceBuffer x(kBytes);
	const Stream stream;

	fill_in_turn(x, stream, 6);
}

/* A seed gives the same faults again. */
TEST(Faults, ChanceComesFromTheSeed)
{
	WITH_FAULTS("fail:op=fill:percent=30;seed=5");
	const DeviceBuffer x(kBytes);
	const Stream stream;
	std::string run;

	for (int i = 0; i < 40; ++i) {
		x.fill_async(1, stream);
		run += finish(stream) == ACL_SUCCESS ? '.' : 'x';
	}
	EXPECT_EQ(run, ".x.....x...x..x.xxx.......x....xx...xx..");
}

TEST(Faults, BadRulesAreRefused)
{
	if (!alone())
		return;
	const struct {
		const char *device;
		const char *mention;
	} cases[] = {
		{"sim:faults=explode", "explode"},
		{"sim:faults=exit:nth=1", "process"},
		{"sim:faults=hang:call=map", "late, be lost or end"},
		{"unix:/nowhere,faults=fail:op=copy", "call="},
	};

	for (const auto &entry : cases) {
		setenv("UNPU_DEVICE", entry.device, 1);
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, entry.mention, aclInit(nullptr));
	}
}

/* "The firmware dies in the middle of the work" */
TEST(Faults, TheFirmwareEndsThatThisProgramStarted)
{
	if (!alone())
		return;
	setenv("UNPU_DEVICE", "sim+proc:memory=256M,faults=exit:op=fill:nth=3", 1);
	open_device();
	aclrtStream stream = nullptr;
	void *memory = nullptr;

	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	for (int i = 0; i < 4; ++i)
		(void)aclrtMemsetAsync(memory, kBytes, i, kBytes, stream);
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "gone", finish(stream));
	close_device();
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
