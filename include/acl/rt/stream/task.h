/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tasks
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_TASK_H
#define ACL_RT_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtReduceKind - how a reducing copy combines source and destination. */
typedef enum aclrtReduceKind {
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13,
} aclrtReduceKind;

/** enum aclrtRandomNumFuncType - distribution of a random task. */
typedef enum aclrtRandomNumFuncType {
	ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3,
} aclrtRandomNumFuncType;

/** enum aclrtUpdateTaskAttrId - kinds of tasks that can be changed. */
typedef enum aclrtUpdateTaskAttrId {
	ACL_RT_UPDATE_RANDOM_TASK = 1,
	ACL_RT_UPDATE_AIC_AIV_TASK = 2,
} aclrtUpdateTaskAttrId;

/**
 * struct aclrtRandomParaInfo - a number, or the device address of one
 * @isAddr: 1 when @valueOrAddr is an address
 * @valueOrAddr: the bytes
 * @size: bytes of the number
 * @rsv: zero
 */
typedef struct aclrtRandomParaInfo {
	uint8_t isAddr;
	uint8_t valueOrAddr[8];
	uint8_t size;
	uint8_t rsv[6];
} aclrtRandomParaInfo;

/**
 * struct aclrtDropoutBitmaskInfo - parameters of a dropout mask
 * @dropoutRation: probability of keeping an element
 */
typedef struct aclrtDropoutBitmaskInfo {
	aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

/**
 * struct aclrtUniformDisInfo - parameters of a uniform distribution
 * @min: lower end
 * @max: upper end
 */
typedef struct aclrtUniformDisInfo {
	aclrtRandomParaInfo min;
	aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

/**
 * struct aclrtNormalDisInfo - parameters of a normal distribution
 * @mean: its mean
 * @stddev: its standard deviation
 */
typedef struct aclrtNormalDisInfo {
	aclrtRandomParaInfo mean;
	aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

/**
 * struct aclrtRandomNumFuncParaInfo - the distribution of a random task
 * @funcType: selects the member of @paramInfo
 * @paramInfo: parameters
 * @paramInfo.dropoutBitmaskInfo: of a dropout mask
 * @paramInfo.uniformDisInfo: of a uniform distribution
 * @paramInfo.normalDisInfo: of a normal or truncated normal distribution
 */
typedef struct aclrtRandomNumFuncParaInfo {
	aclrtRandomNumFuncType funcType;
	union {
		aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
		aclrtUniformDisInfo uniformDisInfo;
		aclrtNormalDisInfo normalDisInfo;
	} paramInfo;
} aclrtRandomNumFuncParaInfo;

/**
 * struct aclrtRandomNumTaskInfo - a random task
 * @dataType: element type of the result
 * @randomNumFuncParaInfo: the distribution
 * @randomParaAddr: 32 bytes of device memory, aligned to 8, for the task's internal use; may be NULL if
 * no number of the task is given by its address
 * @randomResultAddr: device memory for the result
 * @randomCounterAddr: 16 bytes of device memory, aligned to 8, with the counter; the task advances it
 * @randomSeed: seed
 * @randomNum: number of elements or, for a mask, of bits
 * @rsv: zero
 */
typedef struct aclrtRandomNumTaskInfo {
	aclDataType dataType;
	aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
	void *randomParaAddr;
	void *randomResultAddr;
	void *randomCounterAddr;
	aclrtRandomParaInfo randomSeed;
	aclrtRandomParaInfo randomNum;
	uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

/**
 * struct aclrtRandomTaskUpdateAttr - new parameters of a random task
 * @srcAddr: device memory with the parameters
 * @size: bytes at @srcAddr
 * @rsv: zero
 */
typedef struct aclrtRandomTaskUpdateAttr {
	void *srcAddr;
	size_t size;
	uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

/**
 * struct aclrtAicAivTaskUpdateAttr - new parameters of a kernel task
 * @binHandle: the binary
 * @funcEntryAddr: device memory with the entry's number
 * @blockDimAddr: device memory with the block count
 * @rsv: zero
 */
typedef struct aclrtAicAivTaskUpdateAttr {
	void *binHandle;
	void *funcEntryAddr;
	void *blockDimAddr;
	uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

/**
 * union aclrtUpdateTaskAttrVal - new parameters of a task
 * @randomTaskAttr: for ACL_RT_UPDATE_RANDOM_TASK
 * @aicAivTaskAttr: for ACL_RT_UPDATE_AIC_AIV_TASK
 */
typedef union aclrtUpdateTaskAttrVal {
	aclrtRandomTaskUpdateAttr randomTaskAttr;
	aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

/**
 * struct aclrtTaskUpdateInfo - how to change a task
 * @id: kind of task
 * @val: new parameters
 */
typedef struct aclrtTaskUpdateInfo {
	aclrtUpdateTaskAttrId id;
	aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

/**
 * aclrtGetOpTimeOutInterval() - the granularity of time limits of kernels
 * @interval: out, microseconds
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpTimeOutInterval(uint64_t *interval);

/**
 * aclrtSetOpExecuteTimeOut() - limits how long a kernel may run
 * @timeout: seconds, 0 for the longest possible
 *
 * Applies to later launches of the whole process; a later call replaces an earlier one. Limits are multiples of
 * aclrtGetOpTimeOutInterval(), 4295 ms, so that 2 seconds become 4.295; aclrtGetOpExecuteTimeout() tells the
 * limit in use.
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/**
 * aclrtSetOpExecuteTimeOutWithMs() - aclrtSetOpExecuteTimeOut() in milliseconds
 * @timeout: milliseconds, 0 for the longest possible
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/**
 * aclrtSetOpExecuteTimeOutV2() - aclrtSetOpExecuteTimeOut() in microseconds
 * @timeout: microseconds, UINT64_MAX for no limit
 * @actualTimeout: out, the limit in use, a multiple of aclrtGetOpTimeOutInterval()
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout);

/**
 * aclrtGetOpExecuteTimeout() - how long a kernel may run
 * @timeoutMs: out, milliseconds, UINT32_MAX for no limit
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t *const timeoutMs);

/**
 * aclrtGetThreadLastTaskId() - the number of the task that the calling thread launched last
 * @taskId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetThreadLastTaskId(uint32_t *taskId);

/**
 * aclrtReduceAsync() - combines one array with another in a stream's order
 * @dst: device memory, first operand and result
 * @src: device memory, second operand
 * @count: bytes
 * @kind: how two elements are combined
 * @type: type of the elements
 * @stream: a stream of the current context, or NULL
 * @reserve: NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a type that cannot be
 * combined, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count,
					      aclrtReduceKind kind, aclDataType type,
					      aclrtStream stream, void *reserve);

/**
 * aclrtRandomNumAsync() - generates random numbers in a stream's order
 * @taskInfo: the distribution, and the memory for the result
 * @stream: a stream of the current context, or NULL
 * @reserve: NULL
 *
 * Asynchronous. The seed and the counter determine the numbers. The counter is two 8-byte words, the
 * low one first; the task advances it to the value for the next task. A number that is given by its
 * address is read when the task runs, through 32 bytes at @taskInfo->randomParaAddr. Only one task at a
 * time may use these bytes.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *taskInfo,
						 const aclrtStream stream, void *reserve);

/**
 * aclrtTaskUpdateAsync() - changes a random task of a built model in a stream's order
 * @taskStream: a stream that is bound to the model
 * @taskId: number that aclrtGetThreadLastTaskId() returned after the task was launched in it
 * @info: kind of change, and the address of its description in device memory
 * @execStream: the stream in whose order the change happens, or NULL
 *
 * Asynchronous. For ACL_RT_UPDATE_RANDOM_TASK, an aclrtRandomNumTaskInfo is read from device memory
 * when @execStream reaches the change. It sets the memory, seed and count of the task; the type and the
 * distribution do not change. In an execution that is already running, a task that has not started is
 * changed too. An invalid description makes @execStream's next synchronisation return
 * ACL_ERROR_RT_MODEL_EXECUTE. A seed or count can be given by its address if the task was created with
 * a randomParaAddr.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_STREAM_MODEL,
 * ACL_ERROR_RT_MODEL_CONTEXT, ACL_ERROR_RT_MODEL_EXECUTE for a model that is not completely built,
 * ACL_ERROR_RT_STREAM_CAPTURED, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for ACL_RT_UPDATE_AIC_AIV_TASK.
 */
ACL_FUNC_VISIBILITY aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId,
						  aclrtTaskUpdateInfo *info,
						  aclrtStream execStream);

/**
 * aclrtGetFloatOverflowStatus() - copies the floating-point overflow status in a stream's order
 * @outputAddr: device memory for the status
 * @outputSize: bytes at @outputAddr
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize,
							 aclrtStream stream);

/**
 * aclrtResetFloatOverflowStatus() - clears the floating-point overflow status in a stream's order
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/**
 * aclrtNpuGetFloatOverFlowStatus() - copies the overflow status of the infinity mode in a stream's
 * order
 * @outputAddr: device memory for the status
 * @outputSize: bytes at @outputAddr
 * @checkMode: how overflow is detected
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize,
							    uint32_t checkMode, aclrtStream stream);

/**
 * aclrtNpuClearFloatOverFlowStatus() - clears the overflow status of the infinity mode in a stream's
 * order
 * @checkMode: how overflow is detected
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode,
							      aclrtStream stream);

/**
 * aclrtGetHardwareSyncAddr() - device memory with which the cores of a kernel synchronise
 * @addr: out, owned by the library
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetHardwareSyncAddr(void **addr);

/**
 * aclrtProfTrace() - puts a stamp of the program into the trace, in a stream's order
 * @userdata: the stamp, copied
 * @length: its bytes, 18 at most
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. The trace shows the bytes as hexadecimal digits. Does nothing while no trace is
 * recorded.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream);

/**
 * aclrtCacheLastTaskOpInfo() - attaches a description to the task that the calling thread captured
 * last
 * @infoPtr: the description, copied
 * @infoSize: its bytes, 1 .. 65536
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_NOT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskOpInfo(const void *const infoPtr,
						      const size_t infoSize);

/**
 * aclrtCacheLastTaskExtendInfo() - attaches a text for traces to the task that the calling thread
 * captured last
 * @extendInfoPtr: the text, JSON, copied
 * @infoSize: its bytes; 4096 are kept
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_NOT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskExtendInfo(const char *const extendInfoPtr,
							  const size_t infoSize);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_TASK_H */
