// SPDX-License-Identifier: MIT
/*
 * DOC: clients that are killed
 *
 * Each kind of client spends most of its time in one part of the library: submitting, waiting for a
 * fence that never passes, capturing and replaying, copying, sending requests to the mailbox, in a
 * host function, between the two halves of shared memory, or in calls of the CUDA driver interface.
 */
#include "clients.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cuda.h>

#include <cstdlib>
#include <vector>

#include "acl/acl.h"

namespace stress {

namespace {

constexpr size_t kBytes = size_t{64} << 10;
constexpr size_t kLong = size_t{4} << 20;
constexpr size_t kKeyBytes = 65;

void submit(aclrtStream stream, void *memory)
{
	for (;;)
		(void)aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream);
}

void wait_for_ever(aclrtStream stream, void *memory)
{
	aclrtEvent gate = nullptr;

	(void)aclrtCreateEventWithFlag(&gate, ACL_EVENT_SYNC);
	(void)aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream);
	(void)aclrtStreamWaitEvent(stream, gate);
	(void)aclrtMemsetAsync(memory, kBytes, 2, kBytes, stream);
	for (;;)
		(void)aclrtSynchronizeStream(stream);
}

void capture(aclrtStream stream, void *memory)
{
	for (;;) {
		aclmdlRI model = nullptr;

		(void)aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
		for (int value = 0; value < 32; ++value)
			(void)aclrtMemsetAsync(memory, kBytes, value, kBytes, stream);
		(void)aclmdlRICaptureEnd(stream, &model);
		for (int launch = 0; launch < 4; ++launch)
			(void)aclmdlRIExecuteAsync(model, stream);
		(void)aclrtSynchronizeStream(stream);
		(void)aclmdlRIDestroy(model);
	}
}

void copy(aclrtStream stream, void *)
{
	void *from = nullptr;
	void *to = nullptr;
	std::vector<char> host(kLong);

	(void)aclrtMalloc(&from, kLong, ACL_MEM_MALLOC_NORMAL_ONLY);
	(void)aclrtMalloc(&to, kLong, ACL_MEM_MALLOC_NORMAL_ONLY);
	for (;;) {
		(void)aclrtMemcpy(from, kLong, host.data(), kLong, ACL_MEMCPY_HOST_TO_DEVICE);
		(void)aclrtMemcpyAsync(to, kLong, from, kLong, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
		(void)aclrtMemcpyAsync(from, kLong, to, kLong, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
		(void)aclrtSynchronizeStream(stream);
	}
}

void ask(aclrtStream, void *)
{
	for (;;) {
		aclrtStream stream = nullptr;
		aclrtNotify notify = nullptr;
		void *memory = nullptr;

		(void)aclrtCreateStream(&stream);
		(void)aclrtCreateNotify(&notify, 0);
		(void)aclrtMalloc(&memory, size_t{40} << 20, ACL_MEM_MALLOC_NORMAL_ONLY);
		(void)aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream);
		(void)aclrtRecordNotify(notify, stream);
		(void)aclrtFree(memory);
		(void)aclrtDestroyStream(stream);
		(void)aclrtDestroyNotify(notify);
	}
}

void call_host(aclrtStream stream, void *memory)
{
	for (;;) {
		for (int i = 0; i < 16; ++i) {
			(void)aclrtMemsetAsync(memory, kBytes, i, kBytes, stream);
			(void)aclrtLaunchHostFunc(
				stream, [](void *) { usleep(100); }, nullptr);
		}
		(void)aclrtSynchronizeStream(stream);
	}
}

void tell(int ready)
{
	const char byte = 0;

	if (write(ready, &byte, 1) != 1)
		_exit(2);
}

void open(aclrtStream &stream, void *&memory)
{
	if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS ||
	    aclrtCreateStream(&stream) != ACL_SUCCESS ||
	    aclrtMalloc(&memory, kLong, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS)
		_exit(2);
}

/* The memory that two processes share. */
struct Keys {
	char memory[kKeyBytes];
	char notify[kKeyBytes];
};

void give(int to)
{
	aclrtStream stream = nullptr;
	void *memory = nullptr;
	aclrtNotify notify = nullptr;
	Keys keys = {};

	open(stream, memory);
	if (aclrtIpcMemGetExportKey(memory, kLong, keys.memory, kKeyBytes,
				    ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION) !=
		    ACL_SUCCESS ||
	    aclrtCreateNotify(&notify, 0) != ACL_SUCCESS ||
	    aclrtNotifyGetExportKey(notify, keys.notify, kKeyBytes,
				    ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION) !=
		    ACL_SUCCESS ||
	    write(to, &keys, sizeof(keys)) != sizeof(keys))
		_exit(2);
	for (;;) {
		(void)aclrtMemsetAsync(memory, kLong, 1, kLong, stream);
		(void)aclrtWaitAndResetNotify(notify, stream, 0);
		(void)aclrtSynchronizeStreamWithTimeout(stream, 10);
	}
}

void take(int from, int ready)
{
	aclrtStream stream = nullptr;
	void *memory = nullptr;
	Keys keys = {};

	open(stream, memory);
	/* One whose partner was killed before it could give anything. */
	if (read(from, &keys, sizeof(keys)) != sizeof(keys))
		_exit(0);
	if (ready >= 0)
		tell(ready);
	for (;;) {
		void *shared = nullptr;
		aclrtNotify notify = nullptr;

		(void)aclrtIpcMemImportByKey(&shared, keys.memory, 0);
		(void)aclrtNotifyImportByKey(&notify, keys.notify, 0);
		if (shared)
			(void)aclrtMemcpyAsync(memory, kLong, shared, kLong,
					       ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
		if (notify)
			(void)aclrtRecordNotify(notify, stream);
		(void)aclrtSynchronizeStream(stream);
		if (notify)
			(void)aclrtDestroyNotify(notify);
		if (shared)
			(void)aclrtIpcMemClose(keys.memory);
	}
}

/* Two processes, of which the first is killed by the driver and the second by that. */
void share(int ready, bool gives)
{
	int ends[2];
	const pid_t first = getpid();

	if (pipe(ends) != 0)
		_exit(2);
	const bool second = fork() == 0;

	if (second && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != first))
		_exit(2);
	if (second != gives) {
		close(ends[0]);
		if (gives)
			tell(ready);
		give(ends[1]);
	}
	close(ends[1]);
	take(ends[0], second ? -1 : ready);
}

void use_cuda(int ready)
{
	CUcontext context = nullptr;
	CUstream stream = nullptr;
	CUevent event = nullptr;
	CUdeviceptr memory = 0;
	std::vector<char> host(kBytes);

	if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, nullptr, 0, 0) != CUDA_SUCCESS ||
	    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS ||
	    cuEventCreate(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS ||
	    cuMemAlloc(&memory, kBytes) != CUDA_SUCCESS)
		_exit(2);
	tell(ready);
	for (;;) {
		CUgraph graph = nullptr;
		CUgraphExec launched = nullptr;

		(void)cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
		(void)cuMemsetD8Async(memory, 1, kBytes, stream);
		(void)cuMemcpyDtoHAsync(host.data(), memory, kBytes, stream);
		(void)cuLaunchHostFunc(
			stream, [](void *) {}, nullptr);
		(void)cuStreamEndCapture(stream, &graph);
		(void)cuGraphInstantiate(&launched, graph, 0);
		for (int launch = 0; launch < 4; ++launch)
			(void)cuGraphLaunch(launched, stream);
		(void)cuMemsetD8Async(memory, 2, kBytes, stream);
		(void)cuEventRecord(event, stream);
		(void)cuEventSynchronize(event);
		(void)cuGraphExecDestroy(launched);
		(void)cuGraphDestroy(graph);
	}
}

} // namespace

void be_victim(int ready, unsigned kind, unsigned)
{
	using Kind = void (*)(aclrtStream, void *);
	constexpr Kind kKinds[] = {submit, wait_for_ever, capture, copy, ask, call_host};
	constexpr unsigned kPlain = sizeof(kKinds) / sizeof(kKinds[0]);
	aclrtStream stream = nullptr;
	void *memory = nullptr;

	static_assert(kPlain + 3 == kVictimKinds);
	if (kind == kPlain)
		use_cuda(ready);
	else if (kind > kPlain)
		share(ready, kind == kPlain + 1);
	open(stream, memory);
	tell(ready);
	kKinds[kind](stream, memory);
	abort();
}

} // namespace stress
