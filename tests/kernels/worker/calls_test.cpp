// SPDX-License-Identifier: MIT
/*
 * DOC: System calls of kernels
 *
 * What a kernel may ask the kernel of the system for is a table, kernels/worker/process/allowed.h. An image makes every
 * call, and every command of those that have several.
 */
#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls_image.h"
#include "kernel_client.h"
#include "kernels/abi/worker.h"
#include "kernels/worker/process/allowed.h"

namespace {

using namespace kernels;

std::string describe(const calls::Difference &one)
{
	std::ostringstream to;
	to << "call " << one.number << '(' << std::hex;
	for (const uint64_t argument : one.arguments)
		to << " 0x" << argument;
	to << std::dec << " ) gives " << one.result << ", and the table "
	   << (one.is_allowed ? "allows it" : "refuses it");
	return to.str();
}

/* Word after a key in /proc/PID/status. */
std::string status_of(int pid, const std::string &key)
{
	std::ifstream file("/proc/" + std::to_string(pid) + "/status");
	for (std::string line; std::getline(file, line);) {
		if (line.rfind(key + ":\t", 0) == 0)
			return line.substr(key.size() + 2);
	}
	return {};
}

} // namespace

TEST(KernelCalls, AreThoseOfTheTable)
{
	SKIP_WITHOUT_WORKERS();
	KernelClient client;
	Memory memory = client.memory(1 << 20);
	client.load_only("calls_image");
	ASSERT_EQ(client.run("calls", 1, {memory.va}, 60000000000ull), Status::OK)
		<< client.failure();
	const auto &report = *memory.as<calls::Report>();
	EXPECT_EQ(report.is_done, 1u);
	EXPECT_GT(report.tried, 10000u);
	EXPECT_GT(report.passed, std::size(worker::ALLOWED));
	for (uint64_t i = 0; i < report.count; i++)
		ADD_FAILURE() << describe(report.differences[i]);
}

/* A call of ALLOWED: how many of its arguments have conditions at least, and which threads may make it. */
struct Reviewed {
	unsigned conditions;
	worker::Threads threads = worker::Threads::ALL;
};

/* The filter and the test above are made of one table, so a row that is too wide fails neither. This table is written
 * by hand, row by row, when a change of the filter is reviewed. */
const std::multimap<std::string, Reviewed> REVIEWED = {
	{"futex", {1}},
	{"mmap", {1}},
	{"munmap", {0}},
	{"mprotect", {0}},
	{"brk", {0}},
	{"madvise", {1}},
	{"fstat", {0}},
	{"read", {0}},
	{"pread64", {0}},
	{"lseek", {0}},
	{"close", {0}},
	{"fcntl", {1}},
	{"sendto", {2}},
	{"recvmsg", {1, worker::Threads::SESSION}},
	{"write", {1}},
	{"exit", {0}},
	{"exit_group", {0}},
	{"rt_sigprocmask", {0}},
	{"rt_sigreturn", {0}},
	{"tgkill", {2}},
	{"tgkill", {2, worker::Threads::SESSION}},
	{"gettid", {0}},
	{"getpid", {0}},
	{"clock_gettime", {1}},
	{"gettimeofday", {0}},
	{"clock_nanosleep", {1}},
	{"nanosleep", {0}},
	{"sched_yield", {0}},
	{"getcpu", {0}},
	{"restart_syscall", {0}},
	{"getrandom", {0}},
};

TEST(KernelCalls, AreReviewed)
{
	for (const worker::AllowedCall &call : worker::ALLOWED) {
		const unsigned conditions = (call.first.mask != 0) + (call.second.mask != 0);
		const auto [first, last] = REVIEWED.equal_range(call.name);
		EXPECT_TRUE(std::any_of(first, last, [&](const auto &row) {
			return row.second.threads == call.threads &&
			       conditions >= row.second.conditions;
		})) << call.name;
		if (call.number == SYS_fcntl) {
			EXPECT_EQ(call.first.number, 1u);
			EXPECT_TRUE(call.first.value == F_DUPFD_CLOEXEC ||
				    call.first.value == F_GETFD || call.first.value == F_GETFL)
				<< call.first.value;
		}
	}
}

TEST(KernelCalls, HaveReasons)
{
	for (const worker::AllowedCall &call : worker::ALLOWED) {
		EXPECT_GE(strlen(call.reason), 4u) << call.name;
		EXPECT_LE(strlen(call.reason), 80u) << call.name;
	}
}

/* In a namespace of its own a program has none to lose. */
TEST(KernelCalls, HaveNoPrivileges)
{
	SKIP_WITHOUT_WORKERS();
	for (const bool in_namespaces : {true, false}) {
		if (!in_namespaces)
			setenv("UNPU_KERNEL_NAMESPACES", "0", 1);
		KernelClient client;
		client.load_good();
		ASSERT_EQ(client.run("say", 1, {}), Status::OK) << client.failure();
		const std::vector<int> found = workers();
		ASSERT_EQ(found.size(), 1u);
		for (const char *set : {"CapInh", "CapPrm", "CapEff", "CapAmb"})
			EXPECT_EQ(status_of(found[0], set), "0000000000000000") << set;
		EXPECT_EQ(status_of(found[0], "NoNewPrivs"), "1");
		EXPECT_EQ(status_of(found[0], "Seccomp"), "2");
		EXPECT_EQ(getsid(found[0]), found[0]);
	}
	unsetenv("UNPU_KERNEL_NAMESPACES");
}

TEST(KernelCalls, HaveNamespacesWhereTheKernelAllowsThem)
{
	SKIP_WITHOUT_WORKERS();
	const pid_t probe = fork();
	if (probe == 0)
		_exit(unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC) != 0);
	int status = 0;
	ASSERT_EQ(waitpid(probe, &status, 0), probe);
	for (const bool wants : {true, false}) {
		if (!wants)
			setenv("UNPU_KERNEL_NAMESPACES", "0", 1);
		KernelClient client;
		client.load_good();
		ASSERT_EQ(client.run("say", 1, {}), Status::OK) << client.failure();
		const std::vector<int> found = workers();
		ASSERT_EQ(found.size(), 1u);
		/* In a namespace of its own it is process 1 besides. */
		const std::string numbers = status_of(found[0], "NSpid");
		const bool has_own = numbers.find('\t') != std::string::npos;
		EXPECT_EQ(has_own, wants && status == 0) << numbers;
	}
	unsetenv("UNPU_KERNEL_NAMESPACES");
}
