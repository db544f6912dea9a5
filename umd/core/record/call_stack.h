// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/sync/mutex.h"
#include "frame_rules.h"
#include "insert_table.h"
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
 * class StackWalker - finds out from where the program called the library.
 *
 * A walk needs a rule for each return address (FrameRule), which it keeps: a later walk over the same
 * calls costs one look-up a frame. StackMemo spares most walks. Context: any thread.
 */
class StackWalker {
public:
	/** prepare() - call it first. Return: NO_MEMORY. */
	base::Status prepare();

	/** number() - the number that @name gives to the call stack from @start on, the registers of a frame of
	 * the calling thread. @name: called with a CallStack, unless the thread has walked this one lately. */
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

	/** text() - the frames as "MODULE+0xOFFSET", one a line. OFFSET is an address of the ELF file: that of
	 * the last byte of the call. */
	static std::string text(const CallStack &stack);

private:
	/* struct Walk - a walk that may be kept. */
	struct Walk {
		Leg own;
		Leg program;
		Registers boundary;    /* where the second leg begins */
		bool is_whole = false; /* it went through both legs, in the thread's own stack */
	};

	[[gnu::noinline]] CallStack walk(Registers registers, Walk &kept);
	FrameRule rule_of(uint64_t return_address);
	[[gnu::noinline]] FrameRule learn(uint64_t return_address);
	FrameRule read_rule(uint64_t return_address) REQUIRES(mutex_);

	InsertTable rules_;
	uint64_t own_begin_ = 0; /* the addresses of this library */
	uint64_t own_end_ = 0;
	base::Mutex mutex_{"StackWalker::mutex_"};
};

} // namespace umd::recorder
