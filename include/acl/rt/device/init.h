/* SPDX-License-Identifier: MIT */
/*
 * DOC: Initialisation, versions, errors
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
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

/** enum aclrtLastErrLevel - scope of the last error. */
typedef enum aclrtLastErrLevel {
	ACL_RT_THREAD_LEVEL = 0,
} aclrtLastErrLevel;

/** enum aclRegisterCallbackType - components that can register callbacks for init and finalize. */
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
 * @userData: the argument of the registration
 *
 * Context: the thread that calls aclInit().
 * Return: 0, or an error that aclInit() returns.
 */
typedef aclError (*aclInitCallbackFunc)(const char *configStr, size_t len, void *userData);

/**
 * typedef aclFinalizeCallbackFunc - called inside aclFinalize()
 * @userData: the argument of the registration
 *
 * Context: the thread that calls aclFinalize().
 * Return: 0, or an error.
 */
typedef aclError (*aclFinalizeCallbackFunc)(void *userData);

/**
 * aclInit() - initialises the library for the process
 * @configPath: path of a JSON file, or NULL or "" for the defaults
 *
 * The library counts the calls. A call while the library is initialised counts and returns
 * ACL_ERROR_REPEAT_INITIALIZE, which programs may ignore. After a finalize the configuration must be
 * the same as the first one.
 *
 * Context: any thread; may block on the file.
 * Return: 0, ACL_ERROR_REPEAT_INITIALIZE, ACL_ERROR_INVALID_FILE when the file can't be read,
 * ACL_ERROR_PARSE_FILE when it isn't valid JSON or a value is impossible,
 * ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG, ACL_ERROR_INVALID_PARAM when the configuration differs
 * from the first one, or what a callback returned.
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/**
 * aclFinalize() - shuts the library down, independent of the number of aclInit() calls
 *
 * Work that is ready may run for force_ms of the device string, 1 s by default; the rest is dropped.
 * Context: any thread, with no other call in progress.
 * Return: 0, ACL_ERROR_REPEAT_FINALIZE when it is already shut down, or the first error of a callback.
 */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/**
 * aclFinalizeReference() - undoes one aclInit() call; the last one shuts the library down
 * @refCount: out, number of aclInit() calls that are left; may be NULL
 *
 * Context: as aclFinalize().
 * Return: 0, ACL_ERROR_REPEAT_FINALIZE when no aclInit() call is left, or the first error of a
 * callback.
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t *refCount);

/**
 * aclInitCallbackRegister() - registers a function that aclInit() calls
 * @type: the component that asks
 * @cbFunc: the function
 * @userData: passed to @cbFunc; must live until it is unregistered
 *
 * If the library is initialised already, the function runs at once. If it returns an error, aclInit()
 * stops and returns that error.
 *
 * Context: any thread; @cbFunc may run inside.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or the error of @cbFunc.
 */
ACL_FUNC_VISIBILITY aclError aclInitCallbackRegister(aclRegisterCallbackType type,
						     aclInitCallbackFunc cbFunc, void *userData);

/**
 * aclInitCallbackUnRegister() - undoes aclInitCallbackRegister()
 * @type: the component
 * @cbFunc: the function
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM when the pair is not registered.
 */
ACL_FUNC_VISIBILITY aclError aclInitCallbackUnRegister(aclRegisterCallbackType type,
						       aclInitCallbackFunc cbFunc);

/**
 * aclFinalizeCallbackRegister() - registers a function that is called when the library is shut down
 * @type: the component that asks
 * @cbFunc: the function
 * @userData: passed to @cbFunc; must live until it is unregistered
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type,
							 aclFinalizeCallbackFunc cbFunc,
							 void *userData);

/**
 * aclFinalizeCallbackUnRegister() - undoes aclFinalizeCallbackRegister()
 * @type: the component
 * @cbFunc: the function
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM when the pair is not registered.
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
							   aclFinalizeCallbackFunc cbFunc);

/**
 * aclGetRecentErrMsg() - the error sentences of the calling thread's failures, newest first
 *
 * The call clears them.
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
 * A task that has failed in a stream of the thread's context counts too, once, before a synchronisation reports it.
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
 * aclsysGetCANNVersion() - the version of an installed package, in parts
 * @name: the package
 * @version: out
 *
 * Deprecated; new programs use aclsysGetVersionStr().
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_INVALID_FILE when the package is not installed.
 */
ACL_FUNC_VISIBILITY aclError aclsysGetCANNVersion(aclCANNPackageName name,
						  aclCANNPackageVersion *version);

/**
 * aclsysGetVersionStr() - the version of an installed package, as text
 * @pkgName: name of the package, such as "runtime"
 * @versionStr: out, 128 bytes
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_INVALID_FILE when the package is not installed.
 */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char *pkgName, char *versionStr);

/**
 * aclsysGetVersionNum() - the version of an installed package, as a number that increases with the
 * version
 * @pkgName: name of the package, such as "runtime"
 * @versionNum: out, major * 10^7 + minor * 10^5 + patch * 10^3; an alpha, beta or release candidate
 * n is smaller by 300 - n, 200 - n or 100 - n
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_INVALID_FILE when the package is not installed.
 */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);

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
 * aclrtGetSocName() - the chip's name, by which programs select code
 *
 * Context: any thread; never blocks.
 * Return: text owned by the library, valid until the process ends; never NULL.
 */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/**
 * aclGetCannAttributeList() - the features that aclGetCannAttribute() knows
 * @cannAttrList: out, array owned by the library
 * @num: out, elements of the array
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num);

/**
 * aclGetCannAttribute() - whether a feature is supported
 * @cannAttr: the feature
 * @value: out, 1 or 0
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM for an unknown feature.
 */
ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value);

/**
 * aclGetDeviceCapability() - a count or a size of a device
 * @deviceId: the device
 * @deviceInfo: the property
 * @value: out, cores, or bytes of the L2 cache
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_INVALID_PARAM for an unknown property, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo,
						    int64_t *value);

/**
 * aclrtGetRunMode() - whether the program runs on the host or on the device
 * @runMode: out, ACL_HOST
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode *runMode);

/**
 * aclrtCheckArchCompatibility() - whether code for a chip runs on this one
 * @socVersion: name of the chip the code was built for
 * @canCompatible: out, 1 or 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtCheckArchCompatibility(const char *socVersion,
							 int32_t *canCompatible);

/**
 * aclrtSetSysParamOpt() - sets an option of the process
 * @opt: the option
 * @value: its value
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM for an unknown option.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * aclrtGetSysParamOpt() - an option of the process
 * @opt: the option
 * @value: out, 0 when it was never set
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM for an unknown option.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/**
 * aclrtCtxSetSysParamOpt() - sets an option of the current context
 * @opt: the option; not ACL_OPT_ENABLE_KERNEL_EARLY_START, which only a process has
 * @value: its value
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM for an unknown option.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * aclrtCtxGetSysParamOpt() - an option of the current context
 * @opt: the option; not ACL_OPT_ENABLE_KERNEL_EARLY_START, which only a process has
 * @value: out
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for an unknown option, or ACL_ERROR_RT_SYSPARAMOPT_NOT_SET when it
 * was never set in the context.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_INIT_H */
