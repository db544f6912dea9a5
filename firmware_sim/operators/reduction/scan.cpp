// SPDX-License-Identifier: MIT
/*
 * DOC: CUMSUM, ARGMAX and ARGSORT
 *
 * They work along the last dim. Slot 0 is the result, slot 1 the operand. A NaN counts as greater than every
 * number, and 0 and -0 as equal.
 */
#include <bit>
#include <cmath>

#include "firmware_sim/operators/elementwise/elementwise.h"
#include "reduction.h"

namespace fw::tensor {

namespace {

bool check_cumsum(const Call &call)
{
	return have_rows(call) && call.view(0).has_shape_of(call.view(1)) &&
	       is_arithmetic(call.compute) && row_length(call.view(1)) <= UNPU_TENSOR_MAX_ROW;
}

template <class C, class Sum> void add_up(const Call &call, uint64_t row)
{
	const View &out = call.view(0), &self = call.view(1);
	const int64_t length = row_length(self);
	const std::byte *from = row_place(self, row);
	std::byte *to = row_place(out, row);
	alignas(64) C numbers[ROW_BLOCK];
	Sum sum = 0;
	for (int64_t done = 0; done < length; done += ROW_BLOCK) {
		const auto n = static_cast<size_t>(std::min(length - done, ROW_BLOCK));
		load_row<C>(self.dtype, from + done * inner_stride(self), inner_stride(self), n,
			    numbers);
		for (size_t i = 0; i < n; i++) {
			sum += static_cast<Sum>(numbers[i]);
			numbers[i] = static_cast<C>(sum);
		}
		store_row<C>(out.dtype, to + done * inner_stride(out), inner_stride(out), n,
			     numbers);
	}
}

Finding run_cumsum(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	for_unit_rows(call, first, count, [&](uint64_t row) {
		if (call.compute == UNPU_DTYPE_I64)
			add_up<int64_t, uint64_t>(call, row);
		else if (call.compute == UNPU_DTYPE_F64)
			add_up<double, double>(call, row);
		else
			add_up<float, double>(call, row);
	});
	return {};
}

bool is_index_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_I32 || dtype == UNPU_DTYPE_I64;
}

bool check_argmax(const Call &call)
{
	if (!have_rows(call) || !is_index_type(call.view(0).dtype))
		return false;
	const int64_t length = row_length(call.view(1));
	return row_length(call.view(0)) == 1 && length > 0 && length <= UNPU_TENSOR_MAX_ROW &&
	       is_arithmetic(call.compute);
}

template <class C> bool is_greater(C a, C b)
{
	if constexpr (!std::is_same_v<C, int64_t>) {
		if (std::isnan(a) || std::isnan(b))
			return std::isnan(a) && !std::isnan(b);
	}
	return a > b;
}

template <class C> int64_t find_greatest(const View &self, uint64_t row)
{
	const int64_t length = row_length(self), stride = inner_stride(self);
	const std::byte *from = row_place(self, row);
	alignas(64) C numbers[ROW_BLOCK];
	C greatest{};
	int64_t found = -1;
	for (int64_t done = 0; done < length; done += ROW_BLOCK) {
		const int64_t n = std::min(length - done, ROW_BLOCK);
		load_row<C>(self.dtype, from + done * stride, stride, static_cast<size_t>(n),
			    numbers);
		for (int64_t i = 0; i < n; i++) {
			if (found >= 0 && !is_greater(numbers[i], greatest))
				continue;
			greatest = numbers[i];
			found = done + i;
		}
	}
	return found;
}

Finding run_argmax(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0), &self = call.view(1);
	for_unit_rows(call, first, count, [&](uint64_t row) {
		int64_t found;
		if (call.compute == UNPU_DTYPE_I64)
			found = find_greatest<int64_t>(self, row);
		else if (call.compute == UNPU_DTYPE_F64)
			found = find_greatest<double>(self, row);
		else
			found = find_greatest<float>(self, row);
		store_row<int64_t>(out.dtype, row_place(out, row), 0, 1, &found);
	});
	return {};
}

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

size_t sorted_bytes(const Call &call)
{
	return static_cast<size_t>(row_length(call.view(1))) * sizeof(Entry);
}

/* About the time of a copy of 64 bytes for each comparison. */
uint64_t sort_cost(const Call &call)
{
	const auto length = static_cast<uint64_t>(row_length(call.view(1)));
	return limit_cost(static_cast<unsigned __int128>(call.view(1).count()) * 64 *
			  static_cast<unsigned>(std::bit_width(length)));
}

template <class C> void load_entries(const Call &call, uint64_t row, Entry *entries)
{
	const View &self = call.view(1);
	const int64_t length = row_length(self), stride = inner_stride(self);
	const uint64_t flip = call.integer(0) ? UINT64_MAX : 0;
	const std::byte *from = row_place(self, row);
	for (int64_t i = 0; i < length; i++) {
		C number;
		load_row<C>(self.dtype, from + i * stride, 0, 1, &number);
		entries[i] = {key(number) ^ flip, static_cast<uint64_t>(i)};
	}
}

Finding run_argsort(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &out = call.view(0);
	const int64_t length = row_length(out), stride = inner_stride(out);
	auto *entries = reinterpret_cast<Entry *>(scratch);
	for_unit_rows(call, first, count, [&](uint64_t row) {
		if (call.compute == UNPU_DTYPE_I64)
			load_entries<int64_t>(call, row, entries);
		else
			load_entries<double>(call, row, entries);
		std::sort(entries, entries + length);
		std::byte *to = row_place(out, row);
		for (int64_t i = 0; i < length; i++, to += stride) {
			const auto number = static_cast<int64_t>(entries[i].number);
			store_row<int64_t>(out.dtype, to, 0, 1, &number);
		}
	});
	return {};
}

constexpr Kernel SCAN_KERNELS[] = {
	{UNPU_TENSOR_CUMSUM, check_cumsum, row_units, row_cost, nullptr, run_cumsum},
	{UNPU_TENSOR_ARGMAX, check_argmax, row_units, row_cost, nullptr, run_argmax},
	{UNPU_TENSOR_ARGSORT, check_argsort, row_units, sort_cost, sorted_bytes, run_argsort},
};

} // namespace

const std::span<const Kernel> scan_kernels = SCAN_KERNELS;

} // namespace fw::tensor
