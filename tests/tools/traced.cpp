// SPDX-License-Identifier: MIT
/**
 * DOC: A program to be traced
 *
 * traced WAY: does a little work of every kind on two streams, and ends as WAY says. What it ends by
 * is a question of its own: the trace is written at aclFinalize, or by a process that just exits.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <acl/acl.h>
#include <mstx/ms_tools_ext.h>

static aclrtStream streams[2];
static void *memory;

static void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: %d: %s\n", call, status, why ? why : "");
	std::_Exit(1);
}

#define CHECK(call) check((call), #call)

static void nothing(void *) {}

static void start()
{
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	for (aclrtStream &stream : streams)
		CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
}

static void finish()
{
	CHECK(aclrtFree(memory));
	for (aclrtStream stream : streams)
		CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
}

/* The second stream waits until the first one comes back from a host function. */
static void work()
{
	aclrtEvent event;
	CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	CHECK(aclrtMemsetAsync(memory, 4096, 1, 64, streams[0]));
	CHECK(aclrtLaunchHostFunc(streams[0], nothing, nullptr));
	CHECK(aclrtRecordEvent(event, streams[0]));
	CHECK(aclrtStreamWaitEvent(streams[1], event));
	mstxDomainHandle_t domain = mstxDomainCreateA("a domain");
	mstxRangeId range = mstxDomainRangeStartA(domain, "a range", nullptr);
	mstxDomainMarkA(domain, "a mark", streams[1]);
	CHECK(aclrtMemsetAsync(memory, 4096, 2, 64, streams[1]));
	CHECK(aclrtSynchronizeStream(streams[1]));
	mstxDomainRangeEnd(domain, range);
	mstxDomainDestroy(domain);
	CHECK(aclrtDestroyEvent(event));

	aclmdlRI graph;
	CHECK(aclmdlRICaptureBegin(streams[0], ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	CHECK(aclrtMemsetAsync(memory, 4096, 3, 64, streams[0]));
	CHECK(aclrtMemsetAsync(memory, 4096, 4, 64, streams[0]));
	CHECK(aclmdlRICaptureEnd(streams[0], &graph));
	CHECK(aclmdlRIExecuteAsync(graph, streams[0]));
	CHECK(aclrtSynchronizeStream(streams[0]));
	CHECK(aclmdlRIDestroy(graph));
}

/* A child that ends the ordinary way must not write its parent's file. */
static void fork_and_exit()
{
	pid_t child = fork();
	if (child == 0)
		std::exit(0);
	int status = 1;
	waitpid(child, &status, 0);
	check(status, "the child");
}

/* Made before the library is first used, so it ends after everything of the library has. */
struct Late {
	bool wanted = false;
	~Late()
	{
		if (wanted)
			finish();
	}
};

static Late late;

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	start();
	work();
	if (strcmp(way, "exit") == 0)
		std::exit(0);
	if (strcmp(way, "busy") == 0) {
		for (unsigned i = 0; i < 100; i++)
			CHECK(aclrtMemsetAsync(memory, 4096, 5, 4096, streams[0]));
		std::exit(0);
	}
	if (strcmp(way, "limit") == 0) {
		const rlimit small = {1024, 1024};
		setrlimit(RLIMIT_FSIZE, &small);
	}
	if (strcmp(way, "killed") == 0)
		pause();
	if (strcmp(way, "thread") == 0)
		std::thread([] { std::exit(0); }).join();
	late.wanted = strcmp(way, "late") == 0;
	if (late.wanted)
		return 0;
	if (strcmp(way, "fork") == 0)
		fork_and_exit();
	finish();
	return 0;
}
