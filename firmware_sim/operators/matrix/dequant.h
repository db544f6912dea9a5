// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace fw::tensor {

/** unpack_nibbles() - @n I4 elements as I8. @is_high: the first one is the high half of its byte */
void unpack_nibbles(const std::byte *from, bool is_high, size_t n, int8_t *to);

/** struct Groups - scales and offsets of the groups of a row of weights, from the group of its first element
 * on. @size: elements of a group; @rest: of the first one, those in the row; @offsets: may be nullptr */
struct Groups {
	size_t size, rest;
	const float *scales, *offsets;
};

/** scale_groups() - to[i] = (from[i] + offset) * scale, with the scale and the offset of the group of i. */
void scale_groups(const int8_t *from, size_t n, const Groups &groups, float *to);

/** scale_each() - to[i] = (from[i] + offsets[i]) * scales[i]. @offsets: may be nullptr */
void scale_each(const int8_t *from, size_t n, const float *scales, const float *offsets, float *to);

/** dot_product() - the sum of a[i] * b[i] in F32. The order of the additions depends on @n alone. */
float dot_product(const float *a, const float *b, size_t n);

} // namespace fw::tensor
