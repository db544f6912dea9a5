// SPDX-License-Identifier: MIT
/**
 * DOC: Pools of several processes
 *
 * A pool is exported as a file with the name of the pool. A pointer is exported as the firmware's key of its
 * block, together with the name of the pool. So the firmware knows only blocks, which it handles like other
 * shared memory.
 */
#include <algorithm>
#include <cstring>

#include <sys/stat.h>
#include <sys/uio.h>

#include "base/os/calls/transfers.h"
#include "handle_types.h"
#include "locations.h"
#include "pools.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/ipc_memory.h"
#include "umd/core/memory/share_key.h"
#include "umd/core/stream/pool.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/object/allocations.h"

namespace umd::cuda {

namespace {

using base::Status;

constexpr uint64_t POOL_MAGIC = 0x304c4f4f50554e55; /* "UNPUPOL0", as bytes */

/* struct PoolFile - the content of the file. */
struct PoolFile {
	uint64_t magic;
	PoolName name;
};

/* struct PointerData - the content of CUmemPoolPtrExportData; the remaining bytes are 0. */
struct PointerData {
	uint64_t magic;
	uint64_t pool;	/* PoolName.pool */
	uint64_t bytes; /* bytes that the exporter asked for */
	unpu_export_key key;
};
static_assert(sizeof(PointerData) <= sizeof(CUmemPoolPtrExportData));

CUresult name_pool(CUmemoryPool pool, int32_t index, PoolName &name)
{
	const umd::DevicePin pin(index);
	TRY(pin.status());
	drv::Device &device = *pin.open().device;
	name = {device.hal().bar().instance, reinterpret_cast<uint64_t>(pool),
		umd::process_id(device), static_cast<uint32_t>(driver_number(index))};
	return CUDA_SUCCESS;
}

/* The file is sealed against writes, so that no process can change it for the others. */
CUresult make_file(const PoolFile &content, base::Fd &fd)
{
	base::Mapping writer;
	auto file = base::create_single_writer("unpu-pool", sizeof(content), writer);
	if (!file)
		return refuse(CUDA_ERROR_OUT_OF_MEMORY,
			      fmt::format("no file can be made for the handle ({}); close some "
					  "descriptors, or raise RLIMIT_NOFILE",
					  base::status_sentence(file.status())));
	memcpy(writer.data(), &content, sizeof(content));
	fd = std::move(file->fd);
	return CUDA_SUCCESS;
}

CUresult read_file(int fd, PoolName &name)
{
	PoolFile content{};
	struct stat about {};
	const bool is_file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
	if (!is_file ||
	    base::calls::read_at(fd, {&content, sizeof(content)}, 0) != ssize_t{sizeof(content)} ||
	    content.magic != POOL_MAGIC || content.name.pid == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("handle: {} is not a descriptor that "
					  "cuMemPoolExportToShareableHandle gave",
					  fd));
	name = content.name;
	return CUDA_SUCCESS;
}

/* The exporting process may import its own pool, but not its own memory. */
CUresult check_firmware(umd::OpenDevice &open, const PoolName &name)
{
	unpu_export_key key{};
	key.instance = name.instance;
	key.pid = name.pid;
	const Status status = umd::check_import(*open.device, key);
	return status == Status::SAME_PROCESS ? CUDA_SUCCESS : imported(status);
}

CUresult refuse_no_types(const char *name, CUmemoryPool pool)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} {} was made without POSIX_FILE_DESCRIPTOR (1) in "
				  "poolProps->handleTypes",
				  name, fmt::ptr(pool)));
}

CUresult refuse_imported(const char *name, const void *object)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} {} was imported; the process that made the pool exports it",
				  name, object));
}

} // namespace

} // namespace umd::cuda

using namespace umd::cuda;
using umd::IpcMemory;
using umd::Pools;

CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
					  CUmemAllocationHandleType handleType,
					  unsigned long long flags)
{
	TRY(enter());
	if (!handle_out)
		return null_argument("handle_out");
	PoolHome home;
	TRY(find_home(pool, "pool", home));
	TRY(check_handle_type(handleType, "handleType"));
	TRY(check_flags(flags));
	if (home.is_imported())
		return refuse_imported("pool", pool);
	if (!(home.handle_types & handleType))
		return refuse_no_types("pool", pool);
	PoolFile content{POOL_MAGIC, {}};
	base::Fd file;
	TRY(name_pool(pool, home.index, content.name));
	TRY(make_file(content, file));
	*static_cast<int *>(handle_out) = file.release();
	return CUDA_SUCCESS;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
					    CUmemAllocationHandleType handleType,
					    unsigned long long flags)
{
	TRY(enter());
	if (!pool_out)
		return null_argument("pool_out");
	TRY(check_handle_type(handleType, "handleType"));
	TRY(check_flags(flags));
	PoolHome home;
	TRY(read_file(static_cast<int>(reinterpret_cast<intptr_t>(handle)), home.origin));
	home.index = importing_device(home.origin.device);
	const umd::DevicePin pin(home.index);
	TRY(pin.status());
	TRY(check_firmware(pin.open(), home.origin));
	auto made = TRY(Pools::get().create(umd::DeviceRef(pin.open()), 0, true,
					    {drv::Place::DEVICE, -1, true}));
	*pool_out = static_cast<CUmemoryPool>(made);
	note_pool(*pool_out, home);
	return CUDA_SUCCESS;
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr)
{
	TRY(enter());
	if (!shareData_out)
		return null_argument("shareData_out");
	Allocation allocation = find_allocation(ptr);
	if (allocation.kind != Allocation::Kind::POOL)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("ptr {:#x} is not the start of memory of a pool, or was "
					  "freed",
					  ptr));
	auto *const pool = reinterpret_cast<CUmemoryPool>(allocation.pool);
	PoolHome home;
	TRY(find_home(pool, "the pool of ptr,", home));
	if (home.is_imported())
		return refuse_imported("ptr", reinterpret_cast<void *>(ptr));
	if (home.handle_types == 0)
		return refuse_no_types("the pool of ptr,", pool);
	auto key = TRY(IpcMemory::get().export_allocation(reinterpret_cast<void *>(ptr)));
	allocation.is_exported = true;
	note_allocation(ptr, allocation);
	const PointerData data{POOL_MAGIC, allocation.pool, allocation.bytes, key};
	memset(shareData_out, 0, sizeof(*shareData_out));
	memcpy(shareData_out, &data, sizeof(data));
	return CUDA_SUCCESS;
}

CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
				CUmemPoolPtrExportData *shareData)
{
	TRY(enter());
	if (!ptr_out || !shareData)
		return null_argument(ptr_out ? "shareData" : "ptr_out");
	PoolHome home;
	TRY(find_home(pool, "pool", home));
	if (!home.is_imported())
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("pool {} is this process's own; "
				    "cuMemPoolImportFromShareableHandle gives one that imports",
				    fmt::ptr(pool)));
	PointerData data;
	memcpy(&data, shareData, sizeof(data));
	const PoolName &origin = home.origin;
	if (data.magic != POOL_MAGIC || data.key.kind != UNPU_EXPORT_MEMORY ||
	    data.pool != origin.pool || data.key.instance != origin.instance ||
	    data.key.pid != origin.pid)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("shareData is not what cuMemPoolExportPointer gave for "
					  "memory of the pool that {} was imported from",
					  fmt::ptr(pool)));
	const umd::DevicePin pin(home.index);
	TRY(pin.status());
	void *address = nullptr;
	uint64_t bytes = 0;
	TRY(imported(Pools::get().import(pool, pin.open(), data.key, &address, bytes)));
	*ptr_out = reinterpret_cast<CUdeviceptr>(address);
	Allocation allocation{Allocation::Kind::POOL};
	allocation.bytes = std::min(data.bytes, bytes);
	allocation.pool = reinterpret_cast<uint64_t>(pool);
	allocation.is_imported = true;
	if (find_allocation(*ptr_out).kind == Allocation::Kind::NONE)
		note_allocation(*ptr_out, allocation);
	return CUDA_SUCCESS;
}
