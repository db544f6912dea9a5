// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL lists of arguments of kernels
 */
#include "acl/acl.h"
#include "umd/core/kernel/kernel_args.h"

#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::ArgsEdit;
using umd::null_argument;
using umd::set_error;

/* The handle of an argument is its number combined with these bits. */
static constexpr uintptr_t PARAM_TAG = uintptr_t{0x7061} << 48;

static aclrtParamHandle handle_of(uint32_t number)
{
	return reinterpret_cast<aclrtParamHandle>(PARAM_TAG | number);
}

/* Return: false if it is not the handle of an argument. */
static bool number_of(aclrtParamHandle handle, uint32_t &number)
{
	const auto word = reinterpret_cast<uintptr_t>(handle);
	number = static_cast<uint32_t>(word);
	return (word & ~uintptr_t{0xffff}) == PARAM_TAG;
}

static Status refuse_param()
{
	return set_error(Status::INVALID_HANDLE,
			 "paramHandle is none of a list of arguments; aclrtKernelArgsAppend or "
			 "aclrtKernelArgsAppendPlaceHolder gives one");
}

aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle *argsHandle)
{
	if (!argsHandle)
		return acl_return(null_argument("argsHandle"));
	auto function = TRY(umd::find_function(funcHandle));
	auto list = TRY(umd::begin_kernel_args(*function));
	*argsHandle = list;
	return ACL_SUCCESS;
}

aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle,
				      void *userHostMem, size_t actualArgsSize)
{
	if (!argsHandle || !userHostMem)
		return acl_return(null_argument(argsHandle ? "userHostMem" : "argsHandle"));
	auto function = TRY(umd::find_function(funcHandle));
	return acl_return(
		umd::begin_kernel_args_in(*function, argsHandle, userHostMem, actualArgsSize));
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize,
				   size_t *actualArgsSize)
{
	if (!actualArgsSize)
		return acl_return(null_argument("actualArgsSize"));
	TRY(umd::find_function(funcHandle).status());
	if (userArgsSize > SIZE_MAX / 2)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    "userArgsSize is more than half of the address space; "
					    "it must be the size of the kernel's arguments"));
	*actualArgsSize = umd::kernel_args_bytes(userArgsSize);
	return ACL_SUCCESS;
}

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t *memSize)
{
	if (!memSize)
		return acl_return(null_argument("memSize"));
	TRY(umd::find_function(funcHandle).status());
	*memSize = sizeof(umd::KernelArgs);
	return ACL_SUCCESS;
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize,
			       aclrtParamHandle *paramHandle)
{
	if (!param || !paramHandle)
		return acl_return(null_argument(param ? "paramHandle" : "param"));
	auto list = TRY(ArgsEdit::find(argsHandle));
	uint32_t number = 0;
	const Status status = list.append(param, paramSize, number);
	if (status == Status::OK)
		*paramHandle = handle_of(number);
	return acl_return(status);
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle *paramHandle)
{
	if (!paramHandle)
		return acl_return(null_argument("paramHandle"));
	auto list = TRY(ArgsEdit::find(argsHandle));
	uint32_t number = 0;
	const Status status = list.append_place(number);
	if (status == Status::OK)
		*paramHandle = handle_of(number);
	return acl_return(status);
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle,
					     aclrtParamHandle paramHandle, size_t dataSize,
					     void **bufferAddr)
{
	if (!bufferAddr)
		return acl_return(null_argument("bufferAddr"));
	auto list = TRY(ArgsEdit::find(argsHandle));
	uint32_t number = 0;
	if (!number_of(paramHandle, number))
		return acl_return(refuse_param());
	return acl_return(list.place(number, dataSize, *bufferAddr));
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
				   void *param, size_t paramSize)
{
	if (!param)
		return acl_return(null_argument("param"));
	auto list = TRY(ArgsEdit::find(argsHandle));
	uint32_t number = 0;
	if (!number_of(paramHandle, number))
		return acl_return(refuse_param());
	return acl_return(list.update(number, param, paramSize));
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle)
{
	auto list = TRY(ArgsEdit::find(argsHandle));
	return acl_return(list.finish());
}
