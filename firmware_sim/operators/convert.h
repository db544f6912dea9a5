// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace fw::tensor {

/** load_row() - converts @n elements to the type of the arithmetic: float, double or int64_t.
 * @stride: bytes from one element to the next
 * firmware_sim/kernels/dtype.h says what each conversion gives. */
template <class C>
void load_row(uint32_t dtype, const std::byte *from, int64_t stride, size_t n, C *to);

/** store_row() - the same in the other direction: each element is rounded or wrapped once. */
template <class C>
void store_row(uint32_t dtype, std::byte *to, int64_t stride, size_t n, const C *from);

/** copy_row() - copies @n elements of @bytes bytes each, bit by bit. */
void copy_row(std::byte *to, int64_t to_stride, const std::byte *from, int64_t from_stride,
	      size_t n, unsigned bytes);

} // namespace fw::tensor
