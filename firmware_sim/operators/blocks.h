// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <type_traits>

#include "convert.h"
#include "view.h"

namespace fw::tensor {

/** type_of() - the number of a type that arithmetic is done in. */
template <class C> constexpr uint32_t type_of()
{
	if constexpr (std::is_same_v<C, float>)
		return UNPU_DTYPE_F32;
	else if constexpr (std::is_same_v<C, double>)
		return UNPU_DTYPE_F64;
	else
		return UNPU_DTYPE_I64;
}

/**
 * class Blocks - the elements of up to five views of one shape as a line of numbers, which a kernel reads,
 * computes and writes in blocks. All views have the same order of elements: the one in which the first
 * view, the result, is most contiguous.
 */
class Blocks {
public:
	static constexpr unsigned MAX_VIEWS = 5;
	/* Elements of a block, and of a buffer. A multiple of the lanes of each vector. */
	static constexpr size_t SIZE = 1024;
	/* Elements of a unit of element-wise work. */
	static constexpr uint64_t UNIT = 16 * SIZE;

	/** @views: the result first; all have its shape. */
	Blocks(const View *const *views, unsigned count);

	/** move() - moves a view to another first element. Shape and strides stay the same. */
	void move(unsigned view, std::byte *data) { data_[view] = data; }

	/** is_line() - whether all elements of a view are contiguous and of type C. */
	template <class C> bool is_line(unsigned view) const
	{
		return types_[view] == type_of<C>() && ndim_ == 0 && inner_[view] == sizeof(C);
	}

	/** is_repeated() - whether all elements of a row() are the same element in memory. */
	bool is_repeated(unsigned view) const { return inner_[view] == 0; }

	/** row() - number of elements of the innermost dim of all views. */
	uint64_t row() const { return row_; }

	/** read() - elements @first .. @first + @n - 1 of a view as numbers of type C.
	 * @buffer: SIZE elements
	 * Return: @buffer, or the address of the elements if no copy is needed. */
	template <class C> const C *read(unsigned view, uint64_t first, size_t n, C *buffer) const
	{
		if (const std::byte *direct = find<C>(view, first, n))
			return reinterpret_cast<const C *>(direct);
		load(view, first, n, buffer);
		return buffer;
	}

	/** target() - where to store elements for write(): @buffer, or their final place. */
	template <class C> C *target(unsigned view, uint64_t first, size_t n, C *buffer) const
	{
		std::byte *direct = find<C>(view, first, n);
		return direct ? reinterpret_cast<C *>(direct) : buffer;
	}

	/** write() - stores elements; does nothing if @from is their final place. */
	template <class C> void write(unsigned view, uint64_t first, size_t n, const C *from) const
	{
		if (reinterpret_cast<const std::byte *>(from) != find<C>(view, first, n))
			store(view, first, n, from);
	}

	/** gather(), scatter() - copy elements bit by bit between a view and @n packed elements. */
	void gather(unsigned view, uint64_t first, size_t n, std::byte *to) const;
	void scatter(unsigned view, uint64_t first, size_t n, const std::byte *from) const;

	uint64_t count() const { return count_; }

private:
	struct Rows;

	/* The address of a span of elements, if they are of type C, contiguous and aligned; otherwise
	 * nullptr. */
	template <class C> std::byte *find(unsigned view, uint64_t first, size_t n) const
	{
		if (types_[view] != type_of<C>() || inner_[view] != sizeof(C))
			return nullptr;
		const uint64_t at = ndim_ ? first % row_ : first;
		if (at + n > row_)
			return nullptr;
		std::byte *place = data_[view] + offset(view, first);
		return reinterpret_cast<uintptr_t>(place) % alignof(C) ? nullptr : place;
	}

	int64_t offset(unsigned view, uint64_t first) const;
	template <class Row> void walk(unsigned view, uint64_t first, size_t n, Row row) const;
	template <class C> void load(unsigned view, uint64_t first, size_t n, C *to) const;
	template <class C> void store(unsigned view, uint64_t first, size_t n, const C *from) const;

	unsigned ndim_ = 0; /* number of dims around a row */
	uint64_t row_ = 1;  /* elements of the innermost dim */
	uint64_t count_ = 1;
	std::array<uint64_t, MAX_DIMS> dims_{};
	std::array<std::array<int64_t, MAX_DIMS>, MAX_VIEWS> strides_{}; /* strides in bytes */
	/* stride inside of a row, in bytes */
	std::array<int64_t, MAX_VIEWS> inner_{};
	std::array<uint32_t, MAX_VIEWS> types_{};
	std::array<std::byte *, MAX_VIEWS> data_{};
};

} // namespace fw::tensor
