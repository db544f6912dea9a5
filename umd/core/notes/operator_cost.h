// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "uapi/tensor.h"

namespace umd::recorder {

/** enum class CostEngine - which cores of the device do the operations of an operator. */
enum class CostEngine : uint8_t { VECTOR, CUBE };

/** enum class CostRule - what the number of operations follows from. */
enum class CostRule : uint8_t {
	ELEMENTS,    /* the elements of the largest operand */
	SORT,	     /* those, times the binary logarithm of the last dim */
	PRODUCT,     /* the elements of the result, times the last dim of the first source */
	CONVOLUTION, /* the elements of the result, times the weights of one channel of it */
	PACKED,	     /* the same with packed weights */
	ATTENTION,   /* the elements of the result, times the number of keys */
	RECURRENT,   /* the rows of the input, times all weights */
};

/** struct OperatorCost - a row of the column "cost" of the operator table: @factor operations for each
 * unit that the rule counts. */
struct OperatorCost {
	uint32_t kind; /* enum unpu_tensor_kind */
	const char *name;
	CostEngine engine;
	CostRule rule;
	uint32_t factor;
};

} // namespace umd::recorder
