// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL kernels in models
 *
 * The program reads a captured launch and changes it. Its arguments are in memory of the model, or in device
 * memory if the launch passed their address.
 */
#include "model_kernel.h"

#include <cstring>

#include "base/clock.h"
#include "umd/acl/front.h"
#include "umd/acl/kernel/kernel_calls.h"
#include "umd/core/device/open_device.h"

namespace umd {

using base::Status;

/* The number of words in front of the arguments that the program sees: the attributes and their list. */
static constexpr size_t CONFIG_WORDS =
	(sizeof(aclrtLaunchKernelCfg) + MAX_LAUNCH_ATTRIBUTES * sizeof(aclrtLaunchKernelAttr) + 7) /
	sizeof(uint64_t);

void show_launch(Model &model, uint32_t node, const KernelWords &words,
		 aclmdlRIKernelTaskParams &params)
{
	std::vector<uint64_t> &shown = model.shown_tensors[node];
	/* An update may make the arguments longer, so there is spare room, and the program's pointers stay
	 * valid. */
	shown.reserve(CONFIG_WORDS + UNPU_KERNEL_MAX_BYTES / sizeof(uint64_t));
	const KernelHead &head = words.head();
	const bool is_elsewhere = head.flags & UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
	const size_t args = is_elsewhere ? 0 : head.args_bytes;
	shown.assign(CONFIG_WORDS + args / sizeof(uint64_t), 0);
	auto *cfg = reinterpret_cast<aclrtLaunchKernelCfg *>(shown.data());
	cfg->attrs = reinterpret_cast<aclrtLaunchKernelAttr *>(cfg + 1);
	cfg->numAttrs = show_attributes(words.attributes, cfg->attrs);
	memcpy(shown.data() + CONFIG_WORDS, words.args(), args);
	params.funcHandle = reinterpret_cast<aclrtFuncHandle>(words.function);
	params.cfg = cfg->numAttrs > 0 ? cfg : nullptr;
	params.args = is_elsewhere ? reinterpret_cast<void *>(head.args_va)
				   : static_cast<void *>(shown.data() + CONFIG_WORDS);
	params.isHostArgs = !is_elsewhere;
	params.argsSize = head.args_bytes;
	params.numBlocks = head.blocks;
}

static Status check_host(uint32_t is_host)
{
	if (is_host <= 1)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("isHostArgs is {}; it must be 0 or 1", is_host));
}

Status set_launch(const Model &model, const aclmdlRIKernelTaskParams &params, GraphTask &task)
{
	TRY(check_host(params.isHostArgs));
	auto function = TRY(find_function(params.funcHandle));
	if (!params.args && params.argsSize > 0)
		return null_argument("args");
	KernelLaunch launch = launch_of(*function, params.numBlocks);
	TRY(read_attributes(params.cfg, function->info(), launch.attributes));
	launch.args_bytes = params.argsSize;
	if (params.isHostArgs)
		launch.host = {static_cast<const std::byte *>(params.args), params.argsSize};
	else
		launch.va = reinterpret_cast<uint64_t>(params.args);
	const DeviceHold device = model.device.hold();
	if (!device)
		return set_error(
			Status::DEVICE_LOST,
			"the model's device was reset; set the device and capture the model again");
	const KernelWords &old = *kernel_words(task);
	auto words = TRY(make_kernel_words(device.open(), launch,
					   old.head().flags & UNPU_KERNEL_LAUNCH_SATURATE));
	/* The program may have copied addresses of the old data. */
	if (!words->memory)
		words->memory = old.memory;
	task.packet.tensor.bytes = static_cast<uint32_t>(words->size() * sizeof(uint64_t));
	task.tensor = std::move(words);
	return Status::OK;
}

Status launch_attribute(const KernelWords &words, aclrtLaunchKernelAttrId id,
			aclrtLaunchKernelAttrValue &value)
{
	const KernelAttributes &from = words.attributes;
	const uint64_t us = from.timeout_ns / NS_PER_US;
	value = {};
	switch (id) {
	case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE:
		value.schemMode = from.schedule;
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE:
		value.localMemorySize = from.local_bytes;
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP:
		value.isDataDump = from.may_be_dumped;
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT:
		value.timeout = static_cast<uint16_t>(
			std::min<uint64_t>(from.timeout_ns / base::NS_PER_S, UINT16_MAX));
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US:
		value.timeoutUs = {static_cast<uint32_t>(us), static_cast<uint32_t>(us >> 32)};
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING:
		value.enableProfiling = from.may_be_profiled;
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE:
	case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET:
	case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH:
		return set_error(Status::NOT_SUPPORTED,
				 fmt::format("attrId is {}: attributes 3 to 5 can't be queried; "
					     "keep what the launch was given",
					     static_cast<int>(id)));
	default:
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("attrId is {}; it must be 1 to 9", static_cast<int>(id)));
	}
}

} // namespace umd
