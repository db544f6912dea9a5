/* SPDX-License-Identifier: MIT */
/*
 * DOC: Streams that wait for and write words in memory
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * The word is in memory that the device can access; the host, the device and other processes may write
 * it. A thread or stream that sees the written value also sees the effects of the stream's earlier
 * work.
 */
#ifndef CUDA_DRIVER_STREAM_MEMORY_H
#define CUDA_DRIVER_STREAM_MEMORY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum CUstreamWaitValue_flags - condition of a wait: *addr - value >= 0 as a signed difference,
 * *addr == value, (*addr & value) != 0, ~(*addr | value) != 0. FLUSH may be added.
 */
typedef enum CUstreamWaitValue_flags_enum {
	CU_STREAM_WAIT_VALUE_GEQ = 0x0,
	CU_STREAM_WAIT_VALUE_EQ = 0x1,
	CU_STREAM_WAIT_VALUE_AND = 0x2,
	CU_STREAM_WAIT_VALUE_NOR = 0x3,
	CU_STREAM_WAIT_VALUE_FLUSH = 1 << 30,
} CUstreamWaitValue_flags;

/** enum CUstreamWriteValue_flags - NO_MEMORY_BARRIER allows a weaker order, but has no effect. */
typedef enum CUstreamWriteValue_flags_enum {
	CU_STREAM_WRITE_VALUE_DEFAULT = 0x0,
	CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 0x1,
} CUstreamWriteValue_flags;

/** enum CUstreamBatchMemOpType - operations of cuStreamBatchMemOp(). */
typedef enum CUstreamBatchMemOpType_enum {
	CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
	CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
	CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
	CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
	CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
	CU_STREAM_MEM_OP_BARRIER = 6,
} CUstreamBatchMemOpType;

/** union CUstreamBatchMemOpParams - one operation; @operation selects the member. */
typedef union CUstreamBatchMemOpParams_union {
	CUstreamBatchMemOpType operation;
	struct CUstreamMemOpWaitValueParams_st {
		CUstreamBatchMemOpType operation;
		CUdeviceptr address;
		__extension__ union {
			cuuint32_t value;
			cuuint64_t value64;
		};
		unsigned int flags;
		CUdeviceptr alias;
	} waitValue;
	struct CUstreamMemOpWriteValueParams_st {
		CUstreamBatchMemOpType operation;
		CUdeviceptr address;
		__extension__ union {
			cuuint32_t value;
			cuuint64_t value64;
		};
		unsigned int flags;
		CUdeviceptr alias;
	} writeValue;
	struct CUstreamMemOpFlushRemoteWritesParams_st {
		CUstreamBatchMemOpType operation;
		unsigned int flags;
	} flushRemoteWrites;
	struct CUstreamMemOpMemoryBarrierParams_st {
		CUstreamBatchMemOpType operation;
		unsigned int flags;
	} memoryBarrier;
	cuuint64_t pad[6];
} CUstreamBatchMemOpParams;

/**
 * cuStreamWaitValue32() - makes a stream wait until a 32-bit word fulfils a condition
 * @stream: a stream
 * @addr: the word's address, a multiple of 4
 * @value: see CUstreamWaitValue_flags
 * @flags: the condition
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
				     unsigned int flags);

/**
 * cuStreamWaitValue64() - makes a stream wait until a 64-bit word fulfils a condition
 * @stream: a stream
 * @addr: the word's address, a multiple of 8
 * @value: see CUstreamWaitValue_flags
 * @flags: the condition
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
				     unsigned int flags);

/**
 * cuStreamWriteValue32() - writes a 32-bit word in stream order
 * @stream: a stream
 * @addr: the word's address, a multiple of 4
 * @value: the new value
 * @flags: one of CUstreamWriteValue_flags
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
				      unsigned int flags);

/**
 * cuStreamWriteValue64() - writes a 64-bit word in stream order
 * @stream: a stream
 * @addr: the word's address, a multiple of 8
 * @value: the new value
 * @flags: one of CUstreamWriteValue_flags
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
				      unsigned int flags);

/**
 * cuStreamBatchMemOp() - runs several of these operations in stream order
 * @stream: a stream
 * @count: how many, at most 255
 * @paramArray: which ones; read before the call returns
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, and then no operation is queued;
 * CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned int count,
				    CUstreamBatchMemOpParams *paramArray, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_STREAM_MEMORY_H */
