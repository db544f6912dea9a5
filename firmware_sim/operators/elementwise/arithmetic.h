// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "firmware_sim/operators/view.h"

namespace fw::tensor {

/** multiply(), add(), subtract() - arithmetic that wraps for I64. */
template <class C> constexpr C multiply(C x, C y)
{
	if constexpr (std::is_same_v<C, int64_t>)
		return static_cast<C>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
	else
		return x * y;
}

template <class C> constexpr C add(C x, C y)
{
	if constexpr (std::is_same_v<C, int64_t>)
		return static_cast<C>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
	else
		return x + y;
}

template <class C> constexpr C subtract(C x, C y)
{
	if constexpr (std::is_same_v<C, int64_t>)
		return static_cast<C>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
	else
		return x - y;
}

/** run_floating() - Kernel::run of a struct with `template <class C> static void run(call, first, count)`,
 * for the type of the arithmetic: F32 or F64. */
template <class Operation>
Finding run_floating(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	if (call.compute == UNPU_DTYPE_F64)
		Operation::template run<double>(call, first, count);
	else
		Operation::template run<float>(call, first, count);
	return {};
}

/** run_arithmetic() - the same for F32, F64 or I64. */
template <class Operation>
Finding run_arithmetic(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	if (call.compute != UNPU_DTYPE_I64)
		return run_floating<Operation>(call, first, count, scratch);
	Operation::template run<int64_t>(call, first, count);
	return {};
}

} // namespace fw::tensor
