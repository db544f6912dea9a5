/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory and NICs of communicators
 *
 * Part of hccl/hccl.h. Programs look for these functions; none of them is supported.
 */
#ifndef HCCL_MEMORY_H
#define HCCL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * HcclCommSetMemoryRange() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @baseVirPtr: ignored
 * @size: ignored
 * @alignment: ignored
 * @flags: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommSetMemoryRange(HcclComm comm, void *baseVirPtr, size_t size,
						      size_t alignment, uint64_t flags);

/**
 * HcclCommUnsetMemoryRange() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @baseVirPtr: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void *baseVirPtr);

/**
 * HcclCommActivateCommMemory() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @virPtr: ignored
 * @size: ignored
 * @offset: ignored
 * @handle: ignored
 * @flags: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommActivateCommMemory(HcclComm comm, void *virPtr, size_t size,
							  size_t offset, aclrtDrvMemHandle handle,
							  uint64_t flags);

/**
 * HcclCommDeactivateCommMemory() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @virPtr: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void *virPtr);

/**
 * HcclCommRegister() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @addr: ignored
 * @size: ignored
 * @handle: ignored
 * @flag: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommRegister(HcclComm comm, void *addr, uint64_t size,
						void **handle, uint32_t flag);

/**
 * HcclCommDeregister() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @handle: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommDeregister(HcclComm comm, void *handle);

/**
 * HcclCommExchangeMem() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @handle: ignored
 * @peerRanks: ignored
 * @peerRankNum: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommExchangeMem(HcclComm comm, void *handle, uint32_t *peerRanks,
						   uint32_t peerRankNum);

/**
 * HcclCommSymWinRegister() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @addr: ignored
 * @size: ignored
 * @winHandle: ignored
 * @flag: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinRegister(HcclComm comm, void *addr, uint64_t size,
						      HcclCommSymWindow *winHandle, uint32_t flag);

/**
 * HcclCommSymWinDeregister() - is not supported: operations copy through buffers of the communicator
 * @winHandle: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle);

/**
 * HcclCommSymWinGet() - is not supported: operations copy through buffers of the communicator
 * @comm: ignored
 * @ptr: ignored
 * @size: ignored
 * @winHandle: ignored
 * @offset: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinGet(HcclComm comm, void *ptr, size_t size,
						 HcclCommSymWindow *winHandle, size_t *offset);

/**
 * HcclCommWorkingDevNicSet() - is not supported: the devices have no NIC
 * @comm: ignored
 * @ranks: ignored
 * @useBackup: ignored
 * @nRanks: ignored
 *
 * Return: HCCL_E_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t *ranks,
							bool *useBackup, uint32_t nRanks);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_MEMORY_H */
