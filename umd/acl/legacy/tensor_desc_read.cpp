// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of tensors: queries
 *
 * The getters return the values with which the description was created, not those in memory.
 */
#include "acl/acl.h"
#include "tensor_desc.h"

#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;
using umd::UNKNOWN_RANK;

/* Finds a description for a getter that returns no status. Return: nullptr if there is none. */
static const aclTensorDesc *find(const aclTensorDesc *desc,
				 const char *caller = __builtin_FUNCTION())
{
	const auto found = umd::find_plain(desc, "desc", caller);
	(void)acl_return(found.status());
	return found ? *found : nullptr;
}

aclDataType aclGetTensorDescType(const aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	return found ? found->type : ACL_DT_UNDEFINED;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	return found ? found->format : ACL_FORMAT_UNDEFINED;
}

/* The number of elements; 0 if a length is unknown or the number is too large. */
static size_t count_elements(const aclTensorDesc &desc)
{
	size_t count = 1;
	for (const int64_t length : desc.shape) {
		if (length < 0 ||
		    __builtin_mul_overflow(count, static_cast<size_t>(length), &count))
			return 0;
	}
	return count;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	return found ? count_elements(*found) : 0;
}

aclTensorDesc *aclGetTensorDescByIndex(aclTensorDesc *desc, size_t index)
{
	const aclTensorDesc *found = find(desc);
	if (!found || index == 0)
		return found ? desc : nullptr;
	if (index <= found->others.size())
		return found->others[index - 1];
	(void)acl_return(set_error(Status::INVALID_ARGUMENT,
				   fmt::format("index is {}; the list has {} descriptions", index,
					       found->others.size() + 1)));
	return nullptr;
}

void *aclGetTensorDescAddress(const aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	return found ? found->address : nullptr;
}

size_t aclGetTensorDescSize(const aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	size_t bytes = found ? count_elements(*found) : 0;
	if (bytes > 0 && __builtin_mul_overflow(bytes, aclDataTypeSize(found->type), &bytes))
		return 0;
	return bytes;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	if (!found)
		return 0;
	const bool has_rank = found->shape.size() != 1 || found->shape[0] != UNKNOWN_RANK;
	return has_rank ? found->shape.size() : ACL_UNKNOWN_RANK;
}

/* The description, if it has a dimension @index. */
static base::Result<aclTensorDesc *> find_dim(const aclTensorDesc *desc, size_t index,
					      const char *caller = __builtin_FUNCTION())
{
	const auto found = umd::find_plain(desc, "desc", caller);
	if (found && index >= (*found)->shape.size())
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("index is {}; the shape has {} dimensions", index,
					     (*found)->shape.size()));
	return found;
}

int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index)
{
	const auto found = find_dim(desc, index);
	(void)acl_return(found.status());
	return found ? (*found)->shape[index] : -1;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize)
{
	auto found = TRY(find_dim(desc, index));
	if (!dimSize)
		return acl_return(null_argument("dimSize"));
	*dimSize = found->shape[index];
	return ACL_SUCCESS;
}

aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index, size_t dimRangeNum,
				  int64_t *dimRange)
{
	auto found = TRY(find_dim(desc, index));
	if (!dimRange)
		return acl_return(null_argument("dimRange"));
	if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("dimRangeNum is {}; a range has {} numbers",
							dimRangeNum, ACL_TENSOR_SHAPE_RANGE_NUM)));
	const int64_t length = found->shape[index];
	const auto range = found->ranges.empty() ? std::pair(length, length) : found->ranges[index];
	dimRange[0] = range.first;
	dimRange[1] = range.second;
	return ACL_SUCCESS;
}

const char *aclGetTensorDescName(aclTensorDesc *desc)
{
	const aclTensorDesc *found = find(desc);
	return found ? found->name.c_str() : nullptr;
}
