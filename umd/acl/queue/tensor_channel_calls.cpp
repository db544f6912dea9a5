// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL tensor channels
 */
#include <new>

#include "acl/acl.h"
#include "drv/channel/channel.h"
#include "tensor_items.h"
#include "umd/acl/parts.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::TensorChannels;
using umd::TensorItem;
using umd::TensorSet;

/* @sets: capacity of the channel; 0 for the default */
static Result<void *> open_channel(uint32_t device, const char *name, size_t sets)
{
	if (!name)
		return null_argument("name");
	size_t length = strnlen(name, umd::CHANNEL_NAME_BYTES);
	if (length == 0 || length == umd::CHANNEL_NAME_BYTES)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("name has {} bytes or more; it must have 1 to {}",
					     length, umd::CHANNEL_NAME_BYTES - 1));
	TRY(Devices::get().device_state(static_cast<int32_t>(device)));
	return TensorChannels::get().open(device, name, sets);
}

static acltdtChannelHandle *give_channel(Result<void *> made)
{
	if (made)
		return static_cast<acltdtChannelHandle *>(*made);
	(void)acl_return(made.status());
	return nullptr;
}

acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name)
{
	return give_channel(open_channel(deviceId, name, 0));
}

acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId, const char *name,
						     size_t capacity)
{
	if (capacity < umd::CHANNEL_SETS_MIN || capacity > umd::CHANNEL_SETS_MAX)
		return give_channel(
			set_error(Status::INVALID_ENUM,
				  fmt::format("capacity is {}; it must be {} to {}", capacity,
					      umd::CHANNEL_SETS_MIN, umd::CHANNEL_SETS_MAX)));
	return give_channel(open_channel(deviceId, name, capacity));
}

aclError acltdtStopChannel(acltdtChannelHandle *handle)
{
	return acl_return(TensorChannels::get().stop(handle));
}

aclError acltdtDestroyChannel(acltdtChannelHandle *handle)
{
	return acl_return(TensorChannels::get().close(handle));
}

aclError acltdtCleanChannel(acltdtChannelHandle *handle)
{
	return acl_return(TensorChannels::get().clean(handle));
}

aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle, size_t *size)
{
	if (!size)
		return acl_return(null_argument("size"));
	return acl_return(TensorChannels::get().size(handle, size));
}

/* The slices of a tensor are consecutive items; an item of kind END_TENSOR is the last one. */
static void number_slices(TensorSet &set)
{
	size_t first = 0;
	for (size_t i = 0; i < set.size(); i++) {
		if (set[i].kind == ACL_TENSOR_DATA_SLICE_TENSOR)
			continue;
		if (set[i].kind == ACL_TENSOR_DATA_END_TENSOR) {
			for (size_t part = first; part <= i; part++) {
				set[part].slices = i - first + 1;
				set[part].slice = part - first;
			}
		}
		first = i + 1;
	}
}

static Result<TensorSet> copy_set(const acltdtDataset &dataset)
{
	TensorSet set;
	for (const acltdtDataItem *item : dataset.items) {
		if (item->size > 0 && umd::side_of(item->data) == umd::Side::DEVICE)
			return set_error(
				Status::INVALID_ENUM,
				fmt::format("item {} of dataset has device memory; channels "
					    "take memory of the host",
					    set.size()));
		TensorItem copy;
		copy.kind = item->kind;
		copy.type = item->type;
		copy.dims = item->dims;
		const auto *data = static_cast<const std::byte *>(item->data);
		copy.data.assign(data, data + item->size);
		set.push_back(std::move(copy));
	}
	number_slices(set);
	return set;
}

aclError acltdtSendTensor(const acltdtChannelHandle *handle, const acltdtDataset *dataset,
			  int32_t timeout)
{
	TRY(dataset ? umd::check_wait(timeout) : null_argument("dataset"));
	if (dataset->items.empty())
		return acl_return(set_error(Status::INVALID_ENUM,
					    "dataset is empty; acltdtAddDataItem fills it"));
	auto set = TRY(copy_set(*dataset));
	return acl_return(
		TensorChannels::get().send(handle, std::move(set), umd::wait_deadline(timeout)));
}

static void fill(acltdtDataset &dataset, TensorSet set)
{
	dataset.items.clear();
	dataset.owned.clear();
	for (TensorItem &item : set) {
		auto made = std::make_unique<acltdtDataItem>();
		made->kind = static_cast<acltdtTensorType>(item.kind);
		made->type = static_cast<aclDataType>(item.type);
		made->dims = std::move(item.dims);
		made->received = std::move(item.data);
		made->size = made->received.size();
		made->data = made->size ? made->received.data() : nullptr;
		made->slices = item.slices;
		made->slice = item.slice;
		dataset.items.push_back(made.get());
		dataset.owned.push_back(std::move(made));
	}
}

aclError acltdtReceiveTensor(const acltdtChannelHandle *handle, acltdtDataset *dataset,
			     int32_t timeout)
{
	TRY(dataset ? umd::check_wait(timeout) : null_argument("dataset"));
	if (dataset->items.size() != dataset->owned.size())
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  "dataset has items of the program; a set to receive into must "
				  "be empty, or have been received before"));
	TensorSet set;
	std::string name;
	TRY(TensorChannels::get().receive(handle, set, name, umd::wait_deadline(timeout)));
	fill(*dataset, std::move(set));
	dataset->name = name;
	return ACL_SUCCESS;
}
