// SPDX-License-Identifier: MIT
/*
 * DOC: calls of tensor operators
 *
 * The two phases of any operator as one call, and the check that its first phase refuses.
 */
#ifndef UNPU_TESTS_CONFORMANCE_CALLS_H
#define UNPU_TESTS_CONFORMANCE_CALLS_H

#include "operator/operator_objects.h"

namespace conformance {

/* BOTH() - the two functions of an operator, as arguments of launch(). */
#define BOTH(name) aclnn##name##GetWorkspaceSize, aclnn##name

/* launch() - the two phases of an operator on the default stream; its workspace must be 0 bytes. */
template <auto FIRST, auto SECOND, class... Arguments> void launch(const Arguments &...arguments)
{
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;
	ASSERT_OK(FIRST(arguments..., &workspace_bytes, &executor));
	EXPECT_EQ(workspace_bytes, 0u);
	ASSERT_OK(SECOND(nullptr, 0, executor, nullptr));
}

/* run() - as launch(), and waits until the operator is complete. */
template <auto FIRST, auto SECOND, class... Arguments> void run(const Arguments &...arguments)
{
	launch<FIRST, SECOND>(arguments...);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

/* refuse() - the first phase fails with a sentence that has @text. */
template <auto FIRST, class... Arguments>
void refuse(const char *text, const Arguments &...arguments)
{
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
	EXPECT_EQ(FIRST(arguments..., &workspace_bytes, &executor), kInvalidParameter) << text;
	EXPECT_EQ(executor, nullptr);
	const std::string sentence = aclGetRecentErrMsg();
	EXPECT_NE(sentence.find(text), std::string::npos) << sentence;
}

} // namespace conformance

#endif
