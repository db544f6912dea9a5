// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels on the device
 *
 * Launches add() and multiply() by their generated functions, and sum_rows() by the function that launches it with
 * <<<>>>.
 */
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "tiling/tiling_api.h"

#include "add_tiling.h"

#include "aclrtlaunch_add.h"
#include "aclrtlaunch_multiply.h"

static constexpr uint32_t BLOCKS = 8;
static constexpr uint32_t ELEMENTS = BLOCKS * 2048;
// 0 to 3 in half
static constexpr uint16_t HALVES[] = {0, 0x3c00, 0x4000, 0x4200};

int launch_sums(uint32_t rows, void *stream, void *in, void *out, uint64_t columns);

// Memory of the device, with a copy of a vector in it.
template <typename T> static void *on_device(const std::vector<T> &values)
{
	const size_t bytes = values.size() * sizeof(T);
	void *memory = nullptr;
	if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0)
		aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
	return memory;
}

// Waits, then frees the memory.
template <typename T> static std::vector<T> results(aclrtStream stream, void *memory, size_t count)
{
	std::vector<T> values(count);
	const size_t bytes = count * sizeof(T);
	if (aclrtSynchronizeStream(stream) == 0)
		aclrtMemcpy(values.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
	aclrtFree(memory);
	return values;
}

static bool run_add(aclrtStream stream)
{
	void *x = on_device(std::vector<uint16_t>(ELEMENTS, HALVES[1]));
	void *y = on_device(std::vector<uint16_t>(ELEMENTS, HALVES[2]));
	void *z = on_device(std::vector<uint16_t>(ELEMENTS));
	AddTiling tiling = {ELEMENTS, 8};
	const bool is_launched = ACLRT_LAUNCH_KERNEL(add)(BLOCKS, stream, x, y, z, &tiling) == 0;
	const bool is_right = results<uint16_t>(stream, z, ELEMENTS) ==
			      std::vector<uint16_t>(ELEMENTS, HALVES[3]);
	aclrtFree(x);
	aclrtFree(y);
	return is_launched && is_right;
}

static float run_sums(aclrtStream stream)
{
	void *rows = on_device(std::vector<float>(4 * 64, 0.5f));
	void *sums = on_device(std::vector<float>(4));
	if (launch_sums(4, stream, rows, sums, 64) != 0)
		return 0;
	const float last = results<float>(stream, sums, 4)[3];
	aclrtFree(rows);
	return last;
}

static bool run_multiply(aclrtStream stream)
{
	constexpr int32_t M = 96, N = 80, K = 64;
	constexpr uint32_t MIXED_BLOCKS = 2; // each has two vector instances
	matmul_tiling::MultiCoreMatmulTiling splitter;
	TCubeTiling tiling;
	splitter.SetDim(2 * MIXED_BLOCKS);
	splitter.SetShape(M, N, K);
	splitter.SetFixSplit(32, 32);
	if (splitter.GetTiling(tiling) != 0)
		return false;
	std::vector<uint16_t> a(M * K), b(K * N);
	for (int32_t i = 0; i < M * K; i++)
		a[i] = HALVES[i % 4];
	for (int32_t i = 0; i < K * N; i++)
		b[i] = HALVES[i % 3];
	std::vector<float> wanted(M * N);
	for (int32_t i = 0; i < M; i++)
		for (int32_t j = 0; j < N; j++)
			for (int32_t k = 0; k < K; k++)
				wanted[i * N + j] += float((i * K + k) % 4 * ((k * N + j) % 3));
	void *memory_a = on_device(a), *memory_b = on_device(b);
	void *memory_c = on_device(std::vector<float>(M * N));
	const bool is_launched = ACLRT_LAUNCH_KERNEL(multiply)(MIXED_BLOCKS, stream, memory_a,
							       memory_b, memory_c, &tiling) == 0;
	const bool is_right = results<float>(stream, memory_c, M * N) == wanted;
	aclrtFree(memory_a);
	aclrtFree(memory_b);
	return is_launched && is_right;
}

// What went wrong last, in a sentence.
static int fail()
{
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s\n", why ? why : "no call has failed");
	return 1;
}

int main()
{
	aclrtStream stream = nullptr;
	if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0)
		return fail();
	const bool adds = run_add(stream);
	const float sum = run_sums(stream);
	const bool multiplies = run_multiply(stream);
	std::printf("add: %s, sum of a row: %g, product: %s\n", adds ? "right" : "wrong",
		    double(sum), multiplies ? "right" : "wrong");
	const int code = adds && sum == 32 && multiplies ? 0 : fail();
	aclrtDestroyStream(stream);
	aclrtResetDevice(0);
	aclFinalize();
	return code;
}
