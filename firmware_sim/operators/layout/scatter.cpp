// SPDX-License-Identifier: MIT
/*
 * DOC: SCATTER and MASKED_FILL
 *
 * SCATTER: slot 0 becomes slot 1, which may be the same view. Then each element of slot 2, an index along dim
 * 0, selects an element of slot 0. The new value of this element comes from the same place in slot 3 as the
 * index in slot 2, or from attribute 1. Attribute 0: 0 replaces the element, 1 adds to it, 2 multiplies it.
 * The other dims of slot 2 may be smaller than those of slot 0.
 *
 * A unit has a part of the other dims, and processes all indices of this part in the order of dim 0, so that
 * the results of equal indices do not depend on the number of engines. It checks the indices before it
 * writes.
 *
 * MASKED_FILL: the elements of slot 0 become attribute 0 where slot 1, BOOL of the same shape, is not 0.
 */
#include "firmware_sim/operators/elementwise/arithmetic.h"
#include "indices.h"

namespace fw::tensor {

namespace {

enum Reduce : int64_t { REPLACE, ADD, MULTIPLY, GREATEST, SMALLEST };

/* Whether @small has as many dims as @large, and each dim except the first has at most the size of the dim in
 * @large. */
bool fits_into(const View &small, const View &large)
{
	if (small.ndim != large.ndim || small.ndim == 0)
		return false;
	for (unsigned d = 1; d < small.ndim; d++)
		if (small.dims[d] > large.dims[d])
			return false;
	return true;
}

bool check_scatter(const Call &call)
{
	if (!have_one_type(call) || !call.has(2) || call.has(3) == call.has_attribute(1))
		return false;
	const View &out = call.view(0), &index = call.view(2);
	if (call.has(3) && (call.view(3).dtype != out.dtype || !call.view(3).has_shape_of(index)))
		return false;
	return out.has_shape_of(call.view(1)) && is_index_type(index) && fits_into(index, out) &&
	       out.dims[0] <= UNPU_TENSOR_MAX_SCATTERED &&
	       index.dims[0] <= UNPU_TENSOR_MAX_SCATTERED && call.integer(0) >= REPLACE &&
	       call.integer(0) <= SMALLEST;
}

uint64_t entries_of(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).dims[0] + call.view(2).dims[0]);
}

uint64_t scatter_units(const Call &call)
{
	return entry_units(call.view(0), entries_of(call));
}

uint64_t scatter_cost(const Call &call)
{
	const View &out = call.view(0);
	const auto count = static_cast<unsigned __int128>(out.count()) +
			   4 * static_cast<unsigned __int128>(call.view(2).count());
	return limit_cost(count * static_cast<uint64_t>(element_bytes(out)));
}

template <class C> C reduced(int64_t how, C old, C more)
{
	const bool is_nan = more != more;
	switch (how) {
	case ADD:
		return add(old, more);
	case MULTIPLY:
		return multiply(old, more);
	case GREATEST:
		return more > old || is_nan ? more : old;
	default:
		return more < old || is_nan ? more : old;
	}
}

template <class C>
void reduce_element(uint32_t dtype, int64_t how, std::byte *to, const std::byte *from)
{
	C old, more;
	load_row<C>(dtype, to, 0, 1, &old);
	load_row<C>(dtype, from, 0, 1, &more);
	const C result = reduced(how, old, more);
	store_row<C>(dtype, to, 0, 1, &result);
}

} // namespace

/* In double, or as integers that wrap; the result is rounded once. */
void put_element(uint32_t dtype, int64_t how, std::byte *to, const std::byte *from)
{
	const bool is_floating = dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 ||
				 dtype == UNPU_DTYPE_BF16 || dtype == UNPU_DTYPE_F64;
	if (how == REPLACE)
		std::memcpy(to, from, element_bits(dtype) / 8);
	else if (is_floating)
		reduce_element<double>(dtype, how, to, from);
	else
		reduce_element<int64_t>(dtype, how, to, from);
}

namespace {

/* class Scatter - some units of a call. */
class Scatter {
public:
	Scatter(const Call &call, uint64_t first, uint64_t count)
		: call_(call), out_(call.view(0)), index_(call.view(2)), first_(first),
		  count_(count), each_(entry_unit(entries_of(call)))
	{
		if (call.has(3)) {
			source_ = call.view(3);
			return;
		}
		value_ = to_element(call.scalar(1), out_.dtype);
		source_ = index_;
		source_.dtype = out_.dtype;
		source_.data = value_.bytes;
		source_.strides = {};
	}

	Finding run()
	{
		if (const Finding found = check(); found.status != base::Status::OK)
			return found;
		copy();
		return put();
	}

private:
	void copy() const;
	Finding check() const;
	Finding put() const;

	/* Calls @part(at, n) for the parts of an entry that have indices. */
	template <class Part> void for_indices(Part part) const
	{
		const View inner = entry(index_);
		for_entry(entry(out_), each_, first_, count_,
			  [&](const Index &at, int64_t n, uint64_t) {
				  for (unsigned d = 0; d + 1 < inner.ndim; d++)
					  if (at[d] >= inner.dims[d])
						  return;
				  if (inner.ndim)
					  n = std::min(n, inner.dims[inner.ndim - 1] -
								  at[inner.ndim - 1]);
				  if (n > 0)
					  part(at, n);
			  });
	}

	const Call &call_;
	const View &out_, &index_;
	const uint64_t first_, count_, each_;
	View source_;
	Bits value_;
};

void Scatter::copy() const
{
	View to = entry(out_), from = entry(call_.view(1));
	if (out_.data == call_.view(1).data && out_.strides == call_.view(1).strides)
		return;
	for (int64_t i = 0; i < out_.dims[0]; i++) {
		move_entry(to, out_, i);
		move_entry(from, call_.view(1), i);
		for_entry(to, each_, first_, count_, [&](const Index &at, int64_t n, uint64_t) {
			copy_part(to, at, from, at, n);
		});
	}
}

Finding Scatter::check() const
{
	Finding found;
	View index = entry(index_);
	for (int64_t i = 0; i < index_.dims[0] && found.status == base::Status::OK; i++) {
		move_entry(index, index_, i);
		for_indices([&](const Index &at, int64_t n) {
			const std::byte *from = place(index, at);
			for (int64_t k = 0; k < n && found.status == base::Status::OK; k++) {
				const int64_t value = load_index(index, from);
				if (wrap(value, out_.dims[0]) < 0)
					found = bad_index(call_, 2, from - index_.data, value);
				from += inner_stride(index);
			}
		});
	}
	return found;
}

/* Each index is checked again, because the client may have changed it. */
Finding Scatter::put() const
{
	Finding found;
	View index = entry(index_), source = entry(source_), to = entry(out_);
	for (int64_t i = 0; i < index_.dims[0] && found.status == base::Status::OK; i++) {
		move_entry(index, index_, i);
		move_entry(source, source_, i);
		for_indices([&](Index at, int64_t n) {
			for (int64_t k = 0; k < n && found.status == base::Status::OK; k++) {
				const std::byte *from = place(index, at);
				const int64_t value = load_index(index, from);
				const int64_t target = wrap(value, out_.dims[0]);
				if (target < 0) {
					found = bad_index(call_, 2, from - index_.data, value);
					return;
				}
				move_entry(to, out_, target);
				put_element(out_.dtype, call_.integer(0), place(to, at),
					    place(source, at));
				at[index.ndim ? index.ndim - 1 : 0]++;
			}
		});
	}
	return found;
}

Finding run_scatter(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	return Scatter(call, first, count).run();
}

bool check_masked_fill(const Call &call)
{
	return call.has(0) && call.has(1) && call.view(1).dtype == UNPU_DTYPE_BOOL &&
	       element_bits(call.view(0).dtype) >= 8 && call.view(0).has_shape_of(call.view(1));
}

Finding run_masked_fill(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &self = call.view(0), &mask = call.view(1);
	const Bits element = to_element(call.scalar(0), self.dtype);
	const auto bytes = static_cast<size_t>(element_bytes(self));
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t) {
		std::byte *to = place(self, at);
		const std::byte *truth = place(mask, at);
		for (int64_t i = 0; i < n; i++) {
			if (*truth != std::byte{0})
				std::memcpy(to, element.bytes, bytes);
			to += inner_stride(self);
			truth += inner_stride(mask);
		}
	});
	return {};
}

constexpr Kernel SCATTER_KERNELS[] = {
	{UNPU_TENSOR_SCATTER, check_scatter, scatter_units, scatter_cost, nullptr, run_scatter},
	{UNPU_TENSOR_MASKED_FILL, check_masked_fill, elementwise_units, layout_cost, nullptr,
	 run_masked_fill},
};

} // namespace

const std::span<const Kernel> scatter_kernels = SCATTER_KERNELS;

} // namespace fw::tensor
