// SPDX-License-Identifier: MIT
/**
 * DOC: Attributes of addresses
 */
#include <cstring>
#include <optional>
#include <utility>

#include "cuda/cuda.h"
#include "pools.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/vmm.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/front.h"
#include "umd/cuda/object/allocations.h"

using namespace umd::cuda;
using drv::Place;
using umd::Devices;
using umd::VirtualMemory;
using Kind = Allocation::Kind;

namespace {

/* An address with all its properties. */
struct Target {
	CUdeviceptr address;
	Place place = Place::OUTSIDE;
	umd::DeviceHold device;
	drv::Bo bo;
	Allocation note;
	/* for an address in a reservation: the memory mapped there */
	std::optional<umd::PhysicalProperties> mapped;
	/* start and size; for an address in a reservation: those of the reservation */
	std::pair<uint64_t, uint64_t> range;

	bool is_host() const { return mapped ? mapped->is_host : place != Place::DEVICE; }
};

Target look_up(CUdeviceptr address)
{
	Target target{address, {}, {}, {}, {}, {}, {}};
	target.device = Devices::get().locate(reinterpret_cast<void *>(address), target.place);
	if (target.device)
		target.bo = live_object(*target.device, address);
	if (target.bo.bytes != 0)
		target.note = find_allocation(target.bo.va);
	target.range = {target.bo.va, target.bo.bytes};
	if (target.bo.bytes == 0 || target.bo.use == drv::Use::MAPPED) {
		target.mapped = VirtualMemory::get().mapped(reinterpret_cast<void *>(address));
		target.range = VirtualMemory::get().reserved(address);
	}
	return target;
}

template <class T> void put(void *to, T value)
{
	memcpy(to, &value, sizeof(value));
}

unsigned memory_type(const Target &target)
{
	if (target.mapped)
		return target.mapped->is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
	if (target.note.kind == Kind::MANAGED || target.place == Place::DEVICE)
		return CU_MEMORYTYPE_DEVICE;
	return CU_MEMORYTYPE_HOST;
}

/* Size of an attribute in bytes; 0 for an unknown attribute. */
size_t size_of(CUpointer_attribute attribute)
{
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
	case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
	case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
	case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
	case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
		return 8;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
	case CU_POINTER_ATTRIBUTE_MAPPED:
	case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
	case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
		return 4;
	default:
		return 0;
	}
}

bool answer_handle_types(const Target &target, void *data)
{
	if (target.mapped) {
		put(data, uint64_t{target.mapped->handle_types});
		return true;
	}
	PoolHome home;
	if (target.note.kind != Kind::POOL ||
	    find_home(reinterpret_cast<CUmemoryPool>(target.note.pool), "pool", home) !=
		    CUDA_SUCCESS)
		return false;
	put(data, uint64_t{home.handle_types});
	return true;
}

/* Attributes of the range and its mapping. Return: false if the address does not have the attribute. */
bool answer_range(const Target &target, CUpointer_attribute attribute, void *data)
{
	constexpr unsigned READ_AND_WRITE = 3;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		put(data, static_cast<CUdeviceptr>(target.range.first));
		return true;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		put(data, static_cast<size_t>(target.range.second));
		return true;
	case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
		put(data, static_cast<CUdeviceptr>(target.bo.va));
		return true;
	case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
		put(data, static_cast<size_t>(target.bo.bytes));
		return true;
	case CU_POINTER_ATTRIBUTE_MAPPED:
		put(data, 1);
		return true;
	case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
		return answer_handle_types(target, data);
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		put(data, target.mapped ? unsigned{target.bo.access} : READ_AND_WRITE);
		return true;
	default:
		return false;
	}
}

/* Return: false if the address does not have the attribute. */
bool answer_mapped(const Target &target, CUpointer_attribute attribute, void *data)
{
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		put(data, reinterpret_cast<CUcontext>(target.note.context));
		return true;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		put(data, memory_type(target));
		return true;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		put(data, target.address);
		return true;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!target.is_host())
			return false;
		put(data, target.address);
		return true;
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
		put(data, static_cast<int>(target.note.sync_copies));
		return true;
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
	case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
		put(data, static_cast<unsigned long long>(target.note.id));
		return true;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		put(data, static_cast<int>(target.note.kind == Kind::MANAGED));
		return true;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		put(data, device_number(target.device.state().index));
		return true;
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
		put(data, static_cast<int>(target.place == Place::DEVICE && !target.mapped &&
					   target.note.kind != Kind::POOL));
		return true;
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
		if (target.note.kind != Kind::POOL)
			return false;
		put(data, reinterpret_cast<CUmemoryPool>(target.note.pool));
		return true;
	case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
	case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
		put(data, 0);
		return true;
	default:
		return answer_range(target, attribute, data);
	}
}

/* An address of a reservation without mapped memory has only these attributes. */
bool answer(const Target &target, CUpointer_attribute attribute, void *data)
{
	if (target.bo.bytes != 0)
		return answer_mapped(target, attribute, data);
	if (target.range.second == 0)
		return false;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_MAPPED:
		put(data, 0);
		return true;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		return answer_mapped(target, attribute, data);
	default:
		return false;
	}
}

/* The value of an attribute at an address without memory. It is 0, except for an address outside of the
 * windows of all devices. */
void answer_none(const Target &target, CUpointer_attribute attribute, void *data)
{
	constexpr int NO_DEVICE = -2;
	memset(data, 0, size_of(attribute));
	if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
		put(data, NO_DEVICE);
	else if (target.place == Place::OUTSIDE &&
		 (attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
		  attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER))
		put(data, target.address);
}

CUresult refuse_attribute(CUpointer_attribute attribute)
{
	return refuse(CUDA_ERROR_INVALID_VALUE, fmt::format("attribute is {}, which is not known",
							    static_cast<int>(attribute)));
}

} // namespace

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	TRY(enter());
	if (!data)
		return null_argument("data");
	if (size_of(attribute) == 0)
		return refuse_attribute(attribute);
	Target target = look_up(ptr);
	if (target.range.second == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("ptr {:#x} is in no live allocation", ptr));
	if (answer(target, attribute, data))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("memory of this kind has no attribute {}",
				  static_cast<int>(attribute)));
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
				void **data, CUdeviceptr ptr)
{
	TRY(enter());
	if (numAttributes > 0 && (!attributes || !data))
		return null_argument(attributes ? "data" : "attributes");
	for (unsigned i = 0; i < numAttributes; i++) {
		if (size_of(attributes[i]) == 0)
			return refuse_attribute(attributes[i]);
		if (!data[i])
			return null_argument("an entry of data");
	}
	Target target = look_up(ptr);
	for (unsigned i = 0; i < numAttributes; i++) {
		if (target.range.second == 0) {
			answer_none(target, attributes[i], data[i]);
			continue;
		}
		memset(data[i], 0, size_of(attributes[i]));
		(void)answer(target, attributes[i], data[i]);
	}
	return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	TRY(enter());
	if (!value)
		return null_argument("value");
	if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("attribute is {}; only SYNC_MEMOPS (6) can be set",
					  static_cast<int>(attribute)));
	Target target = look_up(ptr);
	if (target.note.kind != Kind::DEVICE && target.note.kind != Kind::IMPORTED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("ptr {:#x} is not in device memory", ptr));
	int wanted;
	memcpy(&wanted, value, sizeof(wanted));
	target.note.sync_copies = wanted != 0;
	note_allocation(target.bo.va, target.note);
	return CUDA_SUCCESS;
}
