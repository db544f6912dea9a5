// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of tensors: creation and changes
 *
 * Functions that change a description check everything first, so a failed call leaves it as it was.
 */
#include "tensor_desc.h"

#include "acl/acl.h"
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
	desc->format = desc->storage_format = desc->origin_format = format;
	desc->shape.assign(dims, dims + numDims);
	desc->storage_shape = desc->origin_shape = desc->shape;
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
	object.group.clear();
	object.value_ranges.clear();
	object.place = ACL_MEMTYPE_DEVICE;
	object.constant = nullptr;
	object.constant_bytes = 0;
	object.address = nullptr;
	for (const aclTensorDesc *other : std::exchange(object.others, {}))
		aclDestroyTensorDesc(other);
	umd::free_plain(object);
}

/* Checks pairs of a least and a greatest number. @name: name of the argument */
static Status check_ranges(const char *name, size_t count, const int64_t (*ranges)[2])
{
	if (count > 0 && !ranges)
		return null_argument(name);
	for (size_t i = 0; i < count; i++) {
		const auto [least, most] = std::pair(ranges[i][0], ranges[i][1]);
		if (least < 0 || (most != UNKNOWN_LENGTH && most < least))
			return set_error(
				Status::INVALID_ARGUMENT,
				fmt::format("{}[{}] is {} to {}; a range goes from 0 or more to no "
					    "less, or to -1 for no limit",
					    name, i, least, most));
	}
	return Status::OK;
}

static void set_ranges(std::vector<std::pair<int64_t, int64_t>> &to, size_t count,
		       const int64_t (*ranges)[2])
{
	to.clear();
	for (size_t i = 0; i < count; i++)
		to.emplace_back(ranges[i][0], ranges[i][1]);
}

aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount,
				int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM])
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	if (dimsCount != found->shape.size())
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("dimsCount is {}; the shape has {} dimensions",
					      dimsCount, found->shape.size())));
	const Status status = check_ranges("dimsRange", dimsCount, dimsRange);
	if (status == Status::OK)
		set_ranges(found->ranges, dimsCount, dimsRange);
	return acl_return(status);
}

aclError aclSetTensorValueRange(aclTensorDesc *desc, size_t valueCount,
				int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM])
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	const Status status = check_ranges("valueRange", valueCount, valueRange);
	if (status == Status::OK)
		set_ranges(found->value_ranges, valueCount, valueRange);
	return acl_return(status);
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
	auto found = TRY(umd::find_plain(desc, "desc"));
	found->storage_format = format;
	return ACL_SUCCESS;
}

aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	TRY(check_shape(numDims, dims));
	found->storage_shape.assign(dims, dims + numDims);
	return ACL_SUCCESS;
}

aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType)
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	if (memType < ACL_MEMTYPE_DEVICE || memType > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("memType is {}; it must be from 0 to 2",
							static_cast<int>(memType))));
	found->place = memType;
	return ACL_SUCCESS;
}

aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length)
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	if (!dataBuffer != (length == 0))
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("length is {} bytes, and dataBuffer is {}NULL",
					      length, dataBuffer ? "not " : "")));
	found->constant = dataBuffer;
	found->constant_bytes = length;
	return ACL_SUCCESS;
}

aclError aclSetTensorStorageFormat(aclTensorDesc *desc, aclFormat format)
{
	return aclSetTensorFormat(desc, format);
}

aclError aclSetTensorStorageShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
	return aclSetTensorShape(desc, numDims, dims);
}

aclError aclSetTensorOriginFormat(aclTensorDesc *desc, aclFormat format)
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	found->origin_format = format;
	return ACL_SUCCESS;
}

aclError aclSetTensorOriginShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	const Status status = check_shape(numDims, dims);
	if (status == Status::OK)
		found->origin_shape.assign(dims, dims + numDims);
	return acl_return(status);
}

aclError aclSetTensorDynamicInput(aclTensorDesc *desc, const char *dynamicInputName)
{
	auto found = TRY(umd::find_plain(desc, "desc"));
	found->group = dynamicInputName ? dynamicInputName : "";
	return ACL_SUCCESS;
}
