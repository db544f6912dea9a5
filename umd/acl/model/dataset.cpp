// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL datasets
 *
 * A dataset is a list of data buffers, which it does not own.
 */
#include "dataset.h"

#include <fmt/format.h>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::find_plain;
using umd::set_error;

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
	TRY_VALUE(found, umd::retire_plain(dataset, "dataset"));
	found->buffers = {};
	found->choice = {};
	umd::free_plain(*found);
	return ACL_SUCCESS;
}

aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset, aclDataBuffer *dataBuffer)
{
	TRY_VALUE(found, find_plain(dataset, "dataset"));
	TRY_VALUE(buffer, find_plain(dataBuffer, "dataBuffer"));
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
