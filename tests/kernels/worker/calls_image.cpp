// SPDX-License-Identifier: MIT
/*
 * DOC: An image that tries system calls
 *
 * It makes each call and compares with ALLOWED. Arguments are ones that no call accepts,
 * but for the one that is tried: a call that is let through fails then, with another error than the filter's.
 */
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include <sys/prctl.h>
#include <unistd.h>

#include "calls_image.h"
#include "kernels/abi/image.h"
#include "kernels/worker/process/allowed.h"

namespace {

using calls::Difference;
using calls::Report;

long call(uint64_t number, const uint64_t (&arguments)[6])
{
	const long result = syscall(static_cast<long>(number), arguments[0], arguments[1],
				    arguments[2], arguments[3], arguments[4], arguments[5]);
	return result == -1 ? -errno : result;
}

/* Calls that are allowed with any argument, and would end or stop the kernel; and those of the trampolines of probes,
 * which Linux does not show to filters and answers with SIGILL elsewhere. */
bool is_deadly(uint64_t number)
{
	constexpr uint64_t URETPROBE = 335, UPROBE = 336;
	constexpr uint64_t DEADLY[] = {SYS_exit,      SYS_exit_group,	   SYS_rt_sigreturn,
				       SYS_nanosleep, SYS_restart_syscall, URETPROBE,
				       UPROBE};
	return std::find(std::begin(DEADLY), std::end(DEADLY), number) != std::end(DEADLY);
}

bool is_answered(uint64_t number)
{
	return std::find(std::begin(worker::ANSWERED), std::end(worker::ANSWERED),
			 static_cast<int>(number)) != std::end(worker::ANSWERED);
}

void compare(Report &report, uint64_t number, const uint64_t (&arguments)[6])
{
	if (is_deadly(number))
		return;
	const bool allowed = worker::is_allowed(worker::Threads::ALL, static_cast<int>(number),
						arguments, static_cast<uint64_t>(getpid()));
	const long result = call(number, arguments);
	report.tried++;
	report.passed += allowed;
	if (number == SYS_fcntl && arguments[1] == F_DUPFD_CLOEXEC && result > 0)
		close(static_cast<int>(result));
	const bool is_good =
		is_answered(number) ? result == -EACCES : (result != -EPERM) == allowed;
	if (is_good || report.count == calls::MOST)
		return;
	Difference &to = report.differences[report.count++];
	to = {number, {}, result, allowed};
	memcpy(to.arguments, arguments, sizeof(to.arguments));
}

/* A path that every call can read, and that names nothing. */
char path[4096];

/* struct Command - a call whose argument @at selects what it does; the others are @arguments. */
struct Command {
	uint64_t number;
	uint32_t at;
	uint64_t first, last;
	uint64_t arguments[6];
};

const uint64_t BAD = ~uint64_t{0};
uint32_t word;

/* Futexes wait for another value than the word's. */
const Command COMMANDS[] = {
	{SYS_fcntl, 1, 0, 1100, {UNPU_WORKER_SOCKET, 0, 64}},
	{SYS_fcntl, 1, 0, 1100, {UNPU_WORKER_KICK, 0, 64}},
	{SYS_madvise, 2, 0, 130, {0, 0, 0}},
	{SYS_futex, 1, 0, 1023, {reinterpret_cast<uint64_t>(&word), 0, 7, 0, 0, 7}},
	{SYS_prctl, 0, 0, 100, {0, BAD, BAD, BAD, BAD}},
	{SYS_prctl, 0, PR_SET_VMA, PR_SET_VMA, {0, BAD, BAD, BAD, BAD}},
	{SYS_prctl, 0, PR_SET_PTRACER, PR_SET_PTRACER, {0, BAD, BAD, BAD, BAD}},
	{SYS_ioctl, 1, 0x5400, 0x54ff, {UNPU_WORKER_SOCKET, 0, BAD}},
	{SYS_ioctl, 1, 0x8900, 0x89ff, {UNPU_WORKER_SOCKET, 0, BAD}},
	{SYS_mmap, 3, 0, 0x7f, {0, 0, 0, 0, BAD, 1}},
	{SYS_clock_gettime, 0, 0, 64, {0, BAD}},
	{SYS_clock_gettime, 0, BAD - 4096, BAD, {0, BAD}},
	{SYS_clock_nanosleep, 0, 0, 64, {0, BAD, BAD, BAD}},
	{SYS_clock_nanosleep, 0, BAD - 4096, BAD, {0, BAD, BAD, BAD}},
	{SYS_clone, 0, 0, 64, {0, 0, BAD, BAD, BAD}},
	{SYS_seccomp, 0, 0, 8, {0, BAD, BAD}},
	{SYS_recvmsg, 0, 0, 64, {0, BAD, BAD}},
	{SYS_sendmsg, 0, 0, 64, {0, BAD, BAD}},
	{SYS_sendto, 0, 0, 64, {0, BAD, 64, BAD, 0, 0}},
	{SYS_sendto, 4, 0, 64, {UNPU_WORKER_SOCKET, BAD, 64, BAD, 0, 0}},
	{SYS_write, 0, 0, 64, {0, BAD, 1}},
	{SYS_tgkill, 0, 0, 4096, {0, 0, 0}},
	{SYS_tgkill, 2, 0, 5, {BAD, BAD, 0}},
	{SYS_openat,
	 2,
	 0,
	 4096,
	 {static_cast<uint64_t>(AT_FDCWD), reinterpret_cast<uint64_t>(path), 0}},
	{SYS_newfstatat,
	 3,
	 0,
	 0,
	 {static_cast<uint64_t>(AT_FDCWD), reinterpret_cast<uint64_t>(path), BAD}},
};

/* Flags of mappings are bits. */
void compare_flags(Report &report)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		for (const uint64_t kind : {MAP_SHARED, MAP_PRIVATE, MAP_SHARED_VALIDATE})
			compare(report, SYS_mmap, {0, 0, 0, kind | uint64_t{1} << bit, BAD, 1});
		for (const uint64_t kind : {MAP_SHARED, MAP_PRIVATE})
			compare(report, SYS_mmap,
				{0, 0, 0, kind | MAP_ANONYMOUS | uint64_t{1} << bit, BAD, 1});
	}
}

void run(const unsigned char *args)
{
	Report *report;
	memcpy(&report, args, sizeof(report));
	path[0] = '/';
	memset(path + 1, 'x', 300);
	const auto at = reinterpret_cast<uint64_t>(path);
	/* The numbers of the table end below 512; x32 has its own, with a bit. */
	for (uint64_t number = 0; number < 1024; number++)
		compare(*report, number, {BAD, is_answered(number) ? at : BAD, BAD, BAD, BAD, BAD});
	for (const Command &command : COMMANDS) {
		for (uint64_t value = command.first;; value++) {
			uint64_t arguments[6];
			memcpy(arguments, command.arguments, sizeof(arguments));
			arguments[command.at] = value;
			compare(*report, command.number, arguments);
			if (value == command.last)
				break;
		}
	}
	compare_flags(*report);
#if defined(__x86_64__)
	for (uint64_t number = 0; number < 600; number++)
		compare(*report, 0x40000000 | number, {BAD, BAD, BAD, BAD, BAD, BAD});
#endif
	report->is_done = 1;
}

const unpu_kernel_param PARAM = {UNPU_KERNEL_PARAM_POINTER, 8, 0, 0};
const unpu_kernel_entry ENTRY = {"calls", run,	   &PARAM, 1, 8, UNPU_KERNEL_AIV_ONLY,
				 0,	  nullptr, nullptr};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct unpu_kernel_image *unpu_kernel_image(
	void)
{
	static const struct unpu_kernel_image image = {UNPU_KERNEL_IMAGE_VERSION, sizeof(image),
						       &ENTRY, [](const unpu_kernel_services *) {}};
	return &image;
}
