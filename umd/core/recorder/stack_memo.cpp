// SPDX-License-Identifier: MIT
/**
 * DOC: memo of call stacks: legs, and the memory of a thread
 */
#include "stack_memo.h"

#include "base/os/shm.h"

namespace umd::recorder {

thread_local constinit StackMemo *StackMemo::mine_ = nullptr;

static thread_local constinit base::AtThreadExit leaver;

void Leg::end(const Registers &registers)
{
	count_--;
	next_pc_at_ = registers.sp - sizeof(uint64_t);
	next_sp_ = registers.sp;
	next_fp_at_ = registers.fp_at;
}

/* The words are compared without a branch for each. If the leg began at this place, its words are above the
 * stack pointer, so they can be read. */
bool Leg::holds(const Registers &start) const
{
	if (pc_ != start.pc || sp_ != start.sp)
		return false;
	uint64_t changed = needs_fp_ ? fp_ ^ start.fp : 0;
	for (uint32_t i = 0; i < count_; i++)
		changed |= word_at(words_[i].address) ^ words_[i].value;
	return changed == 0;
}

void StackMemo::keep(const Registers &start, const Leg &own, const Registers &boundary,
		     const Leg &program)
{
	if (!own.is_valid() || !program.is_valid())
		return;
	put(own_, start, own);
	put(program_, boundary, program);
}

/* An all-zero entry is empty, because no leg begins at address 0. */
StackMemo *StackMemo::make()
{
	auto memory = base::map_private_zeroed(sizeof(StackMemo));
	if (!memory)
		return nullptr;
	mine_ = memory->as<StackMemo>();
	memory->release();
	leaver.run = give_back;
	/* If the hook can't be set, the memory is leaked when the thread ends; nothing else goes wrong. */
	(void)base::at_thread_exit(leaver);
	return mine_;
}

void StackMemo::give_back(base::AtThreadExit &, bool)
{
	const base::Mapping memory(mine_, sizeof(StackMemo));
	mine_ = nullptr;
}

} // namespace umd::recorder
