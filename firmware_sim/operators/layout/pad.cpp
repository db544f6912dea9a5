// SPDX-License-Identifier: MIT
/*
 * DOC: PAD, REFLECTION_PAD and EDGE_PAD
 *
 * Slot 0 is the result, slot 1 the operand. Attribute 0 says how many elements are added before it in each dim,
 * attribute 1 how many behind it. PAD fills them with attribute 2; REFLECTION_PAD mirrors the operand at
 * its first and last element, and EDGE_PAD repeats these.
 */
#include "layout.h"

namespace fw::tensor {

namespace {

bool check_sizes(const Call &call)
{
	if (!have_one_type(call))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	const std::span<const int64_t> low = call.integers(0), high = call.integers(1);
	if (out.ndim != self.ndim || low.size() != out.ndim || high.size() != out.ndim)
		return false;
	for (unsigned d = 0; d < out.ndim; d++) {
		int64_t size;
		if (low[d] < 0 || high[d] < 0 ||
		    __builtin_add_overflow(self.dims[d], low[d], &size) ||
		    __builtin_add_overflow(size, high[d], &size) || size != out.dims[d])
			return false;
	}
	return true;
}

/* The part of a row's elements, in the index of the operand. */
struct Part {
	int64_t before; /* how many elements of the row lie before the operand */
	int64_t inside;
	int64_t behind;
};

Part cut(int64_t first, int64_t n, int64_t size)
{
	const int64_t before = std::clamp(-first, int64_t{0}, n);
	const int64_t inside = std::clamp(size - (first + before), int64_t{0}, n - before);
	return {before, inside, n - before - inside};
}

void pad_row(const Call &call, const Bits &element, Index at, int64_t n)
{
	const View &out = call.view(0), &self = call.view(1);
	const std::span<const int64_t> low = call.integers(0);
	Index from{};
	for (unsigned d = 0; d < out.ndim; d++) {
		from[d] = at[d] - low[d];
		if (d + 1 < out.ndim && (from[d] < 0 || from[d] >= self.dims[d]))
			return fill_part(out, at, element, n);
	}
	if (out.ndim == 0)
		return copy_part(out, at, self, from, n);
	const unsigned inner = out.ndim - 1;
	const Part part = cut(from[inner], n, self.dims[inner]);
	fill_part(out, at, element, part.before);
	at[inner] += part.before;
	from[inner] += part.before;
	if (part.inside)
		copy_part(out, at, self, from, part.inside);
	at[inner] += part.inside;
	fill_part(out, at, element, part.behind);
}

Finding run_pad(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const Bits element = to_element(call.scalar(2), call.view(0).dtype);
	for_units(call, first, count,
		  [&](const Index &at, int64_t n, uint64_t) { pad_row(call, element, at, n); });
	return {};
}

bool check_reflection(const Call &call)
{
	if (!check_sizes(call))
		return false;
	const View &self = call.view(1);
	for (unsigned d = 0; d < self.ndim; d++) {
		const int64_t most = std::max(call.integers(0)[d], call.integers(1)[d]);
		if (most > 0 && most >= self.dims[d])
			return false;
	}
	return true;
}

/* reflect() - the operand's index for an index that may lie outside by less than @size. */
int64_t reflect(int64_t index, int64_t size)
{
	if (index < 0)
		return -index;
	return index < size ? index : 2 * (size - 1) - index;
}

int64_t repeat_edge(int64_t index, int64_t size)
{
	return std::clamp(index, int64_t{0}, size - 1);
}

/* mirror_row() - fills a part of a row. @map: the operand's index for any */
void mirror_row(const Call &call, Index at, int64_t n, int64_t (*map)(int64_t, int64_t))
{
	const View &out = call.view(0), &self = call.view(1);
	const std::span<const int64_t> low = call.integers(0);
	Index from{};
	for (unsigned d = 0; d + 1 < out.ndim; d++)
		from[d] = map(at[d] - low[d], self.dims[d]);
	if (out.ndim == 0)
		return copy_part(out, at, self, from, n);
	const unsigned inner = out.ndim - 1;
	const int64_t start = at[inner] - low[inner], size = self.dims[inner];
	const Part part = cut(start, n, size);
	for (int64_t i = 0; i < part.before; i++, at[inner]++) {
		from[inner] = map(start + i, size);
		copy_part(out, at, self, from, 1);
	}
	if (part.inside) {
		from[inner] = start + part.before;
		copy_part(out, at, self, from, part.inside);
	}
	at[inner] += part.inside;
	for (int64_t i = n - part.behind; i < n; i++, at[inner]++) {
		from[inner] = map(start + i, size);
		copy_part(out, at, self, from, 1);
	}
}

Finding run_reflection(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	for_units(call, first, count,
		  [&](const Index &at, int64_t n, uint64_t) { mirror_row(call, at, n, reflect); });
	return {};
}

bool check_edge(const Call &call)
{
	if (!check_sizes(call))
		return false;
	for (unsigned d = 0; d < call.view(0).ndim; d++)
		if (call.view(1).dims[d] == 0 && call.view(0).dims[d] != 0)
			return false;
	return true;
}

Finding run_edge(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t) {
		mirror_row(call, at, n, repeat_edge);
	});
	return {};
}

constexpr Kernel PAD_KERNELS[] = {
	{UNPU_TENSOR_PAD, check_sizes, elementwise_units, layout_cost, nullptr, run_pad},
	{UNPU_TENSOR_REFLECTION_PAD, check_reflection, elementwise_units, layout_cost, nullptr,
	 run_reflection},
	{UNPU_TENSOR_EDGE_PAD, check_edge, elementwise_units, layout_cost, nullptr, run_edge},
};

} // namespace

const std::span<const Kernel> pad_kernels = PAD_KERNELS;

} // namespace fw::tensor
