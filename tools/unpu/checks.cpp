// SPDX-License-Identifier: MIT
/**
 * DOC: Checks of unpu doctor
 *
 * Each check asks the kernel for something that the libraries will ask for too, with the rights and limits of
 * this process.
 */
#include "checks.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <linux/io_uring.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os/calls/confinement.h"
#include "base/os/calls/files.h"
#include "common/devices.h"
#include "common/tool.h"

namespace unpu_command {

using State = Finding::State;

static constexpr uint64_t MIB = uint64_t{1} << 20;
static constexpr uint64_t GIB = uint64_t{1} << 30;

static std::string first_line(const std::string &path)
{
	std::ifstream file(path);
	std::string line;
	std::getline(file, line);
	return line;
}

/* The chosen word of "always [madvise] never". */
static std::string choice_of(const std::string &path)
{
	const std::string line = first_line(path);
	const size_t begin = line.find('[');
	const size_t end = line.find(']');
	return begin == line.npos || end == line.npos ? ""
						      : line.substr(begin + 1, end - begin - 1);
}

static uint64_t limit_of(__rlimit_resource_t resource)
{
	rlimit limit{};
	if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UNPU_UNLIMITED;
	return limit.rlim_cur;
}

static Finding check_cpus(const unpu_topology &machine)
{
	if (machine.cpus > 1)
		return {"CPUs", State::GOOD, fmt::format("{} for this process", machine.cpus), ""};
	return {"CPUs", State::LESS,
		"1 for this process: no thread polls, so each wait sleeps at once",
		"give the process a second CPU (taskset, docker --cpus=2)"};
}

static Finding check_memlock(const unpu_topology &machine)
{
	const uint64_t limit = machine.memlock_limit_bytes;
	const std::string text = fmt::format("{} may be locked", tool::amount(limit));
	if (limit >= GIB)
		return {"memlock", State::GOOD, text, ""};
	return {"memlock", State::LESS,
		text + ": aclrtMallocHost refuses pinned memory beyond that",
		"ulimit -l unlimited; LimitMEMLOCK=infinity (systemd); docker --ulimit memlock=-1; "
		"/etc/security/limits.conf"};
}

static Finding check_huge_pages(const unpu_topology &machine)
{
	if (machine.huge_pages_free > 0)
		return {"huge pages", State::GOOD,
			fmt::format("{} of {} are free", machine.huge_pages_free,
				    tool::amount(machine.huge_page_bytes)),
			""};
	return {"huge pages", State::LESS,
		"the kernel's pool has none free, so device memory has smaller pages",
		"as root: sysctl vm.nr_hugepages=512 (1 GiB of pages of 2 MiB)"};
}

static Finding check_thp()
{
	const std::string shared = choice_of("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
	const bool is_on = shared == "advise" || shared == "always" || shared == "within_size" ||
			   shared == "force";
	if (is_on)
		return {"THP", State::GOOD, "shared memory: " + shared, ""};
	return {"THP", State::LESS,
		fmt::format("shared memory: {}, so memory that host and device share has pages of "
			    "4 KiB",
			    shared.empty() ? "not in this kernel" : shared),
		"as root: echo advise >/sys/kernel/mm/transparent_hugepage/shmem_enabled"};
}

static Finding check_uring()
{
	io_uring_params params{};
	const long fd = syscall(SYS_io_uring_setup, 4, &params);
	const int error = errno;
	if (fd >= 0) {
		base::calls::close(static_cast<int>(fd));
		return {"io_uring", State::GOOD, "works", ""};
	}
	return {"io_uring", State::LESS,
		fmt::format("{}: files go through plain reads and writes, and firmware-sim takes "
			    "poll",
			    strerror(error)),
		"allow it: sysctl kernel.io_uring_disabled=0; a container needs a seccomp profile "
		"with io_uring_setup, io_uring_enter and io_uring_register"};
}

static Finding check_membarrier(const unpu_topology &machine)
{
	if (machine.membarrier_works)
		return {"membarrier", State::GOOD, "works", ""};
	return {"membarrier", State::LESS,
		"the kernel refuses it: each task pays for a full fence on both sides",
		"a container needs a seccomp profile with membarrier"};
}

static Finding check_numa(const unpu_topology &machine)
{
	int mode = 0;
	if (syscall(SYS_get_mempolicy, &mode, nullptr, 0, nullptr, 0) != 0)
		return {"NUMA", machine.nodes > 1 ? State::LESS : State::GOOD,
			fmt::format("{} nodes, and memory can't be bound: {}", machine.nodes,
				    strerror(errno)),
			machine.nodes > 1 ? "docker --cap-add SYS_NICE, or a seccomp profile with "
					    "mbind and get_mempolicy"
					  : ""};
	if (machine.nodes > 1)
		return {"NUMA", State::GOOD,
			fmt::format("{} nodes; memory can be bound", machine.nodes), ""};
	return {"NUMA", State::GOOD, "1 node, so node= of a device string has nothing to choose",
		""};
}

static Finding check_seccomp()
{
	std::ifstream file("/proc/self/status");
	std::string word;
	int mode = 0;
	while (file >> word) {
		if (word == "Seccomp:" && file >> mode)
			break;
	}
	if (mode == 0)
		return {"seccomp", State::GOOD, "no filter of system calls", ""};
	return {"seccomp", State::GOOD,
		"a filter of system calls is set; the checks above say what it refuses", ""};
}

static Finding check_confinement()
{
	const std::string lacks = base::confinement_lacks();
	if (!base::can_confine())
		return {"user kernels", State::LESS, lacks,
			"a kernel with CONFIG_SECURITY_LANDLOCK and CONFIG_SECCOMP_FILTER, or "
			"UNPU_DEVICE=sim:kernels=inline for kernels that you trust"};
	const std::string namespaces = first_line("/proc/sys/user/max_user_namespaces");
	const bool has_namespaces = !namespaces.empty() && namespaces != "0";
	if (lacks.empty() && has_namespaces)
		return {"user kernels", State::GOOD, "confined by all that unpu knows", ""};
	return {"user kernels", State::LESS,
		lacks.empty() ? "confined, but not in namespaces of their own" : lacks,
		has_namespaces ? "Linux 6.12 with CONFIG_SECURITY_LANDLOCK"
			       : "as root: sysctl user.max_user_namespaces=1000"};
}

static Finding check_shared_memory()
{
	const int fd = memfd_create("unpu-doctor", MFD_CLOEXEC);
	if (fd < 0)
		return {"memfd", State::LACKS,
			fmt::format("{}: a device has no memory without it", strerror(errno)),
			"a container needs a seccomp profile with memfd_create"};
	base::calls::close(fd);
	struct statvfs shm {};
	if (statvfs("/dev/shm", &shm) != 0)
		return {"/dev/shm", State::GOOD, "absent; unpu has its shared memory in memfds",
			""};
	const uint64_t bytes = static_cast<uint64_t>(shm.f_blocks) * shm.f_frsize;
	const std::string text = fmt::format("{}; unpu has its shared memory in memfds, "
					     "which that does not bound",
					     tool::rounded(bytes));
	if (bytes >= GIB)
		return {"/dev/shm", State::GOOD, text, ""};
	return {"/dev/shm", State::LESS,
		text + ", but data loaders of frameworks keep batches there",
		"docker --shm-size=4g, or mount -o remount,size=4G /dev/shm"};
}

static Finding check_files()
{
	constexpr uint64_t ENOUGH = 1024;
	const uint64_t limit = limit_of(RLIMIT_NOFILE);
	if (limit >= ENOUGH)
		return {"open files", State::GOOD,
			limit == UNPU_UNLIMITED ? "no limit" : fmt::format("{} at most", limit),
			""};
	return {"open files", State::LESS,
		fmt::format("{} at most; each chunk of memory is one", limit), "ulimit -n 65536"};
}

static Finding check_file_size()
{
	const uint64_t limit = limit_of(RLIMIT_FSIZE);
	if (limit >= GIB)
		return {"file size", State::GOOD, tool::amount(limit), ""};
	return {"file size", State::LACKS,
		fmt::format("{} at most; device memory is files, and can't be larger",
			    tool::amount(limit)),
		"ulimit -f unlimited"};
}

static Finding check_addresses()
{
	constexpr uint64_t ENOUGH = 256 * GIB;
	const uint64_t limit = limit_of(RLIMIT_AS);
	if (limit >= ENOUGH)
		return {"addresses", State::GOOD, tool::amount(limit), ""};
	return {"addresses", limit < 4 * GIB ? State::LACKS : State::LESS,
		fmt::format("{} at most; a device reserves addresses, and takes fewer",
			    tool::amount(limit)),
		"ulimit -v unlimited, or UNPU_DEVICE=sim:memory=256M,window=1G"};
}

static Finding check_overcommit()
{
	if (first_line("/proc/sys/vm/overcommit_memory") != "2")
		return {"overcommit", State::GOOD, "addresses can be reserved", ""};
	return {"overcommit", State::LESS,
		"vm.overcommit_memory is 2: what is allocated counts even before it is used",
		"sysctl vm.overcommit_memory=0, or a smaller memory= in UNPU_DEVICE"};
}

static Finding check_cgroup(const unpu_topology &machine)
{
	const std::string text = first_line("/sys/fs/cgroup/memory.max");
	const uint64_t limit = strtoull(text.c_str(), nullptr, 10);
	if (limit == 0 || limit >= machine.memory_bytes)
		return {"memory", State::GOOD, tool::rounded(machine.memory_bytes), ""};
	return {"memory", limit < 512 * MIB ? State::LESS : State::GOOD,
		fmt::format("the cgroup gives {} of {}; device memory counts when it is used",
			    tool::rounded(limit), tool::rounded(machine.memory_bytes)),
		limit < 512 * MIB ? "a larger limit (docker --memory), or memory= in UNPU_DEVICE"
				  : ""};
}

static Finding check_clock()
{
	const std::string source =
		first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (source.empty() || source == "tsc" || source == "kvm-clock" ||
	    source == "arch_sys_counter" || source.starts_with("hyperv"))
		return {"clock", State::GOOD, source.empty() ? "not told" : source, ""};
	return {"clock", State::LESS,
		source + ": reading the time is a system call, which slows events and traces",
		"boot with clocksource=tsc, where the machine's is reliable"};
}

std::vector<Finding> check_machine()
{
	unpu_topology machine = {};
	machine.size = sizeof(machine);
	if (unpu_get_topology(&machine) != 0)
		return {{"machine", State::LACKS, tool::sentence("no topology"), ""}};
	return {check_cpus(machine),
		check_cgroup(machine),
		check_memlock(machine),
		check_huge_pages(machine),
		check_thp(),
		check_uring(),
		check_membarrier(machine),
		check_numa(machine),
		check_seccomp(),
		check_confinement(),
		check_shared_memory(),
		check_files(),
		check_file_size(),
		check_addresses(),
		check_overcommit(),
		check_clock()};
}

} // namespace unpu_command
