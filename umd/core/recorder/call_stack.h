// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/sync/mutex.h"
#include "frame_rules.h"
#include "insert_table.h"
#include "stack_copy.h"
#include "stack_memo.h"

namespace umd::recorder {

/** struct CallStack - the return addresses outside of this library, innermost first. */
struct CallStack {
	static constexpr unsigned MOST = 8;

	std::array<uint64_t, MOST> frames;
	unsigned count = 0;

	std::span<const uint64_t> all() const { return {frames.data(), count}; }
	/** hash() - not 0. Equal stacks have equal hashes. */
	uint64_t hash() const;
};

/**
 * class StackWalker - finds the place from which the program called the library.
 *
 * A walk needs a rule for each return address (FrameRule). The walker keeps these rules, so a later walk over
 * the same calls costs one look-up for each frame. StackMemo makes most walks unnecessary. Context: any
 * thread.
 */
class StackWalker {
public:
	/** prepare() - call it first. Return: NO_MEMORY. */
	base::Status prepare();

	/** number() - the number of the call stack that begins at @start, the registers of a frame of the
	 * calling thread. @name: a function that gives a number to a CallStack. It is not called if the
	 * thread has recently walked the same stack. */
	template <class Name> uint32_t number(const Registers &start, Name &&name)
	{
		StackMemo *memo = StackMemo::mine();
		uint32_t known = 0;
		if (memo && memo->find(start, known)) [[likely]]
			return known;
		Walk walk{Leg(start), Leg(start), start};
		const CallStack stack = this->walk(start, walk);
		walk.program.end(name(stack));
		if (memo && walk.is_whole)
			memo->keep(start, walk.own, walk.boundary, walk.program);
		return walk.program.number();
	}

	/** walk_copy() - the call stack of an interrupted thread. Functions of the C library that the program has
	 * called, as memcpy, are left out. */
	CallStack walk_copy(const StackCopy &copy);

	/** text() - the frames as "MODULE+0xOFFSET", one on each line. OFFSET is the address in the ELF file
	 * of the last byte of the call instruction. */
	static std::string text(const CallStack &stack);

private:
	/* struct Walk - the state of a walk, which StackMemo may keep. */
	struct Walk {
		Leg own;
		Leg program;
		Registers boundary; /* where the second leg begins */
		/* the walk covered the frames of the library and of the program, all on the thread's own stack */
		bool is_whole = false;
	};

	[[gnu::noinline]] CallStack walk(Registers registers, Walk &kept);
	FrameRule rule_of(uint64_t return_address);
	[[gnu::noinline]] FrameRule learn(uint64_t return_address);
	FrameRule read_rule(uint64_t return_address) REQUIRES(mutex_);

	InsertTable rules_;
	uint64_t own_begin_ = 0; /* address range of this library */
	uint64_t own_end_ = 0;
	base::Mutex mutex_{"StackWalker::mutex_"};
};

} // namespace umd::recorder
