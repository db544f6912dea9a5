/* SPDX-License-Identifier: MIT */
/*
 * DOC: Initialisation, versions, errors
 *
 * Part of acl/acl_rt.h, which states what holds for every function.
 */
#ifndef ACL_RT_INIT_H
#define ACL_RT_INIT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The interface version these headers describe. */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

/* Sizes of struct aclCANNPackageVersion's strings, in bytes. */
#define ACL_PKG_VERSION_MAX_SIZE 128
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64

/** enum aclrtRunMode - where the program runs. */
typedef enum aclrtRunMode {
	ACL_DEVICE = 0,
	ACL_HOST = 1,
} aclrtRunMode;

/** enum aclrtLastErrLevel - whose last error is meant. */
typedef enum aclrtLastErrLevel {
	ACL_RT_THREAD_LEVEL = 0,
} aclrtLastErrLevel;

/** enum aclRegisterCallbackType - which component asks to be told about init and finalize. */
typedef enum aclRegisterCallbackType {
	ACL_REG_TYPE_ACL_MODEL = 0,
	ACL_REG_TYPE_ACL_OP_EXECUTOR = 1,
	ACL_REG_TYPE_ACL_OP_CBLAS = 2,
	ACL_REG_TYPE_ACL_OP_COMPILER = 3,
	ACL_REG_TYPE_ACL_TDT_CHANNEL = 4,
	ACL_REG_TYPE_ACL_TDT_QUEUE = 5,
	ACL_REG_TYPE_ACL_DVPP = 6,
	ACL_REG_TYPE_ACL_RETR = 7,
	ACL_REG_TYPE_OTHER = 65535,
} aclRegisterCallbackType;

/** enum aclCANNPackageName - installable packages with a version. */
typedef enum aclCANNPackageName {
	ACL_PKG_NAME_CANN = 0,
	ACL_PKG_NAME_RUNTIME = 1,
	ACL_PKG_NAME_COMPILER = 2,
	ACL_PKG_NAME_HCCL = 3,
	ACL_PKG_NAME_TOOLKIT = 4,
	ACL_PKG_NAME_OPP = 5,
	ACL_PKG_NAME_OPP_KERNEL = 6,
	ACL_PKG_NAME_DRIVER = 7,
} aclCANNPackageName;

/**
 * struct aclCANNPackageVersion - version of an installed package, as text
 * @version: the whole version
 * @majorVersion: its first part
 * @minorVersion: its second part
 * @releaseVersion: its release name
 * @patchVersion: its patch part
 * @reserved: zero
 */
typedef struct aclCANNPackageVersion {
	char version[ACL_PKG_VERSION_MAX_SIZE];
	char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;

/**
 * typedef aclInitCallbackFunc - called inside aclInit()
 * @configStr: the configuration's JSON text, valid during the call
 * @len: bytes of @configStr
 * @userData: what was registered
 *
 * Context: the thread that calls aclInit().
 * Return: 0, or an error that aclInit() passes on.
 */
typedef aclError (*aclInitCallbackFunc)(const char *configStr, size_t len, void *userData);

/**
 * typedef aclFinalizeCallbackFunc - called inside aclFinalize()
 * @userData: what was registered
 *
 * Context: the thread that calls aclFinalize().
 * Return: 0, or an error.
 */
typedef aclError (*aclFinalizeCallbackFunc)(void *userData);

/**
 * aclInit() - initialises the library for the process
 * @configPath: path of a JSON file, or NULL or "" for the defaults
 *
 * Calls are counted. A call while initialised counts and returns ACL_ERROR_REPEAT_INITIALIZE, which
 * programs may ignore. After a finalize the configuration must be the first one again.
 *
 * Context: any thread; may block on the file.
 * Return: 0, ACL_ERROR_REPEAT_INITIALIZE, ACL_ERROR_INVALID_FILE when the file can't be read,
 * ACL_ERROR_PARSE_FILE when it isn't valid JSON, or ACL_ERROR_INVALID_PARAM when the configuration
 * differs from the first one.
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/**
 * aclFinalize() - tears the library down, whatever the count of aclInit() calls
 *
 * Context: any thread, with no other call in progress; may block until devices are idle.
 * Return: 0, or ACL_ERROR_REPEAT_FINALIZE when it is torn down already.
 */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/**
 * aclFinalizeReference() - gives one aclInit() call back, tearing down with the last one
 * @refCount: out, calls still to be given back; may be NULL
 *
 * Context: as aclFinalize().
 * Return: 0, or ACL_ERROR_REPEAT_FINALIZE when nothing is left to give back.
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t *refCount);

/**
 * aclGetRecentErrMsg() - takes the sentences of the calling thread's failures, newest first
 *
 * Taking clears them.
 *
 * Context: any thread; never blocks.
 * Return: text owned by the library, valid until the thread's next call of this function; NULL when
 * there is none.
 */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void);

/**
 * aclrtPeekAtLastError() - the thread's last runtime error; keeps it
 * @level: ACL_RT_THREAD_LEVEL
 *
 * Context: any thread; never blocks.
 * Return: the last error, 0 when there is none, or ACL_ERROR_INVALID_PARAM for another @level.
 */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/**
 * aclrtGetLastError() - the thread's last runtime error; resets it to 0
 * @level: ACL_RT_THREAD_LEVEL
 *
 * Context: any thread; never blocks.
 * Return: the last error, 0 when there is none, or ACL_ERROR_INVALID_PARAM for another @level.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

/**
 * aclrtGetVersion() - the interface version of the loaded library
 * @majorVersion: out
 * @minorVersion: out
 * @patchVersion: out
 *
 * Context: any thread, before aclInit() too; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion,
					     int32_t *patchVersion);

/**
 * aclrtGetSocName() - the chip's name, as programs select code by it
 *
 * Context: any thread; never blocks.
 * Return: text owned by the library, valid until the process ends; never NULL.
 */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/**
 * aclrtGetRunMode() - tells whether the program runs on the host or on the device
 * @runMode: out, ACL_HOST
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode *runMode);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_INIT_H */
