/* SPDX-License-Identifier: MIT */
/*
 * DOC: Types of the log
 *
 * Levels, kinds and modules of records, and what a function of the program gets that is told of records of a device.
 */
#ifndef BASE_LOG_TYPES_H
#define BASE_LOG_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of records. */
#define DLOG_DEBUG 0x0
#define DLOG_INFO 0x1
#define DLOG_WARN 0x2
#define DLOG_ERROR 0x3

/* Kinds of records. */
enum {
	DLOG_TYPE_DEBUG = 0,
	DLOG_TYPE_RUN = 1,
	DLOG_TYPE_MAX,
};

/* Modules that records come from. Any other number is taken, too. */
enum {
	SLOG = 0,
	IDEDD = 1,
	HCCL = 3,
	FMK = 4,
	DVPP = 6,
	RUNTIME = 7,
	CCE = 8,
	HDC = 9,
	DRV = 10,
};

/** enum acllogOutputLogType - the kinds of records that a function is told of. */
typedef enum {
	OUTPUT_TYPE_DEBUG = 0,
	OUTPUT_TYPE_RUN = 1,
	OUTPUT_TYPE_BOTH = 2,
	OUTPUT_TYPE_MAX,
} acllogOutputLogType;

/** typedef acllogCallbackHandle - a function that is registered. */
typedef uintptr_t acllogCallbackHandle;

/**
 * typedef acllogRecordCallback - function that is told of a record of a device
 * @userData: what the program has registered with it
 * @outputLogType: OUTPUT_TYPE_DEBUG or OUTPUT_TYPE_RUN
 * @logContent: the text, @length bytes
 *
 * Return: not read.
 */
typedef int32_t (*acllogRecordCallback)(void *userData, uint32_t outputLogType,
					const char *logContent, size_t length);

#ifdef __cplusplus
}
#endif

#endif /* BASE_LOG_TYPES_H */
