// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL managed memory
 */
#include <algorithm>
#include <cstring>
#include <optional>

#include "acl/acl.h"
#include "base/os/shm.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/made.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::ManagedHints;
using umd::ManagedMemory;
using umd::ManagedPlace;
using umd::ManagedSummary;
using umd::null_argument;
using umd::set_error;

/* Values of a query for a device id: the host, and no location. */
static constexpr int32_t HOST_ID = -1;
static constexpr int32_t NO_ID = -2;

aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag)
{
	if (!ptr)
		return acl_return(null_argument("ptr"));
	if (size == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "size is 0; it must be positive"));
	if (flag != ACL_RT_MEM_ATTACH_GLOBAL)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("flag is {}; it must be ACL_RT_MEM_ATTACH_GLOBAL (1)", flag)));
	auto context = TRY(Contexts::get().current());
	const Status status = ManagedMemory::get().allocate(*context, size, ptr);
	if (status == Status::OK)
		umd::check::made(*ptr, "managed memory", size, __builtin_return_address(0));
	return acl_return(status);
}

static Status check_managed_range(const void *ptr, uint64_t size)
{
	if (!ptr)
		return null_argument("ptr");
	if (size != 0 && size % base::HUGE_PAGE_BYTES == 0)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("size is {}; it must be a positive multiple of 2 MiB", size));
}

static Status check_place(const aclrtMemManagedLocation &location)
{
	switch (location.type) {
	case ACL_MEM_LOCATIONTYPE_HOST:
	case ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
		return Status::OK;
	case ACL_MEM_LOCATIONTYPE_HOST_NUMA:
		if (location.id >= 0)
			return Status::OK;
		break;
	case ACL_MEM_LOCATIONTYPE_DEVICE: {
		auto count = TRY(Devices::get().device_count());
		if (location.id >= 0 && location.id < static_cast<int32_t>(count))
			return Status::OK;
		break;
	}
	default:
		break;
	}
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("location is type {} id {}; it must be a device, the host or one "
			    "of its NUMA nodes",
			    static_cast<int>(location.type), location.id));
}

static ManagedPlace place_of(const aclrtMemManagedLocation &location)
{
	bool counted = location.type == ACL_MEM_LOCATIONTYPE_DEVICE ||
		       location.type == ACL_MEM_LOCATIONTYPE_HOST_NUMA;
	return {static_cast<int32_t>(location.type), counted ? location.id : HOST_ID};
}

static void apply(ManagedHints &unit, aclrtMemManagedAdviseType advise, const ManagedPlace &place)
{
	switch (advise) {
	case ACL_MEM_ADVISE_SET_READ_MOSTLY:
	case ACL_MEM_ADVISE_UNSET_READ_MOSTLY:
		unit.is_read_mostly = advise == ACL_MEM_ADVISE_SET_READ_MOSTLY;
		break;
	case ACL_MEM_ADVISE_SET_PREFERRED_LOCATION:
		unit.preferred = place;
		break;
	case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
		unit.preferred = {};
		break;
	case ACL_MEM_ADVISE_SET_ACCESSED_BY:
		unit.accessed_by.insert(place);
		break;
	case ACL_MEM_ADVISE_UNSET_ACCESSED_BY:
		unit.accessed_by.erase(place);
		break;
	}
}

aclError aclrtMemManagedAdvise(const void *const ptr, uint64_t size,
			       aclrtMemManagedAdviseType advise, aclrtMemManagedLocation location)
{
	Status status = check_managed_range(ptr, size);
	if (status == Status::OK &&
	    (advise < ACL_MEM_ADVISE_SET_READ_MOSTLY || advise > ACL_MEM_ADVISE_UNSET_ACCESSED_BY))
		status = set_error(
			Status::INVALID_ENUM,
			fmt::format("advise is {}; it must be 0 to 5", static_cast<int>(advise)));
	/* The other hints have no location. */
	bool placed = advise == ACL_MEM_ADVISE_SET_PREFERRED_LOCATION ||
		      advise == ACL_MEM_ADVISE_SET_ACCESSED_BY ||
		      advise == ACL_MEM_ADVISE_UNSET_ACCESSED_BY;
	if (status == Status::OK && placed)
		status = check_place(location);
	if (status != Status::OK)
		return acl_return(status);
	ManagedPlace place = place_of(location);
	return acl_return(ManagedMemory::get().hint(
		ptr, size, [&](ManagedHints &unit) { apply(unit, advise, place); }));
}

static int32_t id_of(const ManagedPlace &place)
{
	if (place.type == ACL_MEM_LOCATIONTYPE_INVALID)
		return NO_ID;
	return place.type == ACL_MEM_LOCATIONTYPE_DEVICE ? place.id : HOST_ID;
}

static int32_t number_of(const ManagedPlace &place)
{
	return place.type == ACL_MEM_LOCATIONTYPE_INVALID ? NO_ID : place.id;
}

/* The value of an attribute that has a single value. */
static int32_t answer(const ManagedSummary &all, aclrtMemManagedRangeAttribute attribute)
{
	switch (attribute) {
	case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
		return id_of(all.preferred);
	case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
		return all.preferred.type;
	case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
		return number_of(all.preferred);
	case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
		return id_of(all.prefetched);
	case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
		return all.prefetched.type;
	case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
		return number_of(all.prefetched);
	default:
		return all.is_read_mostly ? 1 : 0;
	}
}

static Status check_question(aclrtMemManagedRangeAttribute attribute, const void *data, size_t size)
{
	if (!data)
		return null_argument("data");
	if (attribute < ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
	    attribute > ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("attribute is {}; it must be 1 to 8",
					     static_cast<int>(attribute)));
	bool list = attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
	bool fits = list ? size != 0 && size % sizeof(int32_t) == 0 : size == sizeof(int32_t);
	if (fits)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("dataSize is {}; attribute {} needs {}", size,
				     static_cast<int>(attribute),
				     list ? "a positive multiple of 4" : "4"));
}

static Status ask(aclrtMemManagedRangeAttribute attribute, const void *ptr, size_t size, void *data,
		  size_t data_size)
{
	TRY(check_question(attribute, data, data_size));
	ManagedSummary all;
	TRY(ManagedMemory::get().hint(ptr, size, [&](ManagedHints &unit) { all.add(unit); }));
	if (attribute != ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
		int32_t value = answer(all, attribute);
		memcpy(data, &value, sizeof(value));
		return Status::OK;
	}
	auto *list = static_cast<int32_t *>(data);
	int32_t *end = list + data_size / sizeof(int32_t);
	for (const ManagedPlace &place : all.accessed_by) {
		if (list != end)
			*list++ = id_of(place);
	}
	std::fill(list, end, NO_ID);
	return Status::OK;
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void *ptr,
				size_t size, void *data, size_t dataSize)
{
	Status status = check_managed_range(ptr, size);
	if (status == Status::OK)
		status = ask(attribute, ptr, size, data, dataSize);
	return acl_return(status);
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute *attributes, size_t numAttributes,
				 const void *ptr, size_t size, void **data, size_t *dataSizes)
{
	if (!attributes || !data || !dataSizes)
		return acl_return(null_argument(!attributes ? "attributes"
						: data	    ? "dataSizes"
							    : "data"));
	Status status = check_managed_range(ptr, size);
	if (status == Status::OK && numAttributes == 0)
		status = set_error(Status::INVALID_ENUM, "numAttributes is 0; it must be positive");
	for (size_t i = 0; i < numAttributes && status == Status::OK; i++)
		status = ask(attributes[i], ptr, size, data[i], dataSizes[i]);
	return acl_return(status);
}

static Status check_flags(uint64_t flags)
{
	return flags == 0 ? Status::OK
			  : set_error(Status::INVALID_ENUM,
				      fmt::format("flags is {}; it must be 0", flags));
}

static Status check_prefetch(const void *ptr, size_t size, const aclrtMemManagedLocation &location)
{
	TRY(check_managed_range(ptr, size));
	TRY(check_place(location));
	return ManagedMemory::get().hint(ptr, size, [](ManagedHints &) {});
}

static Status prefetch(umd::Stream &stream, const void *ptr, size_t size,
		       const aclrtMemManagedLocation &location)
{
	return umd::prefetch(stream, ptr, size, place_of(location));
}

aclError aclrtMemManagedPrefetchAsync(const void *ptr, size_t size,
				      aclrtMemManagedLocation location, uint32_t flags,
				      aclrtStream stream)
{
	TRY(check_flags(flags));
	TRY(check_prefetch(ptr, size, location));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(prefetch(*found, ptr, size, location));
}

/* Location i applies to the ranges from index @idxs[i] up to @idxs[i + 1], so the indexes start at 0
 * and grow. */
static Status check_indexes(const size_t *idxs, size_t places, size_t count)
{
	bool good = places > 0 && places <= count && idxs[0] == 0 && idxs[places - 1] < count;
	for (size_t i = 1; i < places && good; i++)
		good = idxs[i] > idxs[i - 1];
	return good ? Status::OK
		    : set_error(Status::INVALID_ENUM,
				fmt::format(
					"prefetchLocIdxs: its {} indexes into {} ranges must start "
					"at 0 and grow",
					places, count));
}

aclError aclrtMemManagedPrefetchBatchAsync(const void **ptrs, size_t *sizes, size_t count,
					   aclrtMemManagedLocation *prefetchLocs,
					   size_t *prefetchLocIdxs, size_t numPrefetchLocs,
					   uint64_t flags, aclrtStream stream)
{
	if (!ptrs || !sizes)
		return acl_return(null_argument(ptrs ? "sizes" : "ptrs"));
	if (!prefetchLocs || !prefetchLocIdxs)
		return acl_return(null_argument(prefetchLocs ? "prefetchLocIdxs" : "prefetchLocs"));
	Status status = check_flags(flags);
	if (status == Status::OK)
		status = check_indexes(prefetchLocIdxs, numPrefetchLocs, count);
	auto place_for = [&](size_t i) -> const aclrtMemManagedLocation & {
		auto *after =
			std::upper_bound(prefetchLocIdxs, prefetchLocIdxs + numPrefetchLocs, i);
		return prefetchLocs[after - prefetchLocIdxs - 1];
	};
	for (size_t i = 0; i < count && status == Status::OK; i++)
		status = check_prefetch(ptrs[i], sizes[i], place_for(i));
	if (status != Status::OK)
		return acl_return(status);
	auto found = TRY(umd::find_stream(stream, true));
	for (size_t i = 0; i < count && status == Status::OK; i++)
		status = prefetch(*found, ptrs[i], sizes[i], place_for(i));
	return acl_return(status);
}
