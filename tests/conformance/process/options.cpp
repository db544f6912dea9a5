// SPDX-License-Identifier: MIT
/*
 * DOC: options of process and context, features of the library
 */
#include "support/fixture.h"

#include <algorithm>

using namespace conformance;

namespace {

using Features = InitTest;
using ContextOptions = DeviceTest;

constexpr aclSysParamOpt kOfContexts[] = {ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL,
					  ACL_OPT_STRONG_CONSISTENCY};

int64_t process_option(aclSysParamOpt option)
{
	int64_t value = 99;

	EXPECT_OK(aclrtGetSysParamOpt(option, &value));
	return value;
}

int64_t context_option(aclSysParamOpt option)
{
	int64_t value = 99;

	EXPECT_OK(aclrtCtxGetSysParamOpt(option, &value));
	return value;
}

void expect_not_set(aclSysParamOpt option)
{
	int64_t value = 99;

	EXPECT_FAILS(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "never set",
		     aclrtCtxGetSysParamOpt(option, &value));
	EXPECT_EQ(value, 99);
}

} // namespace

TEST_F(Features, OptionsOfTheProcessAreZeroUntilTheyAreSet)
{
	for (int i = ACL_OPT_DETERMINISTIC; i <= ACL_OPT_ENABLE_KERNEL_EARLY_START; ++i) {
		const auto option = raw_enum<aclSysParamOpt>(i);

		EXPECT_EQ(process_option(option), 0);
		EXPECT_OK(aclrtSetSysParamOpt(option, 1 + i));
		EXPECT_EQ(process_option(option), 1 + i);
		EXPECT_OK(aclrtSetSysParamOpt(option, INT64_MIN));
		EXPECT_EQ(process_option(option), INT64_MIN);
		EXPECT_OK(aclrtSetSysParamOpt(option, 0));
	}
}

TEST_F(Features, UnknownOptionsOfTheProcess)
{
	int64_t value = 0;

	for (const int number : {-1, 4, 1000}) {
		const auto option = raw_enum<aclSysParamOpt>(number);

		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opt", aclrtSetSysParamOpt(option, 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opt", aclrtGetSysParamOpt(option, &value));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr));
}

TEST_F(Features, OptionsOfAContextNeedOne)
{
	int64_t value = 0;

	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context",
		     aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context",
		     aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
}

TEST_F(ContextOptions, EachContextHasItsOwn)
{
	for (const aclSysParamOpt option : kOfContexts) {
		expect_not_set(option);
		EXPECT_OK(aclrtCtxSetSysParamOpt(option, 0));
		EXPECT_EQ(context_option(option), 0) << "zero is a value too";
		EXPECT_OK(aclrtCtxSetSysParamOpt(option, 7));
		{
			const ForeignContext other;

			expect_not_set(option);
			EXPECT_OK(aclrtCtxSetSysParamOpt(option, 8));
			EXPECT_EQ(context_option(option), 8);
		}
		EXPECT_EQ(context_option(option), 7);
		EXPECT_EQ(process_option(option), 0);
	}
}

TEST_F(ContextOptions, TheyEndWithTheContext)
{
	EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_not_set(ACL_OPT_DETERMINISTIC);
}

TEST_F(ContextOptions, UnknownOptions)
{
	int64_t value = 0;

	for (const int number : {-1, int{ACL_OPT_ENABLE_KERNEL_EARLY_START}, 4}) {
		const auto option = raw_enum<aclSysParamOpt>(number);

		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opt", aclrtCtxSetSysParamOpt(option, 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "opt",
			     aclrtCtxGetSysParamOpt(option, &value));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr));
}

TEST_F(Features, EachListedOneHasAnAnswer)
{
	const aclCannAttr *list = nullptr;
	size_t count = 0;

	EXPECT_OK(aclGetCannAttributeList(&list, &count));
	ASSERT_NE(list, nullptr);
	EXPECT_EQ(count, 3u);
	for (const aclCannAttr attribute :
	     {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE}) {
		int32_t value = -1;

		EXPECT_EQ(std::count(list, list + count, attribute), 1);
		EXPECT_OK(aclGetCannAttribute(attribute, &value));
		EXPECT_TRUE(value == 0 || value == 1) << value;
	}
}

TEST_F(Features, WrongArguments)
{
	const aclCannAttr *list = nullptr;
	size_t count = 0;
	int32_t value = 0;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cannAttrList",
		     aclGetCannAttributeList(nullptr, &count));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "num", aclGetCannAttributeList(&list, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr));
	for (const int number : {-1, 3})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cannAttr",
			     aclGetCannAttribute(raw_enum<aclCannAttr>(number), &value));
}
