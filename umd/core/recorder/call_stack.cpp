// SPDX-License-Identifier: MIT
/**
 * DOC: call stacks
 *
 * A walk goes from frame to frame by the rules of frame_rules.h, through the frames of this library and then
 * through at most CallStack::MOST frames of the program. It reads only words between the stack pointer and
 * the end of the thread's stack. If a program switches stacks itself, for example for coroutines, the walk
 * finds only the innermost frame.
 */
#include "call_stack.h"

#include <bit>
#include <mutex>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

namespace umd::recorder {

using base::Status;

static constexpr uint64_t MOST_RULES = uint64_t{1} << 17;
/* The call depth inside of this library is always less than this. */
static constexpr unsigned MOST_STEPS = 64;

static_assert(sizeof(FrameRule) == sizeof(uint64_t));

namespace {

/* The bounds of a thread's stack; read from the system once. */
struct StackBounds {
	uint64_t begin = 0;
	uint64_t end = 0;
};

thread_local constinit StackBounds bounds;

} // namespace

[[gnu::noinline]] static void read_bounds()
{
	pthread_attr_t attributes;
	void *begin = nullptr;
	size_t bytes = 0;
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		if (pthread_attr_getstack(&attributes, &begin, &bytes) != 0)
			bytes = 0;
		pthread_attr_destroy(&attributes);
	}
	bounds.begin = reinterpret_cast<uint64_t>(begin);
	/* The end must not stay 0, even if the system gave no size, so that the system is asked only once. */
	bounds.end = bounds.begin + bytes + (bytes == 0);
}

uint64_t CallStack::hash() const
{
	uint64_t hash = count;
	for (uint64_t frame : all())
		hash = mix(hash ^ frame);
	return hash | 1;
}

Status StackWalker::prepare()
{
	Module own;
	if (find_module(reinterpret_cast<uint64_t>(&read_bounds), own)) {
		own_begin_ = own.begin;
		own_end_ = own.end;
	}
	return rules_.reserve(MOST_RULES);
}

FrameRule StackWalker::learn(uint64_t return_address)
{
	uint64_t known = 0;
	std::lock_guard lock(mutex_);
	return rules_.find(return_address, known) ? std::bit_cast<FrameRule>(known)
						  : read_rule(return_address);
}

FrameRule StackWalker::read_rule(uint64_t return_address)
{
	FrameRule rule;
	Module module;
	if (find_module(return_address, module))
		rule = find_rule(module, return_address);
	if (return_address - own_begin_ < own_end_ - own_begin_)
		rule.flags |= FrameRule::IS_OWN;
	(void)rules_.insert(return_address, std::bit_cast<uint64_t>(rule));
	return rule;
}

FrameRule StackWalker::rule_of(uint64_t return_address)
{
	uint64_t known = 0;
	return rules_.find(return_address, known) ? std::bit_cast<FrameRule>(known)
						  : learn(return_address);
}

/* Goes one frame up to the caller. @leg: receives the words that the walk reads. @read: reads a word of the stack.
 * Return: false if the walk ends here. */
template <class Read>
static inline bool step(Registers &registers, const FrameRule &rule, uint64_t stack_end, Leg &leg,
			Read &&read)
{
	if (!(rule.flags & FrameRule::HAS_CALLER))
		return false;
	const bool is_by_frame = rule.flags & FrameRule::FROM_FRAME_POINTER;
	if (is_by_frame)
		leg.use_frame_pointer(registers);
	const uint64_t cfa = (is_by_frame ? registers.fp : registers.sp) +
			     static_cast<uint64_t>(int64_t{rule.cfa});
	if (cfa <= registers.sp || cfa > stack_end || cfa % sizeof(uint64_t) != 0)
		return false;
	const uint64_t word = read(cfa - sizeof(uint64_t));
	registers.pc = return_address(word);
	leg.read(cfa - sizeof(uint64_t), word);
	if (rule.frame_pointer != 0) {
		registers.fp_at = cfa + static_cast<uint64_t>(int64_t{rule.frame_pointer});
		registers.fp = read(registers.fp_at);
	}
	registers.sp = cfa;
	return registers.pc != 0;
}

CallStack StackWalker::walk(Registers registers, Walk &kept)
{
	CallStack stack;
	if (bounds.end == 0) [[unlikely]]
		read_bounds();
	const bool is_own_stack = registers.sp - bounds.begin < bounds.end - bounds.begin;
	/* If the program has switched to a stack of its own, its bounds are unknown. Only this many bytes
	 * surely exist: the frames of this library. */
	constexpr uint64_t OWN_BYTES = 65536;
	const uint64_t end = is_own_stack ? bounds.end : registers.sp + OWN_BYTES;
	const auto read = [](uint64_t address) { return word_at(address); };
	for (unsigned steps = 0; steps < MOST_STEPS; steps++) {
		const FrameRule rule = rule_of(registers.pc);
		const bool is_own = rule.flags & FrameRule::IS_OWN;
		if (!is_own && stack.count == 0 && steps > 0) {
			kept.own.end(registers);
			registers.fp_at = 0;
			kept.boundary = registers;
			kept.program = Leg(registers);
			kept.is_whole = is_own_stack;
		}
		if (!is_own)
			stack.frames[stack.count++] = registers.pc;
		if (stack.count == (is_own_stack ? CallStack::MOST : 1) ||
		    !step(registers, rule, end, stack.count == 0 ? kept.own : kept.program, read))
			break;
	}
	return stack;
}

CallStack StackWalker::walk_copy(const StackCopy &copy)
{
	CallStack stack;
	Module library;
	(void)find_module(reinterpret_cast<uint64_t>(&::getppid), library);
	Registers registers = copy.registers;
	Leg leg;
	const auto read = [&](uint64_t address) { return copy.word(address); };
	for (unsigned steps = 0; steps < MOST_STEPS && stack.count < CallStack::MOST; steps++) {
		const bool is_library = registers.pc - library.begin < library.end - library.begin;
		if (!is_library || stack.count > 0)
			stack.frames[stack.count++] = registers.pc;
		if (!step(registers, rule_of(registers.pc), copy.registers.sp + copy.bytes, leg,
			  read))
			break;
	}
	if (stack.count == 0)
		stack.frames[stack.count++] = copy.registers.pc;
	return stack;
}

std::string StackWalker::text(const CallStack &stack)
{
	std::string text;
	for (uint64_t frame : stack.all()) {
		const uint64_t call = frame - 1;
		Module module;
		if (!text.empty())
			text += '\n';
		if (find_module(call, module))
			text += fmt::format("{}+{:#x}", module.path, call - module.base);
		else
			text += fmt::format("?+{:#x}", call);
	}
	return text;
}

} // namespace umd::recorder
