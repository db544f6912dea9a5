// SPDX-License-Identifier: MIT
/**
 * DOC: Devices
 */
#include "device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuda/cuda.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/error.h"

using namespace umd::cuda;
using base::Status;
using umd::Devices;

CUresult umd::cuda::check_device(CUdevice dev, const char *name)
{
	auto count = Devices::get().device_count();
	if (!count)
		return result(count.status());
	if (dev >= 0 && static_cast<uint32_t>(dev) < *count)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_DEVICE,
		      fmt::format("{} is {}, but the devices are 0 to {}", name, dev, *count - 1));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	TRY(enter());
	if (!device)
		return null_argument("device");
	TRY(check_device(ordinal, "ordinal"));
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	TRY(enter());
	if (!count)
		return null_argument("count");
	auto devices = Devices::get().device_count();
	if (devices)
		*count = static_cast<int>(*devices);
	return result(devices.status());
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
	TRY(check_device(dev));
	return copy_text(name, len, Devices::get().soc_name(), "name");
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
	TRY(enter());
	if (!uuid)
		return null_argument("uuid");
	TRY(check_device(dev));
	memset(uuid, 0, sizeof(*uuid));
	memcpy(uuid->bytes, "unpu", 4);
	uuid->bytes[sizeof(uuid->bytes) - 1] = static_cast<char>(dev);
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
	TRY(enter());
	if (!bytes)
		return null_argument("bytes");
	TRY(check_device(dev));
	return result(Devices::get().with_device(dev, false, [&](drv::Device &device) {
		*bytes = device.hal().bar().memory_bytes;
		return Status::OK;
	}));
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
	TRY(enter());
	if (!prop)
		return null_argument("prop");
	TRY(check_device(dev));
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
	TRY(check_device(dev));
	*major = *minor = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
	TRY(enter());
	TRY(check_device(dev));
	return copy_text(pciBusId, len, fmt::format("0000:{:02x}:00.0", dev + 1), "pciBusId");
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
	if (domain != 0 || place != 0 || bus == 0 || bus > umd::MAX_DEVICES)
		return refuse(CUDA_ERROR_INVALID_DEVICE,
			      fmt::format("pciBusId is \"{}\", where no device is", pciBusId));
	TRY(check_device(static_cast<CUdevice>(bus) - 1));
	*dev = static_cast<CUdevice>(bus) - 1;
	return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
	TRY(enter());
	if (!canAccessPeer)
		return null_argument("canAccessPeer");
	TRY(check_device(dev));
	TRY(check_device(peerDev, "peerDev"));
	*canAccessPeer = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
				 CUdevice dstDevice)
{
	TRY(enter());
	if (!value)
		return null_argument("value");
	TRY(check_device(srcDevice, "srcDevice"));
	TRY(check_device(dstDevice, "dstDevice"));
	if (srcDevice == dstDevice)
		return refuse(CUDA_ERROR_INVALID_DEVICE,
			      fmt::format("srcDevice and dstDevice are both {}", srcDevice));
	if (attrib < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK ||
	    attrib > CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("attrib is {}; it must be 1 to 5", static_cast<int>(attrib)));
	*value = 0;
	return CUDA_SUCCESS;
}
