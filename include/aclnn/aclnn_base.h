/* SPDX-License-Identifier: MIT */
/*
 * DOC: Base of the operators
 *
 * Every aclnnop header includes this header.
 */
#ifndef ACLNN_ACLNN_BASE_H
#define ACLNN_ACLNN_BASE_H

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnInit() - prepares the operators; optional after aclInit()
 * @configPath: path of a JSON file, or NULL
 *
 * Context: any thread; may block on the file.
 * Return: 0, or the runtime's error.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char *configPath);

/**
 * aclnnFinalize() - undoes aclnnInit()
 *
 * Context: any thread, with no operator call in progress; never blocks.
 * Return: 0, or the runtime's error.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif /* ACLNN_ACLNN_BASE_H */
