// SPDX-License-Identifier: MIT
/**
 * DOC: Calls to be counted
 *
 * Makes calls of an ordinary program on a stepped device, where no thread but this one runs, and
 * tells callgrind when to count. Prints a line for each part: its name and how often its call was
 * made. check_instructions.py does the division.
 *
 * Callgrind simulates a first cache as well. Before each call whose lines are counted the program reads a buffer
 * that is larger than that cache, so that each line that the call touches is missed once.
 */
#include "check.h"

#include <atomic>
#include <cstdio>

#include <acl/acl.h>
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_softmax.h>
#include <unpu/unpu.h>
#include <valgrind/callgrind.h>

/* Less than a ring holds: a full one would wait. */
static constexpr unsigned CALLS = 256;
static constexpr unsigned ROUNDS = 4;
static constexpr unsigned NODES = 256;
/* Each takes two slots of the ring. */
static constexpr unsigned SOFTMAXES = 100;
static constexpr size_t COPY_BYTES = 64;

/* Of the simulated cache, see check_instructions.py. */
static constexpr size_t CACHE_BYTES = 32 << 10;
static constexpr size_t LINE_BYTES = 64;

static aclrtStream stream;
static char *memory;

/* What a part does before it is counted, while it is, and what it divides by. */
template <class Prepare, class Part>
static void count(const char *name, unsigned calls, Prepare prepare, Part part)
{
	/* The first round touches what is touched once only. */
	for (unsigned round = 0; round < ROUNDS; round++) {
		prepare();
		if (round > 0)
			CALLGRIND_TOGGLE_COLLECT;
		part();
		if (round > 0)
			CALLGRIND_TOGGLE_COLLECT;
		CHECK(aclrtSynchronizeStream(stream));
	}
	CALLGRIND_DUMP_STATS_AT(name);
	std::printf("%s %u\n", name, calls * (ROUNDS - 1));
}

static void empty_cache()
{
	static std::atomic<char> buffer[2 * CACHE_BYTES];
	for (size_t at = 0; at < sizeof(buffer); at += LINE_BYTES)
		(void)buffer[at].load();
}

/* The lines that each call touches, and not those of its preparation. */
template <class Prepare, class Part>
static void count_lines(const char *name, Prepare prepare, Part part)
{
	for (unsigned i = 0; i < CALLS; i++) {
		prepare();
		empty_cache();
		if (i > 0)
			CALLGRIND_TOGGLE_COLLECT;
		part();
		if (i > 0)
			CALLGRIND_TOGGLE_COLLECT;
	}
	CHECK(aclrtSynchronizeStream(stream));
	CALLGRIND_DUMP_STATS_AT(name);
	std::printf("%s %u\n", name, CALLS - 1);
}

static void copy()
{
	CHECK(aclrtMemcpyAsync(memory, COPY_BYTES, memory + COPY_BYTES, COPY_BYTES,
			       ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

template <class Call> static void repeat(Call call)
{
	for (unsigned i = 0; i < CALLS; i++)
		call();
}

static void nothing() {}

static void step_to_rest()
{
	uint32_t moved;
	CHECK(unpu_device_step(0, UINT32_MAX, &moved));
}

static void count_batch()
{
	static void *to[CALLS];
	static void *from[CALLS];
	static size_t sizes[CALLS];
	void *host;
	CHECK(aclrtMallocHost(&host, COPY_BYTES));
	for (unsigned i = 0; i < CALLS; i++) {
		to[i] = memory;
		from[i] = host;
		sizes[i] = COPY_BYTES;
	}
	aclrtMemcpyBatchAttr place = {};
	place.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	size_t first = 0;
	auto submit = [&] {
		CHECK(aclrtMemcpyBatchAsyncV2(to, sizes, from, sizes, CALLS, &place, &first, 1,
					      stream));
	};
	count("batch copy", CALLS, nothing, submit);
	count("device batch copy", CALLS, submit, step_to_rest);
	CHECK(aclrtFreeHost(host));
}

static void count_tasks()
{
	count("submit", CALLS, nothing, [] { repeat(copy); });
	count(
		"device task", CALLS, [] { repeat(copy); }, step_to_rest);
	count_lines("lines of a submit", nothing, copy);
	count_lines("lines of a device task", copy, step_to_rest);
	count_batch();
	aclrtStreamStatus status;
	count("stream query", CALLS, copy,
	      [&] { repeat([&] { CHECK(aclrtStreamQuery(stream, &status)); }); });
}

static void count_events()
{
	aclrtEvent plain;
	aclrtEvent timed;
	aclrtEventRecordedStatus status;
	CHECK(aclrtCreateEventExWithFlag(&plain, ACL_EVENT_SYNC));
	CHECK(aclrtCreateEventExWithFlag(&timed, ACL_EVENT_TIME_LINE));
	count("event record", CALLS, copy,
	      [&] { repeat([&] { CHECK(aclrtRecordEvent(plain, stream)); }); });
	count("event record, timed", CALLS, nothing,
	      [&] { repeat([&] { CHECK(aclrtRecordEvent(timed, stream)); }); });
	count("event query", CALLS, copy,
	      [&] { repeat([&] { CHECK(aclrtQueryEventStatus(plain, &status)); }); });
	count_lines("lines of an event record", nothing,
		    [&] { CHECK(aclrtRecordEvent(plain, stream)); });
	count_lines("lines of an event query", nothing,
		    [&] { CHECK(aclrtQueryEventStatus(plain, &status)); });
	CHECK(aclrtDestroyEvent(timed));
	CHECK(aclrtDestroyEvent(plain));
}

static void count_graphs()
{
	aclmdlRI graph;
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	for (unsigned i = 0; i < NODES; i++)
		copy();
	CHECK(aclmdlRICaptureEnd(stream, &graph));
	auto launch = [&] { CHECK(aclmdlRIExecuteAsync(graph, stream)); };
	count("replay launch", CALLS, nothing, [&] { repeat(launch); });
	count("device node", NODES, launch, step_to_rest);
	CHECK(aclmdlRIDestroy(graph));
}

static void count_record()
{
	aclmdlRI graph;
	aclrtEvent event;
	CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	copy();
	CHECK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL));
	CHECK(aclmdlRICaptureEnd(stream, &graph));
	count("replay launch, record", CALLS, nothing,
	      [&] { repeat([&] { CHECK(aclmdlRIExecuteAsync(graph, stream)); }); });
	CHECK(aclmdlRIDestroy(graph));
	CHECK(aclrtDestroyEvent(event));
}

static aclTensor *make_tensor()
{
	static constexpr int64_t dims[] = {COPY_BYTES / sizeof(float)};
	aclTensor *tensor =
		aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, memory);
	check(tensor ? 0 : -1, "aclCreateTensor");
	return tensor;
}

/* Calls the two phases of an operator one after the other, as programs do: memory that one call frees serves the
 * next. The device does the work before the ring is full. */
static void count_operators()
{
	aclTensor *tensor = make_tensor();
	float one = 1;
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	aclOpExecutor *executor;
	uint64_t bytes;
	count("tensor", CALLS, nothing,
	      [] { repeat([] { CHECK(aclDestroyTensor(make_tensor())); }); });
	count("add, first phase", CALLS, nothing, [&] {
		repeat([&] {
			CHECK(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &bytes,
						       &executor));
			CHECK(aclDestroyAclOpExecutor(executor));
		});
	});
	count("add, both phases", CALLS, nothing, [&] {
		repeat([&] {
			CHECK(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &bytes,
						       &executor));
			CHECK(aclnnAdd(nullptr, 0, executor, stream));
		});
	});
	count("softmax, both phases", SOFTMAXES, nothing, [&] {
		for (unsigned i = 0; i < SOFTMAXES; i++) {
			CHECK(aclnnSoftmaxGetWorkspaceSize(tensor, 0, tensor, &bytes, &executor));
			CHECK(aclnnSoftmax(nullptr, 0, executor, stream));
		}
	});
	CHECK(aclDestroyScalar(alpha));
	CHECK(aclDestroyTensor(tensor));
}

int main()
{
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtMalloc(reinterpret_cast<void **>(&memory), 2 * COPY_BYTES,
			  ACL_MEM_MALLOC_NORMAL_ONLY));
	count_tasks();
	count_events();
	count_graphs();
	count_record();
	count_operators();
	CHECK(aclrtFree(memory));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
