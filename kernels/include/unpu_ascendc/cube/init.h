/* SPDX-License-Identifier: MIT */
/*
 * DOC: InitConstValue
 *
 * Fills L1, L0A and L0B with a number.
 */
#ifndef UNPU_ASCENDC_CUBE_INIT_H
#define UNPU_ASCENDC_CUBE_INIT_H

#include "unpu_ascendc/cube/layout.h"

namespace AscendC {

/* Each of @repeatTimes fills @blockNum blocks, of 32 bytes in L1 and of 512 in L0A and L0B. @dstGap: blocks from the
 * end of one to the start of the next. */
template <typename T> struct InitConstValueParams {
	uint16_t repeatTimes = 0;
	uint16_t blockNum = 0;
	uint16_t dstGap = 0;
	T initValue = T(0);

	constexpr InitConstValueParams() = default;
	template <class A>
	constexpr InitConstValueParams(A repeats, T value)
		: repeatTimes(static_cast<uint16_t>(repeats)), blockNum(1), initValue(value)
	{
	}
	template <class A, class B, class C>
	constexpr InitConstValueParams(A repeats, B blocks, C gap, T value)
		: repeatTimes(static_cast<uint16_t>(repeats)),
		  blockNum(static_cast<uint16_t>(blocks)), dstGap(static_cast<uint16_t>(gap)),
		  initValue(value)
	{
	}
};

template <typename T>
void InitConstValue(const LocalTensor<T> &dst, const InitConstValueParams<T> &params, UNPU_WHERE)
{
	UNPU_MARK_CUBE_UNIT();
	static_assert(sizeof(T) == 2 || sizeof(T) == 4,
		      "InitConstValue: elements have 2 or 4 bytes");
	const uint32_t memory = unpu::lang::memory_of(dst.GetPosition());
	const bool is_l1 = memory == UNPU_KERNEL_L1;
	const unpu::lang::Actor actor = {
		"InitConstValue", is_l1 ? unpu::lang::Pipe::MTE2 : unpu::lang::Pipe::MTE1, where};
	const uint64_t unit = is_l1 ? 32 : unpu::lang::FRACTAL;
	const uint64_t bytes = params.blockNum * unit;
	const uint64_t step = bytes + params.dstGap * unit;

	unpu::lang::require_cube_core(actor);
	if (!is_l1 && memory != UNPU_KERNEL_L0A && memory != UNPU_KERNEL_L0B &&
	    unpu::lang::level() > 0)
		unpu::lang::fail(where,
				 "InitConstValue: dst lies in %s; it has to lie in L1, L0A or L0B",
				 unpu::lang::memory_name(memory));
	if (params.repeatTimes == 0 || bytes == 0)
		return;
	unpu::lang::require_local(actor.call, "dst", dst.address_,
				  (params.repeatTimes - 1) * step + bytes, 32, where);
	for (uint64_t repeat = 0; repeat < params.repeatTimes; repeat++) {
		T *to = dst.data() + repeat * step / sizeof(T);

		for (uint64_t i = 0; i < bytes / sizeof(T); i++)
			to[i] = params.initValue;
		if (__builtin_expect(unpu::lang::deepest > 1, 0))
			unpu::lang::note_result(actor, "dst", to, bytes);
	}
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_CUBE_INIT_H */
