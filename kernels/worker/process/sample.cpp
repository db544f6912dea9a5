// SPDX-License-Identifier: MIT
/**
 * DOC: Threads that are followed
 *
 * SIGURG stops the thread, whose handler notes which block it runs. On x86-64 the handler then sets the trap flag, so
 * that the next instructions end with SIGTRAP, and notes the first of them that reads device memory. Elsewhere the
 * place is that of the signal. A debugger would stop at each step, so a process that has one follows no thread.
 */
#include "sample.h"

#include <atomic>

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/waits.h"
#include "kernels/runner/launch.h"

namespace worker {

static constexpr uint32_t STEPS = 4096;
static constexpr uint64_t PATIENCE_NS = base::NS_PER_S;

enum State : uint32_t { IDLE, ASKED, FOLLOWS, DONE };

static bool (*code_is_known)(uint64_t pc) = nullptr;
static bool (*memory_is_known)(uint64_t address) = nullptr;
static std::atomic<uint32_t> state{IDLE};
static std::atomic<int> followed{0};
static uint32_t steps = 0;
static Sample found;

void allow_samples(bool (*is_code)(uint64_t pc), bool (*is_memory)(uint64_t address))
{
	code_is_known = is_code;
	memory_is_known = is_memory;
}

/* Between two blocks, as after one has yielded, the thread runs none for a moment. */
static void note_block()
{
	const runner::Instance *instance = found.has_block ? nullptr : runner::Launch::current();
	if (!instance)
		return;
	found.has_block = true;
	found.core = instance->block.core;
	found.block = instance->block.index;
}

/* The fiber's stack has nothing that a sanitizer knows. */
__attribute__((no_sanitize("address", "thread"))) static void note_callers(uint64_t stack)
{
	constexpr uint64_t MOST_BYTES = 32 << 10;
	const runner::Instance *instance = runner::Launch::current();
	const uint64_t end = instance ? instance->fiber.end_of_stack(stack) : 0;
	for (uint64_t at = stack; at < end && at < stack + MOST_BYTES; at += sizeof(uint64_t)) {
		const uint64_t word = *reinterpret_cast<const uint64_t *>(at);
		/* The call is the instruction before the one to which it returns. */
		if (code_is_known(word - 1) && found.callers_count < Sample::CALLERS_MOST)
			found.callers[found.callers_count++] = word - 1;
	}
}

#if defined(__x86_64__)

static uint64_t stack_of(const mcontext_t &context)
{
	return static_cast<uint64_t>(context.gregs[REG_RSP]);
}

static constexpr greg_t TRAP_FLAG = 0x100;

static uint64_t register_of(const mcontext_t &context, unsigned number)
{
	static constexpr int ORDER[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
					REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
					REG_R12, REG_R13, REG_R14, REG_R15};
	return static_cast<uint64_t>(context.gregs[ORDER[number & 15]]);
}

template <typename T> static uint64_t number_at(const unsigned char *code)
{
	T number;
	__builtin_memcpy(&number, code, sizeof(number));
	return static_cast<uint64_t>(static_cast<int64_t>(number));
}

/* The address of the operand that "ModRM" at @code describes; 0: it is a register, or relative to the instruction.
 * @extend: bits R, X and B of a prefix, from 4 down. */
static uint64_t operand(const mcontext_t &context, const unsigned char *code, unsigned extend)
{
	const unsigned mode = *code >> 6, base = *code & 7;
	if (mode == 3 || (mode == 0 && base == 5))
		return 0;
	code++;
	uint64_t address = 0;
	bool has_base = true;
	if (base == 4) {
		const unsigned index = (*code >> 3 & 7) | (extend & 2 ? 8 : 0);
		const unsigned from = *code & 7;
		if (index != 4)
			address += register_of(context, index) << (*code >> 6);
		has_base = mode != 0 || from != 5;
		if (has_base)
			address += register_of(context, from | (extend & 1 ? 8 : 0));
		code++;
	} else
		address += register_of(context, base | (extend & 1 ? 8 : 0));
	if (mode == 1)
		address += number_at<int8_t>(code);
	if (mode == 2 || !has_base)
		address += number_at<int32_t>(code);
	return address;
}

/* The address that the next instruction may read; 0: none. What has no such operand gives some number, which is no
 * device memory. */
static uint64_t address_read(const mcontext_t &context)
{
	const auto *code = reinterpret_cast<const unsigned char *>(context.gregs[REG_RIP]);
	unsigned extend = 0;
	while (*code == 0x66 || *code == 0xf2 || *code == 0xf3 || *code == 0xf0)
		code++;
	if (*code == 0xc5) /* VEX of two bytes: an opcode of the page 0f */
		return operand(context, code + 3, 0);
	if (*code == 0xc4)
		return operand(context, code + 4, static_cast<unsigned>(~code[1] >> 5 & 7));
	if ((*code & 0xf0) == 0x40)
		extend = *code++ & 7;
	constexpr unsigned char LEA = 0x8d, PAGE = 0x0f;
	if (*code == LEA)
		return 0;
	return operand(context, code + (*code == PAGE ? 2 : 1), extend);
}

/* Return: whether the thread is to be followed further. */
static bool look_at(mcontext_t &context)
{
	const auto pc = static_cast<uint64_t>(context.gregs[REG_RIP]);
	if (code_is_known(pc)) {
		note_block();
		const uint64_t address = found.polled == 0 ? address_read(context) : 0;
		if (address != 0 && memory_is_known(address)) {
			found.polled = address;
			found.reader = found.count;
		}
		found.codes[found.count++] = pc;
	}
	return ++steps < STEPS && found.count < Sample::MOST;
}

static void follow(mcontext_t &context, bool goes_on)
{
	if (goes_on && look_at(context)) {
		context.gregs[REG_EFL] |= TRAP_FLAG;
		return;
	}
	context.gregs[REG_EFL] &= ~TRAP_FLAG;
	if (goes_on)
		state.store(DONE, std::memory_order_release);
}

#else

static uint64_t stack_of(const mcontext_t &context)
{
#if defined(__aarch64__)
	return context.sp;
#else
	(void)context;
	return 0;
#endif
}

static void follow(mcontext_t &context, bool goes_on)
{
#if defined(__aarch64__)
	if (goes_on && code_is_known(context.pc))
		found.codes[found.count++] = context.pc;
#else
	(void)context;
#endif
	if (goes_on)
		state.store(DONE, std::memory_order_release);
}

#endif

static bool is_followed()
{
	return followed.load(std::memory_order_acquire) == gettid();
}

bool take_step(const siginfo_t &info, void *context)
{
	auto &machine = static_cast<ucontext_t *>(context)->uc_mcontext;
	if (info.si_signo == SIGTRAP && info.si_code == TRAP_TRACE) {
		/* sample_thread() may have given up before this step ends. */
		follow(machine, is_followed() && state.load(std::memory_order_acquire) == FOLLOWS);
		return true;
	}
	if (info.si_signo != SIGURG)
		return false;
	uint32_t asked = ASKED;
	if (!is_followed() || !state.compare_exchange_strong(asked, FOLLOWS))
		return true;
	found = {};
	steps = 0;
	note_block();
	note_callers(stack_of(machine));
	follow(machine, true);
	return true;
}

bool sample_thread(int thread, Sample &sample)
{
	if (!code_is_known)
		return false;
	const uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	followed.store(thread, std::memory_order_release);
	state.store(ASKED, std::memory_order_release);
	if (syscall(SYS_tgkill, getpid(), thread, SIGURG) == 0) {
		while (state.load(std::memory_order_acquire) != DONE &&
		       base::now_ns() < deadline_ns)
			base::calls::sleep_until(base::now_ns() + base::NS_PER_MS);
	}
	const bool is_done = state.exchange(IDLE, std::memory_order_acquire) == DONE;
	if (is_done)
		sample = found;
	return is_done;
}

} // namespace worker
