// SPDX-License-Identifier: MIT
#pragma once

#include "row.h"
#include "uapi/tensor.h"

namespace models::packed {

/* The node of a convolution whose weights were packed has this domain and this type. Its operands are image, weights,
 * bias and what is added; its attributes are those of Conv without kernel_shape, and what is done with the sums. */
inline constexpr const char *DOMAIN = "unpu", *TYPE = "PackedConv";
inline constexpr const char *FUNCTION = "function", *NUMBER = "number";

/* why_not() - why a Conv with such weights can't be one; "" if it can. @dims: of the weights */
const char *why_not(const ir::Node &conv, ir::Type type, const ir::Dims &dims);

/* pack() - the weights of such a convolution in the order in which the device reads them. @dims: of them, and then of
 * the result */
std::string pack(std::string_view weights, ir::Dims &dims, bool is_deep);

} // namespace models::packed
