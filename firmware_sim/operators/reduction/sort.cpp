// SPDX-License-Identifier: MIT
/*
 * DOC: ARGSORT and TOPK
 *
 * They work along the last dim. ARGSORT: slot 0 is the result, slot 1 the operand. TOPK: slot 0 has the first elements
 * in the order of attribute 0, slot 1 their indices, as many as these have; slot 2 is the operand. A NaN counts as
 * greater than every number, and 0 and -0 as equal.
 */
#include <bit>
#include <cmath>

#include "firmware_sim/operators/elementwise/elementwise_views.h"
#include "reduction.h"

namespace fw::tensor {

namespace {

/* An element with its number. Elements with equal keys have the order of their numbers, so any sort is
 * a stable one. */
struct Entry {
	uint64_t key;
	uint64_t number;
	bool operator<(const Entry &other) const
	{
		return key != other.key ? key < other.key : number < other.number;
	}
};

static_assert(UNPU_TENSOR_MAX_SORTED * sizeof(Entry) <= UNPU_TENSOR_MAX_SCRATCH);

/* key() - an unsigned number in the same order as @value. */
uint64_t key(int64_t value)
{
	return static_cast<uint64_t>(value) ^ (uint64_t{1} << 63);
}

uint64_t key(double value)
{
	if (std::isnan(value))
		return UINT64_MAX;
	const auto bits = std::bit_cast<int64_t>(value + 0.0); /* -0 + 0 is 0 */
	return key(
		bits < 0 ? static_cast<int64_t>(~static_cast<uint64_t>(bits) ^ (uint64_t{1} << 63))
			 : bits);
}

bool check_argsort(const Call &call)
{
	return have_rows(call) && call.view(0).has_shape_of(call.view(1)) &&
	       is_index_type(call.view(0).dtype) &&
	       row_length(call.view(1)) <= UNPU_TENSOR_MAX_SORTED &&
	       (call.compute == UNPU_DTYPE_I64 || is_floating(call.compute)) &&
	       (call.integer(0) == 0 || call.integer(0) == 1);
}

const View &sorted(const Call &call)
{
	return call.view(call.kind == UNPU_TENSOR_TOPK ? 2 : 1);
}

size_t sorted_bytes(const Call &call)
{
	return static_cast<size_t>(row_length(sorted(call))) * sizeof(Entry);
}

/* About the time of a copy of 64 bytes for each comparison. Slot 1 of ARGSORT and slot 2 of TOPK have the rows. */
uint64_t sort_cost(const Call &call)
{
	const auto length = static_cast<uint64_t>(row_length(sorted(call)));
	return limit_cost(static_cast<unsigned __int128>(sorted(call).count()) * 64 *
			  static_cast<unsigned>(std::bit_width(length)));
}

template <class C>
void load_entries(const View &self, bool is_descending, uint64_t row, Entry *entries)
{
	const int64_t length = row_length(self), stride = inner_stride(self);
	const uint64_t flip = is_descending ? UINT64_MAX : 0;
	const std::byte *from = row_place(self, row);
	for (int64_t i = 0; i < length; i++) {
		C number;
		load_row<C>(self.dtype, from + i * stride, 0, 1, &number);
		entries[i] = {key(number) ^ flip, static_cast<uint64_t>(i)};
	}
}

void load_entries(const Call &call, const View &self, uint64_t row, Entry *entries)
{
	if (call.compute == UNPU_DTYPE_I64)
		load_entries<int64_t>(self, call.integer(0) != 0, row, entries);
	else
		load_entries<double>(self, call.integer(0) != 0, row, entries);
}

Finding run_argsort(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &out = call.view(0);
	const int64_t length = row_length(out), stride = inner_stride(out);
	auto *entries = reinterpret_cast<Entry *>(scratch);
	for_unit_rows(call, first, count, [&](uint64_t row) {
		load_entries(call, call.view(1), row, entries);
		std::sort(entries, entries + length);
		std::byte *to = row_place(out, row);
		for (int64_t i = 0; i < length; i++, to += stride) {
			const auto number = static_cast<int64_t>(entries[i].number);
			store_row<int64_t>(out.dtype, to, 0, 1, &number);
		}
	});
	return {};
}

bool check_topk(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2))
		return false;
	const View &values = call.view(0), &indices = call.view(1), &self = call.view(2);
	View same = self;
	if (self.ndim)
		same.dims[self.ndim - 1] = row_length(values);
	return values.dtype == self.dtype && element_bits(self.dtype) >= 8 &&
	       is_index_type(indices.dtype) && values.has_shape_of(same) &&
	       indices.has_shape_of(same) && row_length(values) <= row_length(self) &&
	       row_length(self) <= UNPU_TENSOR_MAX_SORTED && is_arithmetic(call.compute) &&
	       (call.integer(0) == 0 || call.integer(0) == 1);
}

uint64_t topk_units(const Call &call)
{
	return units_of_rows(call.view(2));
}

Finding run_topk(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &values = call.view(0), &indices = call.view(1), &self = call.view(2);
	const auto bytes = static_cast<unsigned>(element_bytes(self));
	const int64_t length = row_length(self), wanted = row_length(values);
	auto *entries = reinterpret_cast<Entry *>(scratch);
	for_rows_of(self, first, count, [&](uint64_t row) {
		load_entries(call, self, row, entries);
		std::partial_sort(entries, entries + wanted, entries + length);
		std::byte *to = row_place(values, row), *index = row_place(indices, row);
		const std::byte *from = row_place(self, row);
		for (int64_t i = 0; i < wanted; i++) {
			const auto number = static_cast<int64_t>(entries[i].number);
			copy_row(to, 0, from + number * inner_stride(self), 0, 1, bytes);
			store_row<int64_t>(indices.dtype, index, 0, 1, &number);
			to += inner_stride(values);
			index += inner_stride(indices);
		}
	});
	return {};
}

constexpr Kernel SORT_KERNELS[] = {
	{UNPU_TENSOR_ARGSORT, check_argsort, row_units, sort_cost, sorted_bytes, run_argsort},
	{UNPU_TENSOR_TOPK, check_topk, topk_units, sort_cost, sorted_bytes, run_topk},
};

} // namespace

const std::span<const Kernel> sort_kernels = SORT_KERNELS;

} // namespace fw::tensor
