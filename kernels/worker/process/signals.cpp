// SPDX-License-Identifier: MIT
/**
 * DOC: Signals
 *
 * The handler answers the launch, or the message, and then sleeps, because the process is not reliable any more. The
 * firmware makes the error message. A new worker finds the line of the source for it.
 *
 * SIGSYS is an exception: the kernel sends it for system calls of the loader that have a path, and the handler answers
 * these calls. SIGURG and SIGTRAP of threads that sample.cpp follows are further exceptions.
 */
#include "signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "kernels/worker/session.h"
#include "sample.h"

namespace worker {

static constexpr size_t STACK_BYTES = 64 << 10;
static uint32_t (*find_code)(uint64_t &pc) = nullptr;
static std::atomic<uint32_t> message_type{0};
static std::atomic<uint32_t> threads_closed{0};
static std::atomic<uint32_t> has_no_memory{0};

void note_message(uint32_t type)
{
	message_type.store(type, std::memory_order_relaxed);
}

static uint64_t code_address(const ucontext_t &context)
{
#if defined(__x86_64__)
	return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
	return context.uc_mcontext.pc;
#else
	(void)context;
	return 0;
#endif
}

/* Of a system call. Return: false: unknown processor. */
static bool take_arguments(const ucontext_t &context, uint64_t (&arguments)[3])
{
#if defined(__x86_64__)
	constexpr int REGISTERS[] = {REG_RDI, REG_RSI, REG_RDX};
	for (int i = 0; i < 3; i++)
		arguments[i] = static_cast<uint64_t>(context.uc_mcontext.gregs[REGISTERS[i]]);
	return true;
#elif defined(__aarch64__)
	for (int i = 0; i < 3; i++)
		arguments[i] = context.uc_mcontext.regs[i];
	return true;
#else
	return false;
#endif
}

static void put_result(ucontext_t &context, int64_t result)
{
#if defined(__x86_64__)
	context.uc_mcontext.gregs[REG_RAX] = result;
#elif defined(__aarch64__)
	context.uc_mcontext.regs[0] = static_cast<uint64_t>(result);
#endif
}

/* The loader's call that the filter did not let through: the path of a descriptor gives that descriptor. */
static int64_t open_own(const char *path)
{
	const int file = Image::file_at(path);
	const int twin = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, UNPU_WORKER_KICK + 1);
	if (twin < 0)
		return -EACCES;
	(void)lseek(twin, 0, SEEK_SET);
	return twin;
}

static int64_t stat_own(int file, const char *path, struct stat *to)
{
	if (*path != '\0')
		return -EACCES;
	return syscall(SYS_fstat, file, to) == 0 ? 0 : -errno;
}

/* Return: false: it is another signal. */
static bool answer_call(const siginfo_t &info, ucontext_t &context)
{
	constexpr int BY_FILTER = 1; /* SYS_SECCOMP */
	if (info.si_signo != SIGSYS || info.si_code != BY_FILTER)
		return false;
	uint64_t arguments[3];
	const int64_t result = !take_arguments(context, arguments) ? -EACCES
			       : info.si_syscall == SYS_openat
				       ? open_own(reinterpret_cast<const char *>(arguments[1]))
				       : stat_own(static_cast<int>(arguments[0]),
						  reinterpret_cast<const char *>(arguments[1]),
						  reinterpret_cast<struct stat *>(arguments[2]));
	put_result(context, result);
	return true;
}

/* Whether the process has been refused memory, and that may be why it fails: an exception that nothing has caught, or
 * an access near address 0 by the result of malloc(). */
static bool is_out_of_memory(int number, uint64_t address)
{
	constexpr uint64_t LOW = 1 << 20, SOME = 8 << 20;
	if (has_no_memory.load(std::memory_order_relaxed) != 0)
		return true;
	if (number != SIGABRT && (number != SIGSEGV || address >= LOW))
		return false;
	void *more =
		mmap(nullptr, SOME, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return more == MAP_FAILED;
}

/* What std::terminate() calls: an image has been refused memory, and has not caught the exception. */
static void note_exception()
{
	try {
		if (const std::exception_ptr thrown = std::current_exception())
			std::rethrow_exception(thrown);
	} catch (const std::bad_alloc &) {
		has_no_memory.store(1, std::memory_order_relaxed);
	} catch (...) {
	}
	abort();
}

static void answer(int number, siginfo_t *info, void *context)
{
	const int before = errno;
	const bool is_answered = answer_call(*info, *static_cast<ucontext_t *>(context)) ||
				 take_step(*info, context);
	errno = before;
	if (is_answered)
		return;
	unpu_worker_answer report{};
	report.result = UNPU_WORKER_FAILED;
	report.failure = UNPU_KERNEL_FAIL_SIGNAL;
	report.signal = static_cast<uint32_t>(number);
	report.core = UNPU_KERNEL_CORE_AIV;
	if (number == SIGSEGV || number == SIGBUS)
		report.address = reinterpret_cast<uint64_t>(info->si_addr);
	report.pc = code_address(*static_cast<const ucontext_t *>(context));
	report.image = find_code(report.pc);
	/* On x86-64 the kernel tells so of a pointer of more than 47 bits. */
	if (number == SIGSEGV && info->si_code == SI_KERNEL)
		report.guard = UNPU_WORKER_NO_ADDRESS;
	const Instance *instance = Launch::current();
	if (instance) {
		report.core = instance->block.core;
		report.block = static_cast<uint32_t>(instance->block.index);
		const uint32_t memory = instance->guarding(report.address);
		if (report.guard == UNPU_WORKER_NO_ADDRESS)
			report.address = 0;
		else if (instance->fiber.guards(report.address))
			report.guard = 1;
		else if (memory != UNPU_KERNEL_MEMORIES)
			report.guard = 2 + memory;
	}
	if (report.guard == 0 && is_out_of_memory(number, report.address))
		report.guard = UNPU_WORKER_NO_MEMORY;
	if (instance) {
		const LaneLaunch &launch = LaneLaunch::of(*instance);
		launch.lane.fail(report, launch);
	} else {
		report.type = message_type.load(std::memory_order_relaxed);
		(void)base::calls::send(UNPU_WORKER_SOCKET, &report, sizeof(report),
					base::NO_DEADLINE);
	}
	for (;;)
		base::calls::sleep_until(base::NO_DEADLINE);
}

void handle_signals(uint32_t (*find)(uint64_t &pc))
{
	find_code = find;
	std::set_terminate(note_exception);
	use_signal_stack();
	struct sigaction action {};
	action.sa_sigaction = answer;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&action.sa_mask);
	for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGURG})
		(void)sigaction(number, &action, nullptr);
}

void use_signal_stack()
{
	void *stack = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		abort();
	const stack_t own{stack, 0, STACK_BYTES};
	if (sigaltstack(&own, nullptr) != 0)
		abort();
}

void note_thread_closed()
{
	threads_closed.fetch_add(1, std::memory_order_release);
	threads_closed.notify_all();
}

void await_threads_closed(uint32_t threads)
{
	for (uint32_t now; (now = threads_closed.load(std::memory_order_acquire)) < threads;)
		threads_closed.wait(now, std::memory_order_acquire);
}

} // namespace worker
