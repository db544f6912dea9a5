// SPDX-License-Identifier: MIT
/**
 * DOC: Confinement
 *
 * Code of images is not trusted: it may run any instruction. It has no files, as Landlock allows no path; memory
 * that has no path can be opened by its descriptor, which the loader does. It starts no process and no thread, and
 * its only descriptors are the firmware's socket and eventfd, and memory that the firmware has sent.
 */
#include "confine.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <initializer_list>

#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "kernels/abi/worker.h"

namespace worker {

void lay_out(char **argv)
{
	const int now = personality(0xffffffff);
	if (now == -1 || now & ADDR_COMPAT_LAYOUT)
		return;
	if (personality(static_cast<unsigned long>(now) | ADDR_COMPAT_LAYOUT) == -1)
		return;
	execv("/proc/self/exe", argv);
}

bool close_files()
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	/* The accesses of the first version, which every kernel with Landlock knows. */
	landlock_ruleset_attr rules{};
	rules.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
	const long made =
		syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules.handled_access_fs), 0);
	if (made < 0)
		return false;
	const bool is_done = syscall(SYS_landlock_restrict_self, made, 0) == 0;
	base::calls::close(static_cast<int>(made));
	return is_done;
}

static bool limit(__rlimit_resource what, uint64_t most)
{
	const rlimit limits{most, most};
	return setrlimit(what, &limits) == 0;
}

static constexpr int CALLS[] = {
	SCMP_SYS(futex),
	SCMP_SYS(mmap),
	SCMP_SYS(munmap),
	SCMP_SYS(mprotect),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	SCMP_SYS(brk),
	SCMP_SYS(fstat),
	SCMP_SYS(newfstatat),
	SCMP_SYS(read),
	SCMP_SYS(pread64),
	SCMP_SYS(lseek),
	SCMP_SYS(close),
	SCMP_SYS(fcntl),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(gettid),
	SCMP_SYS(getpid),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(nanosleep),
	SCMP_SYS(sched_yield),
	SCMP_SYS(getcpu),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(getrandom),
	SCMP_SYS(rseq),
	SCMP_SYS(set_robust_list),
};

static int add_rules(scmp_filter_ctx filter)
{
	for (int call : CALLS) {
		if (const int rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0); rc != 0)
			return rc;
	}
	const scmp_arg_cmp socket{0, SCMP_CMP_EQ, UNPU_WORKER_SOCKET, 0};
	for (int call :
	     {SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(sendto), SCMP_SYS(recvfrom)}) {
		if (const int rc = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &socket);
		    rc != 0)
			return rc;
	}
	const scmp_arg_cmp kick{0, SCMP_CMP_EQ, UNPU_WORKER_KICK, 0};
	if (const int rc =
		    seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, &kick);
	    rc != 0)
		return rc;
	/* The loader opens an image; close_files() leaves nothing else that could be opened. */
	const scmp_arg_cmp reads{2, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT, O_RDONLY};
	if (const int rc =
		    seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, &reads);
	    rc != 0)
		return rc;
	/* abort() signals its own thread. */
	const scmp_arg_cmp self{0, SCMP_CMP_EQ, static_cast<uint64_t>(getpid()), 0};
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, &self);
}

bool close_calls(uint64_t address_bytes)
{
	if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) || !limit(RLIMIT_MEMLOCK, 0) ||
	    !limit(RLIMIT_MSGQUEUE, 0) || !limit(RLIMIT_AS, address_bytes))
		return false;
	(void)limit(RLIMIT_NPROC, 0);
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	const bool is_done = filter && add_rules(filter) == 0 &&
			     seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 &&
			     seccomp_load(filter) == 0;
	if (filter)
		seccomp_release(filter);
	return is_done;
}

} // namespace worker
