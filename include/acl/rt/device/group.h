/* SPDX-License-Identifier: MIT */
/*
 * DOC: Groups of cores
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_GROUP_H
#define ACL_RT_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtGroupAttr - attributes of a group of cores. */
typedef enum aclrtGroupAttr {
	ACL_GROUP_AICORE_INT = 0,
	ACL_GROUP_AIV_INT = 1,
	ACL_GROUP_AIC_INT = 2,
	ACL_GROUP_SDMANUM_INT = 3,
	ACL_GROUP_ASQNUM_INT = 4,
	ACL_GROUP_GROUPID_INT = 5,
} aclrtGroupAttr;

/** typedef aclrtGroupInfo - description of the groups of cores of a device. */
typedef struct tagRtGroupInfo aclrtGroupInfo;

/**
 * aclrtSetGroup() - chooses the group of cores for later work of the calling thread
 * @groupId: number of the group
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_GROUP_NOT_CREATE, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetGroup(int32_t groupId);

/**
 * aclrtGetGroupCount() - how many groups of cores there are
 * @count: out
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetGroupCount(uint32_t *count);

/**
 * aclrtCreateGroupInfo() - creates an empty description of all groups
 *
 * Context: any thread; never blocks.
 * Return: NULL; it is not supported.
 */
ACL_FUNC_VISIBILITY aclrtGroupInfo *aclrtCreateGroupInfo(void);

/**
 * aclrtDestroyGroupInfo() - destroys a description of groups
 * @groupInfo: the description
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo);

/**
 * aclrtGetAllGroupInfo() - describes all groups
 * @groupInfo: out
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo);

/**
 * aclrtGetGroupInfoDetail() - an attribute of a group
 * @groupInfo: the description of all groups
 * @groupIndex: which group
 * @attr: which attribute
 * @attrValue: out
 * @valueLen: bytes at @attrValue
 * @paramRetSize: out, bytes written
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo,
						     int32_t groupIndex, aclrtGroupAttr attr,
						     void *attrValue, size_t valueLen,
						     size_t *paramRetSize);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_GROUP_H */
