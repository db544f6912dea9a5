// SPDX-License-Identifier: MIT
/**
 * DOC: leaves out one call of a program
 *
 * Preloaded (LD_PRELOAD), it stands before the calls that order work. UNPU_DROP_CALL=K makes the K-th of them in the
 * process return success and do nothing, as if the program did not have it. UNPU_DROP_LOG=FILE gets a line for each
 * call: its number, its name, and the place that it was called from. All arguments of these calls are numbers or
 * pointers, and are passed on as they are.
 */
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

static uint64_t dropped_call()
{
	const char *text = getenv("UNPU_DROP_CALL");
	return text ? strtoull(text, nullptr, 10) : 0;
}

static int open_log()
{
	const char *path = getenv("UNPU_DROP_LOG");
	return path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
}

/* The file is closed again: programs may count the files that they have open. */
static void tell(uint64_t number, const char *name, const void *caller)
{
	const int log = open_log();
	Dl_info place = {};
	char line[512];
	if (log < 0)
		return;
	const bool is_known = dladdr(caller, &place) != 0 && place.dli_fname;
	const auto offset = reinterpret_cast<uintptr_t>(caller) -
			    reinterpret_cast<uintptr_t>(is_known ? place.dli_fbase : nullptr);
	const int bytes = snprintf(line, sizeof(line), "%llu %s %s+%#zx\n",
				   static_cast<unsigned long long>(number), name,
				   is_known ? place.dli_fname : "?", offset);
	if (write(log, line, static_cast<size_t>(bytes)) != bytes || close(log) != 0)
		abort();
}

static bool is_dropped(const char *name, const void *caller)
{
	static std::atomic<uint64_t> calls;
	static const uint64_t wanted = dropped_call();
	const uint64_t number = ++calls;
	tell(number, name, caller);
	return number == wanted;
}

using Word = uintptr_t;
using Function = int (*)(Word, Word, Word, Word, Word, Word);

static Function next_of(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found) {
		fprintf(stderr, "%s: no library behind this one has it\n", name);
		abort();
	}
	return reinterpret_cast<Function>(found);
}

#define CALL(name) \
	extern "C" [[gnu::visibility("default")]] int name(Word a, Word b, Word c, Word d, Word e, \
							   Word f) \
	{ \
		static const Function next = next_of(#name); \
		if (is_dropped(#name, __builtin_return_address(0))) \
			return 0; \
		return next(a, b, c, d, e, f); \
	}

CALL(aclrtRecordEvent)
CALL(aclrtRecordEventWithFlag)
CALL(aclrtStreamWaitEvent)
CALL(aclrtStreamWaitEventWithFlag)
CALL(aclrtStreamWaitEventWithTimeout)
CALL(aclrtSynchronizeDevice)
CALL(aclrtSynchronizeDeviceWithTimeout)
CALL(aclrtSynchronizeEvent)
CALL(aclrtSynchronizeEventWithTimeout)
CALL(aclrtSynchronizeStream)
CALL(aclrtSynchronizeStreamWithTimeout)
CALL(aclrtRecordNotify)
CALL(aclrtWaitAndResetNotify)
CALL(aclrtCntNotifyRecord)
CALL(aclrtCntNotifyWaitWithTimeout)
CALL(aclrtValueWait)
CALL(aclrtValueWrite)
CALL(cuCtxRecordEvent)
CALL(cuCtxWaitEvent)
CALL(cuCtxSynchronize)
CALL(cuCtxSynchronize_v2)
CALL(cuEventRecord)
CALL(cuEventRecord_ptsz)
CALL(cuEventRecordWithFlags)
CALL(cuEventRecordWithFlags_ptsz)
CALL(cuEventSynchronize)
CALL(cuStreamSynchronize)
CALL(cuStreamSynchronize_ptsz)
CALL(cuStreamWaitEvent)
CALL(cuStreamWaitEvent_ptsz)
CALL(cuStreamWaitValue32_v2)
CALL(cuStreamWaitValue64_v2)
CALL(cuStreamWriteValue32_v2)
CALL(cuStreamWriteValue64_v2)
