// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace models::ir {

inline constexpr unsigned MAX_RANK = 8;
inline constexpr int64_t UNKNOWN = -1;

/* The most elements of a tensor, and the most bytes. Such a tensor fits into the address space of a device. */
inline constexpr int64_t MOST_ELEMENTS = int64_t{1} << 36;

/* class Dims - up to MAX_RANK numbers, outermost first: sizes, strides or indices. */
class Dims {
public:
	Dims() = default;
	Dims(std::initializer_list<int64_t> sizes) : Dims(std::span(sizes.begin(), sizes.size())) {}
	explicit Dims(std::span<const int64_t> sizes) : rank_(static_cast<unsigned>(sizes.size()))
	{
		std::copy(sizes.begin(), sizes.end(), sizes_.begin());
	}
	static Dims filled(unsigned rank, int64_t size)
	{
		Dims dims;
		dims.rank_ = rank;
		std::fill_n(dims.sizes_.begin(), rank, size);
		return dims;
	}

	unsigned rank() const { return rank_; }
	int64_t &operator[](unsigned d) { return sizes_[d]; }
	int64_t operator[](unsigned d) const { return sizes_[d]; }
	const int64_t *begin() const { return sizes_.data(); }
	const int64_t *end() const { return sizes_.data() + rank_; }
	std::span<const int64_t> span() const { return {begin(), rank_}; }

	/* Context of these three functions: there is room for the dim, or the dim exists. */
	void push(int64_t size) { sizes_[rank_++] = size; }
	void insert(unsigned d, int64_t size)
	{
		std::copy_backward(begin() + d, end(), sizes_.begin() + rank_ + 1);
		sizes_[d] = size;
		rank_++;
	}
	void erase(unsigned d)
	{
		std::copy(begin() + d + 1, end(), sizes_.begin() + d);
		rank_--;
	}

	bool is_full() const { return rank_ == MAX_RANK; }
	bool is_known() const
	{
		return std::all_of(begin(), end(), [](int64_t s) { return s >= 0; });
	}
	bool operator==(const Dims &other) const
	{
		return std::equal(begin(), end(), other.begin(), other.end());
	}

private:
	unsigned rank_ = 0;
	std::array<int64_t, MAX_RANK> sizes_{};
};

/* count() - the product of the dims; no value if it is above MOST_ELEMENTS, or if a dim is unknown. */
inline std::optional<int64_t> count(std::span<const int64_t> dims)
{
	__int128 product = 1;
	for (const int64_t size : dims) {
		if (size < 0)
			return {};
		product = std::min<__int128>(product * size, __int128(1) << 64);
	}
	/* The product may overflow before a later dim that is 0. */
	if (std::find(dims.begin(), dims.end(), 0) != dims.end())
		return 0;
	return product <= MOST_ELEMENTS ? std::optional(static_cast<int64_t>(product))
					: std::nullopt;
}
inline std::optional<int64_t> count(const Dims &dims)
{
	return count(dims.span());
}

/* strides_of() - the strides of a dense tensor. Context: count() has a value. The strides of a tensor without
 * elements are never used, and may overflow. */
inline Dims strides_of(const Dims &dims)
{
	Dims strides = dims;
	uint64_t stride = 1;
	for (unsigned d = dims.rank(); d-- > 0;) {
		strides[d] = static_cast<int64_t>(stride);
		stride *= static_cast<uint64_t>(std::max<int64_t>(dims[d], 1));
	}
	return strides;
}

/* print() - "[2, ?, 3]" */
inline std::string print(std::span<const int64_t> dims)
{
	std::string text = "[";
	for (size_t d = 0; d < dims.size(); d++)
		text += (d ? ", " : "") + (dims[d] < 0 ? "?" : std::to_string(dims[d]));
	return text + "]";
}
inline std::string print(const Dims &dims)
{
	return print(dims.span());
}

} // namespace models::ir
