// SPDX-License-Identifier: MIT
/*
 * DOC: clients that are killed
 *
 * Each kind stands most of its time in one part of the library: submitting, waiting for what never
 * comes, capturing and replaying, copying, or asking the mailbox.
 */
#include "clients.h"

#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "acl/acl.h"

namespace stress {

namespace {

constexpr size_t kBytes = size_t{64} << 10;
constexpr size_t kLong = size_t{4} << 20;

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

} // namespace

void be_victim(int ready, unsigned kind, unsigned)
{
	using Kind = void (*)(aclrtStream, void *);
	constexpr Kind kKinds[kVictimKinds] = {submit, wait_for_ever, capture, copy, ask};
	aclrtStream stream = nullptr;
	void *memory = nullptr;
	const char byte = 0;

	if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS ||
	    aclrtCreateStream(&stream) != ACL_SUCCESS ||
	    aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS ||
	    write(ready, &byte, 1) != 1)
		_exit(2);
	kKinds[kind % kVictimKinds](stream, memory);
	abort();
}

} // namespace stress
