// SPDX-License-Identifier: MIT
/**
 * DOC: Heavy fence without membarrier
 *
 * The light sides execute only a compiler barrier, because membarrier worked when the pair was set up. When
 * membarrier fails later, the calling thread runs on each CPU once. The kernel switches out the thread that
 * ran there, and a context switch is a full fence. A thread that migrates meanwhile is switched too.
 */
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sched.h>
#include <sys/sysinfo.h>

#include "ordering.h"

namespace base {

namespace {

/* A CPU set of dynamic size. */
class CpuSet {
public:
	explicit CpuSet(int cpus) : bytes_(CPU_ALLOC_SIZE(cpus)), set_(CPU_ALLOC(cpus))
	{
		if (!set_)
			abort();
		CPU_ZERO_S(bytes_, set_);
	}
	~CpuSet() { CPU_FREE(set_); }
	CpuSet(const CpuSet &) = delete;
	CpuSet &operator=(const CpuSet &) = delete;

	void add(int cpu) { CPU_SET_S(static_cast<size_t>(cpu), bytes_, set_); }
	bool read() { return sched_getaffinity(0, bytes_, set_) == 0; }
	/* go() - moves the calling thread to a CPU of the set before it returns. */
	bool go() const { return sched_setaffinity(0, bytes_, set_) == 0; }

private:
	const size_t bytes_;
	cpu_set_t *const set_;
};

/* The mask of the kernel may have more bits than there are CPUs. */
constexpr int MOST_CPUS = 8192;

[[noreturn]] void refuse(const char *what, int error)
{
	fprintf(stderr,
		"unpu: the kernel does not allow membarrier any more, and %s: %s. Without one of "
		"them "
		"threads can't be kept apart. A filter of system calls has to be installed before "
		"the "
		"first device is opened, or has to allow membarrier.\n",
		what, strerror(error));
	abort();
}

} // namespace

void visit_all_cpus(FenceScope scope)
{
	const int saved_errno = errno;
	CpuSet before(MOST_CPUS);
	if (!before.read())
		refuse("a thread may not ask where it may run", errno);
	const int cpus = get_nprocs_conf();
	int visited = 0;
	for (int cpu = 0; cpu < cpus; cpu++) {
		CpuSet one(MOST_CPUS);
		one.add(cpu);
		if (one.go()) {
			visited++;
			continue;
		}
		/* EINVAL: the CPU is offline or outside the cpuset, so no thread of this process runs on it.
		 * With scope MACHINE that is not enough: threads of another process may run on it. */
		if (errno != EINVAL || (scope == FenceScope::MACHINE && cpu < get_nprocs()))
			refuse("a thread may not go to another processor", errno);
	}
	if (visited == 0 || !before.go())
		refuse("a thread may not go to another processor", errno);
	errno = saved_errno;
}

} // namespace base
