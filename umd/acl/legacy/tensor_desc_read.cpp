// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of tensors: what they say
 *
 * The getters give what the description was created with, whatever it is in memory.
 */
#include "tensor_desc.h"

#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;
using umd::UNKNOWN_RANK;

aclDataType aclGetTensorDescType(const aclTensorDesc *desc)
{
	return desc ? desc->type : ACL_DT_UNDEFINED;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc)
{
	return desc ? desc->format : ACL_FORMAT_UNDEFINED;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc *desc)
{
	if (!desc)
		return 0;
	size_t count = 1;
	for (const int64_t length : desc->shape) {
		if (length < 0 ||
		    __builtin_mul_overflow(count, static_cast<size_t>(length), &count))
			return 0;
	}
	return count;
}

size_t aclGetTensorDescSize(const aclTensorDesc *desc)
{
	size_t bytes = aclGetTensorDescElementCount(desc);
	if (bytes > 0 && __builtin_mul_overflow(bytes, aclDataTypeSize(desc->type), &bytes))
		return 0;
	return bytes;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc *desc)
{
	if (!desc)
		return 0;
	const bool has_rank = desc->shape.size() != 1 || desc->shape[0] != UNKNOWN_RANK;
	return has_rank ? desc->shape.size() : ACL_UNKNOWN_RANK;
}

/* The status for dimension @index. */
static Status check_index(const aclTensorDesc *desc, size_t index)
{
	if (!desc)
		return null_argument("desc");
	if (index >= desc->shape.size())
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("index is {}; the shape has {} dimensions", index,
					     desc->shape.size()));
	return Status::OK;
}

int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index)
{
	return check_index(desc, index) == Status::OK ? desc->shape[index] : -1;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize)
{
	if (Status status = check_index(desc, index); status != Status::OK)
		return acl_return(status);
	if (!dimSize)
		return acl_return(null_argument("dimSize"));
	*dimSize = desc->shape[index];
	return ACL_SUCCESS;
}

aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index, size_t dimRangeNum,
				  int64_t *dimRange)
{
	if (Status status = check_index(desc, index); status != Status::OK)
		return acl_return(status);
	if (!dimRange)
		return acl_return(null_argument("dimRange"));
	if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("dimRangeNum is {}; a range has {} numbers",
							dimRangeNum, ACL_TENSOR_SHAPE_RANGE_NUM)));
	const int64_t length = desc->shape[index];
	const auto range = desc->ranges.empty() ? std::pair(length, length) : desc->ranges[index];
	dimRange[0] = range.first;
	dimRange[1] = range.second;
	return ACL_SUCCESS;
}

const char *aclGetTensorDescName(aclTensorDesc *desc)
{
	return desc ? desc->name.c_str() : nullptr;
}
