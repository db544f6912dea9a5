// SPDX-License-Identifier: MIT
/*
 * DOC: memory without an address, for other processes
 *
 * The rules are those of the interface's own text on each function.
 */
#include "process/vmm.h"

#include "support/peer.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace cuda_test;

namespace {

class VmmShare : public ContextTest {};

constexpr auto kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

CUmemAllocationProp exportable()
{
	CUmemAllocationProp prop = properties();

	prop.requestedHandleTypes = kFile;
	return prop;
}

int export_file(CUmemGenericAllocationHandle handle)
{
	int file = -1;

	EXPECT_OK(cuMemExportToShareableHandle(&file, handle, kFile, 0));
	EXPECT_GE(file, 0);
	return file;
}

CUresult import_file(CUmemGenericAllocationHandle *handle, int file)
{
	return cuMemImportFromShareableHandle(
		handle, reinterpret_cast<void *>(static_cast<uintptr_t>(file)), kFile);
}

size_t free_bytes()
{
	size_t free = 0;
	size_t total = 0;

	EXPECT_OK(cuMemGetInfo(&free, &total));
	return free;
}

/* A handle's memory at an address, with access. */
class View {
public:
	explicit View(CUmemGenericAllocationHandle handle) : range_(kUnit)
	{
		EXPECT_OK(cuMemMap(range_, kUnit, 0, handle, 0));
		EXPECT_OK(set_access(range_, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	}
	~View() { EXPECT_OK(cuMemUnmap(range_, kUnit)); }
	View(const View &) = delete;
	View &operator=(const View &) = delete;

	operator CUdeviceptr() const { return range_; }

private:
	Reservation range_;
};

} // namespace

TEST_F(VmmShare, TheSameProcessImports)
{
	const CUmemGenericAllocationHandle handle = create(kUnit, exportable());
	const int file = export_file(handle);
	CUmemGenericAllocationHandle again = 0;

	EXPECT_EQ(fcntl(file, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ASSERT_OK(import_file(&again, file));
	close(file);
	{
		const View one(handle);
		const View other(again);

		EXPECT_OK(cuMemsetD32(one, 17, 1));
		EXPECT_EQ(word_at(other), 17u);
		EXPECT_EQ(attribute<uint64_t>(CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, one),
			  uint64_t{kFile});
	}
	CUmemAllocationProp told = {};
	EXPECT_OK(cuMemGetAllocationPropertiesFromHandle(&told, again));
	EXPECT_EQ(told.requestedHandleTypes, kFile);
	/* "it needs to pair it with cuMemRelease" */
	EXPECT_OK(cuMemRelease(handle));
	EXPECT_OK(cuMemRelease(again));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRelease(again));
}

/* "when all outstanding references to the handle (including it's shareable counterparts) are also
 * released" */
TEST_F(VmmShare, AFileKeepsTheMemory)
{
	const size_t before = free_bytes();
	const CUmemGenericAllocationHandle handle = create(kUnit, exportable());
	const int file = export_file(handle);
	const int second = export_file(handle);
	CUmemGenericAllocationHandle again = 0;

	EXPECT_NE(file, second);
	{
		const View view(handle);
		EXPECT_OK(cuMemsetD32(view, 23, 1));
	}
	EXPECT_OK(cuMemRelease(handle));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
	EXPECT_EQ(free_bytes(), before - kUnit);
	close(file);
	ASSERT_OK(import_file(&again, second));
	{
		const View view(again);
		EXPECT_EQ(word_at(view), 23u);
	}
	EXPECT_OK(cuMemRelease(again));
	EXPECT_EQ(free_bytes(), before - kUnit);
	/* A copy of the descriptor counts as well. */
	const int copy = dup(second);
	close(second);
	EXPECT_EQ(free_bytes(), before - kUnit);
	close(copy);
	EXPECT_EQ(free_bytes(), before);
}

TEST_F(VmmShare, WhatIsRefused)
{
	const CUmemGenericAllocationHandle handle = create(kUnit, exportable());
	const CUmemGenericAllocationHandle secret = create(kUnit);
	CUmemGenericAllocationHandle out = 0;
	int file = -1;
	int pipes[2] = {-1, -1};
	int sockets[2] = {-1, -1};

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemExportToShareableHandle(nullptr, handle, kFile, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&file, handle, kFile, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&file, 0, kFile, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_NONE, 0));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_FABRIC, 0));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_WIN32, 0));
	/* It was made without the type. */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemExportToShareableHandle(&file, secret, kFile, 0));
	EXPECT_EQ(file, -1);

	ASSERT_EQ(pipe2(pipes, O_CLOEXEC), 0);
	ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_file(nullptr, pipes[0]));
	for (int bad : {-1, 1 << 20, pipes[0], sockets[0]})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_file(&out, bad));
	/* Messages that are no key. */
	EXPECT_EQ(send(sockets[1], "key", 3, 0), 3);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, import_file(&out, sockets[0]));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuMemImportFromShareableHandle(&out, nullptr, CU_MEM_HANDLE_TYPE_FABRIC));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemImportFromShareableHandle(&out, nullptr, CU_MEM_HANDLE_TYPE_NONE));
	EXPECT_EQ(out, 0u);
	for (int fd : {pipes[0], pipes[1], sockets[0], sockets[1]})
		close(fd);
	EXPECT_OK(cuMemRelease(handle));
	EXPECT_OK(cuMemRelease(secret));
}

TEST(VmmShareAlone, AnotherProcessImports)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const int file = line.receive_file();
		CUmemGenericAllocationHandle handle = 0;
		CUmemGenericAllocationHandle again = 0;
		CUmemAllocationProp told = {};
		int other = -1;

		ASSERT_OK(import_file(&handle, file));
		ASSERT_OK(import_file(&again, file));
		close(file);
		/* The exporter has dropped its last reference; the memory stays. */
		line.meet();
		line.meet();
		EXPECT_OK(cuMemGetAllocationPropertiesFromHandle(&told, handle));
		EXPECT_EQ(told.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
		EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
			  cuMemExportToShareableHandle(&other, handle, kFile, 0));
		{
			/* Memory of two processes in one reservation. */
			const Reservation range(2 * kUnit);
			const Mapped own(range + kUnit, kUnit);
			EXPECT_OK(cuMemMap(range, kUnit, 0, handle, 0));
			EXPECT_OK(set_access(range, 2 * kUnit,
					     access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
			EXPECT_EQ(word_at(range), 31u);
			EXPECT_OK(cuMemcpyDtoD(range + kUnit, range, 4));
			EXPECT_EQ(word_at(range + kUnit), 31u);
			EXPECT_OK(cuMemUnmap(range, kUnit));
		}
		EXPECT_OK(cuMemRelease(handle));
		EXPECT_OK(cuMemRelease(again));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const CUmemGenericAllocationHandle handle = create(kUnit, exportable());
	{
		const View view(handle);
		EXPECT_OK(cuMemsetD32(view, 31, 1));
		EXPECT_EQ(word_at(view), 31u);
	}
	const int file = export_file(handle);
	Peer peer;
	peer.line().send_file(file);
	close(file);
	peer.line().meet();
	EXPECT_OK(cuMemRelease(handle));
	peer.line().meet();
}

/* A file whose exporter has gone is worth nothing. */
TEST(VmmShareAlone, TheExporterHasGone)
{
	if (is_peer()) {
		const Session session;
		const CUmemGenericAllocationHandle handle = create(kUnit, exportable());
		const int file = export_file(handle);
		parent().send_file(file);
		close(file);
		EXPECT_OK(cuMemRelease(handle));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	CUmemGenericAllocationHandle handle = 0;
	int file = -1;
	{
		Peer peer;
		file = peer.line().receive_file();
	}
	/* The firmware learns of the end a little later; the alarm of the process bounds the loop. */
	CUresult code = import_file(&handle, file);
	while (code == CUDA_SUCCESS) {
		EXPECT_OK(cuMemRelease(handle));
		std::this_thread::yield();
		code = import_file(&handle, file);
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, code);
	close(file);
}
