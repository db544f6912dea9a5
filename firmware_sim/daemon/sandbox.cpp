// SPDX-License-Identifier: MIT
/**
 * DOC: Sandbox
 *
 * A list of the system calls that a firmware makes once it serves. libseccomp compiles the list for the
 * kernel, for the machine's own architecture alone.
 */
#include "sandbox.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <seccomp.h>
#include <sys/syscall.h>

/* The headers of Debian 12 do not have it yet. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

namespace fwd {

namespace {

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

constexpr int CALLS[] = {
	/* messages and kicks */
	SCMP_SYS(accept4),
	SCMP_SYS(recvmsg),
	SCMP_SYS(sendmsg),
	SCMP_SYS(getsockopt),
	SCMP_SYS(setsockopt),
	SCMP_SYS(shutdown),
	SCMP_SYS(eventfd2),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_pwait2),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	/* descriptors and files that clients hand over */
	SCMP_SYS(read),
	SCMP_SYS(write),
	SCMP_SYS(readv),
	SCMP_SYS(writev),
	SCMP_SYS(pread64),
	SCMP_SYS(pwrite64),
	SCMP_SYS(preadv),
	SCMP_SYS(pwritev),
	SCMP_SYS(preadv2),
	SCMP_SYS(pwritev2),
	SCMP_SYS(close),
	SCMP_SYS(close_range),
	SCMP_SYS(dup),
	SCMP_SYS(dup3),
	SCMP_SYS(fcntl),
	SCMP_SYS(fstat),
	SCMP_SYS(fstatfs),
	SCMP_SYS(newfstatat),
	SCMP_SYS(statx),
	SCMP_SYS(lseek),
	SCMP_SYS(ioctl),
	SYS_cachestat,
	/* memory */
	SCMP_SYS(memfd_create),
	SCMP_SYS(ftruncate),
	SCMP_SYS(fallocate),
	SCMP_SYS(mmap),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(mprotect),
	SCMP_SYS(madvise),
	SCMP_SYS(brk),
	SCMP_SYS(mlock),
	SCMP_SYS(munlock),
	SCMP_SYS(mincore),
	SCMP_SYS(mbind),
	SCMP_SYS(set_mempolicy),
	SCMP_SYS(get_mempolicy),
	SCMP_SYS(membarrier),
	/* threads and time */
	SCMP_SYS(clone3),
	SCMP_SYS(clone),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq),
	SCMP_SYS(futex),
	SCMP_SYS(sched_yield),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sched_setaffinity),
	SCMP_SYS(getcpu),
	SCMP_SYS(getpriority),
	SCMP_SYS(setpriority),
	SCMP_SYS(prctl),
	SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(getrusage),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(tgkill),
	/* ends of workers */
	SCMP_SYS(pidfd_send_signal),
	/* identity; and removal of the socket at the end */
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(getuid),
	SCMP_SYS(geteuid),
	SCMP_SYS(getgid),
	SCMP_SYS(getegid),
	SCMP_SYS(getrandom),
	SCMP_SYS(unlink),
#if defined(__aarch64__)
	SCMP_SYS(unlinkat), /* there is no unlink() */
#endif
	SCMP_SYS(uname),
	SCMP_SYS(sysinfo),
};

int allow(scmp_filter_ctx filter)
{
	for (int call : CALLS) {
		if (const int rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0); rc != 0)
			return rc;
	}
	/* sendto() and recvfrom() are allowed only without an address: on connected sockets, to the service
	 * manager and to workers. prlimit64() is allowed only to read a limit. */
	const scmp_arg_cmp no_address{4, SCMP_CMP_EQ, 0, 0};
	const scmp_arg_cmp no_limit{2, SCMP_CMP_EQ, 0, 0};
	int rc = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, &no_address);
	if (rc == 0)
		rc = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(recvfrom), 1,
					    &no_address);
	return rc != 0 ? rc
		       : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
						&no_limit);
}

int refuse_rings(scmp_filter_ctx filter)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(io_uring_setup), 0);
}

/* load() - installs the filter in all threads; @default_action applies to calls without a rule of
 * @add_rules. */
bool load(uint32_t default_action, int (*add_rules)(scmp_filter_ctx), std::string &why)
{
	const Filter filter(seccomp_init(default_action), seccomp_release);
	int rc = filter ? add_rules(filter.get()) : -ENOMEM;
	if (rc == 0)
		rc = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1);
	if (rc == 0)
		rc = seccomp_load(filter.get());
	if (rc != 0)
		why = strerror(-rc);
	return rc == 0;
}

} // namespace

bool give_up_rings(std::string &why)
{
	return load(SCMP_ACT_ALLOW, refuse_rings, why);
}

bool enter_sandbox(std::string &why)
{
	return load(SCMP_ACT_ERRNO(EPERM), allow, why);
}

} // namespace fwd
