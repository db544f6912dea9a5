// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL functions of kernels
 */
#include <algorithm>
#include <cstring>

#include "kernel_calls.h"
#include "kernels/abi/image.h"
#include "umd/acl/front.h"
#include "umd/core/kernel/registered_image.h"

using base::Status;
using umd::acl_return;
using umd::Held;
using umd::KernelFunction;
using umd::null_argument;
using umd::set_error;

namespace umd {

Held<KernelFunction> resolve_function(const void *func)
{
	Held<KernelFunction> function(KernelFunction::table(), func);
	if (function || !func || !RegisteredImages::is_symbol(func))
		return function ? std::move(function) : find_function(func);
	auto found = RegisteredImages::function(func);
	return found ? find_function(KernelFunction::Table::pointer(**found))
		     : Held<KernelFunction>(found.status());
}

} // namespace umd

aclError aclrtGetFuncBySymbol(const void *symbol, aclrtFuncHandle *funcHandle)
{
	if (!symbol || !funcHandle)
		return acl_return(null_argument(symbol ? "funcHandle" : "symbol"));
	auto function = TRY(umd::RegisteredImages::function(symbol));
	*funcHandle = KernelFunction::Table::pointer(*function);
	return ACL_SUCCESS;
}

aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name)
{
	if (!name)
		return acl_return(null_argument("name"));
	if (maxLen == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "maxLen is 0; it must be positive"));
	auto function = TRY(umd::find_function(funcHandle));
	const std::string &from = function->info().name;
	const size_t bytes = std::min<size_t>(from.size(), maxLen - 1);
	memcpy(name, from.data(), bytes);
	name[bytes] = '\0';
	return ACL_SUCCESS;
}

static aclrtKernelType type_of(uint32_t type)
{
	return type == UNPU_KERNEL_AIV_ONLY   ? ACL_KERNEL_TYPE_VECTOR
	       : type == UNPU_KERNEL_AIC_ONLY ? ACL_KERNEL_TYPE_CUBE
					      : ACL_KERNEL_TYPE_MIX;
}

/* Cube cores in bits 16 to 31, vector cores in bits 0 to 15. */
static int64_t ratio_of(uint32_t type)
{
	constexpr int64_t CUBE = 1 << 16;
	switch (type) {
	case UNPU_KERNEL_AIV_ONLY:
	case UNPU_KERNEL_MIX_AIV_1_0:
		return 1;
	case UNPU_KERNEL_AIC_ONLY:
	case UNPU_KERNEL_MIX_AIC_1_0:
		return CUBE;
	case UNPU_KERNEL_MIX_AIC_1_1:
		return CUBE + 1;
	default:
		return CUBE + 2;
	}
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType,
				   int64_t *attrValue)
{
	if (!attrValue)
		return acl_return(null_argument("attrValue"));
	auto function = TRY(umd::find_function(funcHandle));
	const uint32_t type = function->info().type;
	switch (attrType) {
	case ACL_FUNC_ATTR_KERNEL_TYPE:
		*attrValue = type_of(type);
		return ACL_SUCCESS;
	case ACL_FUNC_ATTR_KERNEL_RATIO:
		*attrValue = ratio_of(type);
		return ACL_SUCCESS;
	case ACL_FUNC_ATTR_KERNEL_SCHED_MODE:
		*attrValue = 0;
		return ACL_SUCCESS;
	default:
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("attrType is {}; it must be 1 to 3",
							static_cast<int>(attrType))));
	}
}

aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle *binHandle)
{
	if (!binHandle)
		return acl_return(null_argument("binHandle"));
	auto function = TRY(umd::find_function(funcHandle));
	const uint64_t binary = function->image->binary();
	if (binary == 0)
		return acl_return(set_error(
			Status::NOT_SUPPORTED,
			"the kernel is part of the program, and of no binary that the program has "
			"loaded; load it by aclrtBinaryLoadFromFile to have a handle"));
	*binHandle = reinterpret_cast<aclrtBinHandle>(binary);
	return ACL_SUCCESS;
}

aclError aclrtFunctionGetParamCount(const void *func, size_t *paramCount)
{
	if (!paramCount)
		return acl_return(null_argument("paramCount"));
	auto function = TRY(umd::resolve_function(func));
	*paramCount = function->info().params.size();
	return ACL_SUCCESS;
}

aclError aclrtFunctionGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
				   size_t *paramSize)
{
	if (!paramOffset || !paramSize)
		return acl_return(null_argument(paramOffset ? "paramSize" : "paramOffset"));
	auto function = TRY(umd::resolve_function(func));
	const auto &params = function->info().params;
	if (paramIndex >= params.size())
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("paramIndex is {}; kernel {} has {} parameters",
					      paramIndex, function->info().name, params.size())));
	*paramOffset = params[paramIndex].offset;
	*paramSize = params[paramIndex].bytes;
	return ACL_SUCCESS;
}

/* Only SIMT kernels can have more local memory than they declare. */
aclError aclrtFunctionGetAvailDynUbufPerBlock(void *func, uint32_t flags, size_t *dynamicUbufSize)
{
	if (!dynamicUbufSize)
		return acl_return(null_argument("dynamicUbufSize"));
	if (flags != 0)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("flags is {:#x}; it must be 0", flags)));
	TRY(umd::resolve_function(func).status());
	*dynamicUbufSize = 0;
	return ACL_SUCCESS;
}
