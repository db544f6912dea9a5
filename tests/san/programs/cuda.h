// SPDX-License-Identifier: MIT
/**
 * DOC: what the programs of the CUDA driver interface have in common
 */
#pragma once

#include <algorithm>
#include <vector>

#include <cuda.h>

#include "program.h"

constexpr size_t BYTES = 4096;

inline CUstream new_stream(unsigned flags = CU_STREAM_NON_BLOCKING)
{
	CUstream stream = nullptr;
	OK(cuStreamCreate(&stream, flags));
	return stream;
}

inline CUevent new_event()
{
	CUevent event = nullptr;
	OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	return event;
}

inline CUdeviceptr new_undefined(size_t bytes = BYTES)
{
	CUdeviceptr memory = 0;
	OK(cuMemAlloc(&memory, bytes));
	return memory;
}

/* Device memory whose bytes have values. */
inline CUdeviceptr new_memory(size_t bytes = BYTES)
{
	const CUdeviceptr memory = new_undefined(bytes);
	OK(cuMemsetD8(memory, 0, bytes));
	OK(cuCtxSynchronize());
	return memory;
}

inline char *new_pinned(size_t bytes = BYTES)
{
	void *memory = nullptr;
	OK(cuMemAllocHost(&memory, bytes));
	return static_cast<char *>(memory);
}

inline void copy(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t bytes = BYTES)
{
	OK(cuMemcpyDtoDAsync(to, from, bytes, stream));
}

inline void fill(CUstream stream, CUdeviceptr memory, size_t bytes = BYTES, unsigned char value = 1)
{
	OK(cuMemsetD8Async(memory, value, bytes, stream));
}

/* has() - whether each byte of device memory is @value. Everything that writes it has been waited for. */
inline bool has(CUdeviceptr memory, char value, size_t bytes = BYTES)
{
	std::vector<char> seen(bytes);
	OK(cuMemcpyDtoH(seen.data(), memory, bytes));
	return std::all_of(seen.begin(), seen.end(), [&](char byte) { return byte == value; });
}

inline void record(CUevent event, CUstream stream)
{
	OK(cuEventRecord(event, stream));
}

inline void wait(CUstream stream, CUevent event)
{
	OK(cuStreamWaitEvent(stream, event, 0));
}

inline void sync(CUstream stream)
{
	OK(cuStreamSynchronize(stream));
}
