// SPDX-License-Identifier: MIT
/*
 * DOC: Descriptors of tensor operators
 *
 * Puts the words of a descriptor together, as a host would, and makes one of each kind.
 */
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "uapi/tensor.h"

namespace tensor_words {

/* class Builder - attributes come first, then operands in the order of their slots. */
class Builder {
public:
	Builder(uint32_t kind, uint32_t compute)
	{
		head_.kind = kind;
		head_.compute = static_cast<uint8_t>(compute);
	}

	Builder &attribute(const std::vector<uint64_t> &values)
	{
		head_.words[head_.nattributes++] = static_cast<uint8_t>(values.size());
		attributes_.insert(attributes_.end(), values.begin(), values.end());
		return *this;
	}

	Builder &scalar(double value)
	{
		return attribute({UNPU_DTYPE_F64, std::bit_cast<uint64_t>(value)});
	}

	Builder &operand(unsigned slot, uint32_t access, uint32_t dtype, uint64_t address,
			 const std::vector<int64_t> &dims, const std::vector<int64_t> &strides)
	{
		unpu_tensor_operand operand{};
		operand.address = address;
		operand.slot = static_cast<uint8_t>(slot);
		operand.access = static_cast<uint8_t>(access);
		operand.dtype = static_cast<uint8_t>(dtype);
		operand.ndim = static_cast<uint8_t>(dims.size());
		append(operands_, &operand, sizeof(operand));
		append(operands_, dims.data(), dims.size() * sizeof(int64_t));
		append(operands_, strides.data(), strides.size() * sizeof(int64_t));
		head_.noperands++;
		return *this;
	}

	std::vector<uint64_t> words() const
	{
		std::vector<uint64_t> all;
		append(all, &head_, sizeof(head_));
		all.insert(all.end(), attributes_.begin(), attributes_.end());
		all.insert(all.end(), operands_.begin(), operands_.end());
		return all;
	}

private:
	static void append(std::vector<uint64_t> &to, const void *from, size_t bytes)
	{
		const size_t before = to.size();
		to.resize(before + bytes / sizeof(uint64_t));
		if (bytes)
			std::memcpy(to.data() + before, from, bytes);
	}

	unpu_tensor_op head_{};
	std::vector<uint64_t> attributes_, operands_;
};

/* sub() - out = self - 2 * other on a matrix of @dtype at @va, other broadcast. */
inline std::vector<uint64_t> sub(uint64_t va, uint32_t dtype)
{
	return Builder(UNPU_TENSOR_SUB, UNPU_DTYPE_F32)
		.scalar(2)
		.operand(0, UNPU_ACCESS_WRITE, dtype, va, {4, 6}, {6, 1})
		.operand(1, UNPU_ACCESS_READ, dtype, va + 1024, {4, 6}, {1, 4})
		.operand(2, UNPU_ACCESS_READ, dtype, va + 2048, {4, 6}, {0, 1})
		.words();
}

} // namespace tensor_words
