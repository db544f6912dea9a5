// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "objects.h"
#include "uapi/tensor.h"

namespace umd {

/* enum class Category - categories of numbers, each more general than the ones before. */
enum class Category : uint32_t { TRUTH, INTEGER, FLOATING };

/* struct Type - an element type of the device; dtype is 0 if the device does not support the type. */
struct Type {
	uint32_t dtype;
	int64_t bytes;
	Category category;
};

/* find_type() - the type of the operands of Add and Mul. */
Type find_type(aclDataType dtype);

/* find_tensor_type() - the type of the operands of tensor operators: ACL_DOUBLE as well. */
Type find_tensor_type(aclDataType dtype);

/* compute_type() - the type that arithmetic on a category is done in. */
uint32_t compute_type(Category category);

/* print_type() - "FLOAT16", or the number of a type without a name. */
std::string print_type(aclDataType dtype);

std::string print_shape(const int64_t *dims, unsigned ndim);
inline std::string print_shape(const aclTensor &tensor)
{
	return print_shape(tensor.dims, tensor.ndim);
}

/* print_tensor() - "FLOAT16 [2, 3]" */
std::string print_tensor(const aclTensor &tensor);

} // namespace umd
