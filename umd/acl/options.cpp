// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL features and options
 *
 * The runtime stores the options and returns them; the device ignores them. It always gives the same
 * result for the same work and its memory is consistent, so no option changes how it computes.
 */
#include <iterator>

#include "acl/acl.h"
#include "front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::Process;
using umd::set_error;

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
	if (!runMode)
		return acl_return(null_argument("runMode"));
	*runMode = ACL_HOST;
	return ACL_SUCCESS;
}

/* A feature and whether the device has it. */
struct Feature {
	aclCannAttr attribute;
	int32_t there;
};

/* The device computes with infinities and NaN, supports BF16, and compiles no operators. */
static constexpr Feature FEATURES[] = {
	{ACL_CANN_ATTR_INF_NAN, 1},
	{ACL_CANN_ATTR_BF16, 1},
	{ACL_CANN_ATTR_JIT_COMPILE, 0},
};

static constexpr aclCannAttr ATTRIBUTES[] = {FEATURES[0].attribute, FEATURES[1].attribute,
					     FEATURES[2].attribute};
static_assert(std::size(ATTRIBUTES) == std::size(FEATURES));

aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num)
{
	if (!cannAttrList)
		return acl_return(null_argument("cannAttrList"));
	if (!num)
		return acl_return(null_argument("num"));
	*cannAttrList = ATTRIBUTES;
	*num = std::size(ATTRIBUTES);
	return ACL_SUCCESS;
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	for (const Feature &feature : FEATURES) {
		if (feature.attribute != cannAttr)
			continue;
		*value = feature.there;
		return ACL_SUCCESS;
	}
	return acl_return(set_error(
		Status::INVALID_ENUM,
		fmt::format("cannAttr is {}; it must be ACL_CANN_ATTR_INF_NAN (0), _BF16 (1) or "
			    "_JIT_COMPILE (2)",
			    static_cast<int>(cannAttr))));
}

/* Options up to LAST_OF_CONTEXT exist for a process and for a context; the next one only for a
 * process. */
static constexpr int LAST_OF_CONTEXT = ACL_OPT_STRONG_CONSISTENCY;
static constexpr int LAST_OF_PROCESS = ACL_OPT_ENABLE_KERNEL_EARLY_START;
static_assert(LAST_OF_PROCESS + 1 == umd::OPTIONS);

static Status check_option(aclSysParamOpt opt, int last)
{
	int number = static_cast<int>(opt);
	if (number >= 0 && number <= last)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("opt is {}; options of a {} are 0 to {}", number,
				     last == LAST_OF_PROCESS ? "process" : "context", last));
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
	Status status = check_option(opt, LAST_OF_PROCESS);
	if (status == Status::OK)
		Process::get().options.set(static_cast<unsigned>(opt), value);
	return acl_return(status);
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	Status status = check_option(opt, LAST_OF_PROCESS);
	if (status == Status::OK)
		*value = Process::get().options.get(static_cast<unsigned>(opt)).value_or(0);
	return acl_return(status);
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
	TRY(check_option(opt, LAST_OF_CONTEXT));
	auto context = TRY(Contexts::get().current());
	context->options.set(static_cast<unsigned>(opt), value);
	return ACL_SUCCESS;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	TRY(check_option(opt, LAST_OF_CONTEXT));
	auto context = TRY(Contexts::get().current());
	auto found = context->options.get(static_cast<unsigned>(opt));
	if (!found)
		return acl_return(set_error(
			Status::OPTION_NOT_SET,
			fmt::format("opt {} was never set in the current context; call "
				    "aclrtCtxSetSysParamOpt first, or ask for the process's with "
				    "aclrtGetSysParamOpt",
				    static_cast<int>(opt))));
	*value = *found;
	return ACL_SUCCESS;
}
