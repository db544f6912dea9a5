// SPDX-License-Identifier: MIT
/*
 * DOC: No tensor operators
 *
 * The launch of other operators than Add and Mul for a program that has the front end without a runtime.
 */
#pragma once

#include "umd/core/stream/launch.h"

namespace umd {

base::Status launch_nothing(void *)
{
	return base::Status::OK;
}

base::Status launch_tensor(void *, uint32_t, std::span<const uint64_t>)
{
	return base::Status::NOT_SUPPORTED;
}

base::Status launch_watched_tensor(void *, uint32_t, std::span<const uint64_t>,
				   const std::shared_ptr<const DumpOperator> &)
{
	return base::Status::NOT_SUPPORTED;
}

} // namespace umd
