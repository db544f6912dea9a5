// SPDX-License-Identifier: MIT
/*
 * DOC: The element-wise operators of aclnnop
 *
 * Each entry point checks for missing arguments and selects the operator. No operator needs a
 * workspace, so a workspace that the program passes is ignored.
 */
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"

#include <string>

#include "elementwise.h"
#include "executor.h"
#include "objects.h"

namespace {

/* first_missing() - the name of the first argument that is NULL, or NULL. */
const char *first_missing(const umd::Elementwise &call, const uint64_t *workspace_size,
			  aclOpExecutor *const *executor)
{
	if (!call.self)
		return umd::is_in_place(call) ? "selfRef" : "self";
	if (!call.other)
		return "other";
	if (call.kind == UNPU_OPERATOR_ADD && !call.alpha)
		return "alpha";
	if (!call.out)
		return "out";
	if (!workspace_size)
		return "workspaceSize";
	return executor ? nullptr : "executor";
}

/* find_operands() - puts the objects in the place of their handles. Return: whether there are all of them. */
bool find_operands(umd::Elementwise &call)
{
	const char *const caller = umd::operator_name(call.number);
	const bool in_place = umd::is_in_place(call);
	call.self = umd::find_object(call.self, in_place ? "selfRef" : "self", caller);
	if (call.self)
		call.other = umd::find_object(call.other, "other", caller);
	if (!call.self || !call.other)
		return false;
	call.out = in_place ? call.self : umd::find_object(call.out, "out", caller);
	if (call.out && call.alpha)
		call.alpha = umd::find_object(call.alpha, "alpha", caller);
	return call.out && (call.alpha || call.kind != UNPU_OPERATOR_ADD);
}

aclnnStatus prepare_call(umd::Elementwise call, uint64_t *workspace_size, aclOpExecutor **executor)
{
	if (const char *what = first_missing(call, workspace_size, executor))
		return umd::refuse_missing(
			(std::string(umd::operator_name(call.number)) + ": " + what).c_str());
	if (!find_operands(call)) {
		*executor = nullptr;
		return umd::wrong_parameter;
	}
	return umd::prepare(call, workspace_size, executor);
}

} // namespace

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self, const aclTensor *other,
				     const aclScalar *alpha, aclTensor *out,
				     uint64_t *workspaceSize, aclOpExecutor **executor)
{
	return prepare_call({UNPU_OPERATOR_ADD, umd::OPERATOR_ADD, self, other, out, alpha},
			    workspaceSize, executor);
}

aclnnStatus aclnnAdd(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return umd::launch(umd::OPERATOR_ADD, executor, stream);
}

aclnnStatus aclnnInplaceAddGetWorkspaceSize(const aclTensor *selfRef, const aclTensor *other,
					    const aclScalar *alpha, uint64_t *workspaceSize,
					    aclOpExecutor **executor)
{
	return prepare_call(
		{UNPU_OPERATOR_ADD, umd::OPERATOR_INPLACE_ADD, selfRef, other, selfRef, alpha},
		workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdd(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return umd::launch(umd::OPERATOR_INPLACE_ADD, executor, stream);
}

aclnnStatus aclnnMulGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
				     uint64_t *workspaceSize, aclOpExecutor **executor)
{
	return prepare_call({UNPU_OPERATOR_MUL, umd::OPERATOR_MUL, self, other, out, nullptr},
			    workspaceSize, executor);
}

aclnnStatus aclnnMul(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return umd::launch(umd::OPERATOR_MUL, executor, stream);
}

aclnnStatus aclnnInplaceMulGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
					    uint64_t *workspaceSize, aclOpExecutor **executor)
{
	return prepare_call(
		{UNPU_OPERATOR_MUL, umd::OPERATOR_INPLACE_MUL, selfRef, other, selfRef, nullptr},
		workspaceSize, executor);
}

aclnnStatus aclnnInplaceMul(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return umd::launch(umd::OPERATOR_INPLACE_MUL, executor, stream);
}
