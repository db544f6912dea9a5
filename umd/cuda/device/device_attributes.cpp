// SPDX-License-Identifier: MIT
/**
 * DOC: Attributes of devices
 *
 * Every attribute of the header has an answer. The device runs no kernels and has no textures, arrays and
 * links, so most are 0. If 0 is not a valid value for an attribute of kernels, it has the smallest valid
 * value.
 */
#include "cuda/cuda.h"
#include "device_list.h"
#include "drv/device.h"
#include "umd/core/device/devices.h"

using namespace umd::cuda;
using base::Status;
using umd::Devices;

namespace {

/* One engine for copies to the device and one for copies from it; both may run at the same time. */
constexpr int COPY_ENGINES = 2;
constexpr int PITCH_BYTES = 256;

/* Attributes that are the same for every device, and not 0. */
struct Attribute {
	CUdevice_attribute number;
	int value;
};

constexpr Attribute ATTRIBUTES[] = {
	{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 1},
	{CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0x7fffffff},
	{CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
	{CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, PITCH_BYTES},
	{CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
	{CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
	{CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT},
	{CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 1},
	{CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, COPY_ENGINES},
	{CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
	{CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, PITCH_BYTES},
	{CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
	{CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 1},
	{CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 1},
	{CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
	{CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
	{CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES,
	 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR},
	{CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, 1},
	{CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
	{CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 1},
};

int same_for_all(CUdevice_attribute attribute)
{
	for (const Attribute &row : ATTRIBUTES) {
		if (row.number == attribute)
			return row.value;
	}
	return 0;
}

} // namespace

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
	TRY(enter());
	if (!pi)
		return null_argument("pi");
	int32_t index = 0;
	TRY(find_device(dev, index));
	switch (static_cast<int>(attrib)) {
	case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
		*pi = driver_number(index) + 1;
		return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID:
		*pi = driver_number(index);
		return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID:
		return result(Devices::get().with_device(index, false, [&](drv::Device &device) {
			*pi = device.hal().bar().numa_node;
			return Status::OK;
		}));
	}
	if (attrib >= CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK &&
	    attrib < CU_DEVICE_ATTRIBUTE_MAX) {
		*pi = same_for_all(attrib);
		return CUDA_SUCCESS;
	}
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("attrib is {}; the attributes are 1 to {}",
				  static_cast<int>(attrib), CU_DEVICE_ATTRIBUTE_MAX - 1));
}
