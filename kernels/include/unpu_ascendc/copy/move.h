/* SPDX-License-Identifier: MIT */
/*
 * DOC: Blocks of a copy
 *
 * All copies are a number of blocks of bytes, each at a distance from the last one. Here are their checks, and the
 * loops that move the bytes.
 */
#ifndef UNPU_ASCENDC_COPY_MOVE_H
#define UNPU_ASCENDC_COPY_MOVE_H

#include "unpu_ascendc/check/access.h"
#include "unpu_ascendc/copy/atomic.h"
#include "unpu_ascendc/copy/params.h"
#include "unpu_ascendc/tensor/global_tensor.h"
#include "unpu_ascendc/tensor/local_tensor.h"

namespace unpu::lang {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;

/* @step: from the start of a block to the start of the next. */
struct Side {
	unsigned char *base;
	uint64_t step;
};

struct Blocks {
	uint64_t count;
	uint64_t bytes; /* of each */

	uint64_t reach(uint64_t step) const { return count ? (count - 1) * step + bytes : 0; }
};

/* Reports the global memory that the copy accesses. Blocks without a gap are reported as one range. */
inline void note_global_blocks(const char *call, const Side &side, const Blocks &blocks,
			       Access access, const Origin &origin, Where where)
{
	const uint64_t address = reinterpret_cast<uint64_t>(side.base);

	if (level() == 0 || blocks.count == 0 || blocks.bytes == 0)
		return;
	require_global(call, address, blocks.reach(side.step), access, origin, where);
	if (!services->observes)
		return;
	if (side.step == blocks.bytes || blocks.count == 1) {
		tell(address, blocks.count * blocks.bytes, access, where);
		return;
	}
	for (uint64_t i = 0; i < blocks.count; i++)
		tell(address + i * side.step, blocks.bytes, access, where);
}

typedef uint64_t CopyChunk __attribute__((vector_size(32), aligned(1), may_alias));
inline constexpr uint64_t COPY_STEP = 4 * sizeof(CopyChunk);

inline void copy_step(unsigned char *to, const unsigned char *from)
{
	const CopyChunk *source = reinterpret_cast<const CopyChunk *>(from);
	CopyChunk *target = reinterpret_cast<CopyChunk *>(to);
	const CopyChunk a = source[0], b = source[1], c = source[2], d = source[3];

	target[0] = a;
	target[1] = b;
	target[2] = c;
	target[3] = d;
}

/* Each quarter of a block of four pages and more has a page of its own. */
inline constexpr uint64_t COPY_QUARTERS_BYTES = uint64_t{4} << 12;

/*
 * Between global and local memory, which have no byte in common. For blocks of 128 bytes and more, the loop is up to
 * twice as fast as memcpy() of the C library where the data is in no cache. The quarters of a large block are copied in
 * turns: CPUs fetch ahead within a page only, so a single stream waits at each page for memory.
 */
inline void copy_block(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
	if (bytes < COPY_STEP) {
		memcpy(to, from, bytes);
		return;
	}
	uint64_t at = 0;

	if (bytes >= COPY_QUARTERS_BYTES) {
		const uint64_t quarter = bytes / 4 / COPY_STEP * COPY_STEP;

		for (; at < quarter; at += COPY_STEP)
			for (uint64_t first = at; first < 4 * quarter; first += quarter)
				copy_step(to + first, from + first);
		at = 4 * quarter;
	}
	for (; at + COPY_STEP <= bytes; at += COPY_STEP)
		copy_step(to + at, from + at);
	/* The last step ends at the end of the block, and may copy some bytes a second time. */
	copy_step(to + bytes - COPY_STEP, from + bytes - COPY_STEP);
}

/* copy_block() with stores that bypass the caches. @to: aligned to 32 bytes */
inline void stream_block(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
#if defined(__x86_64__) && defined(__AVX__)
	typedef long long Line __attribute__((vector_size(32), may_alias));
	const CopyChunk *source = reinterpret_cast<const CopyChunk *>(from);
	Line *target = reinterpret_cast<Line *>(to);
	const uint64_t whole = bytes / sizeof(Line);

	for (uint64_t i = 0; i < whole; i++) {
		const Line line = (Line)source[i];
#if defined(__clang__)
		__builtin_nontemporal_store(line, target + i);
#else
		__builtin_ia32_movntdq256(target + i, line);
#endif
	}
	__builtin_ia32_sfence(); /* before a later store to a flag that announces the data */
	memcpy(target + whole, source + whole, bytes % sizeof(Line));
#else
	copy_block(to, from, bytes);
#endif
}

/* Whether stores bypass the caches: if the allocation is larger than the caches, as far as the checks know its size. */
inline bool streams_to(const Origin &origin, const Side &dst, const Blocks &blocks)
{
	constexpr uint64_t LARGE = uint64_t{32} << 20;
	const struct unpu_kernel_memory_range &range = origin.home->range;

	return range.bytes >= LARGE && range.bytes != ~uint64_t{0} && blocks.bytes >= 1024 &&
	       (reinterpret_cast<uint64_t>(dst.base) | dst.step) % 32 == 0;
}

/* @copy: of one block, as copy_block. Blocks without a gap are one block. */
template <class Copy>
inline void copy_blocks(const Side &dst, const Side &src, const Blocks &blocks, Copy copy)
{
	if (dst.step == blocks.bytes && src.step == blocks.bytes) {
		copy(dst.base, src.base, blocks.count * blocks.bytes);
		return;
	}
	for (uint64_t i = 0; i < blocks.count; i++)
		copy(dst.base + i * dst.step, src.base + i * src.step, blocks.bytes);
}

/* From global to local memory. */
template <class T>
inline void copy_in(const char *call, const LocalTensor<T> &dst, uint64_t dst_step,
		    const GlobalTensor<T> &src, uint64_t src_step, const Blocks &blocks,
		    Where where)
{
	const Side from = {reinterpret_cast<unsigned char *>(src.GetPhyAddr()), src_step};
	const Side to = {dst.address_.absAddr, dst_step};

	require_local(call, "dst", dst.address_, blocks.reach(dst_step), 32, where);
	note_global_blocks(call, from, blocks, Access::READ, src.origin(), where);
	if (__builtin_expect(deepest > 1, 0)) {
		for (uint64_t i = 0; i < blocks.count; i++) {
			note_result({call, Pipe::MTE2, where}, "dst", to.base + i * to.step,
				    blocks.bytes);
			note_global_read(reinterpret_cast<uint64_t>(from.base + i * from.step),
					 blocks.bytes, call, where);
		}
	}
	copy_blocks(to, from, blocks, copy_block);
}

template <class T>
inline void combine_blocks(const Side &dst, const Side &src, const Blocks &blocks, Atomic how)
{
	services->atomic_begin();
	for (uint64_t i = 0; i < blocks.count; i++)
		combine_bytes<T>(how, dst.base + i * dst.step, src.base + i * src.step,
				 blocks.bytes);
	services->atomic_end();
}

/* From local to global memory; atomic if the kernel has asked for it. */
template <class T>
inline void copy_out(const char *call, const GlobalTensor<T> &dst, uint64_t dst_step,
		     const LocalTensor<T> &src, uint64_t src_step, const Blocks &blocks,
		     Where where)
{
	const Side from = {src.address_.absAddr, src_step};
	const Side to = {reinterpret_cast<unsigned char *>(dst.GetPhyAddr()), dst_step};
	const Atomic how = state().atomic;

	require_local(call, "src", src.address_, blocks.reach(src_step), 32, where);
	note_global_blocks(call, to, blocks, how == Atomic::NONE ? Access::WRITE : Access::ATOMIC,
			   dst.origin(), where);
	if (__builtin_expect(deepest > 1, 0)) {
		for (uint64_t i = 0; i < blocks.count; i++) {
			note_use({call, Pipe::MTE3, where}, "src", from.base + i * from.step,
				 blocks.bytes);
			if (how == Atomic::NONE)
				note_global_write(reinterpret_cast<uint64_t>(to.base + i * to.step),
						  from.base + i * from.step, blocks.bytes, call,
						  where);
			else
				note_global_atomic(
					reinterpret_cast<uint64_t>(to.base + i * to.step),
					blocks.bytes, call, where);
		}
	}
	if (how == Atomic::NONE) {
		if (streams_to(dst.origin(), to, blocks))
			copy_blocks(to, from, blocks, stream_block);
		else
			copy_blocks(to, from, blocks, copy_block);
		return;
	}
	if constexpr (has_atomic<T>)
		combine_blocks<T>(to, from, blocks, how);
	else
		fail(where, "%s: the device has no atomic copies of %s", call, type_name<T>());
}

/* Copies results that are in no local tensor, for example those of a matrix product. */
template <class T>
inline void store_global(const char *call, T *to, const T *from, uint64_t count, Atomic how,
			 const Origin &origin, Where where)
{
	const uint64_t address = reinterpret_cast<uint64_t>(to);
	const uint64_t bytes = count * sizeof(T);

	note_global_copy(address, bytes, how == Atomic::NONE ? Access::WRITE : Access::ATOMIC, call,
			 origin, where);
	if (how != Atomic::NONE) {
		if (__builtin_expect(deepest > 2, 0))
			note_global_atomic(address, bytes, call, where);
		services->atomic_begin();
		combine_bytes<T>(how, reinterpret_cast<unsigned char *>(to),
				 reinterpret_cast<const unsigned char *>(from), bytes);
		services->atomic_end();
		return;
	}
	if (__builtin_expect(deepest > 2, 0))
		note_global_write(address, from, bytes, call, where);
	memcpy(static_cast<void *>(to), from, bytes);
}

/* The pipe that copies between two local memories. */
inline Pipe pipe_between(const TBuffAddr &dst, const TBuffAddr &src)
{
	const uint32_t from = memory_of(static_cast<TPosition>(src.logicPos));
	const uint32_t to = memory_of(static_cast<TPosition>(dst.logicPos));

	return from == UNPU_KERNEL_L1 ? Pipe::MTE1 : to == UNPU_KERNEL_L1 ? Pipe::MTE3 : Pipe::V;
}

template <class T>
inline void copy_local(const char *call, const LocalTensor<T> &dst, uint64_t dst_step,
		       const LocalTensor<T> &src, uint64_t src_step, const Blocks &blocks,
		       Where where)
{
	const Side from = {src.address_.absAddr, src_step};
	const Side to = {dst.address_.absAddr, dst_step};

	require_local(call, "dst", dst.address_, blocks.reach(dst_step), 32, where);
	require_local(call, "src", src.address_, blocks.reach(src_step), 32, where);
	if (__builtin_expect(deepest > 1, 0)) {
		const Actor actor = {call, pipe_between(dst.address_, src.address_), where};

		for (uint64_t i = 0; i < blocks.count; i++) {
			const Span spans[2] = {{"dst", to.base + i * to.step, 8},
					       {"src", from.base + i * from.step, 8}};

			note_elements(actor, spans, static_cast<uint32_t>(blocks.bytes));
		}
	}
	copy_blocks(to, from, blocks, memmove);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_COPY_MOVE_H */
