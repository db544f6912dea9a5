// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the layout operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_slice.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow inplace_copy_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"src", Form::TENSOR, Role::SOURCE, 1, 0, false},
};
static constexpr OperatorRow inplace_copy_row = {
	OPERATOR_INPLACE_COPY,
	UNPU_TENSOR_CAST,
	Types::NUMBER,
	plan_copy,
	inplace_copy_arguments,
	{},
};

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor *selfRef, const aclTensor *src,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, src};
	return prepare_tensor(inplace_copy_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCopy(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_COPY, executor, stream);
}

static constexpr ArgumentRow cast_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dtype", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow cast_row = {
	OPERATOR_CAST,
	UNPU_TENSOR_CAST,
	Types::NUMBER,
	plan_cast,
	cast_arguments,
	{},
};

aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor *self, aclDataType dtype, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dtype, out};
	return prepare_tensor(cast_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnCast(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CAST, executor, stream);
}

static constexpr ArgumentRow permute_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dims", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow permute_row = {
	OPERATOR_PERMUTE,
	UNPU_TENSOR_CAST,
	Types::NUMBER,
	plan_permute,
	permute_arguments,
	{},
};

aclnnStatus aclnnPermuteGetWorkspaceSize(const aclTensor *self, const aclIntArray *dims,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dims, out};
	return prepare_tensor(permute_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnPermute(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_PERMUTE, executor, stream);
}

static constexpr ArgumentRow slice_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"start", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"end", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"step", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow slice_row = {
	OPERATOR_SLICE,
	UNPU_TENSOR_CAST,
	Types::NUMBER,
	plan_slice,
	slice_arguments,
	{},
};

aclnnStatus aclnnSliceGetWorkspaceSize(const aclTensor *self, int64_t dim, int64_t start,
	int64_t end, int64_t step, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, start, end, step, out};
	return prepare_tensor(slice_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSlice(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SLICE, executor, stream);
}

static constexpr ArgumentRow repeat_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"repeats", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow repeat_row = {
	OPERATOR_REPEAT,
	UNPU_TENSOR_CAST,
	Types::NUMBER,
	plan_repeat,
	repeat_arguments,
	{},
};

aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor *self, const aclIntArray *repeats,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, repeats, out};
	return prepare_tensor(repeat_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRepeat(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_REPEAT, executor, stream);
}

static constexpr ArgumentRow repeat_interleave_int_with_dim_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"repeats", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"outputSize", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow repeat_interleave_int_with_dim_row = {
	OPERATOR_REPEAT_INTERLEAVE_INT_WITH_DIM,
	UNPU_TENSOR_CAST,
	Types::NUMBER,
	plan_repeat_interleave,
	repeat_interleave_int_with_dim_arguments,
	{},
};

aclnnStatus aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(const aclTensor *self, int64_t repeats,
	int64_t dim, int64_t outputSize, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, repeats, dim, outputSize, out};
	return prepare_tensor(repeat_interleave_int_with_dim_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveIntWithDim(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_REPEAT_INTERLEAVE_INT_WITH_DIM, executor, stream);
}
