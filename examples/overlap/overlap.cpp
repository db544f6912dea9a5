// SPDX-License-Identifier: MIT
/**
 * DOC: A double buffer
 *
 * Six matrices go to the device, are multiplied, and come back. While one of them is multiplied, the next one is copied
 * into the other buffer. Said "overlap broken", the program takes the event of the wrong buffer: it waits until the
 * last matrix has left. Its results are right, and no test of results finds the mistake. A test of overlap does.
 * Said "overlap merged", it has one stream for all.
 *
 *	unpu time run --assert 'overlap(copy_in, matmul) > 80%' -- overlap
 */
#include <acl/acl.h>
#include <aclnnop/aclnn_mm.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) check((call), #call)

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

static constexpr int64_t SIZE = 256;
static constexpr size_t BYTES = SIZE * SIZE * sizeof(float);
static constexpr int STEPS = 6;
static constexpr int BUFFERS = 2;

/* A matrix on the device. */
struct Matrix {
	void *memory = nullptr;
	aclTensor *tensor = nullptr;
};

/* What one buffer consists of. */
struct Buffer {
	Matrix in;
	Matrix out;
	aclrtEvent copied = nullptr;	 /* the matrix is on the device */
	aclrtEvent multiplied = nullptr; /* the next matrix may overwrite it */
	aclrtEvent left = nullptr;	 /* the product is on the host */
};

static Matrix create()
{
	const int64_t shape[] = {SIZE, SIZE};
	Matrix matrix;
	CHECK(aclrtMalloc(&matrix.memory, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	matrix.tensor = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2,
					matrix.memory);
	check(matrix.tensor ? 0 : -1, "aclCreateTensor");
	return matrix;
}

static void destroy(Matrix &matrix)
{
	CHECK(aclDestroyTensor(matrix.tensor));
	CHECK(aclrtFree(matrix.memory));
}

static Buffer create_buffer()
{
	Buffer buffer;
	buffer.in = create();
	buffer.out = create();
	for (aclrtEvent *event : {&buffer.copied, &buffer.multiplied, &buffer.left})
		CHECK(aclrtCreateEventExWithFlag(event, ACL_EVENT_SYNC));
	return buffer;
}

static void destroy_buffer(Buffer &buffer)
{
	for (aclrtEvent event : {buffer.copied, buffer.multiplied, buffer.left})
		CHECK(aclrtDestroyEvent(event));
	destroy(buffer.in);
	destroy(buffer.out);
}

static void multiply(const Buffer &buffer, const Matrix &weights, aclrtStream stream)
{
	uint64_t bytes = 0;
	aclOpExecutor *executor = nullptr;
	CHECK(aclnnMmGetWorkspaceSize(buffer.in.tensor, weights.tensor, buffer.out.tensor, 0,
				      &bytes, &executor));
	CHECK(aclnnMm(nullptr, bytes, executor, stream));
}

struct Streams {
	aclrtStream in = nullptr;
	aclrtStream compute = nullptr;
	aclrtStream out = nullptr;
};

/* The mistake: this buffer is free, but the copy waits until the other one has left. */
__attribute__((noinline)) static void wait_for_wrong_buffer(const Buffer &other, aclrtStream stream)
{
	CHECK(aclrtStreamWaitEvent(stream, other.left));
}

/* The work of one matrix. */
static void enqueue(int step, bool is_broken, Buffer *buffers, const Matrix &weights,
		    const float *from, float *to, const Streams &streams)
{
	Buffer &mine = buffers[step % BUFFERS];
	if (step >= BUFFERS)
		CHECK(aclrtStreamWaitEvent(streams.in, mine.multiplied));
	if (is_broken && step >= 1)
		wait_for_wrong_buffer(buffers[(step - 1) % BUFFERS], streams.in);
	CHECK(aclrtMemcpyAsync(mine.in.memory, BYTES, from, BYTES, ACL_MEMCPY_HOST_TO_DEVICE,
			       streams.in));
	CHECK(aclrtRecordEvent(mine.copied, streams.in));

	CHECK(aclrtStreamWaitEvent(streams.compute, mine.copied));
	if (step >= BUFFERS)
		CHECK(aclrtStreamWaitEvent(streams.compute, mine.left));
	multiply(mine, weights, streams.compute);
	CHECK(aclrtRecordEvent(mine.multiplied, streams.compute));

	CHECK(aclrtStreamWaitEvent(streams.out, mine.multiplied));
	CHECK(aclrtMemcpyAsync(to, BYTES, mine.out.memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST,
			       streams.out));
	CHECK(aclrtRecordEvent(mine.left, streams.out));
}

int main(int argc, char **argv)
{
	const bool is_broken = argc > 1 && std::strcmp(argv[1], "broken") == 0;
	const bool is_merged = argc > 1 && std::strcmp(argv[1], "merged") == 0;
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	Streams streams;
	CHECK(aclrtCreateStream(&streams.in));
	for (aclrtStream *stream : {&streams.compute, &streams.out}) {
		*stream = streams.in;
		if (!is_merged)
			CHECK(aclrtCreateStream(stream));
	}
	void *from = nullptr;
	void *to = nullptr;
	CHECK(aclrtMallocHost(&from, STEPS * BYTES));
	CHECK(aclrtMallocHost(&to, STEPS * BYTES));
	auto *inputs = static_cast<float *>(from);
	auto *outputs = static_cast<float *>(to);
	for (int64_t i = 0; i < STEPS * SIZE * SIZE; i++)
		inputs[i] = static_cast<float>(i / (SIZE * SIZE) + 1);

	Matrix weights = create();
	const std::vector<float> halves(SIZE * SIZE, 0.5f);
	CHECK(aclrtMemcpy(weights.memory, BYTES, halves.data(), BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
	Buffer buffers[BUFFERS] = {create_buffer(), create_buffer()};
	for (int step = 0; step < STEPS; step++)
		enqueue(step, is_broken, buffers, weights, inputs + step * SIZE * SIZE,
			outputs + step * SIZE * SIZE, streams);
	for (aclrtStream stream : {streams.in, streams.compute, streams.out})
		CHECK(aclrtSynchronizeStream(stream));

	for (int step = 0; step < STEPS; step++)
		std::printf("%.0f ", outputs[(step + 1) * SIZE * SIZE - 1]);
	std::printf("\n");
	for (Buffer &buffer : buffers)
		destroy_buffer(buffer);
	destroy(weights);
	CHECK(aclrtFreeHost(to));
	CHECK(aclrtFreeHost(from));
	for (aclrtStream stream : {streams.compute, streams.out}) {
		if (stream != streams.in)
			CHECK(aclrtDestroyStream(stream));
	}
	CHECK(aclrtDestroyStream(streams.in));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
