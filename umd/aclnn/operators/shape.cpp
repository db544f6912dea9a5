// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the shape operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow swi_glu_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow swi_glu_row = {
	OPERATOR_SWI_GLU,
	UNPU_TENSOR_SWIGLU,
	Types::FLOATING,
	plan_swiglu,
	swi_glu_arguments,
	{},
};

aclnnStatus aclnnSwiGluGetWorkspaceSize(const aclTensor *x, int64_t dim, const aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {x, dim, out};
	return prepare_tensor(swi_glu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSwiGlu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SWI_GLU, executor, stream);
}

static constexpr ArgumentRow ge_glu_v3_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"dim", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"approximate", Form::INTEGER, Role::ATTRIBUTE, 1, 0, false},
	{"activateLeft", Form::INTEGER, Role::ATTRIBUTE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"outGelu", Form::TENSOR, Role::RESULT, 1, 0, false},
};
static constexpr OperatorRow ge_glu_v3_row = {
	OPERATOR_GE_GLU_V3,
	UNPU_TENSOR_GEGLU,
	Types::FLOATING,
	plan_geglu,
	ge_glu_v3_arguments,
	{},
};

aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor *self, int64_t dim, int64_t approximate,
	bool activateLeft, aclTensor *out, aclTensor *outGelu, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, approximate, activateLeft, out, outGelu};
	return prepare_tensor(ge_glu_v3_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGeGluV3(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GE_GLU_V3, executor, stream);
}

static constexpr ArgumentRow tril_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"diagonal", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow tril_row = {
	OPERATOR_TRIL,
	UNPU_TENSOR_TRIL,
	Types::NUMBER,
	plan_triangle,
	tril_arguments,
	{},
};

aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor *self, int64_t diagonal, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, diagonal, out};
	return prepare_tensor(tril_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnTril(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_TRIL, executor, stream);
}

static constexpr ArgumentRow triu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"diagonal", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow triu_row = {
	OPERATOR_TRIU,
	UNPU_TENSOR_TRIU,
	Types::NUMBER,
	plan_triangle,
	triu_arguments,
	{},
};

aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor *self, int64_t diagonal, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, diagonal, out};
	return prepare_tensor(triu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnTriu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_TRIU, executor, stream);
}

static constexpr ArgumentRow inplace_triu_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"diagonal", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_triu_row = {
	OPERATOR_INPLACE_TRIU,
	UNPU_TENSOR_TRIU,
	Types::NUMBER,
	plan_triangle,
	inplace_triu_arguments,
	{},
};

aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor *selfRef, int64_t diagonal,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, diagonal};
	return prepare_tensor(inplace_triu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTriu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_TRIU, executor, stream);
}

static constexpr ArgumentRow arange_arguments[] = {
	{"start", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"end", Form::SCALAR, Role::PARAMETER, 0, 0, false},
	{"step", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow arange_row = {
	OPERATOR_ARANGE,
	UNPU_TENSOR_ARANGE,
	Types::NUMBER,
	plan_arange,
	arange_arguments,
	{},
};

aclnnStatus aclnnArangeGetWorkspaceSize(const aclScalar *start, const aclScalar *end,
	const aclScalar *step, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {start, end, step, out};
	return prepare_tensor(arange_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnArange(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ARANGE, executor, stream);
}

static constexpr ArgumentRow upsample_nearest2d_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"outputSize", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow upsample_nearest2d_row = {
	OPERATOR_UPSAMPLE_NEAREST2D,
	UNPU_TENSOR_UPSAMPLE_NEAREST,
	Types::NUMBER,
	plan_upsample,
	upsample_nearest2d_arguments,
	{},
};

aclnnStatus aclnnUpsampleNearest2dGetWorkspaceSize(const aclTensor *self,
	const aclIntArray *outputSize, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, outputSize, out};
	return prepare_tensor(upsample_nearest2d_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest2d(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_UPSAMPLE_NEAREST2D, executor, stream);
}
