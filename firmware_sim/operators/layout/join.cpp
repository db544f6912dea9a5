// SPDX-License-Identifier: MIT
/*
 * DOC: CAT, SPLIT and ROLL
 *
 * CAT: slot 0 is the result, slot 1 the list of tensors, attribute 0 the dim along which they follow each
 * other. SPLIT: the same with the results in slot 0 and the operand in slot 1. ROLL: slot 0 is the result, slot 1 the
 * operand, attribute 0 how far each dim is shifted; one number shifts all elements as one row.
 */
#include "layout.h"

namespace fw::tensor {

namespace {

/* whole_of(), members_of() - the operand or result that has all elements, and the list of its parts. */
const View &whole_of(const Call &call)
{
	return call.view(call.kind == UNPU_TENSOR_SPLIT ? 1 : 0);
}
std::span<const View> members_of(const Call &call)
{
	return call.list(call.kind == UNPU_TENSOR_SPLIT ? 0 : 1);
}

bool check_parts(const Call &call)
{
	if (!have_one_type(call))
		return false;
	const View &whole = whole_of(call);
	const int64_t dim = call.integer(0);
	if (dim < 0 || dim >= whole.ndim)
		return false;
	int64_t left = whole.dims[dim];
	for (const View &part : members_of(call)) {
		View same = part;
		if (part.ndim == whole.ndim)
			same.dims[dim] = whole.dims[dim];
		if (part.dtype != whole.dtype || !same.has_shape_of(whole) || part.dims[dim] > left)
			return false;
		left -= part.dims[dim];
	}
	return left == 0;
}

uint64_t whole_units(const Call &call)
{
	const auto count = static_cast<uint64_t>(whole_of(call).count());
	return parts_of(count, Blocks::UNIT);
}

uint64_t whole_cost(const Call &call)
{
	const View &whole = whole_of(call);
	return static_cast<uint64_t>(whole.count() * element_bytes(whole));
}

/* Copies @n elements of a row, which may span several tensors if the row is along the dim of the list. */
void copy_joined(const Call &call, Index at, int64_t n)
{
	const View &whole = whole_of(call);
	const bool splits = call.kind == UNPU_TENSOR_SPLIT;
	const auto dim = static_cast<size_t>(call.integer(0));
	const bool is_inner = dim + 1 == whole.ndim;
	int64_t start = 0;
	for (const View &part : members_of(call)) {
		Index in = at;
		in[dim] -= start;
		start += part.dims[dim];
		if (in[dim] >= part.dims[dim])
			continue;
		const int64_t take = is_inner ? std::min(n, part.dims[dim] - in[dim]) : n;
		if (splits)
			copy_part(part, in, whole, at, take);
		else
			copy_part(whole, at, part, in, take);
		if (!is_inner || take == n)
			return;
		n -= take;
		at[dim] += take;
	}
}

Finding run_parts(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &whole = whole_of(call);
	const auto all = static_cast<uint64_t>(whole.count());
	for_rows(whole, first * Blocks::UNIT, std::min(all, (first + count) * Blocks::UNIT),
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
	{UNPU_TENSOR_CAT, check_parts, whole_units, whole_cost, nullptr, run_parts},
	{UNPU_TENSOR_SPLIT, check_parts, whole_units, whole_cost, nullptr, run_parts},
	{UNPU_TENSOR_ROLL, check_roll, elementwise_units, layout_cost, nullptr, run_roll},
};

} // namespace

const std::span<const Kernel> join_kernels = JOIN_KERNELS;

} // namespace fw::tensor
