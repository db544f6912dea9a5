// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL attributes of launches
 *
 * Time limits work. The device runs blocks in any order on as many cores as it has, so the other attributes change
 * nothing; their values are checked and can be read back from a captured launch.
 */
#include "base/clock.h"
#include "kernel_calls.h"
#include "kernels/abi/image.h"
#include "umd/acl/front.h"

using base::Status;

namespace umd {

/* The largest local memory of a core. */
static constexpr uint32_t MOST_LOCAL_BYTES = 192 * 1024;

static Status read_switch(const char *name, uint8_t value, bool &to)
{
	to = value != 0;
	if (value <= 1)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("attribute {} is {}; it must be 0 or 1", name, value));
}

static Status read_engine(aclrtEngineType engine, const KernelEntry &entry, KernelAttributes &to)
{
	const bool is_known = engine == ACL_RT_ENGINE_TYPE_AIC || engine == ACL_RT_ENGINE_TYPE_AIV;
	const bool is_other =
		(entry.type == UNPU_KERNEL_AIV_ONLY && engine == ACL_RT_ENGINE_TYPE_AIC) ||
		(entry.type == UNPU_KERNEL_AIC_ONLY && engine == ACL_RT_ENGINE_TYPE_AIV);
	if (!is_known || is_other)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("attribute engineType is {}; kernel {} does not run on "
				    "such a core",
				    static_cast<int>(engine), entry.name));
	to.has_engine = true;
	to.engine = static_cast<uint8_t>(engine);
	return Status::OK;
}

static Status read_local(uint32_t bytes, KernelAttributes &to)
{
	to.local_bytes = bytes;
	if (bytes <= MOST_LOCAL_BYTES)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("attribute localMemorySize is {}; a core has {} bytes", bytes,
				     MOST_LOCAL_BYTES));
}

static Status read_timeout_us(const aclrtTimeoutUs &timeout, KernelAttributes &to)
{
	const uint64_t us = uint64_t{timeout.timeoutHigh} << 32 | timeout.timeoutLow;
	to.timeout_ns = us > UINT64_MAX / NS_PER_US ? UINT64_MAX : us * NS_PER_US;
	return Status::OK;
}

static Status read_offset(uint32_t offset)
{
	if (offset == 0)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("attribute blockDimOffset is {}: the blocks of a launch are "
				     "numbered from 0",
				     offset));
}

static Status read_attribute(const aclrtLaunchKernelAttr &attribute, const KernelEntry &entry,
			     KernelAttributes &to)
{
	const aclrtLaunchKernelAttrValue &value = attribute.value;
	bool is_batch = false;
	switch (attribute.id) {
	case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE:
		TRY(read_switch("schemMode", value.schemMode, is_batch));
		to.schedule = is_batch;
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE:
		return read_local(value.localMemorySize, to);
	case ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE:
		return read_engine(value.engineType, entry, to);
	case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET:
		return read_offset(value.blockDimOffset);
	case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH:
		return read_switch("isBlockTaskPrefetch", value.isBlockTaskPrefetch,
				   to.has_no_prefetch);
	case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP:
		return read_switch("isDataDump", value.isDataDump, to.may_be_dumped);
	case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT:
		to.timeout_ns = value.timeout * uint64_t{base::NS_PER_S};
		return Status::OK;
	case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US:
		return read_timeout_us(value.timeoutUs, to);
	case ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING:
		return read_switch("enableProfiling", value.enableProfiling, to.may_be_profiled);
	default:
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("attribute id is {}; it must be 1 to 9",
					     static_cast<int>(attribute.id)));
	}
}

Status read_attributes(const aclrtLaunchKernelCfg *cfg, const KernelEntry &entry,
		       KernelAttributes &attributes)
{
	if (!cfg || cfg->numAttrs == 0)
		return Status::OK;
	if (!cfg->attrs)
		return null_argument("cfg->attrs");
	for (size_t i = 0; i < cfg->numAttrs; i++)
		TRY(read_attribute(cfg->attrs[i], entry, attributes));
	return Status::OK;
}

size_t show_attributes(const KernelAttributes &from, aclrtLaunchKernelAttr *to)
{
	size_t count = 0;
	auto add = [&](bool is_there, aclrtLaunchKernelAttrId id, auto put) {
		if (!is_there)
			return;
		aclrtLaunchKernelAttr &attribute = to[count++];
		attribute = {};
		attribute.id = id;
		put(attribute.value);
	};
	using Value = aclrtLaunchKernelAttrValue;
	add(from.schedule != 0, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
	    [&](Value &value) { value.schemMode = from.schedule; });
	add(from.local_bytes != 0, ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE,
	    [&](Value &value) { value.localMemorySize = from.local_bytes; });
	add(from.has_engine, ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE,
	    [&](Value &value) { value.engineType = static_cast<aclrtEngineType>(from.engine); });
	add(from.has_no_prefetch, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH,
	    [&](Value &value) { value.isBlockTaskPrefetch = 1; });
	add(from.may_be_dumped, ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP,
	    [&](Value &value) { value.isDataDump = 1; });
	add(from.timeout_ns != 0, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, [&](Value &value) {
		const uint64_t us = from.timeout_ns / NS_PER_US;
		value.timeoutUs = {static_cast<uint32_t>(us), static_cast<uint32_t>(us >> 32)};
	});
	add(from.may_be_profiled, ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING,
	    [&](Value &value) { value.enableProfiling = 1; });
	return count;
}

} // namespace umd
