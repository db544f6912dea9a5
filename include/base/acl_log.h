/* SPDX-License-Identifier: MIT */
/*
 * DOC: Records of devices
 *
 * A function of the program can be told of the records that a device writes to its own log. The device of this
 * implementation has no log: what it finds out comes as codes and sentences of calls. So registered functions are
 * kept, and are never called.
 */
#ifndef BASE_ACL_LOG_H
#define BASE_ACL_LOG_H

#include "base/log_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * acllogRegisterCallback() - registers a function for the records of devices
 * @callbackFunc: the function
 * @userData: what it gets; may be NULL
 * @outputLogType: one of acllogOutputLogType
 * @callbackHandle: out, for acllogUnregisterCallback()
 *
 * At most 16 functions are registered at a time; the same one may be several times.
 *
 * Context: any thread; never blocks.
 * Return: 0; -1 for NULL, for another @outputLogType and with 16 functions, with a sentence for aclGetRecentErrMsg().
 */
ACL_FUNC_VISIBILITY int32_t acllogRegisterCallback(acllogRecordCallback callbackFunc,
						   void *userData, uint32_t outputLogType,
						   acllogCallbackHandle *callbackHandle);

/**
 * acllogUnregisterCallback() - ends a registration
 * @callback: the handle of the registration
 *
 * Context: any thread; never blocks.
 * Return: 0; -1 for any other number, with a sentence for aclGetRecentErrMsg().
 */
ACL_FUNC_VISIBILITY int32_t acllogUnregisterCallback(acllogCallbackHandle callback);

#ifdef __cplusplus
}
#endif

#endif /* BASE_ACL_LOG_H */
