// SPDX-License-Identifier: MIT
/*
 * DOC: Phases of a convolution
 *
 * Element k of a transposed convolution's kernel takes input element i to result i * stride - padding + k *
 * dilation. So a result at p + j * stride, of phase p, has a tap for each k with k * dilation = p + padding
 * modulo the stride. These k are an arithmetic progression, and the input elements as well.
 */
#include <numeric>
#include <utility>

#include "convolution.h"

namespace fw::tensor {

namespace {

/* inverse() - x with @value * x = 1 modulo @modulus; both have no common divisor. */
int64_t inverse(int64_t value, int64_t modulus)
{
	int64_t rest = modulus, next = value % modulus, factor = 0, next_factor = 1;
	while (next != 0) {
		const int64_t quotient = rest / next;
		rest = std::exchange(next, rest - quotient * next);
		factor = std::exchange(next_factor, factor - quotient * next_factor);
	}
	return factor < 0 ? factor + modulus : factor % modulus;
}

} // namespace

Window convolution_window(const Call &call, unsigned axis)
{
	const std::span<const int64_t> padding = call.integers(1);
	return {call.view(2).dims[2 + axis], call.integers(0)[axis], padding[axis],
		padding[padding.size() - 2 + axis], call.integers(2)[axis]};
}

Geometry::Geometry(const Call &call)
	: out(call.view(0)), input(call.view(1)), weight(call.view(2)),
	  bias(call.has(3) ? &call.view(3) : nullptr), is_transposed(call.integer(3) != 0),
	  groups(call.integer(5)), out_channels(out.dims[1] / groups),
	  in_channels(input.dims[1] / groups), windows_{convolution_window(call, 0),
							convolution_window(call, 1)}
{
}

int64_t Geometry::phases(unsigned axis) const
{
	return is_transposed ? std::min(windows_[axis].stride, out.dims[2 + axis]) : 1;
}

int64_t Geometry::positions(unsigned axis) const
{
	return (out.dims[2 + axis] + phases(axis) - 1) / phases(axis);
}

Walk Geometry::walk(unsigned axis, int64_t phase) const
{
	const Window &window = windows_[axis];
	const int64_t length = out.dims[2 + axis];
	if (!is_transposed)
		return {length,		0, 1, window.kernel, 0, 1, -window.low, window.stride,
			window.dilation};
	Walk walk{};
	walk.positions = (length - phase + window.stride - 1) / window.stride;
	walk.out_first = phase;
	walk.out_step = window.stride;
	walk.in_step = 1;
	const int64_t divisor = std::gcd(window.stride, window.dilation);
	const int64_t at = phase + window.low;
	walk.tap_step = window.stride / divisor;
	walk.in_tap = -(window.dilation / divisor);
	if (at % divisor != 0)
		return walk;
	const int64_t factor = inverse(window.dilation / divisor, walk.tap_step);
	walk.tap_first = at / divisor % walk.tap_step * factor % walk.tap_step;
	if (walk.tap_first < window.kernel)
		walk.taps = (window.kernel - 1 - walk.tap_first) / walk.tap_step + 1;
	walk.in_first = (at - walk.tap_first * window.dilation) / window.stride;
	return walk;
}

Index Geometry::weight_index(int64_t group, int64_t to, int64_t from, int64_t kh, int64_t kw) const
{
	if (is_transposed)
		return {group * in_channels + from, to, kh, kw};
	return {group * out_channels + to, from, kh, kw};
}

float load_bias(const Geometry &geometry, int64_t channel)
{
	float value = 0;
	if (geometry.bias)
		load_row<float>(geometry.bias->dtype, place(*geometry.bias, {channel}), 0, 1,
				&value);
	return value;
}

} // namespace fw::tensor
