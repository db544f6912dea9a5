// SPDX-License-Identifier: MIT
/**
 * DOC: Unsupported functions of collective communication
 *
 * Macros turn each line of umd/hccl/calls/unsupported.def into a function, as in umd/acl/unsupported.cpp.
 */
#include <fmt/format.h>

#include "hccl/hccl.h"
#include "umd/hccl/hccl_result.h"

static HcclResult refuse_function(const char *name, const char *why)
{
	return umd::refuse(HCCL_E_NOT_SUPPORT, fmt::format("{} is not supported: {}", name, why));
}

#define UNSUPPORTED_REASON(key, text) static constexpr char WHY_##key[] = text;
#define UNSUPPORTED(name, parameters, key) \
	HcclResult name parameters \
	{ \
		return refuse_function(#name, WHY_##key); \
	}
#include "unsupported.def"
