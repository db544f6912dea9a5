/* SPDX-License-Identifier: MIT */
/*
 * DOC: Compilation of kernels at run time
 *
 * A program compiles the source of kernels that it has as text, and loads the result with aclrtBinaryLoadFromData(). No
 * device is needed. unpu-ascendcc of the toolkit and a C++ compiler do the work (Documentation/kernels.rst).
 *
 * Each function returns ACL_SUCCESS or a number of ACL_ERROR_RTC_*; aclGetRecentErrMsg() has a sentence about it. A
 * handle that is NULL or not alive fails with ACL_ERROR_RTC_INVALID_PROG, a required pointer that is NULL with
 * ACL_ERROR_RTC_INVALID_INPUT. Any thread may call them; calls for one program wait for each other.
 */
#ifndef ACL_ACL_RT_COMPILE_H
#define ACL_ACL_RT_COMPILE_H

#include <stddef.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** typedef aclrtcProg - a program: source, options, log and result. */
typedef void *aclrtcProg;

#define ACL_ERROR_RTC_INVALID_PROG 176000
#define ACL_ERROR_RTC_INVALID_INPUT 176001
#define ACL_ERROR_RTC_INVALID_OPTION 176002
#define ACL_ERROR_RTC_COMPILATION 176003
#define ACL_ERROR_RTC_LINKING 176004
#define ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION 176005
#define ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION 176006
#define ACL_ERROR_RTC_NAME_EXPR_NOT_VALID 176007
#define ACL_ERROR_RTC_OUT_OF_MEMORY 276001
#define ACL_ERROR_RTC_FAILURE 576000

/**
 * aclrtcCreateProg() - makes a program
 * @prog: receives the handle
 * @src: the source, which is copied
 * @name: what messages of the compiler call it; NULL or "": default_program
 * @numHeaders: of headers that the source includes and no folder has, or 0
 * @headers: their texts, which are copied; may be NULL without headers
 * @includeNames: the names by which the source includes them: relative, without ".."
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcCreateProg(aclrtcProg *prog, const char *src, const char *name,
					      int numHeaders, const char **headers,
					      const char **includeNames);

/**
 * aclrtcDestroyProg() - ends a program
 * @prog: the handle, which becomes NULL
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcDestroyProg(aclrtcProg *prog);

/**
 * aclrtcAddNameExpr() - asks for a kernel that the source need not launch, as an instance of a template
 * @prog: not compiled yet, else ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION
 * @nameExpr: names the kernel as code behind the source would: "space::add<float>"
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcAddNameExpr(aclrtcProg prog, const char *nameExpr);

/**
 * aclrtcCompileProg() - compiles a program
 * @prog: may have been compiled before: the new result takes the place of the old one
 * @numOptions: number of options, or 0
 * @options: of the compiler, as -O2, -g, -Iinclude and -DX=1. --npu-arch is dav-2201, or dav-2002 for kernels of
 *	Ascend310P, whose UB is larger; others fail with ACL_ERROR_RTC_INVALID_OPTION.
 *	One that names a file to write, or another source, fails with ACL_ERROR_RTC_INVALID_OPTION.
 * Return: ACL_ERROR_RTC_COMPILATION, ACL_ERROR_RTC_LINKING: the log has the messages.
 *	ACL_ERROR_RTC_FAILURE: the toolkit has no unpu-ascendcc, or no file can be written.
 */
ACL_FUNC_VISIBILITY aclError aclrtcCompileProg(aclrtcProg prog, int numOptions,
					       const char **options);

/**
 * aclrtcGetBinDataSize() - tells how many bytes aclrtcGetBinData() stores
 * @prog: compiled, else ACL_ERROR_RTC_INVALID_PROG
 * @binDataSizeRet: receives the number
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t *binDataSizeRet);

/**
 * aclrtcGetBinData() - copies the result, for aclrtBinaryLoadFromData()
 * @prog: compiled, else ACL_ERROR_RTC_INVALID_PROG
 * @binData: room for aclrtcGetBinDataSize() bytes
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcGetBinData(aclrtcProg prog, char *binData);

/**
 * aclrtcGetLoweredName() - tells by which name aclrtBinaryGetFunction() finds a kernel
 * @prog: compiled, else ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION
 * @nameExpr: as it was given to aclrtcAddNameExpr(), else ACL_ERROR_RTC_NAME_EXPR_NOT_VALID
 * @loweredName: receives the name, which belongs to the program
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcGetLoweredName(aclrtcProg prog, const char *nameExpr,
						  const char **loweredName);

/**
 * aclrtcGetCompileLogSize() - tells how many bytes aclrtcGetCompileLog() stores, with the terminating zero
 * @prog: of which the log is empty until it is compiled
 * @logSizeRet: receives the number
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t *logSizeRet);

/**
 * aclrtcGetCompileLog() - copies what the last compilation has said
 * @prog: the program
 * @log: room for aclrtcGetCompileLogSize() bytes
 * Return: 0, or a number of ACL_ERROR_RTC_*.
 */
ACL_FUNC_VISIBILITY aclError aclrtcGetCompileLog(aclrtcProg prog, char *log);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_RT_COMPILE_H */
