// SPDX-License-Identifier: MIT
/**
 * DOC: Plain loops
 *
 * Sums are kept in as many parts as a vector has, since the compiler must not change the order of additions.
 */
#include "loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bench {

namespace {

constexpr size_t PARTS = 16;

/* The sum of @term(i) over @n numbers. */
template <class Term> float sum(size_t n, Term term)
{
	float parts[PARTS] = {};
	size_t i = 0;
	for (; i + PARTS <= n; i += PARTS)
		for (size_t k = 0; k < PARTS; k++)
			parts[k] += term(i + k);
	float total = 0;
	for (const float part : parts)
		total += part;
	for (; i < n; i++)
		total += term(i);
	return total;
}

/* Only converted, never computed with. clang 14 has _Float16 only where the processor computes with it. */
#ifdef __clang__
using Half = __fp16;
#else
using Half = _Float16;
#endif

} // namespace

void half_to_float(const uint16_t *from, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		Half half;
		std::memcpy(&half, from + i, sizeof(half));
		to[i] = static_cast<float>(half);
	}
}

void float_to_half(const float *from, uint16_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const Half half = static_cast<Half>(from[i]);
		std::memcpy(to + i, &half, sizeof(half));
	}
}

void bfloat_to_float(const uint16_t *from, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint32_t bits = uint32_t{from[i]} << 16;
		std::memcpy(to + i, &bits, sizeof(bits));
	}
}

void add_floats(const float *a, const float *b, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = a[i] + b[i];
}

void multiply_floats(const float *a, const float *b, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = a[i] * b[i];
}

void silu_floats(const float *from, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i] / (1 + std::exp(-from[i]));
}

void gelu_floats(const float *from, float *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const float x = from[i];
		to[i] = 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
	}
}

void rms_norm(const float *x, const float *factors, float *y, float *rstd, size_t rows,
	      size_t length)
{
	for (size_t row = 0; row < rows; row++, x += length, y += length) {
		const float squares = sum(length, [&](size_t i) { return x[i] * x[i]; });
		const float scale = 1 / std::sqrt(squares / static_cast<float>(length) + 1e-5f);
		for (size_t i = 0; i < length; i++)
			y[i] = x[i] * scale * factors[i];
		rstd[row] = scale;
	}
}

static float find_mean(const float *x, size_t n, float &scale)
{
	const auto size = static_cast<float>(n);
	const float mean = sum(n, [&](size_t i) { return x[i]; }) / size;
	const float variance =
		sum(n, [&](size_t i) { return (x[i] - mean) * (x[i] - mean); }) / size;
	scale = 1 / std::sqrt(variance + 1e-5f);
	return mean;
}

void layer_norm(const float *x, const float *factors, const float *summands, float *y, size_t rows,
		size_t length)
{
	for (size_t row = 0; row < rows; row++, x += length, y += length) {
		float scale;
		const float mean = find_mean(x, length, scale);
		for (size_t i = 0; i < length; i++)
			y[i] = (x[i] - mean) * scale * factors[i] + summands[i];
	}
}

void group_norm(const float *x, const float *factors, const float *summands, float *y,
		size_t groups, size_t channels, size_t pixels)
{
	for (size_t group = 0; group < groups; group++) {
		float scale;
		const float mean = find_mean(x, channels * pixels, scale);
		for (size_t c = 0; c < channels; c++, x += pixels, y += pixels)
			for (size_t i = 0; i < pixels; i++)
				y[i] = (x[i] - mean) * scale * factors[c] + summands[c];
	}
}

void softmax(const float *x, float *y, size_t rows, size_t length)
{
	for (size_t row = 0; row < rows; row++, x += length, y += length) {
		const float most = *std::max_element(x, x + length);
		for (size_t i = 0; i < length; i++)
			y[i] = std::exp(x[i] - most);
		const float total = sum(length, [&](size_t i) { return y[i]; });
		for (size_t i = 0; i < length; i++)
			y[i] /= total;
	}
}

void rotate_halves(const float *x, const float *cosine, const float *sine, float *y, size_t rows,
		   size_t heads, size_t length)
{
	const size_t half = length / 2;
	for (size_t row = 0; row < rows; row++, cosine += length, sine += length) {
		for (size_t head = 0; head < heads; head++, x += length, y += length) {
			for (size_t i = 0; i < half; i++) {
				y[i] = x[i] * cosine[i] - x[i + half] * sine[i];
				y[i + half] =
					x[i + half] * cosine[i + half] + x[i] * sine[i + half];
			}
		}
	}
}

void attend(const float *q, const float *k, const float *v, float *out, size_t queries, size_t keys,
	    size_t size, float *scores)
{
	const float scale = 1 / std::sqrt(static_cast<float>(size));
	for (size_t row = 0; row < queries; row++, q += size, out += size) {
		for (size_t key = 0; key < keys; key++)
			scores[key] = scale *
				      sum(size, [&](size_t i) { return q[i] * k[key * size + i]; });
		softmax(scores, scores, 1, keys);
		std::fill_n(out, size, 0.0f);
		for (size_t key = 0; key < keys; key++)
			for (size_t i = 0; i < size; i++)
				out[i] += scores[key] * v[key * size + i];
	}
}

} // namespace bench
