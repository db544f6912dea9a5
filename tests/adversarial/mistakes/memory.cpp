// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes with memory
 */
#include <acl/acl_rt_memory_soma.h>

#include <sys/wait.h>
#include <unistd.h>

#include "mistakes.h"

static constexpr size_t kBytes = 4096;
static char host[kBytes];

static void wrong_kind()
{
	begin();
	void *memory = make_memory(kBytes);
	TELL(aclrtMemcpy(memory, kBytes, host, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
	NEED(aclrtFree(memory));
}

static void wrong_kind_async()
{
	begin();
	void *memory = make_memory(kBytes);
	void *pinned = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtMallocHost(&pinned, kBytes));
	TELL(aclrtMemcpyAsync(pinned, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void unknown_policy()
{
	begin();
	void *memory = nullptr;
	TELL(aclrtMalloc(&memory, kBytes, static_cast<aclrtMemMallocPolicy>(99)));
}

static void device_pointer_on_host()
{
	begin();
	*static_cast<char *>(make_memory(kBytes)) = 1;
}

static void freed_pointer_on_host()
{
	begin();
	char *memory = static_cast<char *>(make_memory(kBytes));
	NEED(aclrtFree(memory));
	*memory = 1;
}

static void freed_twice()
{
	begin();
	void *memory = make_memory(kBytes);
	NEED(aclrtFree(memory));
	TELL(aclrtFree(memory));
}

static void freed_inside()
{
	begin();
	void *pinned = nullptr;
	NEED(aclrtMallocHost(&pinned, kBytes));
	TELL(aclrtFree(static_cast<char *>(make_memory(kBytes)) + 64));
	TELL(aclrtFreeHost(static_cast<char *>(pinned) + 1));
}

static void host_memory_freed_as_device_memory()
{
	begin();
	void *pinned = nullptr;
	NEED(aclrtMallocHost(&pinned, kBytes));
	TELL(aclrtFree(pinned));
}

static void copy_beyond_the_allocation()
{
	begin();
	char *memory = static_cast<char *>(make_memory(kBytes));
	TELL(aclrtMemcpy(memory + kBytes / 2, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

static void copy_over_its_source()
{
	begin();
	char *memory = static_cast<char *>(make_memory(2 * kBytes));
	TELL(aclrtMemcpy(memory + 100, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
	TELL(aclrtMemcpy(memory + kBytes, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

/* Within what the allocator adds. */
static void copy_into_the_slack()
{
	begin();
	char *memory = static_cast<char *>(make_memory(60));
	TELL(aclrtMemcpy(memory, 128, host, 128, ACL_MEMCPY_HOST_TO_DEVICE));
	TELL(aclrtMemcpy(host, 61, memory, 61, ACL_MEMCPY_DEVICE_TO_HOST));
	TELL(aclrtMemcpy(memory, 60, host, 60, ACL_MEMCPY_HOST_TO_DEVICE));
}

static void rows_into_the_slack()
{
	begin();
	char *memory = static_cast<char *>(make_memory(64));
	aclrtStream stream = make_stream();
	TELL(aclrtMemcpy2dAsync(memory, 32, host, 16, 16, 3, ACL_MEMCPY_HOST_TO_DEVICE, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void fill_into_the_slack()
{
	begin();
	void *memory = make_memory(64);
	aclrtStream stream = make_stream();
	TELL(aclrtMemset(memory, 72, 1, 72));
	TELL(aclrtMemsetAsync(memory, 73, 1, 73, stream));
	TELL(aclrtMemsetD32(memory, 76, 1, 19));
	NEED(aclrtSynchronizeStream(stream));
}

static void fill_of_ordinary_memory()
{
	begin();
	void *pinned = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtMallocHost(&pinned, kBytes));
	TELL(aclrtMemset(pinned, kBytes, 0, kBytes));
	TELL(aclrtMemset(host, kBytes, 0, kBytes));
	TELL(aclrtMemsetAsync(host, kBytes, 0, kBytes, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void batch_into_the_slack()
{
	begin();
	void *memory[] = {make_memory(64), make_memory(60)};
	void *sources[] = {host, host};
	size_t bytes[] = {64, 61};
	size_t first = 0, failed = 0;
	aclrtMemcpyBatchAttr attr{};
	attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
	TELL(aclrtMemcpyBatch(memory, bytes, sources, bytes, 2, &attr, &first, 1, &failed));
}

static void sum_into_the_slack()
{
	begin();
	aclrtStream stream = make_stream();
	void *sum = make_memory(64);
	void *more = make_memory(kBytes);
	TELL(aclrtReduceAsync(sum, more, 68, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream,
			      nullptr));
	NEED(aclrtSynchronizeStream(stream));
}

static void copy_to_no_allocation()
{
	begin();
	char *memory = static_cast<char *>(make_memory(100));
	TELL(aclrtMemcpy(memory + 1024, 16, host, 16, ACL_MEMCPY_HOST_TO_DEVICE));
}

static void count_above_the_room()
{
	begin();
	void *memory = make_memory(kBytes);
	TELL(aclrtMemcpy(memory, kBytes - 1, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

static void copy_of_freed_memory()
{
	begin();
	void *memory = make_memory(kBytes);
	NEED(aclrtFree(memory));
	TELL(aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

static void copy_after_a_reset()
{
	begin();
	void *memory = make_memory(kBytes);
	NEED(aclrtResetDevice(0));
	NEED(aclrtSetDevice(0));
	TELL(aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

static void leak_at_reset()
{
	begin();
	make_memory(kBytes);
	NEED(aclrtResetDevice(0));
}

static void leak_at_finalize()
{
	begin();
	aclrtEvent event = nullptr;
	make_stream();
	NEED(aclrtCreateEvent(&event));
	NEED(aclFinalize());
}

static void leak_of_other_objects()
{
	begin();
	aclrtNotify notify = nullptr;
	aclrtCntNotify counter = nullptr;
	aclrtMemPool pool = nullptr;
	aclmdlRI model = nullptr;
	aclrtMemPoolProps properties{};
	properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	NEED(aclrtCreateNotify(&notify, 0));
	NEED(aclrtDestroyNotify(notify));
	NEED(aclrtCreateNotify(&notify, 0));
	NEED(aclrtCntNotifyCreate(&counter, 0));
	NEED(aclrtMemPoolCreate(&pool, &properties));
	NEED(aclmdlRIBuildBegin(&model, 0));
	NEED(aclFinalize());
}

/* Of two handles of one memory, one is dropped. */
static void leak_of_physical_memory()
{
	begin();
	const size_t unit = size_t{2} << 20;
	aclrtPhysicalMemProp properties{};
	properties.memAttr = ACL_HBM_MEM_HUGE;
	properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	aclrtDrvMemHandle handle = nullptr;
	aclrtDrvMemHandle same = nullptr;
	void *address = nullptr;
	NEED(aclrtMallocPhysical(&handle, unit, &properties, 0));
	NEED(aclrtFreePhysical(handle));
	NEED(aclrtMallocPhysical(&handle, unit, &properties, 0));
	NEED(aclrtReserveMemAddress(&address, unit, 0, nullptr, 1));
	NEED(aclrtMapMem(address, unit, 0, handle, 0));
	NEED(aclrtMemRetainAllocationHandle(address, &same));
	NEED(aclrtUnmapMem(address));
	NEED(aclrtReleaseMemAddress(address));
	NEED(aclrtFreePhysical(same));
	NEED(aclFinalize());
}

static constexpr size_t kKeyBytes = 65;

/* Another process, which ends when the pipe of @end does. */
static void export_memory(int key_pipe, int end)
{
	char key[kKeyBytes];
	char last;
	begin();
	NEED(aclrtIpcMemGetExportKey(make_memory(kBytes), kBytes, key, sizeof(key),
				     ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
	if (write(key_pipe, key, sizeof(key)) == sizeof(key))
		(void)!read(end, &last, 1);
	_exit(0);
}

/* Memory of another process is imported twice and closed once. */
static void leak_of_imported_memory()
{
	int keys[2];
	int end[2];
	if (pipe(keys) != 0 || pipe(end) != 0)
		return;
	if (fork() == 0) {
		close(end[1]);
		export_memory(keys[1], end[0]);
	}
	close(keys[1]);
	char key[kKeyBytes];
	void *memory = nullptr;
	if (read(keys[0], key, sizeof(key)) != sizeof(key))
		return;
	begin();
	for (int i = 0; i < 2; i++)
		NEED(aclrtIpcMemImportByKey(&memory, key, 0));
	NEED(aclrtIpcMemClose(key));
	NEED(aclrtResetDevice(0));
	close(end[1]);
	wait(nullptr);
}

static void leak_of_mapped_memory()
{
	constexpr size_t kUnit = size_t{2} << 20;
	alignas(kBytes) static char buffer[2 * kBytes];
	void *managed = nullptr;
	void *registered = nullptr;
	void *reserved = nullptr;

	begin();
	NEED(aclrtMemAllocManaged(&managed, kBytes, ACL_RT_MEM_ATTACH_GLOBAL));
	NEED(aclrtHostRegister(buffer, sizeof(buffer), ACL_HOST_REGISTER_MAPPED, &registered));
	NEED(aclrtReserveMemAddress(&reserved, kUnit, 0, nullptr, 1));
	/* These are freed. */
	NEED(aclrtMemAllocManaged(&managed, kBytes, ACL_RT_MEM_ATTACH_GLOBAL));
	NEED(aclrtFree(managed));
	NEED(aclrtHostUnregister(registered));
	NEED(aclrtHostRegisterV2(buffer, sizeof(buffer), ACL_HOST_REG_MAPPED));
	NEED(aclrtReserveMemAddress(&reserved, kUnit, 0, nullptr, 1));
	NEED(aclrtReleaseMemAddress(reserved));
	TELL(aclFinalize());
}

static void memory_freed_after_finalize()
{
	begin();
	void *memory = make_memory(kBytes);
	NEED(aclFinalize());
	TELL(aclrtFree(memory));
}

static void more_than_the_device_has()
{
	void *memory = nullptr;
	begin();
	TELL(aclrtMalloc(&memory, size_t{1} << 50, ACL_MEM_MALLOC_HUGE_FIRST));
}

const Mistake memory_mistakes[] = {
	{"wrong-kind", wrong_kind},
	{"wrong-kind-async", wrong_kind_async},
	{"unknown-policy", unknown_policy},
	{"device-pointer-on-host", device_pointer_on_host},
	{"freed-pointer-on-host", freed_pointer_on_host},
	{"freed-twice", freed_twice},
	{"freed-inside", freed_inside},
	{"host-memory-freed-as-device-memory", host_memory_freed_as_device_memory},
	{"copy-beyond-the-allocation", copy_beyond_the_allocation},
	{"copy-over-its-source", copy_over_its_source},
	{"copy-into-the-slack", copy_into_the_slack},
	{"rows-into-the-slack", rows_into_the_slack},
	{"fill-into-the-slack", fill_into_the_slack},
	{"fill-of-ordinary-memory", fill_of_ordinary_memory},
	{"batch-into-the-slack", batch_into_the_slack},
	{"sum-into-the-slack", sum_into_the_slack},
	{"copy-to-no-allocation", copy_to_no_allocation},
	{"count-above-the-room", count_above_the_room},
	{"copy-of-freed-memory", copy_of_freed_memory},
	{"copy-after-a-reset", copy_after_a_reset},
	{"leak-at-reset", leak_at_reset},
	{"leak-at-finalize", leak_at_finalize},
	{"leak-of-other-objects", leak_of_other_objects},
	{"leak-of-physical-memory", leak_of_physical_memory},
	{"leak-of-imported-memory", leak_of_imported_memory},
	{"leak-of-mapped-memory", leak_of_mapped_memory},
	{"memory-freed-after-finalize", memory_freed_after_finalize},
	{"more-than-the-device-has", more_than_the_device_has},
	{nullptr, nullptr},
};
