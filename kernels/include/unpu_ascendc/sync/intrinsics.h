/* SPDX-License-Identifier: MIT */
/*
 * DOC: Raw intrinsics
 *
 * The few functions below the language that kernels call: flags, barriers, the cache, copies in blocks of 32
 * bytes, and sums of repeats.
 */
#ifndef UNPU_ASCENDC_SYNC_INTRINSICS_H
#define UNPU_ASCENDC_SYNC_INTRINSICS_H

#include "unpu_ascendc/reduce/repeat.h"
#include "unpu_ascendc/sync/cores.h"

enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB = 1, CACHELINE_OUT = 2, CACHELINE_ATOMIC = 3 };

namespace unpu::lang {

constexpr Pipe pipe_of(pipe_t pipe)
{
	switch (pipe) {
	case PIPE_V:
		return Pipe::V;
	case PIPE_M:
		return Pipe::M;
	case PIPE_MTE1:
		return Pipe::MTE1;
	case PIPE_MTE2:
		return Pipe::MTE2;
	case PIPE_MTE3:
		return Pipe::MTE3;
	case PIPE_FIX:
		return Pipe::FIX;
	default:
		return Pipe::S;
	}
}

/* The event between two pipes, or EVENTS if there is none. */
constexpr uint32_t event_between(pipe_t from, pipe_t to)
{
	uint32_t event = 0;

	while (event < EVENTS &&
	       !(edge_of(event).from == pipe_of(from) && edge_of(event).to == pipe_of(to)))
		event++;
	return event;
}

inline void require_event(const char *call, uint32_t event, Where where)
{
	if (event == EVENTS)
		fail(where, "%s: there is no event between these two pipes", call);
}

/* The tensor at a pointer into UB. */
inline AscendC::LocalTensor<uint8_t> tensor_at(const void *pointer, Where where)
{
	const unpu_kernel_local &ub = block().local[UNPU_KERNEL_UB];
	const uint64_t offset =
		static_cast<uint64_t>(static_cast<const unsigned char *>(pointer) - ub.base);

	if (offset >= ub.bytes)
		fail(where, "an intrinsic: %p is no address of UB", pointer);
	return AscendC::LocalTensor<uint8_t>(
		TBuffAddr{static_cast<uint8_t>(TPosition::VECCALC), nullptr,
			  static_cast<uint32_t>(ub.bytes - offset), static_cast<uint32_t>(offset),
			  ub.base + offset});
}

} // namespace unpu::lang

inline void pipe_barrier(pipe_t pipe)
{
	unpu::lang::barrier_of(pipe);
}
inline void set_flag(pipe_t from, pipe_t to, int id, UNPU_WHERE)
{
	unpu::lang::require_event("set_flag", unpu::lang::event_between(from, to), where);
	unpu::lang::set_flag_of(
		"set_flag", static_cast<AscendC::HardEvent>(unpu::lang::event_between(from, to)),
		id, where);
}
inline void wait_flag(pipe_t from, pipe_t to, int id, UNPU_WHERE)
{
	unpu::lang::require_event("wait_flag", unpu::lang::event_between(from, to), where);
	unpu::lang::wait_flag_of(
		"wait_flag", static_cast<AscendC::HardEvent>(unpu::lang::event_between(from, to)),
		id, where);
}

namespace AscendC {

/* The flags between two pipes, as set_flag and wait_flag. */
template <pipe_t src, pipe_t dst> class TQueSync {
public:
	void SetFlag(TEventID id, UNPU_WHERE) { set_flag(src, dst, id, where); }
	void WaitFlag(TEventID id, UNPU_WHERE) { wait_flag(src, dst, id, where); }
};

} // namespace AscendC

/* Bits 4 and 5 of @config are the mode of CrossCoreSetFlag, bits 8 to 11 its flag. All 16 flags of the chip are there,
 * also those that CrossCoreSetFlag keeps for the language: kernels that only use these two take 11 and up. */
inline void ffts_cross_core_sync(pipe_t, uint64_t config, UNPU_WHERE)
{
	const uint32_t mode = config >> 4 & 3, id = config >> 8 & 15;

	if (mode > 2)
		unpu::lang::fail(where,
				 "ffts_cross_core_sync: the mode is 3; there are 0, 1 and 2");
	unpu::lang::set_core_flag(mode, id);
}
inline void wait_flag_dev(int64_t id, UNPU_WHERE)
{
	unpu::lang::require_flag_id("wait_flag_dev", static_cast<uint32_t>(id), 15, where);
	unpu::lang::wait_core_flag(static_cast<uint32_t>(id), where);
}

inline void dcci(const void *, int, int = 0)
{
	unpu::lang::services->yield();
	unpu::lang::note_wait();
}

/* Lengths and gaps in blocks of 32 bytes. */
template <class T>
inline void copy_gm_to_ubuf(void *dst, T *src, uint8_t, uint16_t count, uint16_t length,
			    uint16_t src_gap, uint16_t dst_gap, UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = {count, uint64_t(length) * 32};
	AscendC::GlobalTensor<uint8_t> from;

	from.SetGlobalBuffer(
		reinterpret_cast<uint8_t *>(const_cast<std::remove_const_t<T> *>(src)));
	unpu::lang::copy_in("copy_gm_to_ubuf", unpu::lang::tensor_at(dst, where),
			    blocks.bytes + dst_gap * 32ull, from, blocks.bytes + src_gap * 32ull,
			    blocks, where);
}
template <class T>
inline void copy_ubuf_to_gm(T *dst, const void *src, uint8_t, uint16_t count, uint16_t length,
			    uint16_t src_gap, uint16_t dst_gap, UNPU_WHERE)
{
	const unpu::lang::Blocks blocks = {count, uint64_t(length) * 32};
	AscendC::GlobalTensor<uint8_t> to;

	to.SetGlobalBuffer(reinterpret_cast<uint8_t *>(dst));
	unpu::lang::copy_out("copy_ubuf_to_gm", to, blocks.bytes + dst_gap * 32ull,
			     unpu::lang::tensor_at(src, where), blocks.bytes + src_gap * 32ull,
			     blocks, where);
}

/* One sum for each repeat, over the elements that the mask registers select. @dst_repeat: in elements */
template <class T>
inline void vcadd(T *dst, T *src, uint8_t repeat, uint16_t dst_repeat, uint16_t src_block,
		  uint16_t src_repeat, bool = false, UNPU_WHERE)
{
	AscendC::WholeReduceSum<T, false>(
		unpu::lang::tensor_at(dst, where).template ReinterpretCast<T>(),
		unpu::lang::tensor_at(src, where).template ReinterpretCast<T>(), int32_t(0), repeat,
		dst_repeat, src_block, src_repeat, where);
}

/* Converts a number for the scalar unit. */
constexpr int64_t get_imm(int64_t value)
{
	return value;
}

#endif /* UNPU_ASCENDC_SYNC_INTRINSICS_H */
