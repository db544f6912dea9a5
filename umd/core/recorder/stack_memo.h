// SPDX-License-Identifier: MIT
/**
 * DOC: memo of call stacks
 *
 * A program calls from the same few places again and again. What a walk finds depends on the registers at its
 * start and on the words of the stack that it reads: return addresses, and saved frame pointers where a rule
 * needs them. A memo keeps these words and the result. While the words have not changed, a new walk would
 * have the same result. Comparing them takes a few nanoseconds, because the loads do not depend on each
 * other.
 *
 * A walk has two legs: the first goes through the frames of this library, the second through the frames of
 * the program. Each leg is kept separately. So several places of the program that make the same call share
 * the first leg.
 */
#pragma once

#include <cstdint>

#include "base/os/thread.h"

namespace umd::recorder {

/** struct Registers - the registers of a frame, as they are when the function that it called returns. */
struct Registers {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
	uint64_t fp_at = 0; /* address of the stack word from which this leg read fp; 0: none */
};

/** word_at() - reads a word of the stack. AddressSanitizer does not check this read. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static inline uint64_t word_at(
	uint64_t address)
{
	return *reinterpret_cast<const uint64_t *>(address);
}

/** return_address() - the return address in a word of the stack. AArch64 may put a signature into its upper
 * bits, which this function removes. */
static inline uint64_t return_address(uint64_t word)
{
#if defined(__aarch64__)
	return word & (~uint64_t{0} >> 16);
#else
	return word;
#endif
}

/** registers_above() - the registers of the caller of the function that has this frame. */
static inline Registers registers_above(uint64_t frame)
{
	return {return_address(word_at(frame + sizeof(uint64_t))), frame + 2 * sizeof(uint64_t),
		word_at(frame)};
}

/** caller_registers() - the registers of the caller's frame. With this call the compiler keeps a frame pointer in
 * the function. */
[[gnu::always_inline]] static inline Registers caller_registers()
{
	return registers_above(reinterpret_cast<uint64_t>(__builtin_frame_address(0)));
}

/** class Leg - a part of a walk: where it began, what it read, and what it found. */
class Leg {
public:
	Leg() = default;
	explicit Leg(const Registers &start) : pc_(start.pc), sp_(start.sp), fp_(start.fp) {}

	/** read() - notes that the walk has read a return address. */
	void read(uint64_t address, uint64_t value)
	{
		if (count_ < MOST)
			words_[count_] = {address, value};
		count_++;
	}
	/** use_frame_pointer() - notes that the walk used the frame pointer. */
	void use_frame_pointer(const Registers &registers)
	{
		if (registers.fp_at == 0)
			needs_fp_ = true;
		else
			read(registers.fp_at, registers.fp);
	}
	/** end() - ends the leg; the next leg begins at @registers. Their return address is the last word
	 * that this leg has read, so it is a result of this leg. */
	void end(const Registers &registers);
	/** end() - ends the walk with the result @number. */
	void end(uint32_t number) { number_ = number; }

	/** is_valid() - whether the leg has not read more words than it keeps. */
	bool is_valid() const { return count_ <= MOST; }
	/** holds() - whether a walk from @start would read the same words, so that this leg is valid for
	 * it. */
	bool holds(const Registers &start) const;
	/** next() - the registers at which the next leg begins. */
	Registers next(const Registers &start) const
	{
		return {return_address(word_at(next_pc_at_)), next_sp_,
			next_fp_at_ == 0 ? start.fp : word_at(next_fp_at_)};
	}
	uint32_t number() const { return number_; }

private:
	static constexpr uint32_t MOST = 20;

	struct Word {
		uint64_t address;
		uint64_t value;
	};

	uint64_t pc_ = 0; /* program counter at which the leg began */
	uint64_t sp_ = 0;
	uint64_t fp_ = 0;
	uint64_t next_pc_at_ = 0;
	uint64_t next_sp_ = 0;
	uint64_t next_fp_at_ = 0;
	uint32_t count_ = 0;
	uint32_t number_ = 0;
	bool needs_fp_ = false;
	Word words_[MOST] = {};
};

/** class StackMemo - the recent walks of a thread. */
class StackMemo {
public:
	/** mine() - the memo of the calling thread; nullptr if there is no memory for it. */
	static StackMemo *mine() { return mine_ ? mine_ : make(); }

	/** find() - looks for a kept walk from @start. @number: receives its result. Return: whether there is
	 * one. */
	bool find(const Registers &start, uint32_t &number) const
	{
		const Leg *const own = find(own_, start);
		if (!own)
			return false;
		const Registers boundary = own->next(start);
		const Leg *const program = find(program_, boundary);
		if (!program)
			return false;
		number = program->number();
		return true;
	}
	/** keep() - keeps a walk. @own: its first leg, from @start. @program: its second leg, from
	 * @boundary. */
	void keep(const Registers &start, const Leg &own, const Registers &boundary,
		  const Leg &program);

private:
	static constexpr uint64_t OWN = 32;
	static constexpr uint64_t PROGRAM = 128;

	/* A leg has two places, because two legs that begin alike may take turns: two calls of the program that go
	 * different ways within the library. */
	template <uint64_t MOST>
	static const Leg *find(const Leg (&legs)[MOST], const Registers &start)
	{
		const uint64_t first = place(start) % MOST;
		if (legs[first].holds(start)) [[likely]]
			return &legs[first];
		return legs[first ^ 1].holds(start) ? &legs[first ^ 1] : nullptr;
	}
	template <uint64_t MOST>
	static void put(Leg (&legs)[MOST], const Registers &start, const Leg &leg)
	{
		const uint64_t first = place(start) % MOST;
		legs[first ^ 1] = legs[first];
		legs[first] = leg;
	}
	static StackMemo *make();
	static void give_back(base::AtThreadExit &, bool in_fork);
	static uint64_t place(const Registers &start)
	{
		return (start.pc ^ start.sp >> 4) * 0x9e3779b97f4a7c15u >> 40;
	}

	static thread_local constinit StackMemo *mine_;

	Leg own_[OWN];
	Leg program_[PROGRAM];
};

} // namespace umd::recorder
