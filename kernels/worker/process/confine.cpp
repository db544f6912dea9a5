// SPDX-License-Identifier: MIT
/**
 * DOC: Confinement
 *
 * Code of images is not trusted: it may run any instruction. What the process has, an image has: its memory, its
 * descriptors, and each of its threads, since all of them share the memory. So the process has nothing but the memory
 * of its client, and ALLOWED (allowed.h) is what it may ask the kernel for.
 *
 * Each thread installs the filter itself, before it runs anything else. The filter of threads on which kernels run
 * has no recvmsg(). Paths never reach the kernel: signals.cpp answers the calls by which the loader opens an image.
 */
#include "confine.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "allowed.h"
#include "base/os/calls/files.h"

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

static int add_rule(scmp_filter_ctx filter, const AllowedCall &call)
{
	scmp_arg_cmp conditions[2];
	unsigned count = 0;
	for (const Argument &wanted : {call.first, call.second}) {
		if (wanted.mask == 0)
			continue;
		const uint64_t value = wanted.value == OWN_PROCESS ? static_cast<uint64_t>(getpid())
								   : wanted.value;
		conditions[count++] = {wanted.number, SCMP_CMP_MASKED_EQ, wanted.mask, value};
	}
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call.number, count, conditions);
}

static int add_rules(scmp_filter_ctx filter, Threads threads)
{
	/* Calls of another word size. */
	int rc = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
	for (const AllowedCall &call : ALLOWED) {
		if (rc == 0 && (call.threads == Threads::ALL || threads == Threads::SESSION))
			rc = add_rule(filter, call);
	}
	for (const int call : ANSWERED)
		rc = rc == 0 ? seccomp_rule_add(filter, SCMP_ACT_TRAP, call, 0) : rc;
	return rc;
}

/* Each thread installs the same program, so libseccomp makes it only once. */
using Filter = std::vector<sock_filter>;

static Filter &filter_of(Threads threads)
{
	static auto *filters = new Filter[2];
	return filters[threads == Threads::SESSION];
}

static bool export_filter(scmp_filter_ctx made, Filter &filter)
{
	const int file = memfd_create("unpu-filter", MFD_CLOEXEC);
	if (file < 0)
		return false;
	bool is_done = seccomp_export_bpf(made, file) == 0;
	const off_t bytes = lseek(file, 0, SEEK_END);
	if (is_done && bytes > 0) {
		filter.resize(static_cast<size_t>(bytes) / sizeof(filter[0]));
		is_done = pread(file, filter.data(), static_cast<size_t>(bytes), 0) == bytes;
	}
	base::calls::close(file);
	return is_done && !filter.empty();
}

bool prepare_filters()
{
	for (const Threads threads : {Threads::ALL, Threads::SESSION}) {
		scmp_filter_ctx made = seccomp_init(SCMP_ACT_ERRNO(EPERM));
		const bool is_done = made && add_rules(made, threads) == 0 &&
				     export_filter(made, filter_of(threads));
		if (made)
			seccomp_release(made);
		if (!is_done)
			return false;
	}
	return true;
}

static bool install(Threads threads)
{
	Filter &filter = filter_of(threads);
	const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

void close_calls_of_thread()
{
	if (!install(Threads::ALL))
		_exit(1);
}

bool close_calls(uint64_t address_bytes)
{
	if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) || !limit(RLIMIT_MEMLOCK, 0) ||
	    !limit(RLIMIT_MSGQUEUE, 0) || !limit(RLIMIT_AS, address_bytes))
		return false;
	(void)limit(RLIMIT_NPROC, 0);
	return install(Threads::SESSION);
}

} // namespace worker
