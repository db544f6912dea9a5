// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL exceptions of kernels
 *
 * The device names the kernel of a failed launch. A program may register a function for a binary. It is
 * called only for failures of kernels in that binary.
 */
#include <cstring>

#include "drv/packet/cookie.h"
#include "kernel_calls.h"
#include "umd/acl/front.h"
#include "umd/acl/stream/exception_info.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/report/kernel_failure.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::FaultCallbacks;
using umd::FaultInfo;
using umd::Held;
using umd::KernelBinary;
using umd::null_argument;
using umd::set_error;

static umd::KernelFailure failure_of(const FaultInfo &fault)
{
	if (!umd::is_kernel_failure(fault.status) || !fault.opened)
		return {};
	return umd::kernel_failure(*fault.opened, fault.cookie);
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo *info, aclrtFuncHandle *func)
{
	if (info && !func)
		return acl_return(null_argument("func"));
	auto found = TRY(umd::find_plain(info, "info"));
	const umd::KernelFailure failure = failure_of(found->fault);
	const uint64_t function = umd::function_of(failure.image, failure.entry);
	if (function == 0)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  "info is not about a kernel of a loaded binary; load kernels by "
				  "aclrtBinaryLoadFromFile, and unload none before the callback"));
	*func = reinterpret_cast<aclrtFuncHandle>(function);
	return ACL_SUCCESS;
}

/* Return: nullptr if the arguments of the failed launch are not known. */
static umd::RecentLaunches::Words failed_launch(const FaultInfo &fault)
{
	const umd::KernelFailure failure = failure_of(fault);
	const drv::Command command = drv::decode_cookie(fault.cookie);
	if (!failure.image || command.channel == drv::COOKIE_GRAPH)
		return nullptr;
	const Held<KernelBinary> binary(KernelBinary::table(),
					reinterpret_cast<const void *>(failure.image->binary()));
	return binary ? binary->launches.find(drv::cookie_place(command.channel, command.index),
					      fault.thread)
		      : nullptr;
}

/* The address of the arguments: that of the launch, or of a copy in device memory that lives as long as @info. */
static base::Result<uint64_t> args_address(rtExceptionInfo &info, const umd::KernelWords &launch)
{
	if (launch.head().flags & UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY)
		return uint64_t{launch.head().args_va};
	if (launch.head().args_bytes == 0)
		return uint64_t{0};
	if (!info.args) {
		const umd::DeviceHold device = launch.image->device().hold();
		if (!device)
			return set_error(Status::INVALID_HANDLE,
					 "info is about a task of a device that was reset since; "
					 "read it in the callback");
		info.args =
			TRY(umd::KernelMemory::allocate(device.open(), launch.head().args_bytes));
		memcpy(info.args->data(), launch.args(), launch.head().args_bytes);
	}
	return info.args->show();
}

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo *info, void **devArgsPtr,
				       uint32_t *devArgsLen)
{
	if (info && (!devArgsPtr || !devArgsLen))
		return acl_return(null_argument(devArgsPtr ? "devArgsLen" : "devArgsPtr"));
	auto found = TRY(umd::find_plain(info, "info"));
	const umd::RecentLaunches::Words launch = failed_launch(found->fault);
	if (!launch)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"info is not about a launch whose arguments are known: these are "
				"the latest {} launches of a binary into streams, made after "
				"aclrtBinarySetExceptionCallback",
				umd::RecentLaunches::MOST)));
	auto address = TRY(args_address(*found, *launch));
	*devArgsPtr = reinterpret_cast<void *>(address);
	*devArgsLen = static_cast<uint32_t>(launch->info().params.size());
	return ACL_SUCCESS;
}

/* Calls the function that was registered for binary @handle, if one of its kernels has failed. */
static void tell_binary(uint64_t handle, const FaultInfo &fault)
{
	const umd::KernelFailure failure = failure_of(fault);
	if (!failure.image || failure.image->binary() != handle)
		return;
	std::function<void(const FaultInfo &)> call;
	{
		const Held<KernelBinary> binary(KernelBinary::table(),
						reinterpret_cast<const void *>(handle));
		if (!binary)
			return;
		std::lock_guard lock(binary->mutex);
		call = binary->on_fault;
	}
	if (call)
		call(fault);
}

aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle,
					 aclrtOpExceptionCallback callback, void *userData)
{
	if (!callback)
		return acl_return(null_argument("callback"));
	{
		auto binary = TRY(umd::find_binary(binHandle));
		std::lock_guard lock(binary->mutex);
		binary->keeps_launches = true;
		KernelBinary::any_keeps_launches = true;
		binary->on_fault = [callback, userData](const FaultInfo &fault) {
			const umd::ToldException told(fault);
			callback(told.handle(), userData);
		};
	}
	const auto handle = reinterpret_cast<uint64_t>(binHandle);
	FaultCallbacks::get().add(binHandle,
				  [handle](const FaultInfo &fault) { tell_binary(handle, fault); });
	return acl_return(Devices::get().watch_faults());
}
