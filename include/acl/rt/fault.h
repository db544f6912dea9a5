/* SPDX-License-Identifier: MIT */
/*
 * DOC: Faults
 *
 * Part of acl/acl_rt.h: how failed work is described.
 */
#ifndef ACL_RT_FAULT_H
#define ACL_RT_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of the arrays below. */
#define MAX_MEM_UCE_INFO_ARRAY_SIZE 128
#define UCE_INFO_RESERVED_SIZE 14
#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20
#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 20U

/** enum aclrtErrorType - which part of the device failed. */
typedef enum aclrtErrorType {
	ACL_RT_NO_ERROR = 0,
	ACL_RT_ERROR_MEMORY = 1,
	ACL_RT_ERROR_L2 = 2,
	ACL_RT_ERROR_AICORE = 3,
	ACL_RT_ERROR_LINK = 4,
	ACL_RT_ERROR_L3_PORT = 5,
	ACL_RT_ERROR_OTHERS = 65535,
} aclrtErrorType;

/** enum aclrtAicoreErrorType - how a core failed. */
typedef enum aclrtAicoreErrorType {
	ACL_RT_AICORE_ERROR_UNKNOWN = 0,
	ACL_RT_AICORE_ERROR_SW = 1,
	ACL_RT_AICORE_ERROR_HW_LOCAL = 2,
} aclrtAicoreErrorType;

/** typedef aclrtExceptionInfo - a failed task; opaque. */
typedef struct rtExceptionInfo aclrtExceptionInfo;

/**
 * struct aclrtMemUceInfo - a piece of memory with an uncorrectable error
 * @addr: device address
 * @len: bytes
 * @reserved: zero
 */
typedef struct aclrtMemUceInfo {
	void *addr;
	size_t len;
	size_t reserved[UCE_INFO_RESERVED_SIZE];
} aclrtMemUceInfo;

/**
 * struct aclrtMemUceInfoArray - pieces of memory with uncorrectable errors
 * @arraySize: elements of @memUceInfoArray in use
 * @memUceInfoArray: the pieces
 */
typedef struct aclrtMemUceInfoArray {
	size_t arraySize;
	aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

/**
 * union aclrtErrorInfoDetail - what aclrtErrorInfo adds for some types
 * @uceInfo: for ACL_RT_ERROR_MEMORY
 * @aicoreErrType: for ACL_RT_ERROR_AICORE
 */
typedef union aclrtErrorInfoDetail {
	aclrtMemUceInfoArray uceInfo;
	aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

/**
 * struct aclrtErrorInfo - what failed on a device
 * @tryRepair: 1 when a repair can be tried
 * @hasDetail: 1 when @detail is set
 * @reserved: zero
 * @errorType: which part
 * @detail: more about it
 */
typedef struct aclrtErrorInfo {
	uint8_t tryRepair;
	uint8_t hasDetail;
	uint8_t reserved[2];
	aclrtErrorType errorType;
	aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/**
 * typedef aclrtExceptionInfoCallback - told about a failed task
 * @exceptionInfo: the task, valid during the call
 *
 * Context: a thread of the library; must not call functions that wait or launch.
 */
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo *exceptionInfo);

/**
 * typedef aclrtOpExceptionCallback - told about a failed operator
 * @exceptionInfo: the task, valid during the call
 * @userData: what was registered
 *
 * Context: a thread of the library; must not call functions that wait or launch.
 */
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo *exceptionInfo, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_FAULT_H */
