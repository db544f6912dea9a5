/* SPDX-License-Identifier: MIT */
/*
 * DOC: Attributes of devices
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_DEVICE_INFO_H
#define ACL_RT_DEVICE_INFO_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Results of a query for a device feature. */
#define ACL_DEV_FEATURE_SUPPORT 0x00000001
#define ACL_DEV_FEATURE_NOT_SUPPORT 0x00000000

/* Values of ACL_DEV_ATTR_HD_CONNECT_TYPE. */
#define ACL_HOST_DEVICE_CONNECT_TYPE_PCIE 0
#define ACL_HOST_DEVICE_CONNECT_TYPE_HCCS 1
#define ACL_HOST_DEVICE_CONNECT_TYPE_UB 2

/* Values of ACL_DEV_ATTR_DEVICE_FORM_FACTOR. */
#define ACL_DEVICE_FORM_FACTOR_POD 0
#define ACL_DEVICE_FORM_FACTOR_A_K 1
#define ACL_DEVICE_FORM_FACTOR_A_X 2
#define ACL_DEVICE_FORM_FACTOR_PCIE_CARD 3

/* How two devices are connected, one bit each. */
#define ACL_RT_DEVS_TOPOLOGY_HCCS 0x01ULL
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x02ULL
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x04ULL
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x08ULL
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL

/** enum aclrtDevAttr - attributes of a device. */
typedef enum aclrtDevAttr {
	ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
	ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
	ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
	ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
	ACL_DEV_ATTR_WARP_SIZE = 202,
	ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
	ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,
	ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
	ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
	ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
	ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
	ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
	ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
	ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
	ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
	ACL_DEV_ATTR_SMP_ID = 401,
	ACL_DEV_ATTR_PHY_CHIP_ID = 402,
	ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403,
	ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
	ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
	ACL_DEV_ATTR_SUPER_POD_ID = 405,
	ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
	ACL_DEV_ATTR_MAINBOARD_ID = 407,
	ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
	ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409,
	ACL_DEV_ATTR_IS_VIRTUAL = 501,
	ACL_DEV_ATTR_NPU_ARCH = 601,
} aclrtDevAttr;

/** enum aclrtDevFeatureType - features of a device. */
typedef enum aclrtDevFeatureType {
	ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
	ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21,
} aclrtDevFeatureType;

/** enum aclrtAtomicOperationCapability - the widths an atomic operation supports, one bit each. */
typedef enum aclrtAtomicOperationCapability {
	ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1,
	ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2,
	ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4,
	ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128,
	ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 256,
} aclrtAtomicOperationCapability;

/** enum aclrtAtomicOperation - atomic operations across a link. */
typedef enum aclrtAtomicOperation {
	ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
	ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
	ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
	ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
	ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
	ACL_RT_ATOMIC_OPERATION_AND = 5,
	ACL_RT_ATOMIC_OPERATION_OR = 6,
	ACL_RT_ATOMIC_OPERATION_XOR = 7,
	ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
	ACL_RT_ATOMIC_OPERATION_CAS = 9,
	ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
	ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
	ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
	ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
	ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
	ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44,
} aclrtAtomicOperation;

/**
 * struct aclrtUuid - identity of a device
 * @bytes: not text
 */
typedef struct aclrtUuid {
	char bytes[16];
} aclrtUuid;

/**
 * aclrtGetDeviceInfo() - an attribute of a device
 * @deviceId: the device
 * @attr: the attribute
 * @value: out, 0 for an attribute that this chip does not have
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for an unknown attribute, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr,
						int64_t *value);

/**
 * aclrtGetDeviceCapability() - whether a device has a feature
 * @deviceId: the device
 * @devFeatureType: the feature
 * @value: out, ACL_DEV_FEATURE_SUPPORT or ACL_DEV_FEATURE_NOT_SUPPORT
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for an unknown feature, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCapability(int32_t deviceId,
						      aclrtDevFeatureType devFeatureType,
						      int32_t *value);

/**
 * aclrtGetDevicesTopo() - how two devices are connected
 * @deviceId: the device
 * @otherDeviceId: the other device
 * @value: out, one of ACL_RT_DEVS_TOPOLOGY_*
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId,
						 uint64_t *value);

/**
 * aclrtGetLogicDevIdByUserDevId() - the driver's number of a device of this program
 * @userDevid: number in this program: index into ASCEND_RT_VISIBLE_DEVICES
 * @logicDevId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid,
							   int32_t *const logicDevId);

/**
 * aclrtGetUserDevIdByLogicDevId() - this program's number of one of the driver's devices
 * @logicDevId: the driver's number
 * @userDevid: out, index into ASCEND_RT_VISIBLE_DEVICES
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_INVALID_DEVICEID when the program does not see the device.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId,
							   int32_t *const userDevid);

/**
 * aclrtGetLogicDevIdByPhyDevId() - this program's number of a physical device
 * @phyDevId: number of the physical device
 * @logicDevId: out; despite its name this program's number, not the driver's
 *
 * New programs use aclrtGetUserDevIdByPhyDevId().
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId,
							  int32_t *const logicDevId);

/**
 * aclrtGetPhyDevIdByLogicDevId() - the physical device of one of this program's devices
 * @logicDevId: despite its name this program's number, not the driver's
 * @phyDevId: out
 *
 * New programs use aclrtGetPhyDevIdByUserDevId().
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId,
							  int32_t *const phyDevId);

/**
 * aclrtGetUserDevIdByPhyDevId() - this program's number of a physical device
 * @phyDevId: number of the physical device
 * @userDevId: out, index into ASCEND_RT_VISIBLE_DEVICES
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_INVALID_DEVICEID when the program does not see the device.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId,
							 int32_t *const userDevId);

/**
 * aclrtGetPhyDevIdByUserDevId() - the physical device of one of this program's devices
 * @userDevId: number in this program
 * @phyDevId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId,
							 int32_t *const phyDevId);

/**
 * aclrtDeviceGetUuid() - the unique identifier of a device
 * @deviceId: the device
 * @uuid: out
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid);

/**
 * aclrtDeviceGetPCIBusId() - the bus address of a device, as "dddd:bb:dd.f"
 * @deviceId: the device
 * @pciBusId: out, ends in a zero byte
 * @len: bytes at @pciBusId, 13 at least
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for too few bytes, ACL_ERROR_RT_INVALID_DEVICEID, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a device that is not on a PCI bus.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len);

/**
 * aclrtDeviceGetByPCIBusId() - the device with a bus address
 * @pciBusId: the address, as "dddd:bb:dd.f"
 * @deviceId: out
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_PARAM_INVALID when there is no such device.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId);

/**
 * aclrtDeviceGetBareTgid() - the process id that other programs use to share objects with this process
 * @pid: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetBareTgid(int32_t *pid);

/**
 * aclrtDeviceGetHostAtomicCapabilities() - the atomic operations that a device supports on host memory
 * @capabilities: out, array of @count; bits of aclrtAtomicOperationCapability for each operation
 * @operations: array of @count
 * @count: elements of both arrays, > 0
 * @deviceId: the device
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError
aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
				     const uint32_t count, int32_t deviceId);

/**
 * aclrtDeviceGetP2PAtomicCapabilities() - the atomic operations that a device supports on another
 * device's memory
 * @capabilities: out, array of @count; bits of aclrtAtomicOperationCapability for each operation
 * @operations: array of @count
 * @count: elements of both arrays, > 0
 * @srcDeviceId: the device that operates
 * @dstDeviceId: the device with the memory
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError
aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
				    const uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DEVICE_INFO_H */
