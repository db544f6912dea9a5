// SPDX-License-Identifier: MIT
/*
 * DOC: Shapes
 *
 * How an operator of N strided operands becomes rows. flatten() drops the dims of size 1 and merges
 * dims that are contiguous in every operand, so that most operators become a single row. The innermost
 * remaining dim is the row; the outer ones count like an odometer of byte offsets.
 */
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "dtype.h"
#include "uapi/operator.h"

namespace fw {

/* struct StridedShape - the iteration space after flattening; strides in bytes, at least one dim. */
template <unsigned N> struct StridedShape {
	unsigned ndim;
	int64_t dims[UNPU_OPERATOR_MAX_DIMS];
	int64_t strides[UNPU_OPERATOR_MAX_DIMS][N];
};

/*
 * mergeable() - whether dim @outer of @shape steps over exactly @size steps of @strides
 * everywhere.
 */
template <unsigned N>
bool mergeable(const int64_t (&outer)[N], const int64_t (&strides)[N], int64_t size)
{
	for (unsigned i = 0; i < N; i++)
		if (static_cast<uint64_t>(outer[i]) !=
		    static_cast<uint64_t>(strides[i]) * static_cast<uint64_t>(size))
			return false;
	return true;
}

/*
 * lengthen_rows() - makes the longest dim the innermost one if that is short: the set-up of many short
 * rows costs more than their elements. The order of the dims does not affect the result.
 */
template <unsigned N> void lengthen_rows(StridedShape<N> &shape)
{
	constexpr int64_t short_row = 16;
	const unsigned inner = shape.ndim - 1;
	unsigned longest = inner;

	if (shape.dims[inner] >= short_row)
		return;
	for (unsigned d = 0; d < inner; d++)
		if (shape.dims[d] > shape.dims[longest])
			longest = d;
	if (shape.dims[longest] < 4 * shape.dims[inner])
		return;
	std::swap(shape.dims[inner], shape.dims[longest]);
	std::swap(shape.strides[inner], shape.strides[longest]);
}

/* flatten() - the shape of the first N operands of @op. */
template <unsigned N> void flatten(const unpu_operator &op, StridedShape<N> &shape)
{
	int64_t bytes[N];
	unsigned n = 0;

	for (unsigned i = 0; i < N; i++)
		bytes[i] = dtype_bytes(op.operands[i].dtype);
	for (unsigned d = 0; d < op.ndim; d++) {
		if (op.dims[d] == 1)
			continue;
		int64_t strides[N];
		for (unsigned i = 0; i < N; i++)
			strides[i] = op.operands[i].strides[d] * bytes[i];
		const bool merge = n > 0 && mergeable(shape.strides[n - 1], strides, op.dims[d]);
		if (!merge)
			shape.dims[n++] = 1;
		shape.dims[n - 1] *= op.dims[d];
		std::copy(strides, strides + N, shape.strides[n - 1]);
	}
	if (n == 0) {
		shape.dims[n] = 1;
		std::copy(bytes, bytes + N, shape.strides[n++]);
	}
	shape.ndim = n;
}

/* for_each_row() - calls @row with the addresses of the first element of each row. */
template <unsigned N, class Row>
void for_each_row(const StridedShape<N> &shape, const std::array<std::byte *, 4> &base,
		  const Row &row)
{
	const unsigned outer = shape.ndim - 1;
	std::array<std::byte *, N> at;
	int64_t index[UNPU_OPERATOR_MAX_DIMS] = {};
	bool more = true;

	std::copy_n(base.begin(), N, at.begin());
	while (more) {
		row(at);
		more = false;
		for (unsigned d = outer; d-- > 0 && !more;) {
			more = ++index[d] < shape.dims[d];
			const int64_t steps = more ? 1 : 1 - shape.dims[d];
			if (!more)
				index[d] = 0;
			for (unsigned i = 0; i < N; i++)
				at[i] += steps * shape.strides[d][i];
		}
	}
}

} // namespace fw
