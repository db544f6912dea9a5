/* SPDX-License-Identifier: MIT */
/*
 * DOC: Addresses
 *
 * Where a local tensor lies, which memory each position means, and the checks of level 1 that every call makes of its
 * local operands. The checks compare two numbers; the code that finds out what is wrong is outside of the way.
 */
#ifndef UNPU_ASCENDC_TENSOR_ADDRESS_H
#define UNPU_ASCENDC_TENSOR_ADDRESS_H

#include "unpu_ascendc/core/state.h"
#include "unpu_ascendc/types/traits.h"

namespace AscendC {

using TBufHandle = uint8_t *;

struct TBuffAddr {
	uint8_t logicPos;
	TBufHandle bufferHandle;
	uint32_t dataLen;    /* bytes */
	uint32_t bufferAddr; /* in its memory */
	uint8_t *absAddr;
};

} // namespace AscendC

namespace unpu::lang {

using AscendC::TBuffAddr;
using AscendC::TPosition;

/* The highest level of checks of any block of this image. Short calls read only this word. */
inline uint32_t deepest = 0;

constexpr uint32_t memory_of(TPosition position)
{
	switch (position) {
	case TPosition::A1:
	case TPosition::B1:
	case TPosition::C1:
	case TPosition::TSCM:
		return UNPU_KERNEL_L1;
	case TPosition::A2:
		return UNPU_KERNEL_L0A;
	case TPosition::B2:
	case TPosition::C2:
		return UNPU_KERNEL_L0B;
	case TPosition::CO1:
		return UNPU_KERNEL_L0C;
	default:
		return UNPU_KERNEL_UB;
	}
}

constexpr const char *memory_name(uint32_t memory)
{
	constexpr const char *names[] = {"UB", "L1", "L0A", "L0B", "L0C"};

	return memory < UNPU_KERNEL_MEMORIES ? names[memory] : "memory";
}

constexpr const char *position_name(TPosition position)
{
	constexpr const char *names[] = {
		"GM",  "A1",	"A2",	  "B1",	     "B2",  "C1",   "C2",	 "CO1",
		"CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};

	return position < TPosition::MAX ? names[static_cast<uint32_t>(position)] : "?";
}

/* What kernels may use of a memory: 256 bytes of UB belong to the system, but not on Ascend310P. */
inline uint64_t usable_bytes(uint32_t memory)
{
	const uint64_t bytes = block().local[memory].bytes;

	return memory == UNPU_KERNEL_UB && bytes == UNPU_KERNEL_UB_BYTES ? bytes - 256 : bytes;
}

/* The bytes from the start of a tensor to the end of its memory, or the tensor's own bytes if these are more. */
inline uint32_t bytes_behind(const TBuffAddr &address)
{
	const uint64_t usable = usable_bytes(memory_of(static_cast<TPosition>(address.logicPos)));
	const uint64_t behind = address.bufferAddr < usable ? usable - address.bufferAddr : 0;

	return behind > address.dataLen ? static_cast<uint32_t>(behind) : address.dataLen;
}

/* The bytes that a tensor has if its offset is beyond its own buffer: those that follow in the memory, as on the
 * chip. Some kernels address a buffer through another one on purpose, so only level 2 reports it. */
__attribute__((noinline, cold)) inline uint32_t bytes_outside(uint8_t position, uint32_t byte)
{
	return level() > 1 ? 0 : bytes_behind({position, nullptr, 0, byte, nullptr});
}

/* @address is passed by value, so that the address of a slice stays in registers. */
__attribute__((noinline, cold)) inline void explain_local(const char *call, const char *name,
							  TBuffAddr address, uint64_t bytes,
							  uint64_t alignment, Where where)
{
	const uint32_t memory = memory_of(static_cast<TPosition>(address.logicPos));

	if (level() == 0)
		return;
	if (!address.absAddr)
		fail(where, "%s: %s is a tensor without memory: it was never allocated", call,
		     name);
	if (reinterpret_cast<uintptr_t>(address.absAddr) % alignment != 0)
		fail(where, "%s: %s begins at byte %u of %s, which is no multiple of %u", call,
		     name, address.bufferAddr, memory_name(memory), unsigned(alignment));
	fail(where,
	     "%s: %s would reach %llu bytes from the start of its tensor, but the tensor has %u "
	     "bytes (%s, byte %u of %s)",
	     call, name, static_cast<unsigned long long>(bytes), address.dataLen,
	     position_name(static_cast<TPosition>(address.logicPos)), address.bufferAddr,
	     memory_name(memory));
}

/* Has no branch, so that an instruction branches once for all its operands. */
inline bool is_wrong_local(const TBuffAddr &address, uint64_t bytes, uint64_t alignment)
{
	return (bytes > address.dataLen) |
	       ((reinterpret_cast<uintptr_t>(address.absAddr) & (alignment - 1)) != 0) |
	       !address.absAddr;
}

/* Checks that @bytes from the start of a local operand belong to it, and that it is aligned. @where is passed by
 * reference: by value it would be stored as two words that the callee loads as one, which is slow. */
inline void require_local(const char *call, const char *name, const TBuffAddr &address,
			  uint64_t bytes, uint64_t alignment, const Where &where)
{
	if (__builtin_expect(is_wrong_local(address, bytes, alignment), 0))
		explain_local(call, name, address, bytes, alignment, where);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TENSOR_ADDRESS_H */
