/* SPDX-License-Identifier: MIT */
/*
 * DOC: Reports to the profiler
 *
 * Frameworks and launchers of kernels tell the profiler by these functions what they did, and when. A report becomes a
 * mark in the trace; while nothing is recorded it does nothing. Each function that fails sets a sentence for
 * aclGetRecentErrMsg().
 */
#ifndef PROFILING_APROF_PUB_H
#define PROFILING_APROF_PUB_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Results. */
#define MSPROF_ERROR_NONE 0
#define MSPROF_ERROR (-1)

/* What @magicNumber of a report is. */
#define MSPROF_REPORT_DATA_MAGIC_NUM 0x5A5AU

/**
 * struct MsprofApi - a call that a program reports
 * @magicNumber: MSPROF_REPORT_DATA_MAGIC_NUM
 * @level: the layer of the program; any number
 * @type: the kind of call; any number
 * @threadId: the kernel's number of the thread that made it
 * @reserve: not read
 * @beginTime: MsprofSysCycleTime() at its beginning
 * @endTime: the same at its end
 * @itemId: MsprofGetHashId() of its name
 */
struct MsprofApi {
#ifdef __cplusplus
	uint16_t magicNumber = MSPROF_REPORT_DATA_MAGIC_NUM;
#else
	uint16_t magicNumber;
#endif
	uint16_t level;
	uint32_t type;
	uint32_t threadId;
	uint32_t reserve;
	uint64_t beginTime;
	uint64_t endTime;
	uint64_t itemId;
};

/**
 * MsprofSysCycleTime() - the present time for reports
 *
 * Context: any thread; never blocks.
 * Return: nanoseconds of CLOCK_MONOTONIC, the clock of all traces.
 */
ACL_FUNC_VISIBILITY uint64_t MsprofSysCycleTime(void);

/**
 * MsprofGetHashId() - the number of a name; equal names have the same number
 * @hashInfo: the name; it need not end in a zero byte
 * @length: its bytes, 1 to 1024
 *
 * Context: any thread.
 * Return: the number; 0 on failure.
 */
ACL_FUNC_VISIBILITY uint64_t MsprofGetHashId(const char *hashInfo, size_t length);

/**
 * MsprofReportApi() - reports a call that has ended
 * @agingFlag: any number
 * @api: what was called, and when; not kept
 *
 * The mark is on the row of the calling thread, at the time of the report. Its text has the name, and how long the call
 * took.
 *
 * Context: any thread; never waits for a device.
 * Return: MSPROF_ERROR_NONE or MSPROF_ERROR.
 */
ACL_FUNC_VISIBILITY int32_t MsprofReportApi(uint32_t agingFlag, const struct MsprofApi *api);

/**
 * MsprofSetDeviceIdByGeModelIdx() - says on which device a model of the program runs
 * @geModelIdx: the program's number of the model
 * @deviceId: the device
 *
 * The library knows the device of each model that it runs. So it checks and keeps the pair, and needs it for nothing
 * else: aclprofModelSubscribe() works with the call and without.
 *
 * Context: any thread.
 * Return: MSPROF_ERROR_NONE, or MSPROF_ERROR if there is no such device, or the model has another one already.
 */
ACL_FUNC_VISIBILITY int32_t MsprofSetDeviceIdByGeModelIdx(const uint32_t geModelIdx,
							  const uint32_t deviceId);

/**
 * MsprofUnsetDeviceIdByGeModelIdx() - undoes MsprofSetDeviceIdByGeModelIdx()
 * @geModelIdx: the number of the model
 * @deviceId: its device
 *
 * Context: any thread.
 * Return: MSPROF_ERROR_NONE, or MSPROF_ERROR if the model does not have the device.
 */
ACL_FUNC_VISIBILITY int32_t MsprofUnsetDeviceIdByGeModelIdx(const uint32_t geModelIdx,
							    const uint32_t deviceId);

#ifdef __cplusplus
}
#endif

#endif /* PROFILING_APROF_PUB_H */
