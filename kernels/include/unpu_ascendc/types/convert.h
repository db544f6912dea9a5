/* SPDX-License-Identifier: MIT */
/*
 * DOC: Conversions of many elements
 *
 * half and bfloat16 to float and back, for the loops of the vector unit. x86 machines with F16C convert 8 halves by
 * one instruction; the function asks the CPU, so that images for any x86 machine use it. All CPUs with AVX2 have
 * F16C, and clang 14 cannot ask for F16C alone.
 */
#ifndef UNPU_ASCENDC_TYPES_CONVERT_H
#define UNPU_ASCENDC_TYPES_CONVERT_H

#include "unpu_ascendc/types/traits.h"

namespace unpu::lang {

/* Elements that a loop converts at a time. */
inline constexpr uint32_t CHUNK = 256;

#if defined(__x86_64__)
#define UNPU_HAS_F16C_CODE 1
typedef float Floats8 __attribute__((vector_size(32), aligned(4)));
typedef short Shorts8 __attribute__((vector_size(16), aligned(2)));

inline bool has_f16c()
{
	static const bool has = __builtin_cpu_supports("avx2");

	return has;
}

__attribute__((target("avx,f16c"), noinline)) inline void widen_f16c(float *out,
								     const unsigned char *in,
								     uint32_t count)
{
	for (uint32_t i = 0; i + 8 <= count; i += 8)
		*reinterpret_cast<Floats8 *>(out + i) =
			__builtin_ia32_vcvtph2ps256(*reinterpret_cast<const Shorts8 *>(in + 2 * i));
}

__attribute__((target("avx,f16c"), noinline)) inline void narrow_f16c(unsigned char *out,
								      const float *in,
								      uint32_t count)
{
	for (uint32_t i = 0; i + 8 <= count; i += 8)
		*reinterpret_cast<Shorts8 *>(out + 2 * i) =
			__builtin_ia32_vcvtps2ph256(*reinterpret_cast<const Floats8 *>(in + i), 0);
}
#else
#define UNPU_HAS_F16C_CODE 0
#endif

inline void widen(float *out, const half *in, uint32_t count)
{
	const unsigned char *bytes = reinterpret_cast<const unsigned char *>(in);
	uint32_t done = 0;

#if UNPU_HAS_F16C_CODE
	if (count >= 8 && has_f16c()) {
		widen_f16c(out, bytes, count);
		done = count & ~7u;
	}
#endif
	for (uint32_t i = done; i < count; i++) {
		uint16_t bits;

		memcpy(&bits, bytes + 2 * i, 2);
		out[i] = float_of_half(bits);
	}
}

inline void narrow(half *out, const float *in, uint32_t count)
{
	unsigned char *bytes = reinterpret_cast<unsigned char *>(out);
	uint32_t done = 0;

#if UNPU_HAS_F16C_CODE
	if (count >= 8 && has_f16c()) {
		narrow_f16c(bytes, in, count);
		done = count & ~7u;
	}
#endif
	for (uint32_t i = done; i < count; i++) {
		const uint16_t bits = half_of_float(in[i]);

		memcpy(bytes + 2 * i, &bits, 2);
	}
}

/* The overflow mode saturation: numbers beyond the range of half become its limits, and NaN becomes 0. */
inline void saturate_to_half(float *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const float value = values[i] == values[i] ? values[i] : 0.0f;

		values[i] = value > 65504.0f ? 65504.0f : value < -65504.0f ? -65504.0f : value;
	}
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TYPES_CONVERT_H */
