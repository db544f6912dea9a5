/* SPDX-License-Identifier: MIT */
/*
 * DOC: Devices
 *
 * Part of cuda.h, which states the rules for all functions.
 */
#ifndef CUDA_DRIVER_DEVICE_H
#define CUDA_DRIVER_DEVICE_H

#include "attributes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUcomputemode - the processes that may create contexts on a device. */
typedef enum CUcomputemode_enum {
	CU_COMPUTEMODE_DEFAULT = 0,
	CU_COMPUTEMODE_PROHIBITED = 2,
	CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3,
} CUcomputemode;

/** enum CUdevice_P2PAttribute - attributes of cuDeviceGetP2PAttribute(). */
typedef enum CUdevice_P2PAttribute_enum {
	CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 0x01,
	CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 0x02,
	CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 0x03,
	CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 0x04,
	CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED = 0x04, /* old name */
	CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 0x05,
} CUdevice_P2PAttribute;

/** struct CUdevprop - some attributes, in the form of an old interface. */
typedef struct CUdevprop_st {
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int sharedMemPerBlock;
	int totalConstantMemory;
	int SIMDWidth;
	int memPitch;
	int regsPerBlock;
	int clockRate;
	int textureAlign;
} CUdevprop;

/**
 * cuDeviceGet() - a device by its number
 * @device: receives the device
 * @ordinal: from 0, less than the number from cuDeviceGetCount()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @device is NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal);

/**
 * cuDeviceGetCount() - how many devices there are
 * @count: receives the number of devices that UNPU_DEVICE configures and CUDA_VISIBLE_DEVICES leaves
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @count is NULL.
 */
CUresult CUDAAPI cuDeviceGetCount(int *count);

/**
 * cuDeviceGetName() - the name of a device
 * @name: receives the name with a terminating zero, truncated to fit
 * @len: bytes at @name, positive
 * @dev: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL or a length that is not positive,
 * CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetName(char *name, int len, CUdevice dev);

/**
 * cuDeviceGetUuid() - 16 bytes that identify a device
 * @uuid: receives them; they differ between the devices of a machine
 * @dev: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @uuid is NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);

/**
 * cuDeviceTotalMem() - the size of a device's memory
 * @bytes: receives it
 * @dev: a device
 *
 * Context: any thread. Opens the device for the call if nothing has opened it.
 * Return: CUDA_ERROR_INVALID_VALUE when @bytes is NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice dev);

/**
 * cuDeviceGetAttribute() - one property of a device
 * @pi: receives it
 * @attrib: which one
 * @dev: a device
 *
 * Context: any thread. May open the device for the call.
 * Return: CUDA_ERROR_INVALID_VALUE when @pi is NULL or for an unknown @attrib,
 * CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);

/**
 * cuDeviceGetProperties() - some attributes at once
 * @prop: receives them
 * @dev: a device
 *
 * Context: any thread. May open the device for the call.
 * Return: CUDA_ERROR_INVALID_VALUE when @prop is NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);

/**
 * cuDeviceComputeCapability() - the version of a device's instruction set
 * @major: receives 0, because the device runs no such code
 * @minor: receives 0
 * @dev: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);

/**
 * cuDeviceGetPCIBusId() - the bus address of a device, as text
 * @pciBusId: receives "dddd:bb:dd.f" with a terminating zero, truncated to fit
 * @len: bytes at @pciBusId, 13 for all of it
 * @dev: a device
 *
 * The device is on no bus: the text encodes its number.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL or a length that is not positive,
 * CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev);

/**
 * cuDeviceGetByPCIBusId() - the device with a bus address
 * @dev: receives the device
 * @pciBusId: as cuDeviceGetPCIBusId() returns it; domain and function may be omitted
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL or another format, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId);

/**
 * cuDeviceCanAccessPeer() - whether a device can access another device's memory
 * @canAccessPeer: receives 0: devices have address spaces of their own
 * @dev: a device
 * @peerDev: another one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @canAccessPeer is NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev);

/**
 * cuDeviceGetP2PAttribute() - one property of the link between two devices
 * @value: receives 0: there is no link
 * @attrib: which one
 * @srcDevice: a device
 * @dstDevice: another one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @value is NULL or for an unknown @attrib,
 * CUDA_ERROR_INVALID_DEVICE, also when both are the same.
 */
CUresult CUDAAPI cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib,
					 CUdevice srcDevice, CUdevice dstDevice);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_DEVICE_H */
