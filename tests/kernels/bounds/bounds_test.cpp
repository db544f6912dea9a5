// SPDX-License-Identifier: MIT
/*
 * DOC: Bounds of allocations
 *
 * An access that leaves the allocation in which its tensor begins is reported with kernel, block, line, address and
 * allocation, although all of it is memory of the program. Programs that only look so are not.
 */
#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abilities.h"
#include "acl/acl.h"

int launch_move(void *stream, void *from, void *to, uint64_t from_at, uint64_t to_at,
		uint32_t count, uint32_t margin);
int launch_fill(void *stream, void *to, uint64_t declared, uint32_t count);
int launch_move_one(void *stream, void *from, void *to, uint64_t at);
int launch_gather(uint32_t blocks, void *stream, void *table, void *to, uint32_t count);

namespace {

/* "kernels.cpp:LINE" of the line with a mark. */
std::string line_of(const std::string &mark)
{
	std::ifstream file(KERNELS);
	unsigned number = 1;

	for (std::string line; std::getline(file, line); number++)
		if (line.find("/* " + mark + " */") != std::string::npos)
			return "kernels.cpp:" + std::to_string(number);
	ADD_FAILURE() << "no line has the mark " << mark;
	return "";
}

std::string hex(const float *pointer)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%lx", reinterpret_cast<unsigned long>(pointer));
	return text;
}

class KernelBounds : public testing::Test {
protected:
	static void SetUpTestSuite()
	{
		ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
		ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	}
	static void TearDownTestSuite()
	{
		ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
		ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
	}
	void SetUp() override
	{
		const char *device = getenv("UNPU_DEVICE");
		if (!device || !strstr(device, "kernels=inline"))
			SKIP_WITHOUT_WORKERS();
		ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
	}
	void TearDown() override
	{
		if (IsSkipped())
			return;
		for (float *memory : allocations)
			EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
		EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
	}

	float *allocate(size_t bytes)
	{
		void *memory = nullptr;

		EXPECT_EQ(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
		EXPECT_EQ(aclrtMemset(memory, bytes, 0, bytes), ACL_SUCCESS);
		allocations.push_back(static_cast<float *>(memory));
		return allocations.back();
	}
	void free(float *memory)
	{
		allocations.erase(std::find(allocations.begin(), allocations.end(), memory));
		ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
	}
	/* Two allocations of 4096 bytes, in the order of their addresses. */
	std::pair<float *, float *> neighbours()
	{
		float *a = allocate(4096), *b = allocate(4096);

		return {std::min(a, b), std::max(a, b)};
	}

	/* Whether the device tells what the program asked for from what it has. */
	static bool is_exact()
	{
		const char *level = getenv("UNPU_KERNEL_CHECK");
		return getenv("UNPU_CHECK") || (level && atoi(level) > 1);
	}
	/* The launches are good. */
	void passes(int launched)
	{
		ASSERT_EQ(launched, 0) << aclGetRecentErrMsg();
		ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << aclGetRecentErrMsg();
	}
	/* The launch fails, and the text has all words. */
	void fails(int launched, const std::vector<std::string> &words)
	{
		ASSERT_EQ(launched, 0) << aclGetRecentErrMsg();
		EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
		const char *told = aclGetRecentErrMsg();
		const std::string text = told ? told : "";

		for (const std::string &word : words)
			EXPECT_NE(text.find(word), std::string::npos)
				<< word << " is not in: " << text;
	}

	aclrtStream stream = nullptr;
	std::vector<float *> allocations;
};

/* Memory that the test maps itself. */
class Mapped {
public:
	static constexpr size_t PIECE = 2 << 20;

	explicit Mapped(unsigned count) : handles(count)
	{
		aclrtPhysicalMemProp properties{};

		properties.handleType = ACL_MEM_HANDLE_TYPE_NONE;
		properties.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
		properties.memAttr = ACL_HBM_MEM_HUGE;
		properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
		EXPECT_EQ(aclrtReserveMemAddress(&start, count * PIECE, 0, nullptr, 1),
			  ACL_SUCCESS);
		for (unsigned i = 0; i < count; i++) {
			EXPECT_EQ(aclrtMallocPhysical(&handles[i], PIECE, &properties, 0),
				  ACL_SUCCESS);
			EXPECT_EQ(aclrtMapMem(piece(i), PIECE, 0, handles[i], 0), ACL_SUCCESS);
		}
	}
	~Mapped()
	{
		for (unsigned i = 0; i < handles.size(); i++)
			unmap(i);
		EXPECT_EQ(aclrtReleaseMemAddress(start), ACL_SUCCESS);
	}
	Mapped(const Mapped &) = delete;
	Mapped &operator=(const Mapped &) = delete;

	void unmap(unsigned i)
	{
		if (!handles[i])
			return;
		EXPECT_EQ(aclrtUnmapMem(piece(i)), ACL_SUCCESS);
		EXPECT_EQ(aclrtFreePhysical(handles[i]), ACL_SUCCESS);
		handles[i] = nullptr;
	}
	char *piece(unsigned i) const { return static_cast<char *>(start) + i * PIECE; }

	void *start = nullptr;

private:
	std::vector<aclrtDrvMemHandle> handles;
};

} // namespace

/* What has to be reported. */

TEST_F(KernelBounds, ReadThatRunsOverTheEnd)
{
	const auto [low, high] = neighbours();

	fails(launch_move(stream, low, high, 1016, 0, 32, 0),
	      {"kernel move_floats, vector block 0 of 1", line_of("reads"),
	       "DataCopy: reads 128 bytes", hex(low + 1016),
	       "the allocation of 4096 bytes at " + hex(low) + " ends after 32"});
	passes(launch_move(stream, low, high, 0, 0, 1024, 0));
}

/* Without a call of aclGetRecentErrMsg(), on stderr. */
TEST_F(KernelBounds, AMistakeIsToldOnce)
{
	const auto [low, high] = neighbours();
	std::string told;

	testing::internal::CaptureStderr();
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(launch_move(stream, low, high, 1008, 0, 64, 0), 0);
		EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	}
	told = testing::internal::GetCapturedStderr();
	EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
	for (const std::string &word :
	     {std::string("kernel move_floats"), line_of("reads"), std::string("reads 256 bytes"),
	      std::string("UNPU_KERNEL_CHECK=0"), std::string("UNPU_LOG_ERRORS=0")})
		EXPECT_NE(told.find(word), std::string::npos) << word << " is not in: " << told;
	aclGetRecentErrMsg();
}

/* What the allocator adds is not for kernels at level 2 or with UNPU_CHECK, but a whole last block is. */
TEST_F(KernelBounds, WriteIntoTheSlack)
{
	float *from = allocate(4096), *to = allocate(2040);

	passes(launch_move(stream, from, to, 0, 0, 512, 0));
	if (!is_exact())
		return passes(launch_move(stream, from, to, 0, 8, 512, 0));
	fails(launch_move(stream, from, to, 0, 8, 512, 0),
	      {"kernel move_floats", line_of("writes"), "DataCopy: writes 2048 bytes", hex(to + 8),
	       "the allocation of 2040 bytes at " + hex(to) + " ends after 2008 of them" +
		       (getenv("UNPU_CHECK") ? ", made on device 0 by a call at " : "")});
}

TEST_F(KernelBounds, WriteBehindTheDeclaredSize)
{
	float *to = allocate(4096);

	passes(launch_fill(stream, to, 100, 104));
	passes(launch_fill(stream, to, 0, 512));
	if (!is_exact())
		return passes(launch_fill(stream, to, 100, 512));
	fails(launch_fill(stream, to, 100, 512),
	      {"kernel fill_floats", line_of("fills"), "DataCopy: writes 2048 bytes",
	       "SetGlobalBuffer() gave the tensor 400 bytes: it goes 1648 bytes beyond them"});
}

TEST_F(KernelBounds, ReadInTheNextAllocation)
{
	const auto [low, high] = neighbours();
	const auto apart = static_cast<uint64_t>(high - low);

	fails(launch_move(stream, low, high, apart, 0, 8, 0),
	      {"move_floats", line_of("reads"), hex(high),
	       std::to_string(apart * 4 - 4096) +
		       " bytes behind the end of the allocation of 4096 bytes at " + hex(low)});
}

TEST_F(KernelBounds, WriteInTheNextAllocation)
{
	const auto [low, high] = neighbours();
	const auto apart = static_cast<uint64_t>(high - low);

	fails(launch_move(stream, high, low, 0, apart, 8, 0),
	      {"move_floats", line_of("writes"), "DataCopy: writes 32 bytes", hex(high),
	       "behind the end of the allocation of 4096 bytes at " + hex(low)});
}

TEST_F(KernelBounds, ReadBeforeTheAllocation)
{
	const auto [low, high] = neighbours();
	const auto apart = static_cast<uint64_t>(high - low);

	fails(launch_move(stream, high, low, -apart, 0, 8, 0),
	      {"move_floats", line_of("reads"), hex(low),
	       " bytes before the allocation of 4096 bytes at " + hex(high)});
}

TEST_F(KernelBounds, ScalarReadInTheNextAllocation)
{
	const auto [low, high] = neighbours();

	fails(launch_move_one(stream, low, high, static_cast<uint64_t>(high - low)),
	      {"kernel move_one", line_of("looks"), "GetValue: reads 4 bytes", hex(high)});
}

TEST_F(KernelBounds, FreedBeforeTheLaunch)
{
	const auto [low, high] = neighbours();

	passes(launch_move(stream, low, high, 0, 0, 8, 0));
	free(low);
	fails(launch_move(stream, low, high, 0, 0, 8, 0),
	      {"move_floats", line_of("reads"), hex(low),
	       "in the allocation of 4096 bytes at " + hex(low) +
		       ", which was freed before the launch"});
	fails(launch_move(stream, high, low, 0, 0, 8, 0),
	      {"move_floats", line_of("writes"), "which was freed before the launch"});
}

/* The memory is not used again before the kernels that were launched before have ended. */
TEST_F(KernelBounds, FreedBetweenTwoLaunches)
{
	const auto [low, high] = neighbours();

	for (unsigned i = 0; i < 50; i++)
		ASSERT_EQ(launch_move(stream, low, high, 0, 0, 1024, 0), 0);
	free(low);
	fails(launch_move(stream, low, high, 0, 0, 8, 0), {"which was freed before the launch"});
}

TEST_F(KernelBounds, EntryOfATableThatWasFreed)
{
	float *table = allocate(64), *out = allocate(64), *one = allocate(64), *two = allocate(64);
	float *entries[] = {one, two};

	ASSERT_EQ(aclrtMemcpy(table, 64, entries, sizeof(entries), ACL_MEMCPY_HOST_TO_DEVICE),
		  ACL_SUCCESS);
	passes(launch_gather(1, stream, table, out, 2));
	free(two);
	fails(launch_gather(1, stream, table, out, 2),
	      {"kernel gather", line_of("follows"), hex(two), "freed"});
}

TEST_F(KernelBounds, PinnedMemoryOfTheHost)
{
	void *pinned[2];
	float *out = allocate(64);

	for (void *&memory : pinned)
		ASSERT_EQ(aclrtMallocHost(&memory, 4096), ACL_SUCCESS);
	auto *low = static_cast<float *>(std::min(pinned[0], pinned[1]));
	auto *high = static_cast<float *>(std::max(pinned[0], pinned[1]));

	passes(launch_move(stream, low, out, 1016, 0, 8, 0));
	fails(launch_move(stream, low, out, static_cast<uint64_t>(high - low), 0, 8, 0),
	      {line_of("reads"), hex(high), "the allocation of 4096 bytes at " + hex(low)});
	for (void *memory : pinned)
		ASSERT_EQ(aclrtFreeHost(memory), ACL_SUCCESS);
}

TEST_F(KernelBounds, PieceOfMappedMemoryThatIsGone)
{
	Mapped mapped(2);
	float *out = allocate(4096);
	constexpr uint64_t LAST = Mapped::PIECE / sizeof(float) - 8;

	passes(launch_move(stream, mapped.start, out, LAST, 0, 16, 0));
	mapped.unmap(1);
	fails(launch_move(stream, mapped.start, out, LAST, 0, 16, 0),
	      {line_of("reads"), "the allocation of 2097152 bytes", "ends after 32 of them"});
	passes(launch_move(stream, mapped.start, out, LAST, 0, 8, 0));
}

/* What only looks wrong. */

TEST_F(KernelBounds, PartsOfOneAllocation)
{
	float *whole = allocate(64 << 10);

	/* Two tensors over one allocation; the first one is left, and not the allocation. */
	passes(launch_move(stream, whole, whole + 8192, 7000, 0, 1024, 0));
	passes(launch_move(stream, whole + 4096, whole, 8192, 12000, 1024, 0));
	passes(launch_move(stream, whole + 100, whole + 1000, 0, 0, 8, 0));
	/* A tensor may begin in the middle, and go back. */
	passes(launch_move(stream, whole + 4096, whole, static_cast<uint64_t>(-4096), 0, 8, 0));
	/* To the last byte. */
	passes(launch_move(stream, whole, whole, (64 << 10) / 4 - 1024, 0, 1024, 0));
}

TEST_F(KernelBounds, SizesThatAreNoWholeBlocks)
{
	float *odd = allocate(100), *out = allocate(128);

	passes(launch_move(stream, odd, out, 0, 0, 32, 0));
	fails(launch_move(stream, odd, out, 0, 0, 48, 0), {"the allocation of 100 bytes"});
}

TEST_F(KernelBounds, TensorThatBeginsBeforeItsAllocation)
{
	const auto [low, high] = neighbours();
	float *out = allocate(4096);

	/* There is nothing in the gap, or not any more. */
	passes(launch_move(stream, high, out, 0, 0, 8, 32));
	free(low);
	passes(launch_move(stream, high, out, 0, 0, 8, static_cast<uint32_t>(high - low)));
}

TEST_F(KernelBounds, AllocationsThatChangeBetweenLaunches)
{
	std::mt19937 random(7);
	std::vector<float *> live;
	float *table = allocate(8 << 10), *out = allocate(4 << 10);

	for (unsigned round = 0; round < 12; round++) {
		for (unsigned i = 0; i < 700; i++) {
			if (live.size() > 900 || (!live.empty() && random() % 3 == 0)) {
				std::swap(live[random() % live.size()], live.back());
				free(live.back());
				live.pop_back();
			} else {
				live.push_back(allocate(64 + random() % 4096));
			}
		}
		ASSERT_EQ(aclrtMemcpy(table, 8 << 10, live.data(), live.size() * sizeof(float *),
				      ACL_MEMCPY_HOST_TO_DEVICE),
			  ACL_SUCCESS);
		passes(launch_gather(8, stream, table, out, static_cast<uint32_t>(live.size())));
	}
	float *gone = live.back();

	free(gone);
	fails(launch_gather(8, stream, table, out, static_cast<uint32_t>(live.size())),
	      {hex(gone), "which was freed before the launch"});
}

TEST_F(KernelBounds, PiecesOfMappedMemoryAreOne)
{
	const Mapped mapped(4);
	float *out = allocate(4096);

	for (uint64_t piece = 1; piece < 4; piece++)
		passes(launch_move(stream, mapped.start, out,
				   piece * Mapped::PIECE / sizeof(float) - 512, 0, 1024, 0));
	passes(launch_move(stream, mapped.piece(3), mapped.start, 0,
			   Mapped::PIECE / sizeof(float) - 8, 16, 0));
}

TEST_F(KernelBounds, FreedWhileKernelsAreQueued)
{
	const auto [low, high] = neighbours();

	for (unsigned i = 0; i < 100; i++)
		ASSERT_EQ(launch_move(stream, low, high, 0, 0, 1024, 0), 0);
	free(low);
	/* The log may begin again meanwhile. */
	for (unsigned i = 0; i < 3000; i++)
		free(allocate(64));
	passes(0);
}

TEST_F(KernelBounds, LaunchesOfGraphs)
{
	const auto [low, high] = neighbours();
	aclmdlRI model = nullptr;

	ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
	ASSERT_EQ(launch_move(stream, low, high, 0, 0, 8, 0), 0);
	ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), ACL_SUCCESS);
	free(allocate(4096));
	passes(aclmdlRIExecuteAsync(model, stream));
	passes(aclmdlRIExecuteAsync(model, stream));
	ASSERT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}
