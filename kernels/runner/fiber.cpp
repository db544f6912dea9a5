// SPDX-License-Identifier: MIT
/**
 * DOC: Fibers
 *
 * On x86-64 a switch saves the registers that a call preserves, and the modes of the floating-point units. Other
 * architectures use the C library's contexts.
 */
#include "fiber.h"

#include <sys/mman.h>

#if defined(__x86_64__)
/* unpu_fiber_switch(save, load): stores the stack pointer at @save and continues with @load. */
asm(R"(
	.text
	.p2align 4
	.globl unpu_fiber_switch
	.hidden unpu_fiber_switch
	.type unpu_fiber_switch, @function
unpu_fiber_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	subq $8, %rsp
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	ldmxcsr (%rsp)
	fldcw 4(%rsp)
	addq $8, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.size unpu_fiber_switch, .-unpu_fiber_switch

	.globl unpu_fiber_begin
	.hidden unpu_fiber_begin
	.type unpu_fiber_begin, @function
unpu_fiber_begin:
	movq %r12, %rdi
	callq *%rbx
	ud2
	.size unpu_fiber_begin, .-unpu_fiber_begin
)");

extern "C" void unpu_fiber_switch(void **save, void *load);
extern "C" void unpu_fiber_begin();
#endif

/* If the program has AddressSanitizer, each switch is announced to it, because it keeps data for each stack. */
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **save, const void *low, size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *saved, const void **low, size_t *bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const void *at, size_t bytes);
}

namespace runner {

static void start_switch(void **save, const void *low, size_t bytes)
{
	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(save, low, bytes);
}

static void finish_switch(void *saved, const void **low, size_t *bytes)
{
	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(saved, low, bytes);
}

bool Fiber::init()
{
	void *range = mmap(nullptr, GUARD_BYTES + STACK_BYTES, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (range == MAP_FAILED)
		return false;
	low_ = static_cast<unsigned char *>(range);
	return mprotect(low_ + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) == 0;
}

bool Fiber::guards(uint64_t address) const
{
	return address - reinterpret_cast<uint64_t>(low_) < GUARD_BYTES;
}

uint64_t Fiber::end_of_stack(uint64_t address) const
{
	const uint64_t low = reinterpret_cast<uint64_t>(low_) + GUARD_BYTES;
	return address - low < STACK_BYTES ? low + STACK_BYTES : 0;
}

void Fiber::start(void (*run)(void *argument), void *argument)
{
	run_ = run;
	argument_ = argument;
	/* The fiber may have been abandoned in the middle of its last run. */
	if (__asan_unpoison_memory_region)
		__asan_unpoison_memory_region(low_ + GUARD_BYTES, STACK_BYTES);
	inside_stack_ = nullptr;
	prepare();
}

void Fiber::enter(void *fiber)
{
	auto &self = *static_cast<Fiber *>(fiber);
	finish_switch(nullptr, &self.outside_low_, &self.outside_bytes_);
	self.run_(self.argument_);
	self.leave();
}

void Fiber::resume()
{
	start_switch(&outside_stack_, low_ + GUARD_BYTES, STACK_BYTES);
	exchange_outside();
	finish_switch(outside_stack_, nullptr, nullptr);
}

void Fiber::suspend()
{
	start_switch(&inside_stack_, outside_low_, outside_bytes_);
	exchange_inside();
	finish_switch(inside_stack_, &outside_low_, &outside_bytes_);
}

void Fiber::leave()
{
	start_switch(nullptr, outside_low_, outside_bytes_);
	for (;;)
		exchange_inside();
}

#if defined(__x86_64__)

void Fiber::prepare()
{
	/* What unpu_fiber_switch() pops: modes, r15, r14, r13, r12, rbx, rbp, and the address to return to. */
	auto *top = reinterpret_cast<uint64_t *>(low_ + GUARD_BYTES + STACK_BYTES) - 2;
	*--top = reinterpret_cast<uint64_t>(unpu_fiber_begin);
	*--top = 0;
	*--top = reinterpret_cast<uint64_t>(&Fiber::enter);
	*--top = reinterpret_cast<uint64_t>(this);
	for (int i = 0; i < 3; i++)
		*--top = 0;
	uint32_t modes[2] = {};
	asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(modes[0]), "=m"(modes[1]));
	*--top = modes[0] | uint64_t{modes[1]} << 32;
	inside_ = top;
}

void Fiber::exchange_outside()
{
	unpu_fiber_switch(&outside_, inside_);
}

void Fiber::exchange_inside()
{
	unpu_fiber_switch(&inside_, outside_);
}

#else

void Fiber::prepare()
{
	getcontext(&inside_);
	inside_.uc_stack.ss_sp = low_ + GUARD_BYTES;
	inside_.uc_stack.ss_size = STACK_BYTES;
	inside_.uc_link = nullptr;
	makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 1, this);
}

void Fiber::exchange_outside()
{
	swapcontext(&outside_, &inside_);
}

void Fiber::exchange_inside()
{
	swapcontext(&inside_, &outside_);
}

#endif

} // namespace runner
