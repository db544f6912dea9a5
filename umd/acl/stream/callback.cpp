// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL callbacks and host functions
 *
 * Callbacks (aclrtLaunchCallback) run on a thread that the program subscribed for them. Host functions
 * (aclrtLaunchHostFunc) run on a subscribed thread too or, without one, on the runtime's thread. A
 * stream can't use callbacks and the runtime's thread together; umd/core/stream/host_launch.cpp says why.
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/stream/host_launch.h"
#include "umd/core/stream/report_threads.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::ReportThreads;
using umd::Scheme;
using umd::set_error;

static aclError subscribe(uint64_t thread, aclrtStream stream, Scheme scheme)
{
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::subscribe(thread, *found, scheme));
}

static aclError unsubscribe(uint64_t thread, aclrtStream stream, Scheme scheme)
{
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(ReportThreads::get().unsubscribe(thread, *found, scheme));
}

static aclError process(int32_t timeout_ms, Scheme scheme)
{
	if (timeout_ms == 0 || timeout_ms < -1)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("timeout is {} ms; it must be -1 (for ever) or positive",
				    timeout_ms)));
	auto deadline_ns = TRY(umd::parse_timeout(timeout_ms));
	return acl_return(ReportThreads::get().process(scheme, deadline_ns));
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
	return subscribe(threadId, stream, Scheme::REPORT);
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
	return unsubscribe(threadId, stream, Scheme::REPORT);
}

aclError aclrtProcessReport(int32_t timeout)
{
	return process(timeout, Scheme::REPORT);
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream)
{
	return subscribe(hostFuncThreadId, exeStream, Scheme::HOST_FUNC);
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream)
{
	return unsubscribe(hostFuncThreadId, exeStream, Scheme::HOST_FUNC);
}

aclError aclrtProcessHostFunc(int32_t timeout)
{
	return process(timeout, Scheme::HOST_FUNC);
}

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
			     aclrtStream stream)
{
	if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("blockType is {}; it must be ACL_CALLBACK_NO_BLOCK (0) or "
				    "ACL_CALLBACK_BLOCK (1)",
				    static_cast<int>(blockType))));
	if (!fn)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT, "fn is NULL; it must be a function"));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(
		umd::launch_callback(*found, fn, userData, blockType == ACL_CALLBACK_BLOCK));
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
	if (!fn)
		return acl_return(null_argument("fn"));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(umd::launch_host_func(*found, fn, args));
}
