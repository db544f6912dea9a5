// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL capture and replay
 */
#include "front.h"
#include "umd/capture.h"

using base::Status;
using umd::acl_return;
using umd::Capture;
using umd::CaptureMode;
using umd::Model;
using umd::null_argument;
using umd::Runtime;
using umd::set_error;

static Status check_mode(aclmdlRICaptureMode mode)
{
	if (mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("mode is {}; it must be GLOBAL (0), THREAD_LOCAL (1) or RELAXED (2)",
			    static_cast<int>(mode)));
}

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode)
{
	if (!stream)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  "stream is NULL: the default stream can't be captured"));
	TRY_VALUE(found, umd::find_stream(stream, true));
	Status status = check_mode(mode);
	if (status != Status::OK)
		return acl_return(status);
	return acl_return(Capture::begin(*found, static_cast<CaptureMode>(mode)));
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI)
{
	if (!stream || !modelRI)
		return acl_return(null_argument(stream ? "modelRI" : "stream"));
	TRY_VALUE(found, umd::find_stream(stream, true));
	Model *model = nullptr;
	Status status = Capture::end(*found, &model);
	if (status != Status::CAPTURE_UNMATCHED && status != Status::NOT_CAPTURING)
		*modelRI = nullptr;
	if (model)
		*modelRI = Runtime::get().models.pointer(*model);
	return acl_return(status);
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status,
				aclmdlRI *modelRI)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	if (!status && !modelRI)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  "status and modelRI are both NULL; ask for at least one"));
	TRY_VALUE(found, umd::find_stream(stream, false));
	auto lock = Capture::lock();
	Capture *capture = found->capture.load();
	if (modelRI)
		*modelRI = capture ? Runtime::get().models.pointer(capture->model()) : nullptr;
	if (!status)
		return ACL_SUCCESS;
	if (!capture)
		*status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
	else
		*status = capture->valid() ? ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE
					   : ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
	return ACL_SUCCESS;
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode)
{
	if (!mode)
		return acl_return(null_argument("mode"));
	Status status = check_mode(*mode);
	if (status != Status::OK)
		return acl_return(status);
	CaptureMode &mine = Runtime::thread().exchange_mode;
	CaptureMode old = mine;
	mine = static_cast<CaptureMode>(*mode);
	*mode = static_cast<aclmdlRICaptureMode>(old);
	return ACL_SUCCESS;
}

static base::Result<Model *> find_model(aclmdlRI modelRI)
{
	if (!modelRI)
		return null_argument("modelRI");
	if (Model *model = Runtime::get().models.get(modelRI))
		return model;
	TRY(Runtime::get().check_fork());
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format(
			"modelRI {} is not a live model: it was destroyed, or is something else",
			fmt::ptr(modelRI)));
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream)
{
	TRY_VALUE(model, find_model(modelRI));
	TRY_VALUE(found, umd::find_stream(stream, true));
	return acl_return(umd::execute_model(*model, *found));
}

aclError aclmdlRIDestroy(aclmdlRI modelRI)
{
	TRY_VALUE(model, find_model(modelRI));
	return acl_return(umd::destroy_model(*model));
}
