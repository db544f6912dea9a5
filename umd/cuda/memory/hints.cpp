// SPDX-License-Identifier: MIT
/**
 * DOC: Hints for managed memory
 *
 * The runtime keeps a location as the interface's type, and a device by its index.
 */
#include <algorithm>

#include "base/os/numa.h"
#include "cuda_copy.h"
#include "locations.h"
#include "umd/core/copy/copy.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/stream/order.h"

using namespace umd::cuda;
using umd::ManagedHints;
using umd::ManagedMemory;
using umd::ManagedPlace;
using umd::ManagedSummary;
using umd::Stream;

static CUresult check_range(CUdeviceptr address, size_t count)
{
	if (address == 0)
		return null_argument("devPtr");
	if (count == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "count is 0; it must be positive");
	return result(ManagedMemory::get().hint(pointer(address), count, [](ManagedHints &) {}));
}

/* A kernel without NUMA lists no nodes. Then node 0 is the only one. */
bool umd::cuda::node_exists(int node)
{
	return node == 0 || base::NumaMachine::read().find(node) >= 0;
}

static CUresult read_place(const CUmemLocation &location, bool nodes, ManagedPlace &place)
{
	int32_t index = 0;
	switch (static_cast<int>(location.type)) {
	case CU_MEM_LOCATION_TYPE_DEVICE:
		TRY(find_device(location.id, index, "location.id"));
		place = {CU_MEM_LOCATION_TYPE_DEVICE, index};
		return CUDA_SUCCESS;
	case CU_MEM_LOCATION_TYPE_HOST:
		place = {CU_MEM_LOCATION_TYPE_HOST, CU_DEVICE_CPU};
		return CUDA_SUCCESS;
	case CU_MEM_LOCATION_TYPE_HOST_NUMA:
		place = {CU_MEM_LOCATION_TYPE_HOST_NUMA, location.id};
		if (nodes && node_exists(location.id))
			return CUDA_SUCCESS;
		break;
	case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
		place = {CU_MEM_LOCATION_TYPE_HOST_NUMA, std::max(base::current_node(), 0)};
		if (nodes)
			return CUDA_SUCCESS;
		break;
	default:
		break;
	}
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("location is type {} id {}; it must be a device{}",
				  static_cast<int>(location.type), location.id,
				  nodes ? ", the host or one of its NUMA nodes" : " or the host"));
}

static void apply(ManagedHints &unit, CUmem_advise advice, const ManagedPlace &place)
{
	switch (advice) {
	case CU_MEM_ADVISE_SET_READ_MOSTLY:
	case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
		unit.is_read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
		break;
	case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
	case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
		unit.preferred = place;
		break;
	case CU_MEM_ADVISE_SET_ACCESSED_BY:
		unit.accessed_by.insert(place);
		break;
	case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
		unit.accessed_by.erase(place);
		break;
	}
}

static CUresult read_advice(CUmem_advise advice, const CUmemLocation &location, ManagedPlace &place)
{
	switch (static_cast<int>(advice)) {
	case CU_MEM_ADVISE_SET_READ_MOSTLY:
	case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
	case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
		return CUDA_SUCCESS;
	case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
		return read_place(location, true, place);
	case CU_MEM_ADVISE_SET_ACCESSED_BY:
	case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
		return read_place(location, false, place);
	default:
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("advice is {}; it must be 1 to 6", static_cast<int>(advice)));
	}
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)
{
	TRY(enter());
	TRY(check_range(devPtr, count));
	ManagedPlace place;
	TRY(read_advice(advice, location, place));
	return result(ManagedMemory::get().hint(
		pointer(devPtr), count, [&](ManagedHints &unit) { apply(unit, advice, place); }));
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location,
			    unsigned int flags, CUstream hStream)
{
	TRY(enter());
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuMemPrefetchAsync"));
	TRY(check_range(devPtr, count));
	if (flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be 0", flags));
	ManagedPlace place;
	TRY(read_place(location, true, place));
	TRY(refuse_capturing(*stream, "cuMemPrefetchAsync"));
	Turn turn(*stream);
	return result(umd::prefetch(*stream, pointer(devPtr), count, place));
}

static int id_of(const ManagedPlace &place)
{
	return place.type == CU_MEM_LOCATION_TYPE_DEVICE ? device_number(place.id) : place.id;
}

static int device_or_host(const ManagedPlace &place)
{
	if (place.type == CU_MEM_LOCATION_TYPE_INVALID)
		return CU_DEVICE_INVALID;
	return place.type == CU_MEM_LOCATION_TYPE_DEVICE ? id_of(place) : CU_DEVICE_CPU;
}

static int id_or_none(const ManagedPlace &place)
{
	return place.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID : id_of(place);
}

/* The value of an attribute with a single value. */
static int answer(const ManagedSummary &all, CUmem_range_attribute attribute)
{
	switch (attribute) {
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
		return device_or_host(all.preferred);
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
		return all.preferred.type;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
		return id_or_none(all.preferred);
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
		return device_or_host(all.prefetched);
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
		return all.prefetched.type;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
		return id_or_none(all.prefetched);
	default:
		return all.is_read_mostly ? 1 : 0;
	}
}

static CUresult check_question(CUmem_range_attribute attribute, const void *data, size_t size)
{
	if (!data)
		return null_argument("data");
	if (attribute < CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
	    attribute > CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("attribute is {}; it must be 1 to 8",
					  static_cast<int>(attribute)));
	const bool list = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
	if (list ? size != 0 && size % sizeof(int) == 0 : size == sizeof(int))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("dataSize is {}; attribute {} needs {}", size,
				  static_cast<int>(attribute),
				  list ? "a positive multiple of 4" : "4"));
}

static void tell(const ManagedSummary &all, CUmem_range_attribute attribute, void *data,
		 size_t size)
{
	auto *list = static_cast<int *>(data);
	int *end = list + size / sizeof(int);
	if (attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
		*list = answer(all, attribute);
		return;
	}
	for (const ManagedPlace &place : all.accessed_by) {
		if (list != end)
			*list++ = device_or_host(place);
	}
	std::fill(list, end, int{CU_DEVICE_INVALID});
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
				 size_t numAttributes, CUdeviceptr devPtr, size_t count)
{
	TRY(enter());
	if (!data || !dataSizes || !attributes)
		return null_argument(!data ? "data" : dataSizes ? "attributes" : "dataSizes");
	if (numAttributes == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "numAttributes is 0; it must be positive");
	TRY(check_range(devPtr, count));
	for (size_t i = 0; i < numAttributes; i++)
		TRY(check_question(attributes[i], data[i], dataSizes[i]));
	ManagedSummary all;
	TRY(ManagedMemory::get().hint(pointer(devPtr), count,
				      [&](ManagedHints &unit) { all.add(unit); }));
	for (size_t i = 0; i < numAttributes; i++)
		tell(all, attributes[i], data[i], dataSizes[i]);
	return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
				CUdeviceptr devPtr, size_t count)
{
	return cuMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}
