// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of tensors: creation and changes
 *
 * Functions that change a description check everything first, so a failed call leaves it as it was.
 */
#include "tensor_desc.h"

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

static aclTensorDesc *refuse_to_create(Status status)
{
	(void)acl_return(status);
	return nullptr;
}

aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims,
				   aclFormat format)
{
	if (Status status = check_shape(numDims, dims); status != Status::OK)
		return refuse_to_create(status);
	auto *desc = umd::make_plain<aclTensorDesc>();
	if (!desc)
		return refuse_to_create(Status::NO_MEMORY);
	desc->type = dataType;
	desc->format = desc->storage_format = format;
	desc->shape.assign(dims, dims + numDims);
	desc->storage_shape = desc->shape;
	return umd::handle_of(*desc);
}

void aclDestroyTensorDesc(const aclTensorDesc *desc)
{
	/* As free(), it does nothing with NULL. */
	if (!desc)
		return;
	const auto ended = umd::retire_plain(desc, "desc");
	if (!ended) {
		(void)acl_return(ended.status());
		return;
	}
	aclTensorDesc &object = **ended;
	object.ranges.clear();
	object.name.clear();
	object.place = ACL_MEMTYPE_DEVICE;
	object.constant = nullptr;
	object.constant_bytes = 0;
	umd::free_plain(object);
}

aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount,
				int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM])
{
	TRY_VALUE(found, umd::find_plain(desc, "desc"));
	if (dimsCount != found->shape.size())
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("dimsCount is {}; the shape has {} dimensions",
					      dimsCount, found->shape.size())));
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
	found->ranges.clear();
	for (size_t i = 0; i < dimsCount; i++)
		found->ranges.emplace_back(dimsRange[i][0], dimsRange[i][1]);
	return ACL_SUCCESS;
}

void aclSetTensorDescName(aclTensorDesc *desc, const char *name)
{
	const auto found = umd::find_plain(desc, "desc");
	(void)acl_return(found.status());
	if (found)
		(*found)->name = name ? name : "";
}

aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format)
{
	TRY_VALUE(found, umd::find_plain(desc, "desc"));
	found->storage_format = format;
	return ACL_SUCCESS;
}

aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
	TRY_VALUE(found, umd::find_plain(desc, "desc"));
	if (Status status = check_shape(numDims, dims); status != Status::OK)
		return acl_return(status);
	found->storage_shape.assign(dims, dims + numDims);
	return ACL_SUCCESS;
}

aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType)
{
	TRY_VALUE(found, umd::find_plain(desc, "desc"));
	if (memType < ACL_MEMTYPE_DEVICE || memType > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("memType is {}; it must be from 0 to 2",
							static_cast<int>(memType))));
	found->place = memType;
	return ACL_SUCCESS;
}

aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length)
{
	TRY_VALUE(found, umd::find_plain(desc, "desc"));
	if (!dataBuffer != (length == 0))
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("length is {} bytes, and dataBuffer is {}NULL",
					      length, dataBuffer ? "not " : "")));
	found->constant = dataBuffer;
	found->constant_bytes = length;
	return ACL_SUCCESS;
}
