/* SPDX-License-Identifier: MIT */
/*
 * DOC: Atomic copies
 *
 * SetAtomicAdd, SetAtomicMax and SetAtomicMin change what copies from UB to global memory do, until SetAtomicNone. All
 * blocks of a launch take one lock for them.
 */
#ifndef UNPU_ASCENDC_COPY_ATOMIC_H
#define UNPU_ASCENDC_COPY_ATOMIC_H

#include "unpu_ascendc/core/state.h"
#include "unpu_ascendc/types/convert.h"

namespace unpu::lang {

template <class T> inline T combine(Atomic how, T old, T with)
{
	if constexpr (is_one_of<T, half, bfloat16_t>) {
		const float a = as_float(old);
		const float b = as_float(with);

		return T(how == Atomic::ADD   ? a + b
			 : how == Atomic::MAX ? (a < b ? b : a)
					      : (b < a ? b : a));
	} else if constexpr (std::is_integral_v<T>) {
		using Unsigned = std::make_unsigned_t<T>;

		return how == Atomic::ADD   ? static_cast<T>(static_cast<Unsigned>(old) +
							     static_cast<Unsigned>(with))
		       : how == Atomic::MAX ? (old < with ? with : old)
					    : (with < old ? with : old);
	} else {
		return how == Atomic::ADD   ? old + with
		       : how == Atomic::MAX ? (old < with ? with : old)
					    : (with < old ? with : old);
	}
}

/* Combines @bytes of global memory with @src. */
template <class T>
inline void combine_bytes(Atomic how, unsigned char *dst, const unsigned char *src, uint64_t bytes)
{
	for (uint64_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
		T old, with;

		memcpy(&old, dst + i, sizeof(T));
		memcpy(&with, src + i, sizeof(T));
		old = combine(how, old, with);
		memcpy(dst + i, &old, sizeof(T));
	}
}

template <class T>
inline constexpr bool has_atomic = is_one_of<T, int8_t, int16_t, int32_t, half, bfloat16_t, float>;

} // namespace unpu::lang

namespace AscendC {

template <typename T> void SetAtomicAdd()
{
	static_assert(unpu::lang::has_atomic<T>, "SetAtomicAdd: the device adds int8_t, int16_t, "
						 "int32_t, half, bfloat16_t and float");
	unpu::lang::state().atomic = unpu::lang::Atomic::ADD;
}
template <typename T> void SetAtomicMax()
{
	static_assert(unpu::lang::has_atomic<T>, "SetAtomicMax: the device knows int8_t, int16_t, "
						 "int32_t, half, bfloat16_t and float");
	unpu::lang::state().atomic = unpu::lang::Atomic::MAX;
}
template <typename T> void SetAtomicMin()
{
	static_assert(unpu::lang::has_atomic<T>, "SetAtomicMin: the device knows int8_t, int16_t, "
						 "int32_t, half, bfloat16_t and float");
	unpu::lang::state().atomic = unpu::lang::Atomic::MIN;
}
inline void SetAtomicNone()
{
	unpu::lang::state().atomic = unpu::lang::Atomic::NONE;
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_COPY_ATOMIC_H */
