// SPDX-License-Identifier: MIT
/*
 * DOC: Operands and what the program asked for
 *
 * With UNPU_CHECK the first phase reports a view that ends in the slack of its allocation.
 */
#include "reach.h"

#include <algorithm>

#include "umd/core/memory/nearest.h"

namespace umd {

base::Status check_asked(const char *caller, const char *name, const WireView &view)
{
	if (std::find(view.dims.begin(), view.dims.end(), 0) != view.dims.end())
		return base::Status::OK;
	__int128 low = 0, high = 1; /* elements */
	for (size_t d = 0; d < view.dims.size(); d++) {
		const __int128 span = __int128(view.strides[d]) * (view.dims[d] - 1);
		(span < 0 ? low : high) += span;
	}
	const __int128 bits = element_bits(view.dtype);
	const __int128 begin = low * bits / 8, end = (high * bits + 7) / 8;
	return check::check_end(
		caller, name,
		reinterpret_cast<const void *>(view.address + static_cast<uint64_t>(begin)),
		static_cast<uint64_t>(end - begin));
}

} // namespace umd
