// SPDX-License-Identifier: MIT
/**
 * DOC: Memory that graphs allocate
 *
 * An allocation node has memory of its own. The memory exists from the creation of the node until its graph
 * and executable graph are destroyed. If a launch has allocated it and the program has not freed it by then,
 * it becomes ordinary memory, which the program can still free. So a launch never has to allocate memory, and
 * two graphs never share the memory of a node.
 */
#include "graph_allocation.h"

#include <algorithm>

#include "allocations.h"
#include "cuda/driver/graph_memory.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/memory.h"
#include "umd/core/record/observer.h"
#include "umd/cuda/device/device_list.h"

namespace umd::cuda {

using drv::Place;
using MemoryKind = Allocation::Kind;

namespace {

/* Bytes of one device, for cuDeviceGetGraphMemAttribute(). */
struct Usage {
	uint64_t used = 0;
	uint64_t used_high = 0;
	uint64_t reserved = 0;
	uint64_t reserved_high = 0;
};

/* Memory to be freed. */
struct Left {
	CUdeviceptr address;
	std::vector<drv::Fence> after;
};

struct GraphMemoryTable {
	base::Mutex mutex{"GraphMemoryTable::mutex"};
	std::map<CUdeviceptr, GraphAllocation *> by_address GUARDED_BY(mutex);
	std::map<int, Usage> usage GUARDED_BY(mutex); /* indexed by device */
	std::vector<Left> left GUARDED_BY(mutex);
};

GraphMemoryTable &table()
{
	return Process::own<GraphMemoryTable>();
}

Usage &usage_of(GraphMemoryTable &all, const GraphAllocation &allocation) REQUIRES(all.mutex)
{
	return all.usage[allocation.params.poolProps.location.id];
}

void set_live(GraphMemoryTable &all, GraphAllocation &allocation, bool is_live) REQUIRES(all.mutex)
{
	if (allocation.is_live == is_live)
		return;
	Usage &usage = usage_of(all, allocation);
	allocation.is_live = is_live;
	usage.used += is_live ? allocation.params.bytesize : 0 - allocation.params.bytesize;
	usage.used_high = std::max(usage.used_high, usage.used);
}

GraphAllocation *find(GraphMemoryTable &all, CUdeviceptr address) REQUIRES(all.mutex)
{
	auto found = all.by_address.find(address);
	return found == all.by_address.end() ? nullptr : found->second;
}

void enter_allocation(GraphAllocation &allocation)
{
	GraphMemoryTable &all = table();
	std::lock_guard lock(all.mutex);
	Usage &usage = usage_of(all, allocation);
	usage.reserved += allocation.params.bytesize;
	usage.reserved_high = std::max(usage.reserved_high, usage.reserved);
	all.by_address[allocation.params.dptr] = &allocation;
}

} // namespace

/* The last graph with this memory was destroyed. */
GraphAllocation::~GraphAllocation()
{
	if (params.dptr == 0)
		return;
	GraphMemoryTable &all = table();
	{
		std::lock_guard lock(all.mutex);
		Usage &usage = usage_of(all, *this);
		usage.reserved -= params.bytesize;
		all.by_address.erase(params.dptr);
		if (!is_live)
			all.left.push_back({params.dptr, std::move(after)});
		else
			usage.used -= params.bytesize;
	}
	if (is_live)
		note_allocation(params.dptr, {MemoryKind::DEVICE, 0, 0, 0, false});
}

static CUresult check_access(const CUDA_MEM_ALLOC_NODE_PARAMS &params)
{
	if (params.accessDescCount > 0 && !params.accessDescs)
		return null_argument("accessDescs");
	for (size_t i = 0; i < params.accessDescCount; i++) {
		const CUmemLocation &location = params.accessDescs[i].location;
		if (location.type != CU_MEM_LOCATION_TYPE_DEVICE)
			return refuse(
				CUDA_ERROR_INVALID_VALUE,
				fmt::format("accessDescs[{}] names no device; its location.type "
					    "must be CU_MEM_LOCATION_TYPE_DEVICE (1)",
					    i));
		if (location.id != params.poolProps.location.id)
			return refuse(CUDA_ERROR_NOT_SUPPORTED,
				      fmt::format("accessDescs[{}] names device {}; memory of a "
						  "node is for its own device, copy it with "
						  "cuMemcpyPeerAsync",
						  i, location.id));
	}
	return CUDA_SUCCESS;
}

static CUresult check_properties(const CUDA_MEM_ALLOC_NODE_PARAMS &params)
{
	const CUmemPoolProps &pool = params.poolProps;
	if (params.bytesize == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "bytesize is 0; it must be positive");
	if (pool.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    pool.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "poolProps must have allocType PINNED (1) and a location of type "
			      "DEVICE (1)");
	if (pool.handleTypes != CU_MEM_HANDLE_TYPE_NONE || pool.usage != 0)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "poolProps: memory of a node has no handle for other processes and "
			      "no special use; handleTypes and usage must be 0");
	return check_access(params);
}

/* Pins the device only during the call, because live memory keeps it open. */
static CUresult allocate_on(int device, size_t bytes, CUdeviceptr &address)
{
	constexpr size_t SMALL = 1u << 20;
	constexpr size_t MOST = size_t{1} << 46;
	int32_t index = 0;
	TRY(find_device(device, index));
	const DevicePin pin(index);
	TRY(pin.status());
	drv::Device &on = *pin.open().device;
	std::string why;
	auto bo = bytes <= MOST
			  ? on.memory().allocate(Place::DEVICE, bytes,
						 bytes <= SMALL ? UNPU_PAGE_THP : UNPU_PAGE_HUGETLB,
						 why)
			  : base::Result<drv::Bo>(base::Status::NO_MEMORY);
	if (!bo)
		return result(refuse_memory(
			on, bo.status(),
			fmt::format("{} contiguous bytes of device memory can't be allocated",
				    bytes)));
	address = bo->va;
	recorder::observer.note_allocation({reinterpret_cast<void *>(address), bytes});
	note_allocation(address, {MemoryKind::GRAPH, 0, 0, 0, false});
	return CUDA_SUCCESS;
}

CUresult make_allocation(const CUDA_MEM_ALLOC_NODE_PARAMS &params, MemoryNode &node)
{
	TRY(check_properties(params));
	free_left_memory();
	auto made = std::make_shared<GraphAllocation>();
	made->access.assign(params.accessDescs, params.accessDescs + params.accessDescCount);
	CUdeviceptr address = 0;
	TRY(allocate_on(params.poolProps.location.id, params.bytesize, address));
	made->params = params;
	made->params.dptr = address;
	made->params.accessDescs = made->access.data();
	enter_allocation(*made);
	node.allocation = std::move(made);
	return CUDA_SUCCESS;
}

CUresult make_free(const MemoryNodes &nodes, CUdeviceptr address, MemoryNode &node)
{
	GraphMemoryTable &all = table();
	std::lock_guard lock(all.mutex);
	if (!find(all, address))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("dptr {:#x} is not the address of an allocation node",
					  address));
	for (const auto &[number, other] : nodes) {
		if (!other.allocation && other.freed == address)
			return refuse(
				CUDA_ERROR_INVALID_VALUE,
				fmt::format(
					"node {} of the graph frees {:#x} already; free it once",
					number, address));
	}
	node.freed = address;
	return CUDA_SUCCESS;
}

static bool allocates(const MemoryNodes &nodes, CUdeviceptr address)
{
	return std::any_of(nodes.begin(), nodes.end(), [&](const auto &entry) {
		return entry.second.allocation && entry.second.allocation->params.dptr == address;
	});
}

CUresult check_memory_launch(const MemoryNodes &nodes, bool frees_before)
{
	GraphMemoryTable &all = table();
	std::lock_guard lock(all.mutex);
	for (const auto &[number, node] : nodes) {
		const GraphAllocation *other = node.allocation ? nullptr : find(all, node.freed);
		if (node.allocation && node.allocation->is_live && !frees_before)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("node {} allocated {:#x} in an earlier launch; "
						  "free it first, or instantiate with "
						  "AUTO_FREE_ON_LAUNCH",
						  number, node.allocation->params.dptr));
		if (!node.allocation && !allocates(nodes, node.freed) &&
		    (!other || !other->is_live))
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("node {} frees {:#x}, which no launch has "
						  "allocated, or which was freed since",
						  number, node.freed));
	}
	for (const auto &[number, node] : nodes) {
		if (node.allocation)
			set_live(all, *node.allocation, true);
	}
	for (const auto &[number, node] : nodes) {
		if (GraphAllocation *freed = node.allocation ? nullptr : find(all, node.freed))
			set_live(all, *freed, false);
	}
	return CUDA_SUCCESS;
}

void set_instantiated(const MemoryNodes &nodes, bool is_instantiated)
{
	std::lock_guard lock(table().mutex);
	for (const auto &[number, node] : nodes) {
		if (node.allocation)
			node.allocation->is_instantiated = is_instantiated;
	}
}

bool is_instantiated(const MemoryNodes &nodes, const MemoryNodes &but)
{
	std::lock_guard lock(table().mutex);
	return std::any_of(nodes.begin(), nodes.end(), [&](const auto &entry) {
		const auto &allocation = entry.second.allocation;
		return allocation && allocation->is_instantiated &&
		       !allocates(but, allocation->params.dptr);
	});
}

CUresult free_graph_memory(CUdeviceptr address, const std::vector<drv::Fence> &after,
			   bool &is_graphs)
{
	is_graphs = false;
	if (find_allocation(address).kind != MemoryKind::GRAPH)
		return CUDA_SUCCESS;
	GraphMemoryTable &all = table();
	std::lock_guard lock(all.mutex);
	GraphAllocation *allocation = find(all, address);
	is_graphs = true;
	if (!allocation || !allocation->is_live)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("{:#x} is the address of an allocation node; no launch has "
				    "allocated it, or it was freed since",
				    address));
	set_live(all, *allocation, false);
	allocation->after = after;
	return CUDA_SUCCESS;
}

void free_left_memory()
{
	std::vector<Left> left;
	GraphMemoryTable &all = table();
	{
		std::lock_guard lock(all.mutex);
		left.swap(all.left);
	}
	for (Left &one : left) {
		(void)free_memory(reinterpret_cast<void *>(one.address), Place::DEVICE,
				  std::move(one.after));
		forget_allocation(one.address);
	}
}

/* Return: CUDA_ERROR_INVALID_VALUE for an unknown attribute. */
static CUresult find_attribute(Usage &usage, CUgraphMem_attribute attribute, uint64_t *&value)
{
	switch (attribute) {
	case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
		value = &usage.used;
		return CUDA_SUCCESS;
	case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
		value = &usage.used_high;
		return CUDA_SUCCESS;
	case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
		value = &usage.reserved;
		return CUDA_SUCCESS;
	case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
		value = &usage.reserved_high;
		return CUDA_SUCCESS;
	}
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("attr is {}; it must be 0 to 3", static_cast<int>(attribute)));
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
	TRY(enter());
	int32_t index = 0;
	TRY(find_device(device, index));
	free_left_memory();
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
	TRY(enter());
	if (!value)
		return null_argument("value");
	int32_t index = 0;
	TRY(find_device(device, index));
	GraphMemoryTable &all = table();
	std::lock_guard lock(all.mutex);
	uint64_t *found = nullptr;
	TRY(find_attribute(all.usage[device], attr, found));
	*static_cast<cuuint64_t *>(value) = *found;
	return CUDA_SUCCESS;
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
	TRY(enter());
	if (!value)
		return null_argument("value");
	const bool is_high = attr == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH ||
			     attr == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
	if (!is_high || *static_cast<cuuint64_t *>(value) != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "only USED_MEM_HIGH (1) and RESERVED_MEM_HIGH (3) can be set, to 0");
	int32_t index = 0;
	TRY(find_device(device, index));
	GraphMemoryTable &all = table();
	std::lock_guard lock(all.mutex);
	Usage &usage = all.usage[device];
	uint64_t *found = nullptr;
	TRY(find_attribute(usage, attr, found));
	*found = attr == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH ? usage.used : usage.reserved;
	return CUDA_SUCCESS;
}
