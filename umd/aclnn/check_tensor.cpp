// SPDX-License-Identifier: MIT
/*
 * DOC: New tensors in strict mode
 *
 * aclCreateTensor() accepts what an operator refuses later, far away from the mistake, or never: a type or a format
 * that does not exist, and a view that goes beyond the storage that the program has described.
 */
#include "check_tensor.h"

#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "executor.h"
#include "objects.h"
#include "types.h"
#include "umd/core/process/check.h"
#include "umd/core/process/owned.h"

namespace umd {

using base::Status;

static bool is_known(aclDataType type)
{
	constexpr int KNOWN[] = {-1, 0,	 1,  2,	 3,  4,	 6,  7,	 8,  9,	 10, 11, 12, 13,
				 16, 17, 27, 29, 30, 33, 34, 35, 36, 37, 38, 39, 40, 41};
	return std::ranges::find(KNOWN, static_cast<int>(type)) != std::end(KNOWN);
}

static bool is_known(aclFormat format)
{
	constexpr int KNOWN[] = {-1, 0,	 1,  2,	 3,  4,	 12, 16, 27, 29,
				 30, 32, 33, 35, 47, 50, 51, 52, 53, 54};
	return std::ranges::find(KNOWN, static_cast<int>(format)) != std::end(KNOWN);
}

/* Whether all elements lie in a storage of that many elements. Sizes that are far too large count as outside. */
static bool is_inside(std::span<const int64_t> dims, const int64_t *strides, int64_t offset,
		      __int128 room)
{
	constexpr __int128 FAR = __int128(1) << 64;
	__int128 low = offset, high = offset;
	for (size_t d = 0; d < dims.size(); d++) {
		const __int128 span = dims[d] > 1 ? __int128(strides[d]) * (dims[d] - 1) : 0;
		(span < 0 ? low : high) += span;
		if (high > FAR || low < -FAR)
			return false;
	}
	return low >= 0 && high < room;
}

static __int128 elements_of(std::span<const int64_t> storage)
{
	constexpr __int128 FAR = __int128(1) << 64;
	__int128 room = 1;
	for (int64_t size : storage)
		room = std::min(room * size, FAR);
	return room;
}

static Status check_view(const aclTensor &tensor)
{
	const std::span<const int64_t> dims(tensor.dims, tensor.ndim);
	const std::span<const int64_t> storage(tensor.storage_dims, tensor.storage_ndim);
	const auto is_empty = [](int64_t size) { return size <= 0; };
	/* Programs without storage dims, or with garbage, describe no storage. */
	if (storage.empty() || std::ranges::any_of(storage, is_empty) ||
	    std::ranges::any_of(dims, is_empty) ||
	    is_inside(dims, tensor.strides, tensor.offset, elements_of(storage)))
		return Status::OK;
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format(
			"aclCreateTensor: the view {} with offset {} goes beyond the storage {}",
			print_shape(tensor.dims, tensor.ndim), tensor.offset,
			print_shape(tensor.storage_dims, tensor.storage_ndim)));
}

aclTensor *check_tensor(const aclTensor &tensor, aclTensor *handle)
{
	count_leftovers();
	Status status = Status::OK;
	if (!is_known(tensor.dtype))
		status = check::misuse(Status::INVALID_ENUM,
				       fmt::format("aclCreateTensor: dataType is {}, which is no "
						   "aclDataType",
						   static_cast<int>(tensor.dtype)));
	if (status == Status::OK && !is_known(tensor.format))
		status = check::misuse(
			Status::INVALID_ENUM,
			fmt::format("aclCreateTensor: format is {}, which is no aclFormat",
				    static_cast<int>(tensor.format)));
	if (status == Status::OK)
		status = check_view(tensor);
	if (status == Status::OK)
		return handle;
	(void)aclDestroyTensor(handle);
	return nullptr;
}

void count_leftovers()
{
	static const bool is_done = [] {
		auto &all = check::OwnedObjects::get();
		all.count("tensor", check::live_objects<PlainTable<aclTensor>>);
		all.count("scalar", check::live_objects<PlainTable<aclScalar>>);
		all.count("array of integers", check::live_objects<PlainTable<aclIntArray>>);
		all.count("array of floats", check::live_objects<PlainTable<aclFloatArray>>);
		all.count("array of truth values", check::live_objects<PlainTable<aclBoolArray>>);
		all.count("list of tensors", check::live_objects<PlainTable<aclTensorList>>);
		all.count("list of scalars", check::live_objects<PlainTable<aclScalarList>>);
		all.count("executor that was not launched", check::live_objects<Executors>);
		return true;
	}();
	(void)is_done;
}

} // namespace umd
