// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL datasets
 *
 * A dataset is a list of data buffers, which it does not own, and of descriptions of them, which it does.
 */
#include "dataset.h"

#include <algorithm>

#include <fmt/format.h>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"
#include "umd/acl/legacy/tensor_desc.h"

using base::Status;
using umd::acl_return;
using umd::find_plain;
using umd::set_error;

/* A program may have destroyed what aclmdlGetDatasetTensorDesc() gave it. */
static void destroy_desc(aclTensorDesc *desc)
{
	if (umd::peek_plain(desc))
		aclDestroyTensorDesc(desc);
}

static aclTensorDesc *desc_of(const aclmdlDataset &dataset, size_t index)
{
	return index < dataset.descs.size() ? dataset.descs[index] : nullptr;
}

static void replace_desc(aclmdlDataset &dataset, size_t index, aclTensorDesc *desc)
{
	if (index >= dataset.descs.size())
		dataset.descs.resize(index + 1);
	destroy_desc(dataset.descs[index]);
	dataset.descs[index] = desc;
}

Status umd::set_desc(aclmdlDataset &dataset, size_t index, aclDataType type, aclFormat format,
		     std::span<const int64_t> shape)
{
	const aclTensorDesc *now = peek_plain(desc_of(dataset, index));
	if (now && now->type == type && now->format == format &&
	    std::ranges::equal(now->shape, shape))
		return Status::OK;
	auto *made =
		aclCreateTensorDesc(type, static_cast<int>(shape.size()), shape.data(), format);
	if (!made)
		return Status::NO_MEMORY;
	replace_desc(dataset, index, made);
	return Status::OK;
}

aclmdlDataset *aclmdlCreateDataset()
{
	auto *dataset = umd::make_plain<aclmdlDataset>();
	if (!dataset) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	return umd::handle_of(*dataset);
}

aclError aclmdlDestroyDataset(const aclmdlDataset *dataset)
{
	auto found = TRY(umd::retire_plain(dataset, "dataset"));
	found->buffers = {};
	found->choice = {};
	found->steps = {};
	for (aclTensorDesc *desc : found->descs)
		destroy_desc(desc);
	found->descs = {};
	umd::free_plain(*found);
	return ACL_SUCCESS;
}

aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset, aclDataBuffer *dataBuffer)
{
	auto found = TRY(find_plain(dataset, "dataset"));
	auto buffer = TRY(find_plain(dataBuffer, "dataBuffer"));
	found->buffers.push_back(umd::handle_of(*buffer));
	return ACL_SUCCESS;
}

size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *dataset)
{
	const auto found = find_plain(dataset, "dataset");
	(void)acl_return(found.status());
	return found ? (*found)->buffers.size() : 0;
}

aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *dataset, size_t index)
{
	const auto found = find_plain(dataset, "dataset");
	Status status = found.status();
	if (found && index >= (*found)->buffers.size())
		status = set_error(Status::INVALID_ARGUMENT,
				   fmt::format("index is {}; the dataset has {} buffers", index,
					       (*found)->buffers.size()));
	(void)acl_return(status);
	return status == Status::OK ? (*found)->buffers[index] : nullptr;
}

static Status check_index(const aclmdlDataset &dataset, size_t index)
{
	if (index < dataset.buffers.size())
		return Status::OK;
	return set_error(Status::NULL_POINTER,
			 fmt::format("index is {}; the dataset has {} buffers", index,
				     dataset.buffers.size()));
}

aclError aclmdlSetDatasetTensorDesc(aclmdlDataset *dataset, aclTensorDesc *tensorDesc, size_t index)
{
	auto found = TRY(find_plain(dataset, "dataset"));
	TRY(check_index(*found, index));
	if (!tensorDesc) {
		replace_desc(*found, index, nullptr);
		return ACL_SUCCESS;
	}
	auto desc = TRY(find_plain(tensorDesc, "tensorDesc"));
	return acl_return(umd::set_desc(*found, index, desc->type, desc->format, desc->shape));
}

aclTensorDesc *aclmdlGetDatasetTensorDesc(const aclmdlDataset *dataset, size_t index)
{
	const auto found = find_plain(dataset, "dataset");
	const Status status = found ? check_index(**found, index) : found.status();
	(void)acl_return(status);
	return status == Status::OK ? desc_of(**found, index) : nullptr;
}
