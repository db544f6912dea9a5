// SPDX-License-Identifier: MIT
/**
 * DOC: what the AscendCL programs have in common
 */
#pragma once

#include <vector>

#include <acl/acl.h>
#include <aclnnop/aclnn_add.h>

#include "program.h"

constexpr size_t BYTES = 4096;

inline aclrtStream new_stream()
{
	aclrtStream stream = nullptr;
	OK(aclrtCreateStream(&stream));
	return stream;
}

/* An event by value: a wait without a record is none. */
inline aclrtEvent new_event()
{
	aclrtEvent event = nullptr;
	OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	return event;
}

inline aclrtEvent new_flag()
{
	aclrtEvent event = nullptr;
	OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	return event;
}

/* Device memory whose bytes have values. */
inline char *new_memory(size_t bytes = BYTES)
{
	void *memory = nullptr;
	OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	OK(aclrtMemset(memory, bytes, 0, bytes));
	return static_cast<char *>(memory);
}

inline char *new_undefined(size_t bytes = BYTES)
{
	void *memory = nullptr;
	OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	return static_cast<char *>(memory);
}

inline char *new_pinned(size_t bytes = BYTES)
{
	void *memory = nullptr;
	OK(aclrtMallocHost(&memory, bytes));
	return static_cast<char *>(memory);
}

inline void copy(aclrtStream stream, void *to, const void *from, size_t bytes = BYTES)
{
	OK(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_DEFAULT, stream));
}

inline void fill(aclrtStream stream, void *memory, size_t bytes = BYTES)
{
	OK(aclrtMemsetAsync(memory, bytes, 1, bytes, stream));
}

/* An access by the host that the trace has: the program's own loads and stores are in no trace. */
inline void host_write(void *memory, size_t bytes = BYTES)
{
	static const std::vector<char> zeros(1 << 20);
	OK(aclrtMemcpy(memory, bytes, zeros.data(), bytes, ACL_MEMCPY_HOST_TO_HOST));
}

inline void host_read(const void *memory, size_t bytes = BYTES)
{
	static std::vector<char> sink(1 << 20);
	OK(aclrtMemcpy(sink.data(), bytes, memory, bytes, ACL_MEMCPY_HOST_TO_HOST));
}

inline void record(aclrtEvent event, aclrtStream stream)
{
	OK(aclrtRecordEvent(event, stream));
}

inline void wait(aclrtStream stream, aclrtEvent event)
{
	OK(aclrtStreamWaitEvent(stream, event));
}

inline void sync(aclrtStream stream)
{
	OK(aclrtSynchronizeStream(stream));
}

/* class Tensor - floats in device memory. */
class Tensor {
public:
	explicit Tensor(void *memory, size_t bytes = BYTES)
		: count_{static_cast<int64_t>(bytes / sizeof(float))},
		  tensor_(aclCreateTensor(count_, 1, ACL_FLOAT, &stride_, 0, ACL_FORMAT_ND, count_,
					  1, memory))
	{
	}
	~Tensor() { aclDestroyTensor(tensor_); }
	Tensor(const Tensor &) = delete;
	Tensor &operator=(const Tensor &) = delete;

	operator aclTensor *() const { return tensor_; }

private:
	int64_t count_[1];
	int64_t stride_ = 1;
	aclTensor *tensor_;
};

/* to = a + b */
inline void add(aclrtStream stream, void *to, void *a, void *b, size_t bytes = BYTES)
{
	const Tensor result(to, bytes), left(a, bytes), right(b, bytes);
	float one = 1;
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	uint64_t workspace = 0;
	aclOpExecutor *executor = nullptr;
	OK(aclnnAddGetWorkspaceSize(left, right, alpha, result, &workspace, &executor));
	OK(aclnnAdd(nullptr, 0, executor, stream));
	aclDestroyScalar(alpha);
}
