/* SPDX-License-Identifier: MIT */
/*
 * DOC: Dumps of operators
 *
 * Part of acl/acl_rt.h, which states what holds for every function.
 */
#ifndef ACL_RT_DUMP_H
#define ACL_RT_DUMP_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclmdlInitDump() - starts the service that writes data of operators to files
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_DUMP_ALREADY_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/**
 * aclmdlSetDump() - chooses what data of operators is written to files
 * @dumpCfgPath: path of a JSON file
 *
 * Context: any thread; may block on the file.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_DUMP_CONFIG, or ACL_ERROR_DUMP_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char *dumpCfgPath);

/**
 * aclmdlFinalizeDump() - stops the service of aclmdlInitDump()
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_DUMP_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DUMP_H */
