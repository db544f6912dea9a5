// SPDX-License-Identifier: MIT
/*
 * DOC: pools of several processes
 *
 * The rules are those of the interface's own text on each function.
 */
#include "support/peer.h"

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

using namespace cuda_test;

namespace {

class PoolShare : public ContextTest {};

constexpr auto kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr size_t kBytes = 5000;

CUmemoryPool make_pool(CUmemAllocationHandleType types = kFile)
{
	CUmemPoolProps props = {};
	CUmemoryPool pool = nullptr;

	props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	props.handleTypes = types;
	props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	EXPECT_OK(cuMemPoolCreate(&pool, &props));
	return pool;
}

int export_pool(CUmemoryPool pool)
{
	int file = -1;

	EXPECT_OK(cuMemPoolExportToShareableHandle(&file, pool, kFile, 0));
	EXPECT_GE(file, 0);
	return file;
}

void *handle_of(int file)
{
	return reinterpret_cast<void *>(static_cast<intptr_t>(file));
}

CUmemoryPool import_pool(int file)
{
	CUmemoryPool pool = nullptr;

	EXPECT_OK(cuMemPoolImportFromShareableHandle(&pool, handle_of(file), kFile, 0));
	EXPECT_EQ(close(file), 0);
	return pool;
}

CUmemPoolPtrExportData export_memory(CUdeviceptr memory)
{
	CUmemPoolPtrExportData data = {};

	EXPECT_OK(cuMemPoolExportPointer(&data, memory));
	return data;
}

CUdeviceptr import_memory(CUmemoryPool pool, CUmemPoolPtrExportData data)
{
	CUdeviceptr memory = 0;

	EXPECT_OK(cuMemPoolImportPointer(&memory, pool, &data));
	return memory;
}

CUdeviceptr take(CUmemoryPool pool, uint32_t word)
{
	CUdeviceptr memory = 0;

	EXPECT_OK(cuMemAllocFromPoolAsync(&memory, kBytes, pool, nullptr));
	EXPECT_OK(cuMemsetD32(memory, word, kBytes / sizeof(word)));
	EXPECT_OK(cuCtxSynchronize());
	return memory;
}

void give_back(CUdeviceptr memory)
{
	EXPECT_OK(cuMemFreeAsync(memory, nullptr));
	EXPECT_OK(cuCtxSynchronize());
}

uint32_t load(CUdeviceptr memory)
{
	uint32_t word = 0;

	EXPECT_OK(cuMemcpyDtoH(&word, memory, sizeof(word)));
	return word;
}

cuuint64_t number(CUmemoryPool pool, CUmemPool_attribute attribute)
{
	cuuint64_t value = 77;

	EXPECT_OK(cuMemPoolGetAttribute(pool, attribute, &value));
	return value;
}

template <class T> T told(CUpointer_attribute attribute, CUdeviceptr memory)
{
	T value = {};

	EXPECT_OK(cuPointerGetAttribute(&value, attribute, memory));
	return value;
}

} // namespace

TEST_F(PoolShare, WhatIsExported)
{
	const CUmemoryPool pool = make_pool();
	const CUmemoryPool secret = make_pool(CU_MEM_HANDLE_TYPE_NONE);
	const CUdeviceptr memory = take(pool, 1);
	const CUdeviceptr other = take(secret, 1);
	CUmemPoolPtrExportData data = {};
	CUdeviceptr plain = 0;
	int file = -1;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolExportToShareableHandle(nullptr, pool, kFile, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolExportToShareableHandle(&file, nullptr, kFile, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolExportToShareableHandle(&file, pool, kFile, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_NONE, 0));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_FABRIC, 0));
	/* "create a mempool with a CUmemAllocationHandleType other than CU_MEM_HANDLE_TYPE_NONE" */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolExportToShareableHandle(&file, secret, kFile, 0));
	EXPECT_EQ(file, -1);
	EXPECT_EQ(told<uint64_t>(CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, memory),
		  uint64_t{kFile});
	EXPECT_EQ(told<uint64_t>(CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, other), 0u);

	EXPECT_OK(cuMemAlloc(&plain, kBytes));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(nullptr, memory));
	for (const CUdeviceptr bad : {CUdeviceptr{0}, plain, other, memory + 512})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&data, bad));
	EXPECT_OK(cuMemFree(plain));
	give_back(other);
	give_back(memory);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&data, memory));
	EXPECT_OK(cuMemPoolDestroy(secret));
	EXPECT_OK(cuMemPoolDestroy(pool));
}

TEST_F(PoolShare, WhatIsImported)
{
	const CUmemoryPool pool = make_pool();
	const int file = export_pool(pool);
	CUmemoryPool out = nullptr;
	int pipes[2] = {-1, -1};
	const int empty = memfd_create("empty", MFD_CLOEXEC);
	const int foreign = memfd_create("foreign", MFD_CLOEXEC);
	char name[64] = {};

	ASSERT_EQ(pipe2(pipes, 0), 0);
	const auto import = [&](int from) {
		return cuMemPoolImportFromShareableHandle(&out, handle_of(from), kFile, 0);
	};
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolImportFromShareableHandle(nullptr, handle_of(file), kFile, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolImportFromShareableHandle(&out, handle_of(file), kFile, 1));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuMemPoolImportFromShareableHandle(&out, handle_of(file),
						     CU_MEM_HANDLE_TYPE_FABRIC, 0));
	for (const int bad : {-1, 1 << 20, pipes[0], empty})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import(bad));
	/* A process can't write to the file, and one with the name of another firmware is refused. */
	EXPECT_EQ(pwrite(file, name, 1, 0), -1);
	const ssize_t bytes = pread(file, name, sizeof(name), 0);
	ASSERT_GT(bytes, 16);
	name[8] = static_cast<char>(name[8] ^ 1);
	ASSERT_EQ(pwrite(foreign, name, static_cast<size_t>(bytes), 0), bytes);
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, import(foreign));
	EXPECT_EQ(out, nullptr);
	for (const int fd : {pipes[0], pipes[1], empty, foreign, file})
		close(fd);
	EXPECT_OK(cuMemPoolDestroy(pool));
}

/* "Imported memory pools do not support creating new allocations." */
TEST_F(PoolShare, AnImportedPoolAllocatesNothing)
{
	const CUmemoryPool pool = make_pool();
	const CUmemoryPool imported = import_pool(export_pool(pool));
	const CUdeviceptr memory = take(pool, 1);
	CUmemPoolPtrExportData data = export_memory(memory);
	CUdeviceptr out = 0;
	CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
	CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
	int file = -1;

	EXPECT_NE(imported, pool);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&out, 8, imported, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(0, imported));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolExportToShareableHandle(&file, imported, kFile, 0));
	EXPECT_EQ(number(imported, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
	EXPECT_OK(cuMemPoolTrimTo(imported, 0));
	EXPECT_OK(cuMemPoolGetAccess(&access, imported, &here));
	EXPECT_EQ(access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	/* The exporter has the memory already. */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&out, imported, &data));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&out, pool, &data));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(nullptr, imported, &data));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&out, imported, nullptr));
	EXPECT_EQ(out, 0u);
	give_back(memory);
	EXPECT_OK(cuMemPoolDestroy(imported));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(imported));
	EXPECT_OK(cuMemPoolDestroy(pool));
}

/* An importer sets the access of its devices itself. */
TEST(PoolShareAlone, AccessIsNotInherited)
{
	if (!alone("devices=2"))
		return;
	const Session session;
	const CUmemoryPool pool = make_pool();
	CUmemLocation other = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
	const CUmemAccessDesc reads = {other, CU_MEM_ACCESS_FLAGS_PROT_READ};
	const CUmemAccessDesc writes = {other, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_READ;

	EXPECT_OK(cuMemPoolSetAccess(pool, &writes, 1));
	const CUmemoryPool imported = import_pool(export_pool(pool));
	EXPECT_OK(cuMemPoolGetAccess(&access, imported, &other));
	EXPECT_EQ(access, CU_MEM_ACCESS_FLAGS_PROT_NONE);
	EXPECT_OK(cuMemPoolSetAccess(imported, &reads, 1));
	EXPECT_OK(cuMemPoolGetAccess(&access, imported, &other));
	EXPECT_EQ(access, CU_MEM_ACCESS_FLAGS_PROT_READ);
	EXPECT_OK(cuMemPoolGetAccess(&access, pool, &other));
	EXPECT_EQ(access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	EXPECT_OK(cuMemPoolDestroy(imported));
	EXPECT_OK(cuMemPoolDestroy(pool));
}

TEST(PoolShareAlone, AnotherProcessImports)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const CUmemoryPool pool = import_pool(line.receive_file());
		const auto data = line.receive<CUmemPoolPtrExportData>();
		const auto second = line.receive<CUmemPoolPtrExportData>();
		const CUdeviceptr memory = import_memory(pool, data);
		CUdeviceptr start = 0;
		CUipcMemHandle handle = {};
		size_t bytes = 0;

		EXPECT_EQ(load(memory), 31u);
		EXPECT_OK(cuMemGetAddressRange(&start, &bytes, memory + 8));
		EXPECT_EQ(start, memory);
		EXPECT_EQ(bytes, kBytes);
		EXPECT_EQ(told<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory), pool);
		EXPECT_GE(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kBytes);
		EXPECT_OK(cuMemsetD32(memory, 32, 1));
		/* What it has imported is neither its own to export, nor memory of cuIpcOpenMemHandle. */
		CUmemPoolPtrExportData again = {};
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&again, memory));
		EXPECT_NE(cuIpcGetMemHandle(&handle, memory), CUDA_SUCCESS);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(memory));
		/* The same once more, and other memory, which cuMemFree ends. */
		EXPECT_EQ(import_memory(pool, data), memory);
		const CUdeviceptr other = import_memory(pool, second);
		EXPECT_NE(other, memory);
		EXPECT_EQ(load(other), 41u);
		EXPECT_OK(cuMemFree(other));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(other));
		give_back(memory);
		EXPECT_EQ(load(memory), 32u);
		/* The memory outlives the pool that it was imported by. */
		EXPECT_OK(cuMemPoolDestroy(pool));
		EXPECT_EQ(load(memory), 32u);
		give_back(memory);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
		line.meet();
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const CUmemoryPool pool = make_pool();
	const CUdeviceptr memory = take(pool, 31);
	const CUdeviceptr other = take(pool, 41);
	const int file = export_pool(pool);
	Peer peer;

	peer.line().send_file(file);
	close(file);
	peer.line().send(export_memory(memory));
	peer.line().send(export_memory(other));
	peer.line().meet();
	EXPECT_EQ(load(memory), 32u);
	give_back(memory);
	give_back(other);
	EXPECT_OK(cuMemPoolDestroy(pool));
}

/* "If cuMemFreeAsync is used, the free must be completed on the importing process before the free operation on the
 * exporting process": tasks before it still have the memory. */
TEST(PoolShareAlone, AFreeFollowsItsStream)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const CUmemoryPool pool = import_pool(line.receive_file());
		const CUdeviceptr memory =
			import_memory(pool, line.receive<CUmemPoolPtrExportData>());
		CUdeviceptr copy = 0;
		{
			const Stream stream;
			Gate gate;

			EXPECT_OK(cuMemAlloc(&copy, kBytes));
			gate.block(stream);
			EXPECT_OK(cuMemcpyDtoDAsync(copy, memory, kBytes, stream));
			EXPECT_OK(cuMemFreeAsync(memory, stream));
			EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(memory, stream));
			EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
			gate.open();
			EXPECT_OK(cuStreamSynchronize(stream));
		}
		EXPECT_EQ(load(copy + kBytes - 8), 51u);
		EXPECT_OK(cuMemFree(copy));
		EXPECT_OK(cuMemPoolDestroy(pool));
		line.meet();
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const CUmemoryPool pool = make_pool();
	const CUdeviceptr memory = take(pool, 51);
	const int file = export_pool(pool);
	Peer peer;

	peer.line().send_file(file);
	close(file);
	peer.line().send(export_memory(memory));
	peer.line().meet();
	give_back(memory);
	EXPECT_OK(cuMemPoolDestroy(pool));
}

/* What is freed is not imported any more, also where the pool gives the same memory out again. */
TEST(PoolShareAlone, WhatIsFreedIsGone)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const CUmemoryPool pool = import_pool(line.receive_file());
		const CUmemoryPool other = import_pool(line.receive_file());
		auto freed = line.receive<CUmemPoolPtrExportData>();
		auto data = line.receive<CUmemPoolPtrExportData>();
		CUdeviceptr memory = 0;

		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&memory, pool, &freed));
		/* It is of another pool. */
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&memory, other, &data));
		memory = import_memory(pool, data);
		EXPECT_EQ(load(memory), 62u);
		EXPECT_OK(cuMemFree(memory));
		memset(&data, 0xff, sizeof(data));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&memory, pool, &data));
		EXPECT_OK(cuMemPoolDestroy(pool));
		EXPECT_OK(cuMemPoolDestroy(other));
		line.meet();
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const CUmemoryPool pool = make_pool();
	const CUmemoryPool other = make_pool();
	cuuint64_t all = UINT64_MAX;
	EXPECT_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
	const CUdeviceptr first = take(pool, 61);
	const CUmemPoolPtrExportData freed = export_memory(first);
	give_back(first);
	const CUdeviceptr memory = take(pool, 62);
	Peer peer;

	EXPECT_EQ(memory, first);
	for (const CUmemoryPool each : {pool, other}) {
		const int file = export_pool(each);
		peer.line().send_file(file);
		close(file);
	}
	peer.line().send(freed);
	peer.line().send(export_memory(memory));
	peer.line().meet();
	give_back(memory);
	EXPECT_OK(cuMemPoolDestroy(pool));
	EXPECT_OK(cuMemPoolDestroy(other));
}
