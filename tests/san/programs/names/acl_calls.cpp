// SPDX-License-Identifier: MIT
/*
 * DOC: Reports name calls of AscendCL as the program does
 *
 * Of calls for which the runtime has one number: fills of bytes and of words, and both forms of a batch. The trace also
 * has the task of each, so that reports can name it: records of events that processes share and waits for them, too.
 */
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "trace_names.h"
#include "unpu/sanitizer.h"

namespace {

constexpr size_t BYTES = 4096;

void check(aclError code, const char *text)
{
	if (code == ACL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d: %s\n", text, code, aclGetRecentErrMsg());
	exit(1);
}

#define OK(call) check(call, #call)

aclrtStream stream, other, opener;
aclrtEvent event;
void *a, *b, *host;

struct Row {
	const char *name;
	std::function<aclError()> make;
};

template <bool is_newer> aclError copy_batch()
{
	void *to[] = {a, b};
	void *from[] = {host, static_cast<char *>(host) + BYTES};
	size_t most[] = {BYTES, BYTES}, bytes[] = {BYTES, BYTES}, index[] = {0}, failed = 0;
	aclrtMemcpyBatchAttr attr = {};
	attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
	attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	if constexpr (is_newer)
		return aclrtMemcpyBatchAsyncV2(to, most, from, bytes, 2, &attr, index, 1, stream);
	else
		return aclrtMemcpyBatchAsync(to, most, from, bytes, 2, &attr, index, 1, &failed,
					     stream);
}

const Row ROWS[] = {
	{"aclrtMemsetAsync", [] { return aclrtMemsetAsync(a, BYTES, 1, BYTES, stream); }},
	{"aclrtMemsetD32Async", [] { return aclrtMemsetD32Async(a, BYTES, 1, BYTES / 4, stream); }},
	{"aclrtMemcpyBatchAsync", copy_batch<false>},
	{"aclrtMemcpyBatchAsyncV2", copy_batch<true>},
	{"aclrtRecordEvent", [] { return aclrtRecordEvent(event, stream); }},
	{"aclrtStreamWaitEvent", [] { return aclrtStreamWaitEvent(other, event); }},
};

} // namespace

int main()
{
	char folder[] = "/tmp/unpu-names-XXXXXX";
	if (!mkdtemp(folder) || setenv("UNPU_SANITIZE", folder, 1) != 0)
		return 1;
	OK(aclInit(nullptr));
	OK(aclrtSetDevice(0));
	OK(aclrtCreateStream(&stream));
	OK(aclrtCreateStream(&other));
	OK(aclrtCreateStream(&opener));
	OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
	OK(aclrtMalloc(&a, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
	OK(aclrtMalloc(&b, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
	OK(aclrtMallocHost(&host, 2 * BYTES));
	/* So that the wait has something to wait for. */
	aclrtNotify gate = nullptr;
	OK(aclrtCreateNotify(&gate, 0));
	OK(aclrtWaitAndResetNotify(gate, stream, 0));
	for (const Row &row : ROWS) {
		unpu_san_mark(row.name);
		check(row.make(), row.name);
		unpu_san_mark("");
	}
	OK(aclrtRecordNotify(gate, opener));
	OK(aclrtSynchronizeStream(other));
	unsigned wrong = 0;
	auto parts = trace_names::read_parts(folder);
	for (const Row &row : ROWS) {
		const trace_names::Part &part = parts[row.name];
		if (part.names == std::set<std::string>{row.name} && part.numbered > 0)
			continue;
		wrong++;
		fprintf(stderr, "%s: %u records with a task, called", row.name, part.numbered);
		for (const std::string &name : part.names)
			fprintf(stderr, " %s", name.c_str());
		fputs("\n", stderr);
	}
	std::filesystem::remove_all(folder);
	printf("%zu calls, %u with another name or without a task\n", std::size(ROWS), wrong);
	return wrong == 0 ? 0 : 1;
}
