/* SPDX-License-Identifier: MIT */
/*
 * DOC: The registers of the mask
 *
 * Calls with isSetMask = false use them.
 */
#ifndef UNPU_ASCENDC_VECTOR_MASK_H
#define UNPU_ASCENDC_VECTOR_MASK_H

#include "unpu_ascendc/core/state.h"

namespace AscendC {

inline void SetMaskCount()
{
	unpu::lang::state().is_counter = 1;
}
inline void SetMaskNorm()
{
	unpu::lang::state().is_counter = 0;
}
inline void ResetMask()
{
	unpu::lang::State &state = unpu::lang::state();

	state.mask[0] = state.mask[1] = FULL_MASK;
}

/* Mode NORMAL: the bits of elements 64 to 127, and 0 to 63. Mode COUNTER: 0, and the number of elements. */
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(uint64_t high, uint64_t low)
{
	unpu::lang::State &state = unpu::lang::state();

	state.is_counter = mode == MaskMode::COUNTER;
	state.mask[0] = low;
	state.mask[1] = high;
}
/* The first @count elements of each repeat, or of all. */
template <typename T, MaskMode mode = MaskMode::NORMAL> void SetVectorMask(int32_t count)
{
	const uint64_t low = count >= 64 ? FULL_MASK : (1ull << count) - 1;
	const uint64_t high = count <= 64    ? 0
			      : count >= 128 ? FULL_MASK
					     : (1ull << (count - 64)) - 1;

	if constexpr (mode == MaskMode::COUNTER)
		SetVectorMask<T, mode>(0, static_cast<uint64_t>(count));
	else
		SetVectorMask<T, mode>(high, low);
}

struct AscendCUtils {
	template <typename T, bool isSetMask = true>
	static void SetMask(uint64_t high, uint64_t low)
	{
		if constexpr (isSetMask)
			SetVectorMask<T>(high, low);
	}
	template <typename T, bool isSetMask = true> static void SetMask(int32_t count)
	{
		if constexpr (isSetMask)
			SetVectorMask<T>(count);
	}
	static constexpr int32_t GetBitSize(int32_t bytes) { return bytes * 8; }
	static constexpr int32_t GetC0Size() { return 32; }
	static void ResetMask() { AscendC::ResetMask(); }
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_MASK_H */
