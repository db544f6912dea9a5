// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "elementwise_simd.h"
#include "uapi/operator.h"

namespace fw {

/* struct Elementwise - the arithmetic of an element-wise operator, by the type it is done in. Each sets
 * to[i] from a[i] and b[i]; @to may be @a. */
struct Elementwise {
	using Row = void (*)(std::byte *to, const std::byte *a, const std::byte *b, size_t n,
			     float scalar, simd::Form form);

	void (*f32)(float *to, const float *a, const float *b, size_t n, float scalar);
	void (*i64)(int64_t *to, const int64_t *a, const int64_t *b, size_t n, int64_t scalar);
	void (*boolean)(bool *to, const bool *a, const bool *b, size_t n, bool scalar);
	Row row; /* a vector kernel for contiguous F32, or nullptr */
};

extern const Elementwise elementwise_add;
extern const Elementwise elementwise_mul;
extern const Elementwise elementwise_max;
extern const Elementwise elementwise_min;

/*
 * run_elementwise() - executes an element-wise operator on the calling thread, from start to end.
 * @op: an operator that has passed check_operator()
 * @base: host address of the element that operands[i].address names; unused entries are ignored. The whole
 * range that an operand reaches must be mapped with the operand's access rights.
 *
 * Context: any thread; allocates nothing, takes no lock and uses a few kilobytes of stack. The output may be
 * the very same view as an input of the same size of element; the output is unspecified if they overlap
 * partially.
 */
void run_elementwise(const unpu_operator &op, const std::array<std::byte *, 4> &base);

} // namespace fw
