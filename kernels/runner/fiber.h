// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace runner {

/**
 * class Fiber - a stack with a guard page below it, and a place to continue. A fiber runs on the thread that
 * resumes it first, and never on another one: compilers keep addresses of thread-local objects across calls.
 */
class Fiber {
public:
	static constexpr size_t STACK_BYTES = 1 << 20;

	Fiber() = default;
	Fiber(const Fiber &) = delete;
	Fiber &operator=(const Fiber &) = delete;

	/** init() - allocates the stack, which is never freed. Return: false: no memory. */
	bool init();

	/** start() - the next resume() calls @run with @argument, which must end by suspend(). */
	void start(void (*run)(void *argument), void *argument);

	/** resume() - runs until the fiber suspends itself. */
	void resume();

	/** suspend() - returns from resume(). Context: on the fiber. */
	void suspend();

	/* leave() - as suspend(), for a fiber that will not be resumed again. */
	[[noreturn]] void leave();

	/** guards() - whether @address is in the guard page. */
	bool guards(uint64_t address) const;

	/** end_of_stack() - the end of the stack on which @address is; 0: it is not on this fiber's. */
	uint64_t end_of_stack(uint64_t address) const;

private:
	static constexpr size_t GUARD_BYTES = 1 << 16;

	static void enter(void *fiber);
	void prepare();
	void exchange_inside();
	void exchange_outside();

	unsigned char *low_ = nullptr;
	void (*run_)(void *argument) = nullptr;
	void *argument_ = nullptr;
	/* The data of AddressSanitizer about both stacks. */
	void *inside_stack_ = nullptr;
	void *outside_stack_ = nullptr;
	const void *outside_low_ = nullptr;
	size_t outside_bytes_ = 0;
#if defined(__x86_64__)
	void *inside_ = nullptr;  /* stack pointer of the fiber while it is suspended */
	void *outside_ = nullptr; /* stack pointer of resume() */
#else
	ucontext_t inside_{};
	ucontext_t outside_{};
#endif
};

} // namespace runner
