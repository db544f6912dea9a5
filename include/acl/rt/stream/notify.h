/* SPDX-License-Identifier: MIT */
/*
 * DOC: Notifies and counters
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * A notify is a flag that one stream sets and another waits for; a counter is a number that streams
 * change and wait for. Both may be shared with other processes or devices.
 */
#ifndef ACL_RT_NOTIFY_H
#define ACL_RT_NOTIFY_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/memory/memory_share.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a notify, of its export and of its import. */
#define ACL_NOTIFY_DEFAULT 0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U
#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x02UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x02UL

/** enum aclrtCntNotifyRecordMode - how recording changes a counter. */
typedef enum aclrtCntNotifyRecordMode {
	ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
	ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
	ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
	ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4,
} aclrtCntNotifyRecordMode;

/** enum aclrtCntNotifyWaitMode - how waiting compares a counter. */
typedef enum aclrtCntNotifyWaitMode {
	ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
	ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
	ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
	ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
	ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4,
} aclrtCntNotifyWaitMode;

/**
 * struct aclrtCntNotifyRecordInfo - how to change a counter
 * @mode: what to do with @value
 * @value: operand
 */
typedef struct aclrtCntNotifyRecordInfo {
	aclrtCntNotifyRecordMode mode;
	uint32_t value;
} aclrtCntNotifyRecordInfo;

/**
 * struct aclrtCntNotifyWaitInfo - what to wait for on a counter
 * @mode: how to compare
 * @value: the number to compare with
 * @timeout: seconds, 0 for no limit
 * @isClear: 1 sets the counter to 0 afterwards
 * @rsv: zero
 */
typedef struct aclrtCntNotifyWaitInfo {
	aclrtCntNotifyWaitMode mode;
	uint32_t value;
	uint32_t timeout;
	uint8_t isClear;
	uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

/**
 * aclrtCreateNotify() - creates a notify on the current device
 * @notify: out, owned by the caller
 * @flag: ACL_NOTIFY_DEFAULT or ACL_NOTIFY_DEVICE_USE_ONLY
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_NO_NOTIFY_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag);

/**
 * aclrtDestroyNotify() - destroys a notify
 * @notify: the notify
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyNotify(aclrtNotify notify);

/**
 * aclrtRecordNotify() - sets a notify in a stream's order
 * @notify: the notify
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. One record releases one wait.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/**
 * aclrtWaitAndResetNotify() - lets a stream wait for a notify and clear it
 * @notify: the notify
 * @stream: a stream of the current context, or NULL
 * @timeout: seconds, 0 for no limit
 *
 * Asynchronous. If a wait exceeds its limit, the stream's next synchronisation returns
 * ACL_ERROR_RT_TASK_TIMEOUT.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream,
						     uint32_t timeout);

/**
 * aclrtGetNotifyId() - the number of a notify
 * @notify: the notify
 * @notifyId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId);

/**
 * aclrtNotifyBatchReset() - clears notifies from the host
 * @notifies: array of @num
 * @num: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num);

/**
 * aclrtNotifyGetExportKey() - a key with which another process can open a notify
 * @notify: the notify
 * @key: out, text
 * @len: bytes at @key, 65 at least
 * @flags: ACL_RT_NOTIFY_EXPORT_FLAG_*
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len,
						     uint64_t flags);

/**
 * aclrtNotifyImportByKey() - opens another process's notify
 * @notify: out, owned by the caller
 * @key: its key
 * @flags: ACL_RT_NOTIFY_IMPORT_FLAG_*
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, also for a notify of the same process, or
 * ACL_ERROR_RT_NO_PERMISSION when this process is not on the list of aclrtNotifySetImportPid().
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key,
						    uint64_t flags);

/**
 * aclrtNotifySetImportPid() - lists the processes that may open a notify
 * @notify: a notify that was exported
 * @pid: array of @num process ids
 * @num: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num);

/**
 * aclrtNotifySetImportPidInterServer() - lists processes of other servers that may open a notify
 * @notify: a notify that was exported
 * @serverPids: array of @num
 * @num: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify,
								aclrtServerPid *serverPids,
								size_t num);

/**
 * aclrtCntNotifyCreate() - creates a 32-bit counter on the current device
 * @cntNotify: out, owned by the caller; its value is 0
 * @flag: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_NO_NOTIFY_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag);

/**
 * aclrtCntNotifyDestroy() - destroys a counter
 * @cntNotify: the counter
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);

/**
 * aclrtCntNotifyRecord() - changes a counter in a stream's order
 * @cntNotify: the counter
 * @stream: a stream of the current context, or NULL
 * @info: the change
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
						  aclrtCntNotifyRecordInfo *info);

/**
 * aclrtCntNotifyWaitWithTimeout() - lets a stream wait for a counter
 * @cntNotify: the counter
 * @stream: a stream of the current context, or NULL
 * @info: what to wait for, how long, and whether the counter is cleared afterwards
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify,
							   aclrtStream stream,
							   aclrtCntNotifyWaitInfo *info);

/**
 * aclrtCntNotifyReset() - sets a counter to 0 in a stream's order
 * @cntNotify: the counter
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);

/**
 * aclrtCntNotifyGetId() - the number of a counter
 * @cntNotify: the counter
 * @notifyId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_NOTIFY_H */
