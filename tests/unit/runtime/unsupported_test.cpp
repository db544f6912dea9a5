// SPDX-License-Identifier: MIT
/*
 * DOC: Functions that do not work
 *
 * The test calls each function with zero in all arguments. The function must fail, name itself in
 * the sentence, and set the thread's last error.
 */
#include <cstring>

#include <gtest/gtest.h>

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_platform.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "acl/ops/acl_cblas.h"
#include "acl/ops/acl_dvpp.h"

namespace {

template <typename Return, typename... Arguments> Return call(Return (*function)(Arguments...))
{
	return function(Arguments{}...);
}
/* Of functions whose parameters are not known. */
template <typename Return> Return call(Return (*function)(...))
{
	return function();
}

/* The code that a function leaves; one that returns another type than a code leaves the usual one. */
template <typename Value> aclError code_of(Value value)
{
	if constexpr (std::is_same_v<Value, aclError>)
		return value;
	return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
}

void expect_refused(const char *name, aclError code = ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
{
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), code) << name;
	const char *sentence = aclGetRecentErrMsg();
	ASSERT_NE(sentence, nullptr) << name;
	EXPECT_NE(strstr(sentence, name), nullptr) << name << ": " << sentence;
	EXPECT_NE(strstr(sentence, "is not supported: "), nullptr) << name << ": " << sentence;
}

TEST(Unsupported, EachSaysSo)
{
	while (aclGetRecentErrMsg())
		;
#define UNSUPPORTED_REASON(key, text) EXPECT_GT(strlen(text), 10U) << #key;
#define UNSUPPORTED(name, parameters, key) \
	EXPECT_EQ(call(name), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << #name; \
	expect_refused(#name);
#define UNSUPPORTED_AS(type, value, name, parameters, key) \
	EXPECT_EQ(call(name), static_cast<type>(value)) << #name; \
	expect_refused(#name, code_of<type>(value));
#define UNSUPPORTED_VOID(name, parameters, key) \
	call(name); \
	expect_refused(#name);
#include "umd/acl/unsupported.def"
}

} // namespace
