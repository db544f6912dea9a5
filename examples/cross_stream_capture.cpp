// SPDX-License-Identifier: MIT
/**
 * DOC: A graph captured across two streams
 *
 * The first stream copies pinned memory to the device, the second adds, the first copies the sum
 * back; two events lead over and back. Captured once, the graph runs eight times. It reads pinned
 * memory when it runs, so each execution works on what the host has put there since.
 */
#include <acl/acl.h>
#include <aclnnop/aclnn_add.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call) check((call), #call)

static const int64_t COUNT = 8;
static const size_t BYTES = COUNT * sizeof(float);

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

/* The memory that the graph uses. */
struct Data {
	void *input = nullptr;	/* pinned */
	void *output = nullptr; /* pinned */
	void *x = nullptr;	/* device: the input */
	void *zeros = nullptr;	/* device */
	void *sum = nullptr;	/* device: zeros + 1.1 * x */
};

static aclTensor *vector_of(void *memory)
{
	aclTensor *tensor =
		aclCreateTensor(&COUNT, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &COUNT, 1, memory);
	check(tensor ? 0 : -1, "aclCreateTensor");
	return tensor;
}

static void add_scaled(const Data &data, aclrtStream stream)
{
	float factor = 1.1f;
	aclScalar *alpha = aclCreateScalar(&factor, ACL_FLOAT);
	check(alpha ? 0 : -1, "aclCreateScalar");
	aclTensor *zeros = vector_of(data.zeros);
	aclTensor *x = vector_of(data.x);
	aclTensor *sum = vector_of(data.sum);

	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
	CHECK(aclnnAddGetWorkspaceSize(zeros, x, alpha, sum, &workspace_bytes, &executor));
	/* A graph's workspace would have to live as long as the graph; an addition needs none. */
	check(workspace_bytes == 0 ? 0 : -1, "workspace of the addition");
	CHECK(aclnnAdd(nullptr, 0, executor, stream));

	CHECK(aclDestroyTensor(sum));
	CHECK(aclDestroyTensor(x));
	CHECK(aclDestroyTensor(zeros));
	CHECK(aclDestroyScalar(alpha));
}

static aclmdlRI capture(const Data &data, aclrtStream first, aclrtStream second, aclrtEvent over,
			aclrtEvent back)
{
	aclmdlRI graph = nullptr;
	CHECK(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	CHECK(aclrtMemcpyAsync(data.x, BYTES, data.input, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, first));
	CHECK(aclrtRecordEvent(over, first));
	CHECK(aclrtStreamWaitEvent(second, over));
	add_scaled(data, second);
	CHECK(aclrtRecordEvent(back, second));
	CHECK(aclrtStreamWaitEvent(first, back));
	CHECK(aclrtMemcpyAsync(data.output, BYTES, data.sum, BYTES, ACL_MEMCPY_DEVICE_TO_HOST,
			       first));
	CHECK(aclmdlRICaptureEnd(first, &graph));
	return graph;
}

static void execute(aclmdlRI graph, const Data &data, aclrtStream stream, int number)
{
	auto *input = static_cast<float *>(data.input);
	const auto *output = static_cast<const float *>(data.output);

	for (int i = 0; i < COUNT; i++)
		input[i] = static_cast<float>(number);
	CHECK(aclmdlRIExecuteAsync(graph, stream));
	CHECK(aclrtSynchronizeStream(stream));
	std::printf("execution %d:", number);
	for (int i = 0; i < COUNT; i++)
		std::printf(" %f", output[i]);
	std::printf("\n");
}

int main()
{
	aclrtStream first = nullptr;
	aclrtStream second = nullptr;
	aclrtEvent over = nullptr;
	aclrtEvent back = nullptr;
	Data data;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&first));
	CHECK(aclrtCreateStream(&second));
	CHECK(aclrtCreateEventExWithFlag(&over, ACL_EVENT_SYNC));
	CHECK(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
	CHECK(aclrtMallocHost(&data.input, BYTES));
	CHECK(aclrtMallocHost(&data.output, BYTES));
	CHECK(aclrtMalloc(&data.x, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMalloc(&data.zeros, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMalloc(&data.sum, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemset(data.zeros, BYTES, 0, BYTES));

	const aclmdlRI graph = capture(data, first, second, over, back);
	for (int number = 1; number <= 8; number++)
		execute(graph, data, first, number);

	CHECK(aclmdlRIDestroy(graph));
	CHECK(aclrtFree(data.sum));
	CHECK(aclrtFree(data.zeros));
	CHECK(aclrtFree(data.x));
	CHECK(aclrtFreeHost(data.output));
	CHECK(aclrtFreeHost(data.input));
	CHECK(aclrtDestroyEvent(back));
	CHECK(aclrtDestroyEvent(over));
	CHECK(aclrtDestroyStream(second));
	CHECK(aclrtDestroyStream(first));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
