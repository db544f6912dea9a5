// SPDX-License-Identifier: MIT
/**
 * DOC: Signals
 *
 * The handler answers the launch, or the message, and then sleeps: the process is not sound any more. The firmware
 * makes the sentence, with the line of the source, which a new worker finds.
 */
#include "signals.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

#include <sys/mman.h>
#include <ucontext.h>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "kernels/worker/session.h"

namespace worker {

static constexpr size_t STACK_BYTES = 64 << 10;
static uint32_t (*find_code)(uint64_t &pc) = nullptr;
static std::atomic<uint32_t> message_type{0};
static std::atomic<uint32_t> signal_stacks{0};

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

static void answer(int number, siginfo_t *info, void *context)
{
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
	if (instance) {
		instance->launch->lane().answer(report);
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
	use_signal_stack();
	struct sigaction action {};
	action.sa_sigaction = answer;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigfillset(&action.sa_mask);
	for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
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
	signal_stacks.fetch_add(1, std::memory_order_release);
	signal_stacks.notify_all();
}

void await_signal_stacks(uint32_t threads)
{
	for (uint32_t now; (now = signal_stacks.load(std::memory_order_acquire)) < threads;)
		signal_stacks.wait(now, std::memory_order_acquire);
}

} // namespace worker
