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

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <linux/capability.h>
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
#include "base/os/calls/confinement.h"
#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "kernels/runner/core.h"

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

/* The rule set of Landlock's sixth version. Older kernels take the first words of it. */
struct LandlockRules {
	uint64_t files;
	uint64_t network;
	uint64_t scopes;
};

/* The accesses that a version of Landlock can refuse, and the size of its rule set. */
static size_t rules_of(long version, LandlockRules &rules)
{
	constexpr uint64_t FIRST = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
	constexpr uint64_t REFER = 1 << 13, TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15;
	constexpr uint64_t BIND_CONNECT = 3, ABSTRACT_SOCKETS_SIGNALS = 3;
	rules.files = FIRST | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
		      (version >= 5 ? IOCTL_DEV : 0);
	rules.network = version >= 4 ? BIND_CONNECT : 0;
	rules.scopes = version >= 6 ? ABSTRACT_SOCKETS_SIGNALS : 0;
	return version >= 6   ? sizeof(rules)
	       : version >= 4 ? offsetof(LandlockRules, scopes)
			      : offsetof(LandlockRules, network);
}

static bool restrict_paths()
{
	const long version =
		syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 1)
		return false;
	LandlockRules rules{};
	const size_t bytes = rules_of(version, rules);
	const long made = syscall(SYS_landlock_create_ruleset, &rules, bytes, 0);
	if (made < 0)
		return false;
	const bool is_done = syscall(SYS_landlock_restrict_self, made, 0) == 0;
	base::calls::close(static_cast<int>(made));
	return is_done;
}

/* Accesses that this kernel does not know are left out. */
static bool drop_capabilities()
{
	for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number) >= 0; number++)
		(void)prctl(PR_CAPBSET_DROP, number);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	__user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
	__user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
	return syscall(SYS_capset, &head, none) == 0;
}

/* Stays open until the limit of memory is set: then no file can be opened any more. */
static int statm()
{
	static const int file = base::calls::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	return file;
}

bool close_files()
{
	if (statm() < 0)
		return false;
	if (!base::is_traced() && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return false;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && drop_capabilities() &&
	       restrict_paths();
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
	/* System calls with another word size, such as those of 32-bit code. */
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
		is_done = base::calls::read_at(file, {filter.data(), static_cast<size_t>(bytes)},
					       0) == bytes;
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

/* Private memory of the process that can be written, as RLIMIT_DATA counts it. */
static uint64_t data_bytes()
{
	char text[256]{};
	constexpr int FIELD = 5;
	(void)base::calls::read_at(statm(), {text, sizeof(text) - 1}, 0);
	char *at = text;
	uint64_t pages = 0;
	for (int field = 0; field <= FIELD; field++)
		pages = strtoull(at, &at, 10);
	return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

bool close_calls(uint64_t address_bytes, uint64_t heap_bytes)
{
	/* A shared mapping without a file would not be counted, and the filter refuses it. */
	const uint64_t most = data_bytes() + runner::CorePool::most_bytes();
	base::calls::close(statm());
	if (!limit(RLIMIT_DATA, most + std::min(heap_bytes, UINT64_MAX - most)))
		return false;
	if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) || !limit(RLIMIT_MEMLOCK, 0) ||
	    !limit(RLIMIT_MSGQUEUE, 0) || !limit(RLIMIT_AS, address_bytes))
		return false;
	(void)limit(RLIMIT_NPROC, 0);
	return install(Threads::SESSION);
}

} // namespace worker
