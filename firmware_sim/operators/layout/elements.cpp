// SPDX-License-Identifier: MIT
/*
 * DOC: GATHER_ELEMENTS, GATHER_ND, SCATTER_ND and ONE_HOT
 *
 * GATHER_ELEMENTS: each element of slot 0 is an element of slot 1, with the index in slot 2 in the place of dim 0.
 *
 * GATHER_ND: slots 0 and 2 begin with as many equal dims of slot 1 as attribute 0 says. The last dim of slot 2 has an
 * index for each dim of slot 1 that follows, and slot 0 gets the rest of its dims.
 *
 * SCATTER_ND: slot 0 becomes slot 1. The last dim of slot 2 has an index for each of its first dims, and slot 3 the
 * elements for the rest of them. Attribute 0: 0 replaces, 1 adds, 2 multiplies, 3 keeps the greater one, 4 the smaller
 * one. A unit has a part of the rest and goes through all indices in order, as in SCATTER.
 *
 * ONE_HOT: slot 0 is slot 2 where its last dim has the index in slot 1, else slot 3; an index beyond it is nowhere. On
 * the wire slot 1 has a last dim of 1.
 */
#include "indices.h"

namespace fw::tensor {

namespace {

bool check_gather_elements(const Call &call)
{
	if (!have_one_type(call) || !call.has(2) || !is_index_type(call.view(2)))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	if (out.ndim == 0 || self.ndim != out.ndim || !out.has_shape_of(call.view(2)))
		return false;
	for (unsigned d = 1; d < out.ndim; d++)
		if (out.dims[d] > self.dims[d])
			return false;
	return true;
}

Finding gather_elements(const Call &call, const Index &at, int64_t n)
{
	const View &out = call.view(0), &self = call.view(1), &index = call.view(2);
	const int64_t bytes = element_bytes(out);
	Index start = at;
	start[0] = 0;
	std::byte *to = place(out, at);
	const std::byte *from = place(self, start), *named = place(index, at);
	const int64_t step = out.ndim == 1 ? 0 : inner_stride(self);
	for (int64_t i = 0; i < n; i++) {
		const int64_t value = load_index(index, named);
		const int64_t source = wrap(value, self.dims[0]);
		if (source < 0)
			return bad_index(call, 2, named - index.data, value);
		std::memcpy(to, from + source * self.strides[0] * bytes,
			    static_cast<size_t>(bytes));
		to += inner_stride(out);
		from += step;
		named += inner_stride(index);
	}
	return {};
}

template <class Part> Finding run_parts(const Call &call, uint64_t first, uint64_t count, Part part)
{
	Finding worst;
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t) {
		if (worst.status == base::Status::OK)
			worst = part(call, at, n);
	});
	return worst;
}

Finding run_gather_elements(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	return run_parts(call, first, count, gather_elements);
}

/* How many indices name a place. */
unsigned index_depth(const View &index)
{
	return static_cast<unsigned>(index.dims[index.ndim - 1]);
}

bool check_gather_nd(const Call &call)
{
	if (!have_one_type(call) || !call.has(2) || !is_index_type(call.view(2)))
		return false;
	const View &out = call.view(0), &self = call.view(1), &index = call.view(2);
	const int64_t equal = call.integer(0);
	if (index.ndim == 0 || equal < 0 || equal >= index.ndim || equal > self.ndim ||
	    index.dims[index.ndim - 1] > self.ndim - equal)
		return false;
	const unsigned rest = static_cast<unsigned>(equal) + index_depth(index);
	if (out.ndim != index.ndim - 1 + self.ndim - rest)
		return false;
	for (unsigned d = 0; d < out.ndim; d++) {
		const bool is_outer = d + 1 < index.ndim;
		if (out.dims[d] !=
		    (is_outer ? index.dims[d] : self.dims[d - index.ndim + 1 + rest]))
			return false;
		if (d < static_cast<unsigned>(equal) && out.dims[d] != self.dims[d])
			return false;
	}
	return true;
}

/* find_place() - the place in @view that the indices at @at name, in its dims from @first on.
 * Return: BAD_INDEX */
Finding find_place(const Call &call, unsigned slot, Index at, const View &view, unsigned first,
		   Index &place_in)
{
	const View &index = call.view(slot);
	for (unsigned k = 0; k < index_depth(index); k++) {
		at[index.ndim - 1] = k;
		const std::byte *named = place(index, at);
		const int64_t value = load_index(index, named);
		place_in[first + k] = wrap(value, view.dims[first + k]);
		if (place_in[first + k] < 0)
			return bad_index(call, slot, named - index.data, value);
	}
	return {};
}

Finding gather_places(const Call &call, Index at, int64_t n)
{
	const View &out = call.view(0), &self = call.view(1), &index = call.view(2);
	const auto equal = static_cast<unsigned>(call.integer(0));
	const unsigned rest = equal + index_depth(index), outer = index.ndim - 1;
	const int64_t step = out.ndim == outer ? 1 : n;
	for (int64_t done = 0; done < n; done += step) {
		Index from{};
		for (unsigned d = 0; d < equal; d++)
			from[d] = at[d];
		for (unsigned d = rest; d < self.ndim; d++)
			from[d] = at[outer + d - rest];
		const Finding found = find_place(call, 2, at, self, equal, from);
		if (found.status != base::Status::OK)
			return found;
		if (rest == self.ndim)
			std::memcpy(place(out, at), place(self, from),
				    static_cast<size_t>(element_bytes(out)));
		else
			copy_part(out, at, self, from, step);
		if (out.ndim != 0)
			at[out.ndim - 1] += step;
	}
	return {};
}

Finding run_gather_nd(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	return run_parts(call, first, count, gather_places);
}

/* inner_dims() - the dims of @view from @first on. outer_count() - elements of those before. */
View inner_dims(const View &view, unsigned first)
{
	View inner = view;
	inner.ndim = view.ndim - first;
	std::copy(view.dims.begin() + first, view.dims.end(), inner.dims.begin());
	std::copy(view.strides.begin() + first, view.strides.end(), inner.strides.begin());
	return inner;
}

uint64_t outer_count(const View &view, unsigned dims)
{
	View outer = view;
	outer.ndim = dims;
	return static_cast<uint64_t>(outer.count());
}

bool check_scatter_nd(const Call &call)
{
	if (!have_one_type(call) || !call.has(2) || !call.has(3) || !is_index_type(call.view(2)))
		return false;
	const View &out = call.view(0), &index = call.view(2), &updates = call.view(3);
	if (!out.has_shape_of(call.view(1)) || updates.dtype != out.dtype || index.ndim == 0 ||
	    index.dims[index.ndim - 1] > out.ndim || call.integer(0) < 0 || call.integer(0) > 4)
		return false;
	const unsigned depth = index_depth(index);
	if (updates.ndim != index.ndim - 1 + out.ndim - depth)
		return false;
	for (unsigned d = 0; d < updates.ndim; d++)
		if (updates.dims[d] !=
		    (d + 1 < index.ndim ? index.dims[d] : out.dims[d - index.ndim + 1 + depth]))
			return false;
	return true;
}

/* Places that each unit goes through. */
uint64_t scattered_places(const Call &call)
{
	const View &index = call.view(2);
	return outer_count(call.view(0), index_depth(index)) + outer_count(index, index.ndim - 1);
}

uint64_t part_of_rest(const Call &call)
{
	return entry_unit(scattered_places(call));
}

uint64_t scatter_nd_units(const Call &call)
{
	const View rest = inner_dims(call.view(0), index_depth(call.view(2)));
	const auto count = static_cast<uint64_t>(rest.count());
	return call.view(0).count() == 0 ? 0
					 : (count + part_of_rest(call) - 1) / part_of_rest(call);
}

uint64_t scatter_nd_cost(const Call &call)
{
	const View &out = call.view(0);
	const auto count = static_cast<unsigned __int128>(out.count()) +
			   16 * static_cast<unsigned __int128>(call.view(2).count()) +
			   4 * static_cast<unsigned __int128>(call.view(3).count());
	return limit_cost(count * static_cast<uint64_t>(element_bytes(out)));
}

/* for_part() - calls @part(at, n) for the parts of the rest of the dims that some units have. */
template <class Part> void for_part(const Call &call, uint64_t first, uint64_t count, Part part)
{
	const View rest = inner_dims(call.view(0), index_depth(call.view(2)));
	for_entry(rest, part_of_rest(call), first, count,
		  [&](const Index &at, int64_t n, uint64_t) { part(at, n); });
}

void copy_places(const Call &call, uint64_t first, uint64_t count)
{
	const View &out = call.view(0), &self = call.view(1);
	const unsigned depth = index_depth(call.view(2));
	if (out.data == self.data && out.strides == self.strides)
		return;
	View outer = out, to = inner_dims(out, depth), from = inner_dims(self, depth);
	outer.ndim = depth;
	const uint64_t places = outer_count(out, depth);
	for (uint64_t k = 0; k < places; k++) {
		const Index at = index_of(outer, k);
		to.data = place(out, at);
		from.data = place(self, at);
		for_part(call, first, count, [&](const Index &inner, int64_t n) {
			copy_part(to, inner, from, inner, n);
		});
	}
}

/* Each unit looks at all indices before it writes, and again when it does: the client may have changed them. */
Finding put_places(const Call &call, uint64_t first, uint64_t count, bool writes)
{
	const View &out = call.view(0), &index = call.view(2), &updates = call.view(3);
	const unsigned depth = index_depth(index), outer = index.ndim - 1;
	View places = index;
	places.ndim = outer;
	View to = inner_dims(out, depth), from = inner_dims(updates, outer);
	const uint64_t all = outer_count(index, outer);
	for (uint64_t k = 0; k < all; k++) {
		const Index at = index_of(places, k);
		Index target{};
		const Finding found = find_place(call, 2, at, out, 0, target);
		if (found.status != base::Status::OK)
			return found;
		if (!writes)
			continue;
		to.data = place(out, target);
		from.data = place(updates, at);
		for_part(call, first, count, [&](Index inner, int64_t n) {
			for (int64_t i = 0; i < n; i++) {
				put_element(out.dtype, call.integer(0), place(to, inner),
					    place(from, inner));
				inner[to.ndim ? to.ndim - 1 : 0]++;
			}
		});
	}
	return {};
}

Finding run_scatter_nd(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const Finding found = put_places(call, first, count, false);
	if (found.status != base::Status::OK)
		return found;
	copy_places(call, first, count);
	return put_places(call, first, count, true);
}

bool is_one_element(const View &view, uint32_t dtype)
{
	return view.count() == 1 && view.dtype == dtype;
}

bool check_one_hot(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2) || !call.has(3))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	View same = out;
	if (out.ndim)
		same.dims[out.ndim - 1] = 1;
	return out.ndim != 0 && element_bits(out.dtype) >= 8 && element_bits(self.dtype) >= 8 &&
	       self.has_shape_of(same) && is_one_element(call.view(2), out.dtype) &&
	       is_one_element(call.view(3), out.dtype);
}

Finding run_one_hot(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0), &self = call.view(1);
	const int64_t classes = row_length(out);
	Bits on, off;
	std::memcpy(on.bytes, call.view(2).data, static_cast<size_t>(element_bytes(out)));
	std::memcpy(off.bytes, call.view(3).data, static_cast<size_t>(element_bytes(out)));
	for_units(call, first, count, [&](Index at, int64_t n, uint64_t) {
		int64_t &column = at[out.ndim - 1];
		const int64_t begin = column;
		fill_part(out, at, off, n);
		column = 0;
		const int64_t hot = wrap(load_index(self, place(self, at)), classes);
		column = hot;
		if (hot >= begin && hot < begin + n)
			fill_part(out, at, on, 1);
	});
	return {};
}

constexpr Kernel ELEMENTS_KERNELS[] = {
	{UNPU_TENSOR_GATHER_ELEMENTS, check_gather_elements, elementwise_units, layout_cost,
	 nullptr, run_gather_elements},
	{UNPU_TENSOR_GATHER_ND, check_gather_nd, elementwise_units, layout_cost, nullptr,
	 run_gather_nd},
	{UNPU_TENSOR_SCATTER_ND, check_scatter_nd, scatter_nd_units, scatter_nd_cost, nullptr,
	 run_scatter_nd},
	{UNPU_TENSOR_ONE_HOT, check_one_hot, elementwise_units, layout_cost, nullptr, run_one_hot},
};

} // namespace

const std::span<const Kernel> elements_kernels = ELEMENTS_KERNELS;

} // namespace fw::tensor
