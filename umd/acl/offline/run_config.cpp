// SPDX-License-Identifier: MIT
/**
 * DOC: Runs with a configuration
 *
 * It says how long a run may take that the calling thread waits for.
 */
#include <cstring>

#include <fmt/format.h>

#include "acl/acl_mdl.h"
#include "failure.h"
#include "offline_model.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::find_plain;
using umd::OfflineModel;
using umd::set_error;

/** struct aclmdlExecConfigHandle - @timeout: of ACL_MDL_STREAM_SYNC_TIMEOUT, in milliseconds; -1: none */
struct aclmdlExecConfigHandle : umd::PlainObject<umd::Kind::RUN_CONFIG> {
	static constexpr const char *NAME = "description of a run";
	static constexpr int32_t FOR_EVER = -1;

	int32_t timeout;
};

aclmdlExecConfigHandle *aclmdlCreateExecConfigHandle()
{
	auto *config = umd::make_plain<aclmdlExecConfigHandle>();
	if (!config) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	config->timeout = aclmdlExecConfigHandle::FOR_EVER;
	return umd::handle_of(*config);
}

aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle *handle)
{
	auto config = TRY(umd::retire_plain(handle, "handle"));
	umd::free_plain(*config);
	return ACL_SUCCESS;
}

aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle *handle, aclmdlExecConfigAttr attr,
				const void *attrValue, size_t valueSize)
{
	auto config = TRY(find_plain(handle, "handle"));
	if (attr < ACL_MDL_STREAM_SYNC_TIMEOUT || attr > ACL_MDL_MEC_TIMETHR_SIZET)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("attr is {}, which is no aclmdlExecConfigAttr",
					      static_cast<int>(attr))));
	if (attr > ACL_MDL_EVENT_SYNC_TIMEOUT)
		return acl_return(set_error(
			Status::NOT_SUPPORTED,
			fmt::format("attr is {}: a run has the work memory of its model, and only "
				    "timeouts can be set for it; load the model again for other "
				    "memory",
				    static_cast<int>(attr))));
	if (!attrValue)
		return acl_return(umd::null_argument("attrValue"));
	int32_t timeout = 0;
	if (valueSize != sizeof(timeout))
		return acl_return(set_error(Status::NULL_POINTER,
					    fmt::format("valueSize is {}; a timeout has {} bytes",
							valueSize, sizeof(timeout))));
	std::memcpy(&timeout, attrValue, sizeof(timeout));
	if (timeout < aclmdlExecConfigHandle::FOR_EVER || timeout == 0)
		return acl_return(set_error(
			Status::NULL_POINTER,
			fmt::format("the timeout is {} ms; it must be -1 (for ever) or positive",
				    timeout)));
	/* Runs wait for no events. */
	if (attr == ACL_MDL_STREAM_SYNC_TIMEOUT)
		config->timeout = timeout;
	return ACL_SUCCESS;
}

aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output,
			 aclrtStream stream, const aclmdlExecConfigHandle *handle)
{
	auto config = TRY(find_plain(handle, "handle"));
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(OfflineModel::find(modelId, model));
	if (!stream)
		return model->execute(input, output, umd::Call::RUN_MODEL_V2);
	auto deadline_ns = TRY(umd::parse_timeout(config->timeout));
	return model->execute_in(input, output, stream, deadline_ns);
}

aclError aclmdlExecuteAsyncV2(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output,
			      aclrtStream stream, const aclmdlExecConfigHandle *handle)
{
	TRY(find_plain(handle, "handle"));
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(OfflineModel::find(modelId, model));
	return model->execute_async(input, output, stream, umd::Call::RUN_MODEL_ASYNC_V2);
}
