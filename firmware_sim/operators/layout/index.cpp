// SPDX-License-Identifier: MIT
/*
 * DOC: GATHER, INDEX_COPY and INDEX_FILL
 *
 * They work along dim 0; the indices of GATHER may have several dims. A negative index counts from the end. Indices are
 * data of the client, which may change them at any time: each is checked when it is read, and each read is used once.
 *
 * INDEX_COPY and INDEX_FILL are cut along the other dims, so that for equal indices the last one wins. Each unit
 * of INDEX_COPY looks at all indices before it writes: with a bad one nothing is changed.
 */
#include "indices.h"

namespace fw::tensor {

namespace {

/* Whether all dims except the first are equal. */
bool have_equal_rows(const View &a, const View &b)
{
	if (a.ndim != b.ndim || a.ndim == 0)
		return false;
	View same = a;
	same.dims[0] = b.dims[0];
	return same.has_shape_of(b);
}

/* The dims of the result are those of the indices, followed by those of the operand without dim 0. */
bool check_gather(const Call &call)
{
	if (!have_one_type(call) || !call.has(2) || !is_index_type(call.view(2)))
		return false;
	const View &out = call.view(0), &self = call.view(1), &index = call.view(2);
	if (self.ndim == 0 || index.ndim == 0 || out.ndim != index.ndim + self.ndim - 1)
		return false;
	for (unsigned d = 0; d < out.ndim; d++)
		if (out.dims[d] != (d < index.ndim ? index.dims[d] : self.dims[d - index.ndim + 1]))
			return false;
	return true;
}

/* If the operand has only dim 0, the result has only the dims of the indices. So each element of the result
 * has its own index. */
Finding gather_part(const Call &call, Index at, int64_t n)
{
	const View &out = call.view(0), &self = call.view(1), &index = call.view(2);
	const bool has_own = out.ndim == index.ndim;
	const int64_t step = has_own ? 1 : n;
	Index from{};
	for (unsigned d = 1; d < self.ndim; d++)
		from[d] = at[index.ndim + d - 1];
	for (int64_t done = 0; done < n; done += step) {
		const std::byte *named = place(index, at);
		const int64_t value = load_index(index, named);
		from[0] = wrap(value, self.dims[0]);
		if (from[0] < 0)
			return bad_index(call, 2, named - index.data, value);
		copy_part(out, at, self, from, step);
		at[out.ndim - 1] += has_own ? 1 : 0;
	}
	return {};
}

Finding run_gather(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	Finding worst;
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t) {
		if (worst.status == base::Status::OK)
			worst = gather_part(call, at, n);
	});
	return worst;
}

bool check_copy(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2))
		return false;
	const View &self = call.view(0), &index = call.view(1), &source = call.view(2);
	return self.dtype == source.dtype && element_bits(self.dtype) >= 8 && is_index_row(index) &&
	       have_equal_rows(self, source) && source.dims[0] == index.dims[0] &&
	       index.dims[0] <= UNPU_TENSOR_MAX_INDICES;
}

uint64_t indices_of_copy(const Call &call)
{
	return static_cast<uint64_t>(call.view(1).dims[0]);
}

uint64_t copy_units(const Call &call)
{
	return entry_units(call.view(0), indices_of_copy(call));
}

uint64_t copy_cost(const Call &call)
{
	const View &source = call.view(2);
	return static_cast<uint64_t>((source.count() + call.view(1).dims[0]) *
				     element_bytes(source));
}

Finding run_copy(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &self = call.view(0), &index = call.view(1), &source = call.view(2);
	for (int64_t i = 0; i < index.dims[0]; i++)
		if (const int64_t value = read_index(index, i); wrap(value, self.dims[0]) < 0)
			return bad_index(call, 1, i * inner_stride(index), value);
	View to = entry(self), from = entry(source);
	const uint64_t each = entry_unit(indices_of_copy(call));
	for (int64_t i = 0; i < index.dims[0]; i++) {
		const int64_t value = read_index(index, i), target = wrap(value, self.dims[0]);
		if (target < 0)
			return bad_index(call, 1, i * inner_stride(index), value);
		move_entry(to, self, target);
		move_entry(from, source, i);
		for_entry(to, each, first, count, [&](const Index &at, int64_t n, uint64_t) {
			copy_part(to, at, from, at, n);
		});
	}
	return {};
}

bool check_fill(const Call &call)
{
	if (!call.has(0) || call.view(0).ndim == 0 || element_bits(call.view(0).dtype) < 8)
		return false;
	for (const int64_t index : call.integers(0))
		if (wrap(index, call.view(0).dims[0]) < 0)
			return false;
	return true;
}

uint64_t fill_units(const Call &call)
{
	return entry_units(call.view(0), call.integers(0).size());
}

uint64_t fill_cost(const Call &call)
{
	const View inner = entry(call.view(0));
	return static_cast<uint64_t>(inner.count() * element_bytes(inner)) *
	       (1 + call.integers(0).size());
}

Finding run_fill(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &self = call.view(0);
	const Bits element = to_element(call.scalar(1), self.dtype);
	View to = entry(self);
	const uint64_t each = entry_unit(call.integers(0).size());
	for (const int64_t index : call.integers(0)) {
		move_entry(to, self, wrap(index, self.dims[0]));
		for_entry(to, each, first, count, [&](const Index &at, int64_t n, uint64_t) {
			fill_part(to, at, element, n);
		});
	}
	return {};
}

constexpr Kernel INDEX_KERNELS[] = {
	{UNPU_TENSOR_GATHER, check_gather, elementwise_units, layout_cost, nullptr, run_gather},
	{UNPU_TENSOR_INDEX_COPY, check_copy, copy_units, copy_cost, nullptr, run_copy},
	{UNPU_TENSOR_INDEX_FILL, check_fill, fill_units, fill_cost, nullptr, run_fill},
};

} // namespace

const std::span<const Kernel> index_kernels = INDEX_KERNELS;

} // namespace fw::tensor
