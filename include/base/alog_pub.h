/* SPDX-License-Identifier: MIT */
/*
 * DOC: Records of modules
 *
 * Modules of a program write to the log of the library, as aclAppLog() does: records of at least UNPU_LOG_LEVEL, to
 * UNPU_LOG_FILE or stderr.
 */
#ifndef BASE_ALOG_PUB_H
#define BASE_ALOG_PUB_H

#include "base/log_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * AlogCheckDebugLevel() - whether records of a level are written
 * @moduleId: not read: one level holds for all modules
 * @level: DLOG_DEBUG to DLOG_ERROR
 *
 * Context: any thread; never blocks.
 * Return: 1 if they are, else 0, also for another @level.
 */
ACL_FUNC_VISIBILITY int32_t AlogCheckDebugLevel(uint32_t moduleId, int32_t level);

/**
 * AlogRecord() - writes a record
 * @moduleId: the module, which the record names by its number
 * @logType: DLOG_TYPE_DEBUG or DLOG_TYPE_RUN
 * @level: DLOG_DEBUG to DLOG_ERROR
 * @fmt: as for printf(); the text is cut at 1024 bytes
 *
 * Context: any thread; may block on the file.
 * Return: 0, also for a level that is not written; -1 for NULL and for another @logType or @level, with a sentence for
 * aclGetRecentErrMsg().
 */
ACL_FUNC_VISIBILITY int32_t AlogRecord(uint32_t moduleId, uint32_t logType, int32_t level,
				       const char *fmt, ...);

#ifdef __cplusplus
}
#endif

#endif /* BASE_ALOG_PUB_H */
