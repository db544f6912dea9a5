/* SPDX-License-Identifier: MIT */
/*
 * DOC: Dumps of operators
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
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
 * Nothing is written until aclmdlSetDump() selects data, or acldumpRegCallback() registers a function,
 * which then gets the outputs of all operators.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_UNINITIALIZE before aclInit(), or ACL_ERROR_DUMP_ALREADY_RUN, also when the file
 * of aclInit() has configured dumps.
 */
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/**
 * aclmdlSetDump() - selects the data of operators that is written to files
 * @dumpCfgPath: path of a JSON file
 *
 * Dumps operators whose first phase comes after this call. A second call replaces the selection.
 *
 * Context: any thread; may block on the file.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_FILE for a file that cannot be read,
 * ACL_ERROR_PARSE_FILE for one that is not JSON, ACL_ERROR_INVALID_DUMP_CONFIG, or
 * ACL_ERROR_DUMP_NOT_RUN.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char *dumpCfgPath);

/**
 * aclmdlFinalizeDump() - stops the service of aclmdlInitDump()
 *
 * Operators that are already in a stream are still dumped as configured.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_DUMP_NOT_RUN, or ACL_ERROR_WRITE_FILE when data was lost; the service has
 * stopped then, too.
 */
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DUMP_H */
