/* SPDX-License-Identifier: MIT */
/*
 * DOC: Registered host memory
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_MEMORY_HOST_H
#define ACL_RT_MEMORY_HOST_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of registering host memory. */
#define ACL_HOST_REG_MAPPED 0x2UL
#define ACL_HOST_REG_IOMEMORY 0x4UL
#define ACL_HOST_REG_READONLY 0x8UL
#define ACL_HOST_REG_PINNED 0x10000000UL

/** enum aclrtHostRegisterType - how registered host memory is made visible. */
typedef enum aclrtHostRegisterType {
	ACL_HOST_REGISTER_MAPPED = 0,
	ACL_HOST_REGISTER_IOMEMORY = 4,
	ACL_HOST_REGISTER_READONLY = 8,
} aclrtHostRegisterType;

/** enum aclrtHacType - accelerators that may access host memory. */
typedef enum aclrtHacType {
	ACL_RT_HAC_TYPE_STARS = 0,
	ACL_RT_HAC_TYPE_AICPU = 1,
	ACL_RT_HAC_TYPE_AIC = 2,
	ACL_RT_HAC_TYPE_AIV = 3,
	ACL_RT_HAC_TYPE_PCIEDMA = 4,
	ACL_RT_HAC_TYPE_RDMA = 5,
	ACL_RT_HAC_TYPE_SDMA = 6,
	ACL_RT_HAC_TYPE_DVPP = 7,
	ACL_RT_HAC_TYPE_UDMA = 8,
	ACL_RT_HAC_TYPE_CCU = 9,
} aclrtHacType;

/** enum aclrtHostMemMapCapability - whether an accelerator can access host memory. */
typedef enum aclrtHostMemMapCapability {
	ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
	ACL_RT_HOST_MEM_MAP_SUPPORTED = 1,
} aclrtHostMemMapCapability;

/**
 * aclrtHostRegister() - lets kernels access the program's own host memory
 * @ptr: address of the memory, a multiple of 4096; stays the caller's
 * @size: bytes, > 0
 * @type: ACL_HOST_REGISTER_MAPPED
 * @devPtr: out, the address for kernels; copies use @ptr
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or
 * ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type,
					       void **devPtr);

/**
 * aclrtHostRegisterV2() - lets kernels access the program's own host memory, whose pages stay as they are
 * @ptr: address of the memory, a multiple of 4096; stays the caller's
 * @size: bytes, > 0
 * @flag: ACL_HOST_REG_MAPPED, ACL_HOST_REG_PINNED, or both
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for other flags, or
 * ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);

/**
 * aclrtHostGetDevicePointer() - the address with which kernels access registered host memory
 * @pHost: address in registered memory
 * @pDevice: out
 * @flag: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for another @flag, or ACL_ERROR_RT_PARAM_INVALID when the
 * memory is not mapped.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);

/**
 * aclrtHostMemMapCapabilities() - whether an accelerator can access host memory
 * @deviceId: the device
 * @hacType: the accelerator
 * @capabilities: out
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
							 aclrtHostMemMapCapability *capabilities);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MEMORY_HOST_H */
