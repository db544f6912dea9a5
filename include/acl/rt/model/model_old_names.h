/* SPDX-License-Identifier: MIT */
/*
 * DOC: Captured models, by the names of one early release
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * An early release had other names for five functions of captured models. No page has their parameters, and a model
 * was not a handle then, so none of them is supported: a call is compiled with any arguments, reads none of them, and
 * aclGetRecentErrMsg() gives the name of today.
 */
#ifndef ACL_RT_MODEL_OLD_NAMES_H
#define ACL_RT_MODEL_OLD_NAMES_H

#include "acl/acl_base.h"

/* C before C23 writes any arguments as none. */
#pragma GCC diagnostic push
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define ACL_ANY_ARGUMENTS ...
#else
#define ACL_ANY_ARGUMENTS
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclmdlBeginCapture() - had the place of aclmdlRICaptureBegin()
 * @ACL_ANY_ARGUMENTS: not read
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlBeginCapture(ACL_ANY_ARGUMENTS);

/**
 * aclmdlGetCaptureInfo() - had the place of aclmdlRICaptureGetInfo()
 * @ACL_ANY_ARGUMENTS: not read
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetCaptureInfo(ACL_ANY_ARGUMENTS);

/**
 * aclmdlThreadExchangeCaptureMode() - had the place of aclmdlRICaptureThreadExchangeMode()
 * @ACL_ANY_ARGUMENTS: not read
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlThreadExchangeCaptureMode(ACL_ANY_ARGUMENTS);

/**
 * aclmdlEndCapture() - had the place of aclmdlRICaptureEnd()
 * @ACL_ANY_ARGUMENTS: not read
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlEndCapture(ACL_ANY_ARGUMENTS);

/**
 * aclmdlDebugPrint() - had the place of aclmdlRIDebugPrint()
 * @ACL_ANY_ARGUMENTS: not read
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDebugPrint(ACL_ANY_ARGUMENTS);

#ifdef __cplusplus
}
#endif

#undef ACL_ANY_ARGUMENTS
#pragma GCC diagnostic pop

#endif
