// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL launches of kernels
 */
#include <cstring>

#include "kernel_calls.h"
#include "umd/acl/front.h"
#include "umd/core/kernel/kernel_args.h"

using base::Status;
using umd::acl_return;
using umd::KernelFunction;
using umd::KernelLaunch;
using umd::KernelPlace;
using umd::null_argument;
using umd::set_error;

namespace umd {

KernelLaunch launch_of(const KernelFunction &function, uint32_t blocks)
{
	KernelLaunch launch;
	launch.image = function.image;
	launch.entry = function.entry;
	launch.tiling_key = function.tiling_key;
	launch.function = function.handle;
	launch.blocks = blocks;
	return launch;
}

} // namespace umd

aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData,
			     size_t argsSize, aclrtLaunchKernelCfg *cfg, aclrtStream stream)
{
	auto function = TRY(umd::find_function(funcHandle));
	if (!argsData && (argsSize > 0 || !function->info().params.empty()))
		return acl_return(null_argument("argsData"));
	KernelLaunch launch = umd::launch_of(*function, numBlocks);
	TRY(umd::read_attributes(cfg, function->info(), launch.attributes));
	launch.va = reinterpret_cast<uint64_t>(argsData);
	launch.args_bytes = argsData ? argsSize : 0;
	return acl_return(umd::launch_kernel(stream, launch));
}

aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData,
			   size_t argsSize, aclrtStream stream)
{
	return aclrtLaunchKernelV2(funcHandle, numBlocks, argsData, argsSize, nullptr, stream);
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks,
				     aclrtStream stream, aclrtLaunchKernelCfg *cfg,
				     aclrtArgsHandle argsHandle, void *reserve)
{
	if (reserve)
		return acl_return(set_error(Status::INVALID_ENUM, "reserve must be NULL"));
	auto function = TRY(umd::find_function(funcHandle));
	auto list = TRY(umd::ArgsEdit::find(argsHandle));
	KernelLaunch launch = umd::launch_of(*function, numBlocks);
	Status status = umd::read_attributes(cfg, function->info(), launch.attributes);
	std::vector<std::byte> packed;
	std::vector<KernelPlace> places;
	if (status == Status::OK)
		status = list.pack(*function, packed, places, launch.args_bytes);
	if (status != Status::OK)
		return acl_return(status);
	launch.host = packed;
	launch.places = places;
	return acl_return(umd::launch_kernel(stream, launch));
}

static Status read_places(const aclrtPlaceHolderInfo *from, size_t count,
			  std::vector<KernelPlace> &places)
{
	if (count > 0 && !from)
		return null_argument("placeHolderArray");
	if (count > umd::MAX_KERNEL_ARGS)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("placeHolderNum is {}; the most are {}", count,
					     umd::MAX_KERNEL_ARGS));
	for (size_t i = 0; i < count; i++)
		places.push_back({from[i].addrOffset, from[i].dataOffset});
	return Status::OK;
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks,
				       aclrtStream stream, aclrtLaunchKernelCfg *cfg,
				       void *hostArgs, size_t argsSize,
				       aclrtPlaceHolderInfo *placeHolderArray,
				       size_t placeHolderNum)
{
	auto function = TRY(umd::find_function(funcHandle));
	const umd::KernelEntry &entry = function->info();
	if (!hostArgs && (argsSize > 0 || !entry.params.empty()))
		return acl_return(null_argument("hostArgs"));
	KernelLaunch launch = umd::launch_of(*function, numBlocks);
	std::vector<KernelPlace> places;
	TRY(umd::read_attributes(cfg, entry, launch.attributes));
	TRY(read_places(placeHolderArray, placeHolderNum, places));
	launch.host = {static_cast<const std::byte *>(hostArgs), argsSize};
	launch.places = places;
	launch.args_bytes =
		places.empty() ? argsSize : std::min<size_t>(argsSize, entry.args_bytes);
	return acl_return(umd::launch_kernel(stream, launch));
}

/* Copies each argument to the offset of the kernel's parameter. */
static Status gather(const umd::KernelEntry &entry, void *const *args,
		     std::vector<std::byte> &packed)
{
	if (!args && !entry.params.empty())
		return null_argument("args");
	packed.resize(entry.args_bytes);
	for (size_t i = 0; i < entry.params.size(); i++) {
		if (!args[i])
			return null_argument(fmt::format("args[{}]", i).c_str());
		memcpy(packed.data() + entry.params[i].offset, args[i], entry.params[i].bytes);
	}
	return Status::OK;
}

aclError aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks, aclrtStream stream,
					aclrtLaunchKernelCfg *cfg, void **args)
{
	auto function = TRY(umd::resolve_function(func));
	KernelLaunch launch = umd::launch_of(*function, numBlocks);
	std::vector<std::byte> packed;
	TRY(umd::read_attributes(cfg, function->info(), launch.attributes));
	TRY(gather(function->info(), args, packed));
	launch.host = packed;
	launch.args_bytes = packed.size();
	return acl_return(umd::launch_kernel(stream, launch));
}
