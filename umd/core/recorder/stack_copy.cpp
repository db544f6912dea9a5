// SPDX-License-Identifier: MIT
/**
 * DOC: stacks that a signal handler copies
 *
 * A walk over a call stack reads unwind tables, takes locks and allocates memory, which a signal handler may not
 * do. So the handler only copies, and the walk comes later. The kernel makes the copy, because the stack may
 * end within it.
 */
#include "stack_copy.h"

#include <algorithm>

#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/os/shm.h"

namespace umd::recorder {

/* A walk expects the address behind an instruction, as a call leaves it. */
static Registers interrupted(const void *context)
{
	[[maybe_unused]] const auto &at = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
	return {static_cast<uint64_t>(at.gregs[REG_RIP]) + 1,
		static_cast<uint64_t>(at.gregs[REG_RSP]), static_cast<uint64_t>(at.gregs[REG_RBP])};
#elif defined(__aarch64__)
	return {at.pc + 1, at.sp, at.regs[29]};
#else
	return {};
#endif
}

void StackCopy::take(const void *context)
{
	registers = interrupted(context);
	copy();
}

void StackCopy::take_caller(const void *frame)
{
	registers = registers_above(reinterpret_cast<uint64_t>(frame));
	copy();
}

void StackCopy::copy()
{
	/* Each page is a piece of its own: the kernel copies whole pieces only. */
	const uint64_t unit = base::kernel_page_bytes();
	std::array<iovec, 2> from{};
	uint64_t at = registers.sp;
	for (iovec &piece : from) {
		const uint64_t end = std::min(registers.sp + MOST, (at / unit + 1) * unit);
		piece = {reinterpret_cast<void *>(at), end - at};
		at = end;
	}
	const iovec to{words.data(), MOST};
	const ssize_t copied = process_vm_readv(getpid(), &to, 1, from.data(), from.size(), 0);
	bytes = copied < 0 ? 0 : static_cast<uint64_t>(copied);
}

} // namespace umd::recorder
