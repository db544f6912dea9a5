// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace fw::simd {

/* enum class Form - for each of the two sources: a row of elements, or a single one. */
enum class Form : uint32_t { ROW_ROW, ROW_ONE, ONE_ROW };

/*
 * The contiguous float kernels, compiled for several instruction sets; the machine's best one is
 * chosen at the first call. No address needs an alignment. The destination may be a source itself.
 */

/* add_f32() - to[i] = a[i] + scalar * b[i]; the product is rounded before it is added. */
void add_f32(std::byte *to, const std::byte *a, const std::byte *b, size_t n, float scalar,
	     Form form);

/* mul_f32() - to[i] = a[i] * b[i]. */
void mul_f32(std::byte *to, const std::byte *a, const std::byte *b, size_t n, float scalar,
	     Form form);

/* widen_*(), narrow_*() - the conversions of dtype.h, row-wise and equal to them bit for bit. */
void widen_f16(float *to, const std::byte *from, size_t n);
void widen_bf16(float *to, const std::byte *from, size_t n);
void narrow_f16(std::byte *to, const float *from, size_t n);
void narrow_bf16(std::byte *to, const float *from, size_t n);

} // namespace fw::simd
