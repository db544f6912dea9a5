// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "uapi/tensor.h"
#include "uapi/tensor_limits.h"

namespace fw::tensor {

constexpr unsigned MAX_DIMS = UNPU_TENSOR_MAX_DIMS;

/** element_bits() - size of an element, 0 for a number that is no element type. */
constexpr unsigned element_bits(uint32_t dtype)
{
	switch (dtype) {
#define FW_TENSOR_BITS(name, number, bytes) \
	case number: \
		return 8 * bytes;
		UNPU_DTYPE_LIST(FW_TENSOR_BITS)
#undef FW_TENSOR_BITS
#define FW_TENSOR_BITS(name, number, bits) \
	case number: \
		return bits;
		UNPU_TENSOR_DTYPE_LIST(FW_TENSOR_BITS)
#undef FW_TENSOR_BITS
	}
	return 0;
}

/** struct View - one operand, checked and translated. An element may have any address, aligned or not. */
struct View {
	std::byte *data = nullptr; /* element [0, 0, ...]; not valid without elements */
	uint32_t dtype = 0;	   /* enum unpu_dtype, unpu_tensor_dtype */
	unsigned ndim = 0;
	std::array<int64_t, MAX_DIMS> dims{};	 /* >= 0 */
	std::array<int64_t, MAX_DIMS> strides{}; /* in elements; 0 if the dim has size 1 */

	/** count() - number of elements; the firmware has checked that it fits. */
	int64_t count() const
	{
		int64_t product = 1;
		for (unsigned d = 0; d < ndim; d++)
			product *= dims[d];
		return product;
	}

	bool has_shape_of(const View &other) const
	{
		if (ndim != other.ndim)
			return false;
		for (unsigned d = 0; d < ndim; d++)
			if (dims[d] != other.dims[d])
				return false;
		return true;
	}
};

/** struct Scalar - an attribute that was an aclScalar. @real and @integer have the same value, where the
 * type allows. */
struct Scalar {
	bool is_floating = false;
	double real = 0;
	int64_t integer = 0;
};

/** struct Call - one operator with its operands and attributes. The meaning of slots and attributes is in
 * umd/aclnn/operators.json. */
struct Call {
	uint32_t kind = 0;
	uint32_t compute = 0; /* enum unpu_dtype of the arithmetic; 0 if the kind decides it */
	unsigned count = 0;   /* number of views */
	const View *views = nullptr;
	const uint64_t *words = nullptr; /* words of the attributes */
	/* first view of each slot, and an end */
	std::array<uint8_t, UNPU_TENSOR_MAX_SLOTS + 1> first{};
	/* first word of each attribute, and an end */
	std::array<uint8_t, UNPU_TENSOR_MAX_ATTRIBUTES + 1> word{};

	/** list() - the operands of a slot; empty if the slot is absent. */
	std::span<const View> list(unsigned slot) const
	{
		return {views + first[slot], size_t(first[slot + 1] - first[slot])};
	}

	/** has() - whether a slot is present. */
	bool has(unsigned slot) const { return first[slot + 1] != first[slot]; }

	/** view() - the first operand of a slot that is present. */
	const View &view(unsigned slot) const { return views[first[slot]]; }

	/** integers() - the words of an attribute; empty if the attribute is absent. */
	std::span<const int64_t> integers(unsigned attribute) const
	{
		return {reinterpret_cast<const int64_t *>(words) + word[attribute],
			size_t(word[attribute + 1] - word[attribute])};
	}

	bool has_attribute(unsigned attribute) const
	{
		return word[attribute + 1] != word[attribute];
	}

	/** integer(), real(), scalar() - the value of an attribute of that type. The firmware has checked
	 * that required attributes have their number of words. */
	int64_t integer(unsigned attribute) const
	{
		return static_cast<int64_t>(words[word[attribute]]);
	}
	double real(unsigned attribute) const
	{
		return std::bit_cast<double>(words[word[attribute]]);
	}
	Scalar scalar(unsigned attribute) const;
};

/** struct Finding - the result of some units of a call. BAD_INDEX names the element that has the bad
 * index. */
struct Finding {
	base::Status status = base::Status::OK;
	unsigned view = 0;   /* number in Call::views */
	uint64_t offset = 0; /* offset of the element from View::data, in bytes; may wrap */
	int64_t index = 0;   /* the index as the kernel has read it */
};

/** struct Kernel - a kind that can be computed. All functions: any thread, and no global state.
 *
 * @units independent units may run in any order, on any engine, several at a time. The result of a unit
 * must depend on the call alone: not on the number of engines, and not on which units run together.
 */
struct Kernel {
	uint32_t kind;
	/* Whether types, dims and attributes belong together, so that no later access leaves a view. The
	 * firmware has checked slots, access, address ranges, and that a result has an address for each of
	 * its elements and overlaps no other operand, except for use in place where the table allows it. */
	bool (*check)(const Call &call);
	/* How many units there are; 0: there is nothing to do. */
	uint64_t (*units)(const Call &call);
	/* Work of all units, in bytes that could be copied in the same time. */
	uint64_t (*cost_bytes)(const Call &call);
	/* Scratch memory that run() gets, 64-byte aligned, with any content. nullptr: none. */
	size_t (*scratch_bytes)(const Call &call);
	/* Computes units @first .. @first + @count - 1. */
	Finding (*run)(const Call &call, uint64_t first, uint64_t count, std::byte *scratch);
};

} // namespace fw::tensor
