// SPDX-License-Identifier: MIT
/**
 * DOC: what the AscendCL programs have in common
 */
#pragma once

#include <algorithm>
#include <cstring>
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

inline char *new_pinned(size_t bytes = BYTES, char value = 0)
{
	void *memory = nullptr;
	OK(aclrtMallocHost(&memory, bytes));
	std::memset(memory, value, bytes);
	return static_cast<char *>(memory);
}

inline void copy(aclrtStream stream, void *to, const void *from, size_t bytes = BYTES)
{
	OK(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_DEFAULT, stream));
}

inline void fill(aclrtStream stream, void *memory, size_t bytes = BYTES, char value = 1)
{
	OK(aclrtMemsetAsync(memory, bytes, value, bytes, stream));
}

/* An access by the host that the trace has: the program's own loads and stores are in no trace. */
inline void host_write(void *memory, size_t bytes = BYTES, char value = 0)
{
	const std::vector<char> source(bytes, value);
	OK(aclrtMemcpy(memory, bytes, source.data(), bytes, ACL_MEMCPY_HOST_TO_HOST));
}

/* Return: the bytes that the host sees. */
inline std::vector<char> host_read(const void *memory, size_t bytes = BYTES)
{
	std::vector<char> seen(bytes);
	OK(aclrtMemcpy(seen.data(), bytes, memory, bytes, ACL_MEMCPY_HOST_TO_HOST));
	return seen;
}

inline bool are_all(const std::vector<char> &bytes, char value)
{
	return std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return byte == value; });
}

/* The bytes of device memory. Everything that writes it has been waited for. */
inline std::vector<char> contents(const void *memory, size_t bytes = BYTES)
{
	std::vector<char> seen(bytes);
	OK(aclrtMemcpy(seen.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
	return seen;
}

/* has() - whether each byte of device memory is @value. */
inline bool has(const void *memory, char value, size_t bytes = BYTES)
{
	return are_all(contents(memory, bytes), value);
}

/* has_sum() - whether each float is the sum of two whose bytes are @left and @right. */
inline bool has_sum(const void *memory, char left, char right)
{
	auto number = [](char byte) {
		float value;
		std::memset(&value, byte, sizeof(value));
		return value;
	};
	const float sum = number(left) + number(right);
	const std::vector<char> seen = contents(memory);
	for (size_t at = 0; at < seen.size(); at += sizeof(sum)) {
		if (std::memcmp(&seen[at], &sum, sizeof(sum)) != 0)
			return false;
	}
	return true;
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
