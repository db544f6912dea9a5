// SPDX-License-Identifier: MIT
/*
 * DOC: Element types of operators
 *
 * The types of the interface, what they are on the device, and how error messages name types and shapes.
 */
#include "types.h"

namespace umd {

Type find_type(aclDataType dtype)
{
	switch (dtype) {
	case ACL_FLOAT:
		return {UNPU_DTYPE_F32, 4, Category::FLOATING};
	case ACL_FLOAT16:
		return {UNPU_DTYPE_F16, 2, Category::FLOATING};
	case ACL_BF16:
		return {UNPU_DTYPE_BF16, 2, Category::FLOATING};
	case ACL_INT8:
		return {UNPU_DTYPE_I8, 1, Category::INTEGER};
	case ACL_INT16:
		return {UNPU_DTYPE_I16, 2, Category::INTEGER};
	case ACL_INT32:
		return {UNPU_DTYPE_I32, 4, Category::INTEGER};
	case ACL_INT64:
		return {UNPU_DTYPE_I64, 8, Category::INTEGER};
	case ACL_UINT8:
		return {UNPU_DTYPE_U8, 1, Category::INTEGER};
	case ACL_BOOL:
		return {UNPU_DTYPE_BOOL, 1, Category::TRUTH};
	default:
		return {0, 0, Category::TRUTH};
	}
}

Type find_tensor_type(aclDataType dtype)
{
	if (dtype == ACL_DOUBLE)
		return {UNPU_DTYPE_F64, 8, Category::FLOATING};
	return find_type(dtype);
}

uint32_t compute_type(Category category)
{
	if (category == Category::FLOATING)
		return UNPU_DTYPE_F32;
	return category == Category::INTEGER ? UNPU_DTYPE_I64 : UNPU_DTYPE_BOOL;
}

std::string print_type(aclDataType dtype)
{
	static constexpr struct {
		aclDataType dtype;
		const char *name;
	} names[] = {
		{ACL_FLOAT, "FLOAT"},	{ACL_FLOAT16, "FLOAT16"}, {ACL_BF16, "BF16"},
		{ACL_DOUBLE, "DOUBLE"}, {ACL_INT8, "INT8"},	  {ACL_INT16, "INT16"},
		{ACL_INT32, "INT32"},	{ACL_INT64, "INT64"},	  {ACL_UINT8, "UINT8"},
		{ACL_UINT16, "UINT16"}, {ACL_UINT32, "UINT32"},	  {ACL_UINT64, "UINT64"},
		{ACL_BOOL, "BOOL"},	{ACL_INT4, "INT4"},
	};
	for (const auto &entry : names)
		if (entry.dtype == dtype)
			return entry.name;
	return std::to_string(dtype);
}

std::string print_shape(const int64_t *dims, unsigned ndim)
{
	std::string text = "[";

	for (unsigned d = 0; d < ndim; d++)
		text += (d ? ", " : "") + std::to_string(dims[d]);
	return text + "]";
}

std::string print_tensor(const aclTensor &tensor)
{
	return print_type(tensor.dtype) + " " + print_shape(tensor);
}

} // namespace umd
