// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kernels/abi/worker.h"

namespace worker {

/** enum class Threads - which threads of a worker may make a call: all of them, or the one that reads messages, on
 * which no kernel runs. */
enum class Threads : uint8_t { ALL, SESSION };

/** struct Argument - a condition: bits of an argument have a value. @mask 0: no condition. */
struct Argument {
	uint32_t number = 0;
	uint64_t mask = 0;
	uint64_t value = 0;
};

/* A value that stands for the id of the process itself. */
constexpr uint64_t OWN_PROCESS = UINT64_MAX;

/** struct AllowedCall - a system call of a worker in which images are loaded. Calls that are not in ALLOWED fail with
 * EPERM. A call with several rows is allowed by each of them. */
struct AllowedCall {
	int number;
	const char *name;
	Threads threads;
	const char *reason;
	Argument first{};
	Argument second{};
};

constexpr uint64_t WHOLE = UINT64_MAX;
constexpr uint64_t FUTEX_COMMAND = ~uint64_t{FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME};
/* Kinds of mappings, with pages of the kernel's pool and stacks that grow, which no limit of memory counts. */
constexpr uint64_t MAPPING_KIND = MAP_TYPE | MAP_HUGETLB | MAP_GROWSDOWN;
/* Clocks of the machine, and of the caller: numbers above are those of other processes. */
constexpr uint64_t CLOCK_OF_OTHERS = ~uint64_t{15};

/* threats.rst shows the rows. */
constexpr AllowedCall ALLOWED[] = {
#define ALLOW(name, ...) \
	{ \
		SYS_##name, #name, __VA_ARGS__ \
	}
	ALLOW(futex, Threads::ALL, "threads wait: FUTEX_WAIT", {1, FUTEX_COMMAND, FUTEX_WAIT}),
	ALLOW(futex, Threads::ALL, "and are woken: FUTEX_WAKE", {1, FUTEX_COMMAND, FUTEX_WAKE}),
	ALLOW(futex, Threads::ALL, "the C library waits: FUTEX_WAIT_BITSET",
	      {1, FUTEX_COMMAND, FUTEX_WAIT_BITSET}),
	ALLOW(mmap, Threads::ALL, "heap, stacks, images: private memory",
	      {3, MAPPING_KIND, MAP_PRIVATE}),
	ALLOW(mmap, Threads::ALL,
	      "memory of the client: shared files, but no memory without a file",
	      {3, MAPPING_KIND | MAP_ANONYMOUS, MAP_SHARED}),
	ALLOW(munmap, Threads::ALL, "heap, and memory that the client frees"),
	ALLOW(mprotect, Threads::ALL, "the loader, and guard pages"),
	ALLOW(brk, Threads::ALL, "heap"),
	ALLOW(madvise, Threads::ALL, "heap: MADV_DONTNEED", {2, WHOLE, MADV_DONTNEED}),
	ALLOW(fstat, Threads::ALL, "the loader, of an image's descriptor"),
	ALLOW(read, Threads::ALL, "the loader, of an image's descriptor"),
	ALLOW(pread64, Threads::ALL, "the loader, and lines of debug information"),
	ALLOW(lseek, Threads::ALL, "the same"),
	ALLOW(close, Threads::ALL, "the same"),
	ALLOW(fcntl, Threads::ALL, "a descriptor once more, for the loader: F_DUPFD_CLOEXEC",
	      {1, WHOLE, F_DUPFD_CLOEXEC}),
	ALLOW(fcntl, Threads::ALL, "libdw looks whether it is open: F_GETFD", {1, WHOLE, F_GETFD}),
	ALLOW(fcntl, Threads::ALL, "the same: F_GETFL", {1, WHOLE, F_GETFL}),
	ALLOW(sendto, Threads::ALL, "answers, on the worker's socket alone",
	      {0, WHOLE, UNPU_WORKER_SOCKET}, {4, WHOLE, 0}),
	ALLOW(recvmsg, Threads::SESSION, "messages of the firmware, on the worker's socket alone",
	      {0, WHOLE, UNPU_WORKER_SOCKET}),
	ALLOW(write, Threads::ALL, "wakes the firmware, by the kick's eventfd alone",
	      {0, WHOLE, UNPU_WORKER_KICK}),
	ALLOW(exit, Threads::ALL, "the end of a thread"),
	ALLOW(exit_group, Threads::ALL, "the end of the process"),
	ALLOW(rt_sigprocmask, Threads::ALL, "abort()"),
	ALLOW(rt_sigreturn, Threads::ALL, "the end of a handler"),
	ALLOW(tgkill, Threads::ALL, "abort(): SIGABRT to the process itself",
	      {0, WHOLE, OWN_PROCESS}, {2, WHOLE, 6}),
	ALLOW(tgkill, Threads::SESSION,
	      "asks a thread where its block is: SIGURG to the process itself",
	      {0, WHOLE, OWN_PROCESS}, {2, WHOLE, 23}),
	ALLOW(gettid, Threads::ALL, "abort(), and threads that run a launch"),
	ALLOW(getpid, Threads::ALL, "abort()"),
	ALLOW(clock_gettime, Threads::ALL, "time; not the processor time of other processes",
	      {0, CLOCK_OF_OTHERS, 0}),
	ALLOW(gettimeofday, Threads::ALL, "time"),
	ALLOW(clock_nanosleep, Threads::ALL, "sleeping; not by the time of other processes",
	      {0, CLOCK_OF_OTHERS, 0}),
	ALLOW(nanosleep, Threads::ALL, "sleeping"),
	ALLOW(sched_yield, Threads::ALL, "threads that poll"),
	ALLOW(getcpu, Threads::ALL, "lanes note their processor"),
	ALLOW(restart_syscall, Threads::ALL, "the kernel goes on with a call after a signal"),
	ALLOW(getrandom, Threads::ALL, "the C library"),
#undef ALLOW
};

/** ANSWERED - calls with paths, which the process answers itself and the kernel never sees: the loader opens an image
 * by the path of its descriptor (signals.cpp), and gets the same descriptor once more. All others fail with EACCES. */
constexpr int ANSWERED[] = {SYS_openat, SYS_newfstatat};

/** is_allowed() - whether a call with these arguments is in ALLOWED. @own: number of the process */
constexpr bool is_allowed(Threads thread, int number, const uint64_t (&arguments)[6], uint64_t own)
{
	const auto holds = [&](const Argument &wanted) {
		const uint64_t value = wanted.value == OWN_PROCESS ? own : wanted.value;
		return (arguments[wanted.number] & wanted.mask) == (value & wanted.mask);
	};
	for (const AllowedCall &call : ALLOWED) {
		if (call.number == number &&
		    (call.threads == Threads::ALL || thread == Threads::SESSION) &&
		    holds(call.first) && holds(call.second))
			return true;
	}
	return false;
}

} // namespace worker
