/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory shared between processes
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_MEMORY_SHARE_H
#define ACL_RT_MEMORY_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of exporting and importing memory between processes. */
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1UL

/* Links through which another process accesses exported memory. */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO 0
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS 1
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH 2
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH 3

/** enum aclrtIpcMemAttrType - attributes of exported memory. */
typedef enum aclrtIpcMemAttrType {
	ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0,
} aclrtIpcMemAttrType;

/**
 * struct aclrtServerPid - processes of one server that may import memory
 * @sdid: the server
 * @pid: array of process ids, owned by the caller
 * @num: elements of @pid
 */
typedef struct aclrtServerPid {
	uint32_t sdid;
	int32_t *pid;
	size_t num;
} aclrtServerPid;

/**
 * aclrtIpcMemGetExportKey() - a key with which another process can open device memory
 * @devPtr: the address
 * @size: bytes of the allocation
 * @key: out, text
 * @len: 65, the bytes at @key
 * @flags: ACL_RT_IPC_MEM_EXPORT_FLAG_*
 *
 * The allocation must stay valid as long as other processes use it.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key,
						     size_t len, uint64_t flags);

/**
 * aclrtIpcMemSetImportPid() - lists the processes that may open device memory
 * @key: its key
 * @pid: array of @num process ids, from aclrtDeviceGetBareTgid()
 * @num: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num);

/**
 * aclrtIpcMemImportByKey() - opens another process's device memory
 * @devPtr: out, its address in this process, valid until aclrtIpcMemClose()
 * @key: its key
 * @flags: ACL_RT_IPC_MEM_IMPORT_FLAG_*
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, also for memory of the same process, or
 * ACL_ERROR_RT_NO_PERMISSION when this process is not on the list of aclrtIpcMemSetImportPid().
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags);

/**
 * aclrtIpcMemClose() - ends the sharing of device memory on one side
 * @key: its key
 *
 * Both sides call it; the processes that opened the memory call it first.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemClose(const char *key);

/**
 * aclrtIpcMemSetAttr() - selects the link through which another process accesses device memory; call it
 * before the memory is opened
 * @key: its key
 * @type: ACL_RT_IPC_MEM_ATTR_ACCESS_LINK
 * @attr: one of ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_*
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetAttr(const char *key, aclrtIpcMemAttrType type,
						uint64_t attr);

/**
 * aclrtIpcMemImportPidInterServer() - lists processes of other servers that may open device memory
 * @key: its key
 * @serverPids: array of @num
 * @num: elements, > 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportPidInterServer(const char *key,
							     aclrtServerPid *serverPids,
							     size_t num);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MEMORY_SHARE_H */
