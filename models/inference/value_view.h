// SPDX-License-Identifier: MIT
#pragma once

#include "models/ir/dims.h"

namespace models {

/* struct View - elements of a buffer. @offset: of the first one, in elements */
struct View {
	ir::Dims dims, strides;
	int64_t offset = 0;

	static View dense(const ir::Dims &dims) { return {dims, ir::strides_of(dims), 0}; }

	bool is_dense() const
	{
		const ir::Dims wanted = ir::strides_of(dims);
		for (unsigned d = 0; d < dims.rank(); d++)
			if (dims[d] == 0)
				return true;
		for (unsigned d = 0; d < dims.rank(); d++)
			if (dims[d] != 1 && strides[d] != wanted[d])
				return false;
		return true;
	}
};

} // namespace models
