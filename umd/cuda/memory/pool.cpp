// SPDX-License-Identifier: MIT
/**
 * DOC: Pools of the interface
 *
 * This file maps pools of the interface to pools of the runtime. It also keeps the default pool and the
 * current pool of each device. A pool belongs to a device, not to one of its openings: it continues to exist
 * when the device is closed and opened again.
 *
 * A pool of the host has pinned memory of the first device, which all devices can access.
 */
#include "pools.h"
#include "umd/core/device/open_device.h"
#include "umd/cuda/object/allocations.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "base/sync/mutex.h"
#include "cuda/driver/memory_pool.h"
#include "handle_types.h"
#include "locations.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/ipc_memory.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/pool.h"
#include "umd/cuda/device/device_list.h"

namespace umd::cuda {

using base::Status;
using drv::Place;

namespace {

struct DevicePools {
	CUmemoryPool standard = nullptr;
	CUmemoryPool current = nullptr;
};

struct PoolTable {
	base::Mutex mutex{"PoolTable::mutex"};
	std::map<int32_t, DevicePools> by_device GUARDED_BY(mutex); /* numbers of the runtime */
	std::map<CUmemoryPool, PoolHome> homes GUARDED_BY(mutex);
};

PoolTable &table()
{
	return Process::own<PoolTable>();
}

/* The device that has the memory of pools of @index. */
int32_t device_of(int32_t index)
{
	if (index == HOST_POOL)
		(void)find_device(0, index);
	return index;
}

/* @node: NUMA node of a pool of the host */
CUresult make_pool(int32_t index, uint64_t max_bytes, CUmemoryPool &pool, int32_t node = -1,
		   uint32_t handle_types = 0)
{
	DeviceRef device;
	{
		std::lock_guard lock(Devices::get().mutex());
		device.state = &Devices::get().at(device_of(index));
	}
	const umd::PoolMemory memory{index == HOST_POOL ? Place::PINNED : Place::DEVICE, node};
	auto made = TRY(Pools::get().create(device, max_bytes, true, memory));
	pool = static_cast<CUmemoryPool>(made);
	note_pool(pool, {index, handle_types, {}});
	return CUDA_SUCCESS;
}

/* Makes the default pool of the device at its first use. */
CUresult find_pools(int32_t index, DevicePools &pools)
{
	PoolTable &all = table();
	{
		std::lock_guard lock(all.mutex);
		pools = all.by_device[index];
	}
	if (pools.standard)
		return CUDA_SUCCESS;
	CUmemoryPool made = nullptr;
	TRY(make_pool(index, 0, made));
	std::unique_lock lock(all.mutex);
	DevicePools &here = all.by_device[index];
	const bool is_first = !here.standard;
	if (is_first)
		here = {made, made};
	pools = here;
	if (is_first)
		return CUDA_SUCCESS;
	all.homes.erase(made);
	lock.unlock();
	return result(Pools::get().end(made));
}

/* @node: receives the NUMA node, or -1. Return: INVALID_VALUE for HOST_NUMA_CURRENT, too. */
CUresult check_location(const CUmemLocation *location, const char *name, int32_t &index,
			int32_t &node)
{
	if (!location)
		return null_argument(name);
	node = -1;
	index = HOST_POOL;
	switch (static_cast<int>(location->type)) {
	case CU_MEM_LOCATION_TYPE_DEVICE:
		return find_device(location->id, index, name);
	case CU_MEM_LOCATION_TYPE_HOST:
		return CUDA_SUCCESS;
	case CU_MEM_LOCATION_TYPE_HOST_NUMA:
		node = location->id;
		if (node_exists(node))
			return CUDA_SUCCESS;
		break;
	default:
		break;
	}
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{}: type is {}, id {}; it must be a device (1), the host (2) or "
				  "a NUMA node of the host (3)",
				  name, static_cast<int>(location->type), location->id));
}

CUresult check_location(const CUmemLocation *location, const char *name, int32_t &index)
{
	int32_t node = -1;
	return check_location(location, name, index, node);
}

CUresult check_type(CUmemAllocationType type, const char *name)
{
	if (type == CU_MEM_ALLOCATION_TYPE_PINNED)
		return CUDA_SUCCESS;
	return refuse(type == CU_MEM_ALLOCATION_TYPE_MANAGED ? CUDA_ERROR_NOT_SUPPORTED
							     : CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} is {}; it must be PINNED (1), use cuMemAllocManaged for "
				  "managed memory",
				  name, static_cast<int>(type)));
}

CUresult check_place(const CUmemLocation *location, CUmemAllocationType type, int32_t &index)
{
	TRY(check_location(location, "location", index));
	return check_type(type, "type");
}

CUresult check_properties(const CUmemPoolProps &props, int32_t &index, int32_t &node)
{
	TRY(check_type(props.allocType, "poolProps->allocType"));
	TRY(check_location(&props.location, "poolProps->location", index, node));
	if (props.handleTypes != CU_MEM_HANDLE_TYPE_NONE)
		TRY(check_handle_type(props.handleTypes, "poolProps->handleTypes"));
	if (props.handleTypes != CU_MEM_HANDLE_TYPE_NONE && index == HOST_POOL)
		return refuse(
			props.location.type == CU_MEM_LOCATION_TYPE_HOST ? CUDA_ERROR_INVALID_VALUE
									 : CUDA_ERROR_NOT_SUPPORTED,
			fmt::format("poolProps->handleTypes is {:#x}; memory of a pool of the host "
				    "has no handles for other processes, use a pool of a device",
				    static_cast<unsigned>(props.handleTypes)));
	if (props.usage != 0)
		return refuse(
			CUDA_ERROR_NOT_SUPPORTED,
			fmt::format("poolProps->usage is {:#x}; it must be 0: the device does "
				    "not decompress",
				    props.usage));
	const auto &reserved = props.reserved;
	if (std::any_of(std::begin(reserved), std::end(reserved), [](auto byte) { return byte; }))
		return refuse(CUDA_ERROR_INVALID_VALUE, "poolProps->reserved must be 0");
	return CUDA_SUCCESS;
}

std::string told(int32_t home)
{
	return home == HOST_POOL ? "the host" : fmt::format("device {}", device_number(home));
}

CUresult set_current(int32_t index, CUmemoryPool pool)
{
	int32_t home = -1;
	DevicePools pools;
	TRY(find_own_pool(pool, "pool", home));
	if (home != index)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("pool {} is of {}; make one of this location",
					  fmt::ptr(pool), told(home)));
	TRY(find_pools(index, pools));
	PoolTable &all = table();
	std::lock_guard lock(all.mutex);
	all.by_device[index].current = pool;
	return CUDA_SUCCESS;
}

CUresult get_pool(CUmemoryPool *out, int32_t index, bool standard)
{
	DevicePools pools;
	TRY(find_pools(index, pools));
	*out = standard ? pools.standard : pools.current;
	return CUDA_SUCCESS;
}

CUresult check_attribute(CUmemPool_attribute attribute, const void *value)
{
	if (!value)
		return null_argument("value");
	if (is_pool_attribute(static_cast<uint32_t>(attribute)))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("attr is {}; it must be 1 to 8", static_cast<int>(attribute)));
}

/* @index: receives the device that gets the access */
CUresult check_access(const CUmemAccessDesc &desc, int32_t home, int32_t &index)
{
	TRY(check_location(&desc.location, "map", index));
	if (index == HOST_POOL && home != HOST_POOL)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "map: the host does not reach the memory of a device by its address; "
			      "copy it by cuMemcpyDtoH");
	if (desc.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
	    desc.flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
	    desc.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("map: flags is {}; it must be NONE (0), READ (1) or "
					  "READWRITE (3)",
					  static_cast<int>(desc.flags)));
	if (index != home || desc.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		return CUDA_SUCCESS;
	return refuse(
		CUDA_ERROR_INVALID_VALUE,
		fmt::format("map: {} has READWRITE access to its own pool, which can't be taken "
			    "from it",
			    told(home)));
}

/* struct Users - which other devices may use the memory of a pool, as bit masks. */
struct Users {
	uint32_t readers = 0;
	uint32_t writers = 0;

	void set(uint32_t bit, CUmemAccess_flags flags)
	{
		readers = flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ? readers & ~bit : readers | bit;
		writers = flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? writers | bit
								      : writers & ~bit;
	}
	CUmemAccess_flags of(uint32_t bit) const
	{
		return (writers & bit) != 0   ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
		       : (readers & bit) != 0 ? CU_MEM_ACCESS_FLAGS_PROT_READ
					      : CU_MEM_ACCESS_FLAGS_PROT_NONE;
	}
};

CUresult users_of(CUmemoryPool pool, Users &users)
{
	return result(Pools::get().visit(pool, [&](const Pool &found) {
		users = {found.readers, found.writers};
	}));
}

} // namespace

void note_pool(CUmemoryPool pool, const PoolHome &home)
{
	PoolTable &all = table();
	std::lock_guard lock(all.mutex);
	all.homes[pool] = home;
}

CUresult find_home(CUmemoryPool pool, const char *name, PoolHome &home)
{
	if (!pool)
		return null_argument(name);
	PoolTable &all = table();
	std::lock_guard lock(all.mutex);
	auto found = all.homes.find(pool);
	if (found == all.homes.end())
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("{} {} is not a live pool: it was destroyed, or is "
					  "something else",
					  name, fmt::ptr(pool)));
	home = found->second;
	return CUDA_SUCCESS;
}

CUresult find_pool(CUmemoryPool pool, const char *name, int32_t &index)
{
	PoolHome home;
	TRY(find_home(pool, name, home));
	index = home.index;
	return CUDA_SUCCESS;
}

CUresult find_own_pool(CUmemoryPool pool, const char *name, int32_t &index)
{
	PoolHome home;
	TRY(find_home(pool, name, home));
	if (home.is_imported())
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("{} {} was imported, and allocates nothing; "
					  "cuMemPoolImportPointer gives what its exporter has "
					  "allocated",
					  name, fmt::ptr(pool)));
	index = home.index;
	return CUDA_SUCCESS;
}

CUresult current_pool(int32_t index, CUmemoryPool &pool)
{
	return get_pool(&pool, index, false);
}

CUresult allocate_from(CUmemoryPool pool, size_t bytes, Stream &stream, CUdeviceptr *out)
{
	int32_t home = -1;
	void *address = nullptr;
	TRY(find_own_pool(pool, "pool", home));
	if (device_of(home) == stream.context->state->index) {
		TRY(Pools::get().allocate(pool, bytes, stream, &address));
	} else {
		const DevicePin pin(device_of(home));
		TRY(pin.status());
		TRY(Pools::get().allocate(pool, bytes, stream, &address, &pin.open()));
	}
	*out = reinterpret_cast<CUdeviceptr>(address);
	note_allocation(*out, {Allocation::Kind::POOL, 0, 0, 0, false, bytes,
			       reinterpret_cast<uint64_t>(pool)});
	return CUDA_SUCCESS;
}

/* The entry is removed before the memory is freed, because another thread may get the same address at
 * once. */
template <class Free> static CUresult free_noted(CUdeviceptr address, const Free &free)
{
	const Allocation allocation = find_allocation(address);
	auto *const pointer = reinterpret_cast<void *>(address);
	forget_allocation(address);
	if (allocation.is_exported) {
		Place place;
		if (const umd::DeviceHold device = umd::Devices::get().locate(pointer, place))
			umd::IpcMemory::get().forget(device, pointer);
	}
	const Status status = free();
	/* Memory that was imported twice has to be freed twice. */
	if (status != Status::OK || (allocation.is_imported && Pools::get().owns(pointer) &&
				     find_allocation(address).kind == Allocation::Kind::NONE))
		note_allocation(address, allocation);
	return result(status);
}

CUresult free_in_order(CUdeviceptr address, Stream &stream, const drv::Fence *here)
{
	return free_noted(address, [&] {
		return Pools::get().free(reinterpret_cast<void *>(address), stream, here);
	});
}

CUresult free_pooled(CUdeviceptr address)
{
	return free_noted(address,
			  [&] { return Pools::get().give_up(reinterpret_cast<void *>(address)); });
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Pool;
using umd::PoolAttribute;
using umd::Pools;

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
	TRY(enter());
	if (!pool_out)
		return null_argument("pool_out");
	int32_t index = 0;
	TRY(find_device(dev, index));
	return get_pool(pool_out, index, true);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
	TRY(enter());
	if (!pool)
		return null_argument("pool");
	int32_t index = 0;
	TRY(find_device(dev, index));
	return get_pool(pool, index, false);
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_device(dev, index));
	return set_current(index, pool);
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location,
				CUmemAllocationType type)
{
	TRY(enter());
	if (!pool_out)
		return null_argument("pool_out");
	int32_t index = 0;
	TRY(check_place(location, type, index));
	return get_pool(pool_out, index, true);
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
	TRY(enter());
	if (!pool)
		return null_argument("pool");
	int32_t index = 0;
	TRY(check_place(location, type, index));
	return get_pool(pool, index, false);
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
	TRY(enter());
	int32_t index = 0;
	TRY(check_place(location, type, index));
	return set_current(index, pool);
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
	TRY(enter());
	if (!pool || !poolProps)
		return null_argument(pool ? "poolProps" : "pool");
	int32_t index = 0;
	int32_t node = -1;
	TRY(check_properties(*poolProps, index, node));
	return make_pool(index, poolProps->maxSize, *pool, node, poolProps->handleTypes);
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_pool(pool, "pool", index));
	PoolTable &all = table();
	{
		std::lock_guard lock(all.mutex);
		DevicePools &pools = all.by_device[index];
		if (pool == pools.standard)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      "pool is the default pool of its device, which stays; "
				      "cuMemPoolTrimTo gives back what it keeps");
		if (pool == pools.current)
			pools.current = pools.standard;
		all.homes.erase(pool);
	}
	return result(Pools::get().end(pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_pool(pool, "pool", index));
	return result(Pools::get().trim(pool, minBytesToKeep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_pool(pool, "pool", index));
	TRY(check_attribute(attr, value));
	base::Status status = base::Status::OK;
	TRY(Pools::get().visit(pool, [&](Pool &found) {
		status = umd::set_attribute(found, static_cast<PoolAttribute>(attr), value);
	}));
	return result(status);
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_pool(pool, "pool", index));
	TRY(check_attribute(attr, value));
	return result(Pools::get().visit(pool, [&](const Pool &found) {
		umd::get_attribute(found, static_cast<PoolAttribute>(attr), value);
	}));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
	TRY(enter());
	int32_t home = 0;
	TRY(find_pool(pool, "pool", home));
	if (!map && count > 0)
		return null_argument("map");
	std::vector<int32_t> devices(count);
	for (size_t i = 0; i < count; i++)
		TRY(check_access(map[i], home, devices[i]));
	Users users;
	TRY(users_of(pool, users));
	for (size_t i = 0; i < count; i++) {
		if (devices[i] == home)
			continue;
		/* All devices can access pinned memory, so there is nothing to do. */
		const uint32_t bit = home == HOST_POOL ? 1u << devices[i]
						       : umd::Devices::get().lend(home, devices[i]);
		users.set(bit, map[i].flags);
	}
	return result(Pools::get().lend(pool, users.readers, users.writers));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)
{
	TRY(enter());
	if (!flags)
		return null_argument("flags");
	int32_t home = 0;
	int32_t index = 0;
	Users users;
	TRY(find_pool(memPool, "memPool", home));
	TRY(check_location(location, "location", index));
	TRY(users_of(memPool, users));
	if (index == home)
		*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	else
		*flags = index == HOST_POOL ? CU_MEM_ACCESS_FLAGS_PROT_NONE : users.of(1u << index);
	return CUDA_SUCCESS;
}
