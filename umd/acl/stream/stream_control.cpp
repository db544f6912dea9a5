// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL streams: attributes, failures, aborts, callbacks
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/devices.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/task/capture_notes.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::Stream;
using umd::StreamCallbacks;

static Status set_failure_mode(Stream &stream, uint64_t mode)
{
	if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("mode is {}; it must be ACL_CONTINUE_ON_FAILURE (0) or "
				    "ACL_STOP_ON_FAILURE (1)",
				    mode));
	return umd::set_failure_mode(stream, mode == ACL_STOP_ON_FAILURE);
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode)
{
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(set_failure_mode(*found, mode));
}

static Status refuse_capturing(const Stream &stream, const char *what)
{
	if (!umd::capturing(stream))
		return Status::OK;
	return umd::refuse_for_capture(
		stream.context->notes, Status::STREAM_CAPTURED,
		fmt::format("the stream captures, so {} can't be set; end the capture first", what),
		umd::subject_of(stream));
}

/* @bad: the status to return for a value other than 0 and 1 */
static Status set_switch(Stream &stream, std::atomic<bool> &field, uint32_t value, Status bad,
			 const char *what)
{
	if (value > 1)
		return set_error(bad, fmt::format("the switch is {}; it must be 0 or 1", value));
	TRY(refuse_capturing(stream, what));
	field = value == 1;
	return Status::OK;
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag)
{
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(set_switch(*found, found->settings.overflow_check, flag,
				     Status::INVALID_ENUM, "the overflow switch"));
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag)
{
	if (!flag)
		return acl_return(null_argument("flag"));
	auto found = TRY(umd::find_stream(stream, false));
	*flag = found->settings.overflow_check.load();
	return ACL_SUCCESS;
}

static Status set_user_tag(Stream &stream, uint32_t tag)
{
	TRY(refuse_capturing(stream, "the user's tag"));
	stream.settings.user_tag = tag;
	return Status::OK;
}

static Status unknown_attribute(aclrtStreamAttr attribute)
{
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("stmAttrType is {}; it must be one of aclrtStreamAttr, 1 to 5",
				     static_cast<int>(attribute)));
}

static Status set_attribute(Stream &stream, aclrtStreamAttr attribute,
			    const aclrtStreamAttrValue &value)
{
	switch (attribute) {
	case ACL_STREAM_ATTR_FAILURE_MODE:
		return set_failure_mode(stream, value.failureMode);
	case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
		return set_switch(stream, stream.settings.overflow_check, value.overflowSwitch,
				  Status::INVALID_ARGUMENT, "the overflow switch");
	case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
		return set_user_tag(stream, value.userCustomTag);
	case ACL_STREAM_ATTR_CACHE_OP_INFO:
		if (value.cacheOpInfoSwitch > 1)
			return set_error(Status::INVALID_ARGUMENT,
					 fmt::format("the switch is {}; it must be 0 or 1",
						     value.cacheOpInfoSwitch));
		stream.settings.cache_op_info = value.cacheOpInfoSwitch == 1;
		return Status::OK;
	case ACL_STREAM_ATTR_PRIORITY:
		if (value.streamPriority > 7)
			return set_error(Status::INVALID_ARGUMENT,
					 fmt::format("the priority is {}; it must be 0 to 7",
						     value.streamPriority));
		return umd::set_priority(stream, value.streamPriority);
	}
	return unknown_attribute(attribute);
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
				 aclrtStreamAttrValue *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(set_attribute(*found, stmAttrType, *value));
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
				 aclrtStreamAttrValue *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto found = TRY(umd::find_stream(stream, false));
	switch (stmAttrType) {
	case ACL_STREAM_ATTR_FAILURE_MODE:
		value->failureMode = found->stops_on_failure.load() ? ACL_STOP_ON_FAILURE
								    : ACL_CONTINUE_ON_FAILURE;
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
		value->overflowSwitch = found->settings.overflow_check.load();
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
		value->userCustomTag = found->settings.user_tag.load();
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_CACHE_OP_INFO:
		value->cacheOpInfoSwitch =
			umd::capturing(*found) && found->settings.cache_op_info.load();
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_PRIORITY:
		value->streamPriority = found->priority.load();
		return ACL_SUCCESS;
	}
	return acl_return(unknown_attribute(stmAttrType));
}

aclError aclrtStreamAbort(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(umd::abort_stream(*found));
}

aclError aclrtStreamStop(aclrtStream stream)
{
	if (!stream)
		return acl_return(set_error(Status::NULL_POINTER,
					    "stream is NULL: the default stream can't be stopped"));
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(umd::stop_task(*found));
}

aclError aclrtPersistentTaskClean(aclrtStream stream)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(umd::drop_tasks(*found));
}

aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback,
				     void *args)
{
	if (!regName)
		return acl_return(null_argument("regName"));
	auto &callbacks = StreamCallbacks::get();
	if (!callback)
		return acl_return(callbacks.remove(regName));
	auto call = [callback, args](Stream &stream, umd::StreamState state) {
		callback(umd::HandleTable<Stream, umd::Kind::STREAM>::pointer(stream),
			 static_cast<aclrtStreamState>(state), args);
	};
	return acl_return(callbacks.add(regName, call));
}

aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback,
					 void *args)
{
	if (!regName)
		return acl_return(null_argument("regName"));
	auto &callbacks = Devices::get().abort_callbacks;
	if (!callback)
		return acl_return(callbacks.remove(regName));
	auto call = [callback, args](int32_t device, umd::AbortStage stage, uint32_t timeout_ms) {
		return callback(device, static_cast<aclrtDeviceTaskAbortStage>(stage), timeout_ms,
				args);
	};
	return acl_return(callbacks.add(regName, call));
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout)
{
	constexpr uint32_t LONGEST_MS = 36 * 60 * 1000;
	if (timeout > LONGEST_MS)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("timeout is {} ms; it must be 0 (for ever) to {}, 36 minutes",
				    timeout, LONGEST_MS)));
	return acl_return(Contexts::get().abort_tasks(deviceId, timeout));
}
