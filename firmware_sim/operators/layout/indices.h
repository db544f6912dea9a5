// SPDX-License-Identifier: MIT
#pragma once

#include "layout.h"

namespace fw::tensor {

/* Indices along dim 0. A negative one counts from the end. */

inline bool is_index_type(const View &view)
{
	return view.dtype == UNPU_DTYPE_I32 || view.dtype == UNPU_DTYPE_I64;
}

inline bool is_index_row(const View &view)
{
	return view.ndim == 1 && is_index_type(view);
}

/** wrap() - @index as a number of 0 .. @size - 1, or -1 if it is out of range. */
inline int64_t wrap(int64_t index, int64_t size)
{
	if (index < -size || index >= size)
		return -1;
	return index < 0 ? index + size : index;
}

/** load_index() - the index that lies at @from. */
inline int64_t load_index(const View &index, const std::byte *from)
{
	int64_t value;
	load_row<int64_t>(index.dtype, from, 0, 1, &value);
	return value;
}

/** read_index() - reads element @i of a row of indices. */
inline int64_t read_index(const View &index, int64_t i)
{
	return load_index(index, index.data + i * inner_stride(index));
}

/** bad_index() - the result of a unit that has read the bad index @value, @offset bytes from the begin of
 * @slot. */
inline Finding bad_index(const Call &call, unsigned slot, int64_t offset, int64_t value)
{
	return {base::Status::BAD_INDEX, call.first[slot], static_cast<uint64_t>(offset), value};
}

/** put_element() - @from in the place of @to, or both by @how: 1 adds, 2 multiplies, 3 keeps the greater one, 4 the
 * smaller one. NaN is the greatest and the smallest. */
void put_element(uint32_t dtype, int64_t how, std::byte *to, const std::byte *from);

/** entry() - the shape of one entry along dim 0. */
inline View entry(const View &view)
{
	View inner = view;
	inner.ndim--;
	std::copy(view.dims.begin() + 1, view.dims.end(), inner.dims.begin());
	std::copy(view.strides.begin() + 1, view.strides.end(), inner.strides.begin());
	return inner;
}

/** move_entry() - makes @inner refer to entry @i of @view. */
inline void move_entry(View &inner, const View &view, int64_t i)
{
	inner.data = view.data + i * view.strides[0] * element_bytes(view);
}

/** entry_unit() - how many elements of an entry a unit copies or fills for each of @indices, so that the unit
 * does not take too long. */
inline uint64_t entry_unit(uint64_t indices)
{
	constexpr uint64_t MOST = uint64_t{1} << 28;
	return std::clamp<uint64_t>(MOST / std::max<uint64_t>(1, indices), 1, Blocks::UNIT);
}

inline uint64_t entry_units(const View &self, uint64_t indices)
{
	const auto count = static_cast<uint64_t>(entry(self).count());
	const uint64_t each = entry_unit(indices);
	return (count + each - 1) / each;
}

/** for_entry() - as for_units(), for units of @each elements of one entry of slot 0. */
template <class Row>
void for_entry(const View &shape, uint64_t each, uint64_t first, uint64_t count, Row row)
{
	const auto all = static_cast<uint64_t>(shape.count());
	for_rows(shape, first * each, std::min(all, (first + count) * each), row);
}

} // namespace fw::tensor
