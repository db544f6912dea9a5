// SPDX-License-Identifier: MIT
/**
 * DOC: Plain loops beside kernels
 *
 * What a program would write without a device; compiled with -O3 for the CPU that kernels are compiled for.
 */
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kinds.h"

namespace {

using Half = _Float16;

template <class T> T *of(void *memory)
{
	return static_cast<T *>(memory);
}

void add_half(const KindMemory &m)
{
	const Half *x = of<Half>(m.x), *y = of<Half>(m.y);
	Half *out = of<Half>(m.out);
	for (uint32_t i = 0; i < m.elements; i++)
		out[i] = static_cast<Half>(static_cast<float>(x[i]) + static_cast<float>(y[i]));
}

void add_quotient(const KindMemory &m)
{
	const float *x = of<float>(m.x), *y = of<float>(m.y), *z = of<float>(m.z);
	float *out = of<float>(m.out);
	for (uint32_t i = 0; i < m.elements; i++)
		out[i] = x[i] + y[i] / z[i];
}

void leaky(const KindMemory &m)
{
	const Half *x = of<Half>(m.x);
	Half *out = of<Half>(m.out);
	for (uint32_t i = 0; i < m.elements; i++) {
		const auto value = static_cast<float>(x[i]);
		out[i] = static_cast<Half>(value >= 0 ? value : value * 0.125f);
	}
}

void to_half(const KindMemory &m)
{
	const float *x = of<float>(m.x);
	Half *out = of<Half>(m.out);
	for (uint32_t i = 0; i < m.elements; i++)
		out[i] = static_cast<Half>(x[i]);
}

void move_rows(const KindMemory &m, bool by_source, bool by_result)
{
	const int32_t *index = of<int32_t>(m.index);
	for (uint32_t row = 0; row < m.elements / KIND_COLUMNS; row++) {
		const size_t other = static_cast<size_t>(index[row]);
		memcpy(of<float>(m.out) + (by_result ? other : row) * KIND_COLUMNS,
		       of<float>(m.x) + (by_source ? other : row) * KIND_COLUMNS,
		       KIND_COLUMNS * sizeof(float));
	}
}

void gather_rows(const KindMemory &m)
{
	move_rows(m, true, false);
}
void scatter_rows(const KindMemory &m)
{
	move_rows(m, false, true);
}
void copy_rows(const KindMemory &m)
{
	move_rows(m, false, false);
}

void scale_groups(const KindMemory &m)
{
	const int8_t *x = of<int8_t>(m.x);
	const float *scales = of<float>(m.y);
	float *out = of<float>(m.out);
	for (uint32_t group = 0; group < m.elements / KIND_GROUP; group++)
		for (uint32_t i = group * KIND_GROUP; i < (group + 1) * KIND_GROUP; i++)
			out[i] = static_cast<float>(x[i]) * scales[group];
}

void quantise_groups(const KindMemory &m)
{
	const float *x = of<float>(m.x);
	int8_t *out = of<int8_t>(m.out);
	for (uint32_t group = 0; group < m.elements / KIND_GROUP; group++) {
		const float *from = x + group * KIND_GROUP;
		float most = 0;
		for (uint32_t i = 0; i < KIND_GROUP; i++)
			most = std::max(most, std::fabs(from[i]));
		const float by = most > 0 ? 127.0f / most : 0.0f;
		for (uint32_t i = 0; i < KIND_GROUP; i++)
			out[group * KIND_GROUP + i] =
				static_cast<int8_t>(std::nearbyint(from[i] * by));
	}
}

void threshold(const KindMemory &m)
{
	const float *x = of<float>(m.x);
	float *out = of<float>(m.out);
	for (uint32_t i = 0; i < m.elements; i++)
		out[i] = x[i] > 0.25f ? x[i] : 0.0f;
}

void gate(const KindMemory &m)
{
	const float *x = of<float>(m.x), *y = of<float>(m.y);
	float *out = of<float>(m.out);
	for (uint32_t i = 0; i < m.elements; i++)
		out[i] = x[i] * y[i] / (1 + std::exp(-y[i]));
}

void turn(const KindMemory &m)
{
	const float *x = of<float>(m.x), *y = of<float>(m.y), *z = of<float>(m.z);
	float *out = of<float>(m.out);
	constexpr uint32_t HALF = KIND_HEAD / 2;
	for (uint32_t head = 0; head < m.elements; head += KIND_HEAD)
		for (uint32_t i = head; i < head + HALF; i++) {
			out[i] = x[i] * y[i] - x[i + HALF] * z[i];
			out[i + HALF] = x[i] * z[i + HALF] + x[i + HALF] * y[i + HALF];
		}
}

void norm_half(const KindMemory &m)
{
	const Half *x = of<Half>(m.x);
	Half *out = of<Half>(m.out);
	for (uint32_t row = 0; row < m.elements; row += KIND_COLUMNS) {
		float sum = 0;
		for (uint32_t i = row; i < row + KIND_COLUMNS; i++)
			sum += static_cast<float>(x[i]) * static_cast<float>(x[i]);
		const float by = 1.0f / std::sqrt(sum / KIND_COLUMNS + 1e-5f);
		for (uint32_t i = row; i < row + KIND_COLUMNS; i++)
			out[i] = static_cast<Half>(static_cast<float>(x[i]) * by);
	}
}

void shrink(const KindMemory &m)
{
	const float *x = of<float>(m.x), *y = of<float>(m.y);
	float *out = of<float>(m.out);
	for (uint32_t row = 0; row < m.elements; row += KIND_COLUMNS) {
		float sum = 0;
		for (uint32_t i = 0; i < KIND_COLUMNS; i++) {
			out[row + i] = x[row + i] * y[i];
			sum += out[row + i];
		}
		out[row] = sum;
	}
}

void expand(const KindMemory &m)
{
	const float *x = of<float>(m.x), *y = of<float>(m.y);
	float *out = of<float>(m.out);
	for (uint32_t row = 0; row < m.elements; row += KIND_COLUMNS)
		for (uint32_t i = row; i < row + KIND_COLUMNS; i++)
			out[i] = x[i] + y[i] * y[row];
}

} // namespace

const Kind KINDS[] = {
	{"add_half", "sum of halves", launch_add_half, add_half, 6, true, false, 2},
	{"add_quotient", "x + y / z", launch_add_quotient, add_quotient, 16, false, false, 4},
	{"leaky", "LeakyRelu of halves", launch_leaky, leaky, 4, true, false, 2},
	{"to_half", "floats to halves", launch_to_half, to_half, 6, false, false, 2},
	{"gather_rows", "rows by an index", launch_gather_rows, gather_rows, 8, false, false, 4},
	{"scatter_rows", "rows to places of an index", launch_scatter_rows, scatter_rows, 8, false,
	 false, 4},
	{"scale_groups", "bytes with a scale for 32", launch_scale_groups, scale_groups, 5, false,
	 true, 4},
	{"quantise_groups", "floats to bytes with a scale for 32", launch_quantise_groups,
	 quantise_groups, 5, false, false, 1},
	{"threshold", "what is above a limit", launch_threshold, threshold, 8, false, false, 4},
	{"gate", "x times the sigmoid of y", launch_gate, gate, 12, false, false, 4},
	{"turn", "rotary positions", launch_turn, turn, 16, false, false, 4},
	{"norm_half", "RmsNorm of halves", launch_norm_half, norm_half, 4, true, false, 2},
	{"shrink", "rows times a row", launch_shrink, shrink, 8, false, false, 4},
	{"expand", "a row added, by a number", launch_expand, expand, 12, false, false, 4},
	{"copy_rows", "rows, one at a time", launch_copy_rows, copy_rows, 8, false, false, 4},
};
const size_t KIND_COUNT = sizeof(KINDS) / sizeof(KINDS[0]);
