// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "stack_memo.h"

namespace umd::recorder {

/** struct StackCopy - the registers of a thread and the innermost part of its stack, taken by a signal handler and
 * walked later. */
struct StackCopy {
	static constexpr size_t MOST = 4096;

	Registers registers{};
	uint64_t bytes = 0; /* copied from registers.sp on */
	std::array<std::byte, MOST> words{};

	/** take() - copies the stack of the interrupted thread. Context: a signal handler.
	 * @context: the ucontext_t that the handler got */
	void take(const void *context);
	/** take_caller() - copies the stack of the caller of a function. @frame: __builtin_frame_address(0) of the
	 * function */
	void take_caller(const void *frame);

	/** word() - a word of the stack. Return: 0 if it was not copied. */
	uint64_t word(uint64_t address) const
	{
		uint64_t value = 0;
		if (address >= registers.sp && address - registers.sp + sizeof(value) <= bytes)
			memcpy(&value, words.data() + (address - registers.sp), sizeof(value));
		return value;
	}

private:
	void copy();
};

} // namespace umd::recorder
