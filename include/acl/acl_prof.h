/* SPDX-License-Identifier: MIT */
/*
 * DOC: Profiling
 *
 * Profiling records what the device did and when, together with ranges and marks of the program.
 * acl/acl_rt.h states the
 * rules for all functions.
 */
#ifndef ACL_ACL_PROF_H
#define ACL_ACL_PROF_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of data to collect, one bit each. */
#define ACL_PROF_ACL_API 0x0001ULL
#define ACL_PROF_TASK_TIME 0x0002ULL
#define ACL_PROF_AICORE_METRICS 0x0004ULL
#define ACL_PROF_AICPU 0x0008ULL
#define ACL_PROF_L2CACHE 0x0010ULL
#define ACL_PROF_HCCL_TRACE 0x0020ULL
#define ACL_PROF_TRAINING_TRACE 0x0040ULL
#define ACL_PROF_MSPROFTX 0x0080ULL
#define ACL_PROF_RUNTIME_API 0x0100ULL
#define ACL_PROF_GE_API_L0 0x0200ULL
#define ACL_PROF_TASK_TIME_L0 0x0800ULL
#define ACL_PROF_TASK_MEMORY 0x1000ULL
#define ACL_PROF_TASK_TIME_L2 0x2000ULL
#define ACL_PROF_OP_ATTR 0x4000ULL
#define ACL_PROF_TASK_TIME_L3 0x8000ULL
#define ACL_PROF_GE_API_L1 0x01000000ULL
#define ACL_PROF_API_STATS 0x400000000ULL
#define ACL_PROF_AICORE_SHAPE 0x800000000ULL

/* Sizes of names with their terminating zero, dimensions of a tensor's shape, version of
 * aclprofEventAttributes. */
#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8
#define ACL_PROF_EVENT_ATTR_VERSION 1

/** enum aclprofAicoreMetrics - events that are counted on the cores. */
typedef enum aclprofAicoreMetrics {
	ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
	ACL_AICORE_PIPE_UTILIZATION = 1,
	ACL_AICORE_MEMORY_BANDWIDTH = 2,
	ACL_AICORE_L0B_AND_WIDTH = 3,
	ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
	ACL_AICORE_MEMORY_UB = 5,
	ACL_AICORE_L2_CACHE = 6,
	ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
	ACL_AICORE_MEMORY_ACCESS = 8,
	ACL_AICORE_NONE = 255,
} aclprofAicoreMetrics;

/** enum aclprofStepTag - ends of a step. */
typedef enum aclprofStepTag {
	ACL_STEP_START = 0,
	ACL_STEP_END = 1,
} aclprofStepTag;

/** enum aclprofSubscribeOpFlag - the kind of object that a description describes. */
typedef enum aclprofSubscribeOpFlag {
	ACL_SUBSCRIBE_OP = 0,
	ACL_SUBSCRIBE_SUBGRAPH = 1,
	ACL_SUBSCRIBE_OP_THREAD = 2,
	ACL_SUBSCRIBE_NONE = 255,
} aclprofSubscribeOpFlag;

/** enum aclprofSubscribeOpAttri - attributes of an operator. */
typedef enum aclprofSubscribeOpAttri {
	ACL_SUBSCRIBE_ATTRI_THREADID = 0,
	ACL_SUBSCRIBE_ATTRI_NONE = 1,
} aclprofSubscribeOpAttri;

/** enum aclprofConfigType - options of profiling. */
typedef enum aclprofConfigType {
	ACL_PROF_ARGS_MIN = 0,
	ACL_PROF_STORAGE_LIMIT = 1,
	ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
	ACL_PROF_LLC_MODE = 4,
	ACL_PROF_SYS_IO_FREQ = 5,
	ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
	ACL_PROF_DVPP_FREQ = 7,
	ACL_PROF_HOST_SYS = 8,
	ACL_PROF_HOST_SYS_USAGE = 9,
	ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
	ACL_PROF_LOW_POWER_FREQ = 11,
	ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
	ACL_PROF_SYS_CPU_FREQ = 13,
	ACL_PROF_OPTYPE = 14,
	ACL_PROF_NTS_METRICS = 15,
	ACL_PROF_PATH = 16,
	ACL_PROF_ARGS_MAX = 17,
} aclprofConfigType;

/** enum aclprofMessageType - kinds of descriptions of a range. */
typedef enum aclprofMessageType {
	ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0,
} aclprofMessageType;

/** typedef aclprofConfig - selects the data to collect and the devices; opaque. */
typedef struct aclprofConfig aclprofConfig;

/** typedef aclprofStopConfig - reserved; opaque. */
typedef struct aclprofStopConfig aclprofStopConfig;

/** typedef aclprofAicoreEvents - reserved; opaque. */
typedef struct aclprofAicoreEvents aclprofAicoreEvents;

/** typedef aclprofSubscribeConfig - selects the data to collect for a model; opaque. */
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;

/** typedef aclprofStepInfo - a step of the program; opaque. */
typedef struct aclprofStepInfo aclprofStepInfo;

/**
 * struct aclprofTensor - a tensor of an operator
 * @type: 0 input, 1 output
 * @format: an aclFormat
 * @dataType: an aclDataType
 * @shapeDim: dimensions in use
 * @shape: their sizes
 */
typedef struct aclprofTensor {
	uint32_t type;
	uint32_t format;
	uint32_t dataType;
	uint32_t shapeDim;
	uint32_t shape[ACL_PROF_TENSOR_DATA_SHAPE_LEN];
} aclprofTensor;

/**
 * struct aclprofTensorInfo - an operator and its tensors
 * @opNameId: number of its name, from aclprofStr2Id()
 * @opTypeId: number of its type, from aclprofStr2Id()
 * @resv: zero
 * @tensorNum: elements of @tensors
 * @kernelType: an aclrtKernelType
 * @blockNums: blocks launched
 * @stream: the stream that it runs in
 * @tensors: array, owned by the caller
 */
typedef struct aclprofTensorInfo {
	uint64_t opNameId;
	uint64_t opTypeId;
	uint32_t resv;
	uint32_t tensorNum;
	uint32_t kernelType;
	uint32_t blockNums;
	void *stream;
	aclprofTensor *tensors;
} aclprofTensorInfo;

/**
 * struct aclprofEventAttributes - description of a range
 * @version: ACL_PROF_EVENT_ATTR_VERSION
 * @size: bytes of this structure
 * @messageType: selects the member of @message
 * @message: the description
 * @message.tensorInfo: for ACL_PROF_MESSAGE_TYPE_TENSOR_INFO, owned by the caller
 */
typedef struct aclprofEventAttributes {
	uint16_t version;
	uint16_t size;
	uint32_t messageType;
	union Message {
		aclprofTensorInfo *tensorInfo;
	} message;
} aclprofEventAttributes;

/**
 * aclprofInit() - starts profiling of the process
 * @profilerResultPath: folder for the results
 * @length: bytes of the path, without its zero
 *
 * Context: any thread; may block on the folder.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_FILE, or ACL_ERROR_PROF_API_CONFLICT.
 */
ACL_FUNC_VISIBILITY aclError aclprofInit(const char *profilerResultPath, size_t length);

/**
 * aclprofFinalize() - ends profiling of the process
 *
 * Context: any thread; may block until the results are written.
 * Return: 0 or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofFinalize(void);

/**
 * aclprofStart() - starts to collect
 * @profilerConfig: the configuration
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_PROF_NOT_RUN, or
 * ACL_ERROR_PROF_ALREADY_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofStart(const aclprofConfig *profilerConfig);

/**
 * aclprofCreateConfig() - creates a configuration that selects the data to collect
 * @deviceIdList: array of @deviceNums
 * @deviceNums: devices
 * @aicoreMetrics: events to count on the cores
 * @aicoreEvents: NULL
 * @dataTypeConfig: bits of ACL_PROF_*
 *
 * Context: any thread; never blocks.
 * Return: the configuration, owned by the caller until aclprofDestroyConfig(), or NULL.
 */
ACL_FUNC_VISIBILITY aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
						       aclprofAicoreMetrics aicoreMetrics,
						       const aclprofAicoreEvents *aicoreEvents,
						       uint64_t dataTypeConfig);

/**
 * aclprofDestroyConfig() - destroys a configuration
 * @profilerConfig: the configuration
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/**
 * aclprofStop() - stops to collect
 * @profilerConfig: the configuration
 *
 * Context: any thread; may block until the collected data is written.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofStop(const aclprofConfig *profilerConfig);

/**
 * aclprofSetConfig() - sets an option of profiling, before aclprofStart()
 * @configType: the option
 * @config: its value, as text; a valid value for a counter that the device does not have is accepted
 * and ignored
 * @configLength: bytes of the text, without its zero; 256 at most
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for ACL_PROF_PATH.
 */
ACL_FUNC_VISIBILITY aclError aclprofSetConfig(aclprofConfigType configType, const char *config,
					      size_t configLength);

/**
 * aclprofModelSubscribe() - subscribes to the times of a model's operators
 * @modelId: number of the model; if no model has this number, the pipe gets no data before its end
 * @profSubscribeConfig: selects the data and the pipe that gets it
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_PROF_REPEAT_SUBSCRIBE.
 */
ACL_FUNC_VISIBILITY aclError
aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);

/**
 * aclprofModelUnSubscribe() - undoes aclprofModelSubscribe(); the pipe is closed after all executions
 * that were queued before
 * @modelId: number of the model
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_MODEL_ID for a number that is not subscribed to.
 */
ACL_FUNC_VISIBILITY aclError aclprofModelUnSubscribe(uint32_t modelId);

/**
 * aclprofCreateSubscribeConfig() - creates a configuration that selects the data to collect for a model
 * @timeInfoSwitch: 1 to collect times
 * @aicoreMetrics: events to count on the cores
 * @fd: pointer to the file descriptor of a pipe that gets the descriptions of operators
 *
 * Context: any thread; never blocks.
 * Return: the configuration, owned by the caller until aclprofDestroySubscribeConfig(), or NULL.
 */
ACL_FUNC_VISIBILITY aclprofSubscribeConfig *aclprofCreateSubscribeConfig(
	int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void *fd);

/**
 * aclprofDestroySubscribeConfig() - destroys a configuration
 * @profSubscribeConfig: the configuration
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError
aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);

/**
 * aclprofGetOpDescSize() - size of an operator's description in the pipe, in bytes
 * @opDescSize: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpDescSize(size_t *opDescSize);

/**
 * aclprofGetOpNum() - the number of operators in a buffer of descriptions
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @opNumber: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen,
					     uint32_t *opNumber);

/**
 * aclprofGetOpTypeLen() - bytes of the name of an operator's type
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 * @opTypeLen: out, with the zero byte
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen,
						 uint32_t index, size_t *opTypeLen);

/**
 * aclprofGetOpType() - the name of an operator's type
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 * @opType: out
 * @opTypeLen: bytes at @opType
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index,
					      char *opType, size_t opTypeLen);

/**
 * aclprofGetOpNameLen() - bytes of an operator's name
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 * @opNameLen: out, with the zero byte
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen,
						 uint32_t index, size_t *opNameLen);

/**
 * aclprofGetOpName() - an operator's name
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 * @opName: out
 * @opNameLen: bytes at @opName
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index,
					      char *opName, size_t opNameLen);

/**
 * aclprofGetOpStart() - when an operator started
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 *
 * Context: any thread; never blocks.
 * Return: nanoseconds; 0 when @opInfo has no such operator.
 */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen,
					       uint32_t index);

/**
 * aclprofGetOpEnd() - when an operator ended
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 *
 * Context: any thread; never blocks.
 * Return: nanoseconds; 0 when @opInfo has no such operator.
 */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index);

/**
 * aclprofGetOpDuration() - how long an operator ran
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 *
 * Context: any thread; never blocks.
 * Return: nanoseconds; 0 when @opInfo has no such operator.
 */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen,
						  uint32_t index);

/**
 * aclprofGetModelId() - the model of an operator
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 *
 * Context: any thread; never blocks.
 * Return: number of the model; 0 when @opInfo has no such operator.
 */
ACL_FUNC_VISIBILITY size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index);

/**
 * aclprofGetOpFlag() - the kind of object that a description describes
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 *
 * Context: any thread; never blocks.
 * Return: the kind; ACL_SUBSCRIBE_NONE when @opInfo has no such operator.
 */
ACL_FUNC_VISIBILITY aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen,
							    uint32_t index);

/**
 * aclprofGetOpAttriValue() - an attribute of an operator, as text
 * @opInfo: descriptions of operators, as they came through the pipe
 * @opInfoLen: bytes at @opInfo
 * @index: which operator
 * @attri: which
 *
 * Context: any thread; never blocks.
 * Return: text owned by @opInfo; NULL when there is none.
 */
ACL_FUNC_VISIBILITY const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen,
						       uint32_t index,
						       aclprofSubscribeOpAttri attri);

/**
 * aclprofGetStepTimestamp() - marks the start or the end of a step, in a stream's order
 * @stepInfo: the step
 * @tag: start or end
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag,
						     aclrtStream stream);

/**
 * aclprofCreateStepInfo() - describes a step of the program
 *
 * Context: any thread; never blocks.
 * Return: the step, owned by the caller until aclprofDestroyStepInfo(), or NULL.
 */
ACL_FUNC_VISIBILITY aclprofStepInfo *aclprofCreateStepInfo(void);

/**
 * aclprofDestroyStepInfo() - destroys a step
 * @stepinfo: the step; NULL is ignored
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);

/**
 * aclprofCreateStamp() - creates a stamp, with which the program marks times and ranges
 *
 * Context: any thread; never blocks.
 * Return: the stamp, owned by the caller until aclprofDestroyStamp(), or NULL.
 */
ACL_FUNC_VISIBILITY void *aclprofCreateStamp(void);

/**
 * aclprofDestroyStamp() - destroys a stamp
 * @stamp: the stamp; NULL is ignored
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void aclprofDestroyStamp(void *stamp);

/**
 * aclprofPush() - starts a range inside the calling thread's innermost range
 * @stamp: the stamp
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofPush(void *stamp);

/**
 * aclprofPop() - ends the calling thread's innermost range
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofPop(void);

/**
 * aclprofRangeStart() - starts a range that any thread may end
 * @stamp: the stamp
 * @rangeId: out
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);

/**
 * aclprofRangeStop() - ends a range
 * @rangeId: number of the range
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofRangeStop(uint32_t rangeId);

/**
 * aclprofSetStampTraceMessage() - gives a stamp its text
 * @stamp: the stamp
 * @msg: the text, copied
 * @msgLen: its bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclprofSetStampTraceMessage(void *stamp, const char *msg,
							 uint32_t msgLen);

/**
 * aclprofMark() - marks a time with a stamp
 * @stamp: the stamp
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofMark(void *stamp);

/**
 * aclprofMarkEx() - puts a mark into a stream, in its order
 * @msg: text, copied
 * @msgLen: its bytes
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/**
 * aclprofStr2Id() - a number that represents a text in the collected data
 * @message: the text, copied
 *
 * Context: any thread; never blocks.
 * Return: the number, the same for the same text; 0 on failure.
 */
ACL_FUNC_VISIBILITY uint64_t aclprofStr2Id(const char *message);

/**
 * aclprofRangePushEx() - starts a range with a description inside the calling thread's innermost range
 * @attr: the description, copied
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofRangePushEx(aclprofEventAttributes *attr);

/**
 * aclprofRangePop() - ends the range of aclprofRangePushEx()
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_PROF_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclprofRangePop(void);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_PROF_H */
