/* SPDX-License-Identifier: MIT */
/*
 * DOC: Snapshots of a process
 *
 * Part of acl/acl_rt.h, which states the rules for all functions. No function of this header is supported: a process
 * can't be saved with its devices and restored. A program that has to go on later writes the results that matter to
 * files.
 */
#ifndef ACL_RT_SNAPSHOT_H
#define ACL_RT_SNAPSHOT_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtSnapShotStage - when a snapshot callback runs. */
typedef enum aclrtSnapShotStage {
	ACL_RT_SNAPSHOT_LOCK_PRE = 0,
	ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
	ACL_RT_SNAPSHOT_BACKUP_POST = 2,
	ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
	ACL_RT_SNAPSHOT_RESTORE_POST = 4,
	ACL_RT_SNAPSHOT_UNLOCK_POST = 5,
} aclrtSnapShotStage;

/** enum aclrtProcessState - whether a process is locked for a snapshot. */
typedef enum aclrtProcessState {
	ACL_RT_PROCESS_STATE_RUNNING = 0,
	ACL_RT_PROCESS_STATE_LOCKED = 1,
} aclrtProcessState;

/**
 * struct aclrtSnapShotBackupArgs - options of a snapshot's backup
 * @backupFlags: 0
 * @reserved: zero
 */
typedef struct aclrtSnapShotBackupArgs {
	uint32_t backupFlags;
	char reserved[60];
} aclrtSnapShotBackupArgs;

/**
 * struct aclrtSnapShotRestoreArgs - options of a snapshot's restore
 * @restoreFlags: 0
 * @reserved: zero
 */
typedef struct aclrtSnapShotRestoreArgs {
	uint32_t restoreFlags;
	char reserved[60];
} aclrtSnapShotRestoreArgs;

/**
 * typedef aclrtSnapShotCallBack - function that is called at a stage of a snapshot
 * @deviceId: the device
 * @args: the argument of the registration
 *
 * Context: the thread that takes the snapshot.
 * Return: 0, or another number to stop the snapshot.
 */
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void *args);

/**
 * aclrtSnapShotProcessLock() - blocks new calls of the process before a snapshot
 * @pid: the process itself
 * @reserve: NULL
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessLock(int pid, void *reserve);

/**
 * aclrtSnapShotProcessUnlock() - lets the process continue
 * @pid: the process itself
 * @reserve: NULL
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessUnlock(int pid, void *reserve);

/**
 * aclrtSnapShotProcessBackup() - saves the state of a locked process
 * @pid: the process itself
 * @args: NULL
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs *args);

/**
 * aclrtSnapShotProcessRestore() - restores the saved state
 * @pid: the process itself
 * @args: NULL
 *
 * Context: any thread; may block.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs *args);

/**
 * aclrtSnapShotCallbackRegister() - registers a function that is called at a stage of a snapshot
 * @stage: the stage
 * @callback: the function
 * @args: passed to @callback
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage,
							   aclrtSnapShotCallBack callback,
							   void *args);

/**
 * aclrtSnapShotCallbackUnregister() - undoes aclrtSnapShotCallbackRegister()
 * @stage: the stage
 * @callback: the function
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage,
							     aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_SNAPSHOT_H */
