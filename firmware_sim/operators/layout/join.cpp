// SPDX-License-Identifier: MIT
/*
 * DOC: CAT and ROLL
 *
 * CAT: slot 0 is the result, slot 1 the list of tensors, attribute 0 the dim along which they follow each
 * other. ROLL: slot 0 is the result, slot 1 the operand, attribute 0 how far each dim is shifted; one number shifts all
 * elements as one row.
 */
#include "layout.h"

namespace fw::tensor {

namespace {

bool check_cat(const Call &call)
{
	if (!have_one_type(call))
		return false;
	const View &out = call.view(0);
	const int64_t dim = call.integer(0);
	if (dim < 0 || dim >= out.ndim)
		return false;
	int64_t left = out.dims[dim];
	for (const View &part : call.list(1)) {
		View same = part;
		if (part.ndim == out.ndim)
			same.dims[dim] = out.dims[dim];
		if (part.dtype != out.dtype || !same.has_shape_of(out) || part.dims[dim] > left)
			return false;
		left -= part.dims[dim];
	}
	return left == 0;
}

/* Copies @n elements of a row, which may span several tensors if the row is along the dim of the list. */
void copy_joined(const Call &call, Index at, int64_t n)
{
	const View &out = call.view(0);
	const auto dim = static_cast<size_t>(call.integer(0));
	const bool is_inner = dim + 1 == out.ndim;
	int64_t start = 0;
	for (const View &part : call.list(1)) {
		Index from = at;
		from[dim] -= start;
		start += part.dims[dim];
		if (from[dim] >= part.dims[dim])
			continue;
		const int64_t take = is_inner ? std::min(n, part.dims[dim] - from[dim]) : n;
		copy_part(out, at, part, from, take);
		if (!is_inner || take == n)
			return;
		n -= take;
		at[dim] += take;
	}
}

Finding run_cat(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	for_units(call, first, count,
		  [&](const Index &at, int64_t n, uint64_t) { copy_joined(call, at, n); });
	return {};
}

bool is_flat(const Call &call)
{
	return call.integers(0).size() == 1 && call.view(0).ndim != 1;
}

bool check_roll(const Call &call)
{
	return have_one_type(call) && call.view(0).has_shape_of(call.view(1)) &&
	       (is_flat(call) || call.integers(0).size() == call.view(0).ndim);
}

/* Copies @n elements of a row, from element @first on in row-major order. */
void copy_flat(const Call &call, Index at, int64_t n, uint64_t first)
{
	const View &out = call.view(0), &self = call.view(1);
	const int64_t all = out.count();
	int64_t from = (static_cast<int64_t>(first) - call.integers(0)[0] % all) % all;
	from += from < 0 ? all : 0;
	while (n > 0) {
		const Index start = index_of(self, static_cast<uint64_t>(from));
		const int64_t rest = self.ndim ? row_length(self) - start[self.ndim - 1] : 1;
		const int64_t take = std::min(n, rest);
		copy_part(out, at, self, start, take);
		at[out.ndim ? out.ndim - 1 : 0] += take;
		n -= take;
		from = (from + take) % all;
	}
}

/* Copies @n elements of a row, which has its start in the middle of the operand's row. */
void copy_rolled(const Call &call, Index at, int64_t n)
{
	const View &out = call.view(0), &self = call.view(1);
	const std::span<const int64_t> shifts = call.integers(0);
	Index from{};
	for (unsigned d = 0; d < out.ndim; d++) {
		const int64_t shift = shifts[d] % out.dims[d];
		from[d] = at[d] - shift;
		from[d] += from[d] < 0 ? out.dims[d] : 0;
		from[d] -= from[d] >= out.dims[d] ? out.dims[d] : 0;
	}
	if (out.ndim == 0)
		return copy_part(out, at, self, from, n);
	const unsigned inner = out.ndim - 1;
	const int64_t before = std::min(n, out.dims[inner] - from[inner]);
	copy_part(out, at, self, from, before);
	if (before == n)
		return;
	at[inner] += before;
	from[inner] = 0;
	copy_part(out, at, self, from, n - before);
}

Finding run_roll(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const bool flat = is_flat(call);
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t number) {
		if (flat)
			copy_flat(call, at, n, number);
		else
			copy_rolled(call, at, n);
	});
	return {};
}

constexpr Kernel JOIN_KERNELS[] = {
	{UNPU_TENSOR_CAT, check_cat, elementwise_units, layout_cost, nullptr, run_cat},
	{UNPU_TENSOR_ROLL, check_roll, elementwise_units, layout_cost, nullptr, run_roll},
};

} // namespace

const std::span<const Kernel> join_kernels = JOIN_KERNELS;

} // namespace fw::tensor
