// SPDX-License-Identifier: MIT
/**
 * DOC: Unsupported AscendCL functions
 *
 * Each line of umd/acl/unsupported.def becomes a function. The function sets an error message with the
 * reason, and fails. It ignores its arguments.
 */
#include <type_traits>

#include "acl/acl.h"
#include "front.h"

#include "acl/acl_dump.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_platform.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "acl/ops/acl_cblas.h"
#include "acl/ops/acl_dvpp.h"
#include "umd/core/process/thread_state.h"

static aclError refuse(const char *name, const char *why)
{
	return umd::acl_return(umd::set_error(base::Status::NOT_SUPPORTED,
					      fmt::format("{} is not supported: {}", name, why)));
}

template <class T> static T refuse_as(T value, const char *name, const char *why)
{
	(void)refuse(name, why);
	if constexpr (std::is_same_v<T, aclError>)
		umd::ThreadState::mine().last_error = value;
	return value;
}

#define UNSUPPORTED_REASON(key, text) static constexpr char WHY_##key[] = text;
#define UNSUPPORTED(name, parameters, key) \
	aclError name parameters \
	{ \
		return refuse(#name, WHY_##key); \
	}
#define UNSUPPORTED_AS(type, value, name, parameters, key) \
	type name parameters \
	{ \
		return refuse_as<type>(value, #name, WHY_##key); \
	}
#define UNSUPPORTED_VOID(name, parameters, key) \
	void name parameters \
	{ \
		(void)refuse(#name, WHY_##key); \
	}
#include "unsupported.def"
