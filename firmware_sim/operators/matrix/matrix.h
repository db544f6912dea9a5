// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/** is_matrix_type() - whether the operators on matrices accept elements of the type. */
inline bool is_matrix_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16;
}

/** rows(), columns() - size of the last dim but one, and of the last dim. */
inline int64_t rows(const View &view)
{
	return view.dims[view.ndim - 2];
}
inline int64_t columns(const View &view)
{
	return view.dims[view.ndim - 1];
}

/** batch_count() - how many matrices a view has; batch_index() - the index of one of them. */
inline int64_t batch_count(const View &view)
{
	int64_t count = 1;
	for (unsigned d = 0; d + 2 < view.ndim; d++)
		count *= view.dims[d];
	return count;
}
inline Index batch_index(const View &view, uint64_t batch)
{
	Index at{};
	for (unsigned d = view.ndim - 2; d-- > 0;) {
		at[d] = static_cast<int64_t>(batch % static_cast<uint64_t>(view.dims[d]));
		batch /= static_cast<uint64_t>(view.dims[d]);
	}
	return at;
}

/** have_one_batch() - whether two views have equal dims, except for the last two. */
inline bool have_one_batch(const View &one, const View &other)
{
	if (one.ndim != other.ndim)
		return false;
	for (unsigned d = 0; d + 2 < one.ndim; d++)
		if (one.dims[d] != other.dims[d])
			return false;
	return true;
}

} // namespace fw::tensor
