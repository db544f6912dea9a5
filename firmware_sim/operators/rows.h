// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "view.h"

namespace fw::tensor {

using Index = std::array<int64_t, MAX_DIMS>;

/* How many elements a loop loads at once. */
constexpr int64_t ROW_BLOCK = 1024;

/** parts_of() - how many parts of @each there are in @size, of which the last one may be smaller. */
template <class Number> constexpr Number parts_of(Number size, Number each)
{
	return size / each + (size % each != 0);
}

/** rows_per_unit() - how many rows of @length elements make a unit. */
inline int64_t rows_per_unit(int64_t length)
{
	constexpr int64_t ELEMENTS = 16 * ROW_BLOCK;
	return std::max<int64_t>(1, ELEMENTS / std::max<int64_t>(1, length));
}

/** element_bytes() - size of an element that has whole bytes. */
constexpr int64_t element_bytes(const View &view)
{
	return element_bits(view.dtype) / 8;
}

/** place() - the address of the element with index @at. */
inline std::byte *place(const View &view, const Index &at)
{
	int64_t elements = 0;
	for (unsigned d = 0; d < view.ndim; d++)
		elements += at[d] * view.strides[d];
	return view.data + elements * element_bytes(view);
}

/** inner_stride() - bytes from one element of the last dim to the next. */
inline int64_t inner_stride(const View &view)
{
	return view.ndim ? view.strides[view.ndim - 1] * element_bytes(view) : 0;
}

/** row_length(), row_count() - size of the last dim, and how many rows along it there are. A view without dims
 * is one row of one element. */
inline int64_t row_length(const View &view)
{
	return view.ndim ? view.dims[view.ndim - 1] : 1;
}
inline int64_t row_count(const View &view)
{
	int64_t rows = 1;
	for (unsigned d = 0; d + 1 < view.ndim; d++)
		rows *= view.dims[d];
	return rows;
}

/** index_of() - the index of an element by its number in row-major order. */
inline Index index_of(const View &shape, uint64_t number)
{
	Index at{};
	for (unsigned d = shape.ndim; d-- > 0;) {
		at[d] = static_cast<int64_t>(number % static_cast<uint64_t>(shape.dims[d]));
		number /= static_cast<uint64_t>(shape.dims[d]);
	}
	return at;
}

/** row_place() - the first element of row @row, in the row-major order of the other dims. */
inline std::byte *row_place(const View &view, uint64_t row)
{
	int64_t elements = 0;
	for (unsigned d = view.ndim ? view.ndim - 1 : 0; d-- > 0;) {
		const auto size = static_cast<uint64_t>(view.dims[d]);
		elements += static_cast<int64_t>(row % size) * view.strides[d];
		row /= size;
	}
	return view.data + elements * element_bytes(view);
}

/** for_rows() - calls @row(at, n, first) for each part of a row that the elements @first .. @end - 1 are, in
 * row-major order. @at: index of the first element of the part; @first: its number */
template <class Row> void for_rows(const View &shape, uint64_t first, uint64_t end, Row row)
{
	const int64_t length = row_length(shape);
	while (first < end) {
		const Index at = index_of(shape, first);
		const int64_t rest = length - (shape.ndim ? at[shape.ndim - 1] : 0);
		const int64_t n = std::min(rest, static_cast<int64_t>(end - first));
		row(at, n, first);
		first += static_cast<uint64_t>(n);
	}
}

/** aligned() - the next address that is a multiple of a cache line's size. */
inline float *aligned(std::byte *at)
{
	return reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(at) + 63) & ~uintptr_t{63});
}

/** limit_cost() - a cost in bytes that fits its type. */
inline uint64_t limit_cost(unsigned __int128 cost)
{
	return static_cast<uint64_t>(std::min(cost, static_cast<unsigned __int128>(INT64_MAX)));
}

/** class RowWalk - walks over the rows of up to five views in row-major order, and gives their addresses. */
class RowWalk {
public:
	static constexpr unsigned MAX_VIEWS = 5;

	/** @views: views of only the dims that count rows. All views have the same dims, and at least one
	 * element. @first: number of the first row */
	RowWalk(const View *const *views, unsigned count, uint64_t first)
		: count_(count), ndim_(views[0]->ndim), dims_(views[0]->dims),
		  at_(index_of(*views[0], first))
	{
		for (unsigned k = 0; k < count; k++) {
			data_[k] = place(*views[k], at_);
			for (unsigned d = 0; d < ndim_; d++)
				steps_[k][d] = views[k]->strides[d] * element_bytes(*views[k]);
		}
	}

	std::byte *operator[](unsigned view) const { return data_[view]; }

	/** take() - gives the addresses of the next @rows rows. @places: for each view, an array of
	 * addresses */
	template <size_t Rows> void take(uint64_t rows, std::byte *(*places)[Rows])
	{
		for (uint64_t row = 0; row < rows;) {
			const uint64_t n = std::min(rows - row, left());
			for (unsigned k = 0; k < count_; k++)
				for (uint64_t i = 0; i < n; i++)
					places[k][row + i] =
						data_[k] + static_cast<int64_t>(i) * step(k);
			skip(n);
			row += n;
		}
	}

private:
	/* left() - how many rows, from the current row on, follow each other at a distance of step()
	 * bytes. */
	uint64_t left() const
	{
		return ndim_ ? static_cast<uint64_t>(dims_[ndim_ - 1] - at_[ndim_ - 1]) : 1;
	}
	int64_t step(unsigned view) const { return ndim_ ? steps_[view][ndim_ - 1] : 0; }

	/* skip() - goes @rows rows further, at most as many as are left(). */
	void skip(uint64_t rows)
	{
		auto steps = static_cast<int64_t>(rows);
		for (unsigned d = ndim_; d-- > 0; steps = 1) {
			at_[d] += steps;
			const bool is_over = at_[d] == dims_[d];
			for (unsigned k = 0; k < count_; k++)
				data_[k] += (is_over ? steps - dims_[d] : steps) * steps_[k][d];
			if (!is_over)
				return;
			at_[d] = 0;
		}
	}

	unsigned count_, ndim_;
	Index dims_, at_;
	std::array<Index, MAX_VIEWS> steps_{}; /* in bytes */
	std::array<std::byte *, MAX_VIEWS> data_{};
};

} // namespace fw::tensor
