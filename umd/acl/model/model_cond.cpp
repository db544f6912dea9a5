// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL task groups and conditional tasks
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/capture/capture.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/model/condition.h"
#include "umd/core/model/model.h"
#include "umd/core/model/task_group.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Capture;
using umd::Condition;
using umd::Model;
using umd::null_argument;
using umd::set_error;
using umd::TaskGroup;

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, true));
	std::unique_lock lock(umd::TaskSink::mutex);
	auto capture = TRY(Capture::of(*found));
	return acl_return(capture->begin_group(*found));
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	auto found = TRY(umd::find_stream(stream, true));
	std::unique_lock lock(umd::TaskSink::mutex);
	auto capture = TRY(Capture::of(*found));
	auto group = TRY(capture->end_group(*found));
	*handle = TaskGroup::table().pointer(*group);
	return ACL_SUCCESS;
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	auto found = TRY(umd::find_stream(stream, true));
	umd::TaskGroup *group = TaskGroup::table().get(handle);
	if (!group)
		return acl_return(set_error(
			Status::INVALID_HANDLE,
			fmt::format("handle {} is not a task group, or its model was destroyed",
				    fmt::ptr(handle))));
	return acl_return(umd::begin_update(*found, *group));
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::end_update(*found));
}

aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
				  aclmdlRICondHandleFlag flag, aclmdlRICondHandle *handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	auto model = TRY(umd::find_model(modelRI));
	auto number = static_cast<int>(flag);
	if (number != 0 && number != ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("flag is {}; it must be 0 or "
					      "ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT (1)",
					      number)));
	auto condition = TRY(umd::create_condition(*model, defaultLaunchValue, number != 0));
	*handle = Condition::table().pointer(*condition);
	return ACL_SUCCESS;
}

static Result<Condition *> find_condition(const void *handle)
{
	if (!handle)
		return null_argument("handle");
	if (Condition *condition = Condition::table().get(handle))
		return condition;
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("handle {} is not a condition, or its model was destroyed",
				     fmt::ptr(handle)));
}

aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t **ptr)
{
	if (!ptr)
		return acl_return(null_argument("ptr"));
	auto condition = TRY(find_condition(handle));
	*ptr = reinterpret_cast<uint64_t *>(condition->va);
	return ACL_SUCCESS;
}

static Result<unpu_cond_kind> check_kind(const aclmdlRICondTaskParams &params)
{
	switch (params.type) {
	case ACL_MODEL_RI_COND_TYPE_IF:
		if (params.size == 1 || params.size == 2)
			return UNPU_COND_IF;
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("size is {}; IF has 1 model or 2", params.size));
	case ACL_MODEL_RI_COND_TYPE_WHILE:
		if (params.size == 1)
			return UNPU_COND_WHILE;
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("size is {}; WHILE has 1 model", params.size));
	case ACL_MODEL_RI_COND_TYPE_SWITCH:
		if (params.size >= 1 && params.size < UNPU_GRAPH_MAX_REGIONS)
			return UNPU_COND_SWITCH;
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("size is {}; SWITCH has 1 to {} models", params.size,
					     UNPU_GRAPH_MAX_REGIONS - 1));
	}
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("type is {}; it must be IF (0), WHILE (1) or SWITCH (2)",
				     static_cast<int>(params.type)));
}

aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags)
{
	if (!params.modelRIArray)
		return acl_return(null_argument("params.modelRIArray"));
	auto found = TRY(umd::find_stream(stream, true));
	auto condition = TRY(find_condition(params.handle));
	auto kind = TRY(check_kind(params));
	if (flags != 0)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("flags is {}; it must be 0", flags)));
	std::unique_lock lock(umd::TaskSink::mutex);
	auto capture = TRY(Capture::of(*found));
	std::vector<umd::Model *> models;
	Status status = capture->add_condition(*found, *condition, kind, params.size, models);
	for (size_t i = 0; status == Status::OK && i < models.size(); i++)
		params.modelRIArray[i] = Model::table().pointer(*models[i]);
	return acl_return(status);
}
