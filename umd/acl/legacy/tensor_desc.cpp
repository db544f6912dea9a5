// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of tensors: creation and changes
 *
 * Functions that change a description check everything first, so a failed call leaves it as it was.
 */
#include "tensor_desc.h"

#include <new>

#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;
using umd::UNKNOWN_LENGTH;
using umd::UNKNOWN_RANK;

/* Checks the lengths of a shape. */
static Status check_shape(int count, const int64_t *lengths)
{
	if (count < 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("numDims is {}; it must be 0 or more", count));
	if (count > 0 && !lengths)
		return null_argument("dims");
	for (int i = 0; i < count; i++) {
		if (lengths[i] < UNKNOWN_LENGTH && !(count == 1 && lengths[i] == UNKNOWN_RANK))
			return set_error(
				Status::INVALID_ARGUMENT,
				fmt::format("dims[{}] is {}; it must be 0 or more, or -1 for a "
					    "length that is unknown",
					    i, lengths[i]));
	}
	return Status::OK;
}

aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims,
				   aclFormat format)
{
	if (base::Status status = check_shape(numDims, dims); status != Status::OK)
		return nullptr;
	auto *desc = new (std::nothrow) aclTensorDesc{};
	if (!desc)
		return nullptr;
	desc->type = dataType;
	desc->format = desc->storage_format = format;
	if (numDims > 0)
		desc->shape.assign(dims, dims + numDims);
	desc->storage_shape = desc->shape;
	return desc;
}

void aclDestroyTensorDesc(const aclTensorDesc *desc)
{
	delete desc;
}

aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount,
				int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM])
{
	if (!desc)
		return acl_return(null_argument("desc"));
	if (dimsCount != desc->shape.size())
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("dimsCount is {}; the shape has {} dimensions",
					      dimsCount, desc->shape.size())));
	if (dimsCount > 0 && !dimsRange)
		return acl_return(null_argument("dimsRange"));
	for (size_t i = 0; i < dimsCount; i++) {
		const auto [least, most] = std::pair(dimsRange[i][0], dimsRange[i][1]);
		if (least < 0 || (most != UNKNOWN_LENGTH && most < least))
			return acl_return(set_error(
				Status::INVALID_ARGUMENT,
				fmt::format("dimsRange[{}] is {} to {}; a range goes from 0 or "
					    "more to no less, or to -1 for no limit",
					    i, least, most)));
	}
	desc->ranges.clear();
	for (size_t i = 0; i < dimsCount; i++)
		desc->ranges.emplace_back(dimsRange[i][0], dimsRange[i][1]);
	return ACL_SUCCESS;
}

void aclSetTensorDescName(aclTensorDesc *desc, const char *name)
{
	if (desc)
		desc->name = name ? name : "";
}

aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format)
{
	if (!desc)
		return acl_return(null_argument("desc"));
	desc->storage_format = format;
	return ACL_SUCCESS;
}

aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
	if (!desc)
		return acl_return(null_argument("desc"));
	if (Status status = check_shape(numDims, dims); status != Status::OK)
		return acl_return(status);
	desc->storage_shape.clear();
	if (numDims > 0)
		desc->storage_shape.assign(dims, dims + numDims);
	return ACL_SUCCESS;
}

aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType)
{
	if (!desc)
		return acl_return(null_argument("desc"));
	if (memType < ACL_MEMTYPE_DEVICE || memType > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("memType is {}; it must be from 0 to 2",
							static_cast<int>(memType))));
	desc->place = memType;
	return ACL_SUCCESS;
}

aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length)
{
	if (!desc)
		return acl_return(null_argument("desc"));
	if (!dataBuffer != (length == 0))
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("length is {} bytes, and dataBuffer is {}NULL",
					      length, dataBuffer ? "not " : "")));
	desc->constant = dataBuffer;
	desc->constant_bytes = length;
	return ACL_SUCCESS;
}
