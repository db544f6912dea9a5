// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL capture and replay
 */
#include "acl/acl.h"
#include "graph_memory.h"
#include "graph_watch.h"
#include "umd/acl/front.h"
#include "umd/core/capture/capture.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/made.h"
#include "umd/core/model/model.h"
#include "umd/core/model/model_end.h"
#include "umd/core/process/thread_state.h"

using base::Status;
using umd::acl_return;
using umd::Capture;
using umd::CaptureMode;
using umd::find_model;
using umd::Model;
using umd::null_argument;
using umd::set_error;
using umd::ThreadState;

static Status check_mode(aclmdlRICaptureMode mode)
{
	if (mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("mode is {}; it must be GLOBAL (0), THREAD_LOCAL (1) or RELAXED (2)",
			    static_cast<int>(mode)));
}

static Status refuse_default_stream()
{
	return set_error(Status::NULL_POINTER, "stream is NULL: the default stream can't be "
					       "captured; capture one of aclrtCreateStream");
}

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode)
{
	if (!stream)
		return acl_return(refuse_default_stream());
	auto found = TRY(umd::find_stream(stream, true));
	TRY(check_mode(mode));
	return acl_return(Capture::begin(*found, static_cast<CaptureMode>(mode)));
}

aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
				       aclmdlRICaptureMode mode)
{
	if (!stream)
		return acl_return(refuse_default_stream());
	auto found = TRY(umd::find_stream(stream, true));
	auto model = TRY(find_model(modelRI));
	TRY(check_mode(mode));
	return acl_return(Capture::begin_inside(*found, *model, static_cast<CaptureMode>(mode)));
}

/* Whether aclmdlRICaptureEnd() returns a model. A capture into a child model does not: that model
 * belongs to its parent. */
static bool gives_model(umd::Stream &stream)
{
	std::unique_lock lock(umd::TaskSink::mutex);
	Capture *capture = capture_of(stream);
	return capture && capture->model() && !capture->model()->parent;
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	auto found = TRY(umd::find_stream(stream, true));
	bool gives = gives_model(*found);
	if (gives && !modelRI)
		return acl_return(null_argument("modelRI"));
	Model *model = nullptr;
	Status status = Capture::end(*found, &model);
	if (modelRI && status != Status::CAPTURE_UNMATCHED && status != Status::NOT_CAPTURING)
		*modelRI = nullptr;
	if (modelRI && model) {
		*modelRI = Model::table().pointer(*model);
		umd::check::made(*modelRI, "a model", 0, __builtin_return_address(0));
	}
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
	auto found = TRY(umd::find_stream(stream, false));
	std::unique_lock lock(umd::TaskSink::mutex);
	Capture *capture = capture_of(*found);
	if (modelRI)
		*modelRI = capture && capture->model() ? Model::table().pointer(*capture->model())
						       : nullptr;
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
	TRY(check_mode(*mode));
	CaptureMode &mine = ThreadState::mine().exchange_mode;
	CaptureMode old = mine;
	mine = static_cast<CaptureMode>(*mode);
	*mode = static_cast<aclmdlRICaptureMode>(old);
	return ACL_SUCCESS;
}

/* Strict mode. */
[[gnu::noinline]] static Status launch_watched(Model &model, umd::Stream &stream)
{
	const umd::GraphWatch &watch = umd::GraphWatch::get();
	TRY(watch.check(model, stream));
	TRY(umd::check_graph_memory("aclmdlRIExecuteAsync", model, stream));
	const auto end = TRY(umd::launch_model(model, stream));
	watch.note(model, stream, end);
	return Status::OK;
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream)
{
	auto model = TRY(find_model(modelRI));
	auto found = TRY(umd::find_stream(stream, true));
	if (umd::check::is_on()) [[unlikely]]
		return acl_return(launch_watched(*model, *found));
	return acl_return(umd::launch_model(*model, *found).status());
}

aclError aclmdlRIDestroy(aclmdlRI modelRI)
{
	auto model = TRY(find_model(modelRI));
	const Status status = umd::destroy_model(*model, modelRI);
	if (status == Status::OK)
		umd::check::gone(modelRI);
	return acl_return(status);
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void *userData)
{
	if (!func)
		return acl_return(null_argument("func"));
	auto model = TRY(find_model(modelRI));
	return acl_return(umd::on_model_destroy(*model, func, userData));
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func)
{
	if (!func)
		return acl_return(null_argument("func"));
	auto model = TRY(find_model(modelRI));
	return acl_return(umd::off_model_destroy(*model, func));
}

aclError aclmdlRISetName(aclmdlRI modelRI, const char *name)
{
	if (!name)
		return acl_return(null_argument("name"));
	auto model = TRY(find_model(modelRI));
	return acl_return(umd::name_model(*model, name));
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name)
{
	if (!name || maxLen == 0)
		return acl_return(
			name ? set_error(Status::NULL_POINTER, "maxLen is 0; it must be positive")
			     : null_argument("name"));
	auto model = TRY(find_model(modelRI));
	std::string text = umd::model_name(*model);
	text.resize(std::min<size_t>(text.size(), maxLen - 1));
	std::copy(text.begin(), text.end(), name);
	name[text.size()] = '\0';
	return ACL_SUCCESS;
}

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId)
{
	if (!modelRIId)
		return acl_return(null_argument("modelRIId"));
	auto model = TRY(find_model(modelRI));
	*modelRIId = model->id;
	return ACL_SUCCESS;
}
