// SPDX-License-Identifier: MIT
/**
 * DOC: Devices
 */
#include "device_list.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuda/cuda.h"
#include "drv/device.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/error.h"

using namespace umd::cuda;
using base::Status;
using umd::Devices;

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	TRY(enter());
	if (!device)
		return null_argument("device");
	int32_t index = 0;
	TRY(find_device(ordinal, index, "ordinal"));
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	TRY(enter());
	if (!count)
		return null_argument("count");
	*count = visible_count();
	return CUDA_SUCCESS;
}

static CUresult copy_text(char *to, int bytes, const std::string &text, const char *name)
{
	if (!to)
		return null_argument(name);
	if (bytes <= 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("len is {}; it must be positive", bytes));
	size_t length = std::min(text.size(), static_cast<size_t>(bytes) - 1);
	memcpy(to, text.data(), length);
	to[length] = '\0';
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_device(dev, index));
	return copy_text(name, len, Devices::get().soc_name(), "name");
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
	TRY(enter());
	if (!uuid)
		return null_argument("uuid");
	int32_t index = 0;
	TRY(find_device(dev, index));
	*uuid = uuid_of(index);
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
	TRY(enter());
	if (!bytes)
		return null_argument("bytes");
	int32_t index = 0;
	TRY(find_device(dev, index));
	return result(Devices::get().with_device(index, false, [&](drv::Device &device) {
		*bytes = device.hal().bar().memory_bytes;
		return Status::OK;
	}));
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
	TRY(enter());
	if (!prop)
		return null_argument("prop");
	int32_t index = 0;
	TRY(find_device(dev, index));
	auto get = [&](CUdevice_attribute attribute) {
		int value = 0;
		(void)cuDeviceGetAttribute(&value, attribute, dev);
		return value;
	};
	prop->maxThreadsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	prop->maxThreadsDim[0] = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
	prop->maxThreadsDim[1] = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
	prop->maxThreadsDim[2] = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
	prop->maxGridSize[0] = get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
	prop->maxGridSize[1] = get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
	prop->maxGridSize[2] = get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
	prop->sharedMemPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
	prop->totalConstantMemory = get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
	prop->SIMDWidth = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
	prop->memPitch = get(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
	prop->regsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
	prop->clockRate = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
	prop->textureAlign = get(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
	return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	TRY(enter());
	if (!major || !minor)
		return null_argument(major ? "minor" : "major");
	int32_t index = 0;
	TRY(find_device(dev, index));
	*major = *minor = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_device(dev, index));
	return copy_text(pciBusId, len, fmt::format("0000:{:02x}:00.0", driver_number(index) + 1),
			 "pciBusId");
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
	TRY(enter());
	if (!dev || !pciBusId)
		return null_argument(dev ? "pciBusId" : "dev");
	unsigned domain = 0;
	unsigned bus = 0;
	unsigned place = 0;
	if (sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &place) != 3) {
		domain = 0;
		if (sscanf(pciBusId, "%x:%x", &bus, &place) != 2)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("pciBusId is \"{}\"; it must look like "
						  "\"0000:01:00.0\"",
						  pciBusId));
	}
	for (CUdevice number = 0; domain == 0 && place == 0 && number < visible_count(); number++) {
		int32_t index = 0;
		TRY(find_device(number, index));
		if (static_cast<unsigned>(driver_number(index) + 1) != bus)
			continue;
		*dev = number;
		return CUDA_SUCCESS;
	}
	return refuse(CUDA_ERROR_INVALID_DEVICE,
		      fmt::format("pciBusId is \"{}\", where no visible device is; "
				  "cuDeviceGetPCIBusId tells where they are",
				  pciBusId));
}

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
	TRY(enter());
	if (!canAccessPeer)
		return null_argument("canAccessPeer");
	int32_t index = 0;
	int32_t peer_index = 0;
	TRY(find_device(dev, index));
	TRY(find_device(peerDev, peer_index, "peerDev"));
	*canAccessPeer = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
				 CUdevice dstDevice)
{
	TRY(enter());
	if (!value)
		return null_argument("value");
	int32_t index = 0;
	int32_t peer_index = 0;
	TRY(find_device(srcDevice, index, "srcDevice"));
	TRY(find_device(dstDevice, peer_index, "dstDevice"));
	if (srcDevice == dstDevice)
		return refuse(CUDA_ERROR_INVALID_DEVICE,
			      fmt::format("srcDevice and dstDevice are both {}; name two devices",
					  srcDevice));
	if (attrib < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK ||
	    attrib > CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("attrib is {}; it must be 1 to 5", static_cast<int>(attrib)));
	*value = 0;
	return CUDA_SUCCESS;
}
