// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the matrix operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow mm_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"mat2", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"cubeMathType", Form::INTEGER, Role::PARAMETER, 0, 0, false},
};
static constexpr OperatorRow mm_row = {
	OPERATOR_MM,
	UNPU_TENSOR_MATMUL,
	Types::FLOATING,
	plan_mm,
	mm_arguments,
	{},
};

aclnnStatus aclnnMmGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2, aclTensor *out,
	int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, mat2, out, cubeMathType};
	return prepare_tensor(mm_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMm(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_MM, executor, stream);
}

static constexpr ArgumentRow matmul_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"mat2", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"cubeMathType", Form::INTEGER, Role::PARAMETER, 0, 0, false},
};
static constexpr OperatorRow matmul_row = {
	OPERATOR_MATMUL,
	UNPU_TENSOR_MATMUL,
	Types::FLOATING,
	plan_matmul,
	matmul_arguments,
	{},
};

aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2,
	aclTensor *out, int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, mat2, out, cubeMathType};
	return prepare_tensor(matmul_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMatmul(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_MATMUL, executor, stream);
}

static constexpr ArgumentRow batch_mat_mul_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"mat2", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"cubeMathType", Form::INTEGER, Role::PARAMETER, 0, 0, false},
};
static constexpr OperatorRow batch_mat_mul_row = {
	OPERATOR_BATCH_MAT_MUL,
	UNPU_TENSOR_MATMUL,
	Types::FLOATING,
	plan_batch_matmul,
	batch_mat_mul_arguments,
	{},
};

aclnnStatus aclnnBatchMatMulGetWorkspaceSize(const aclTensor *self, const aclTensor *mat2,
	aclTensor *out, int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, mat2, out, cubeMathType};
	return prepare_tensor(batch_mat_mul_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnBatchMatMul(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_BATCH_MAT_MUL, executor, stream);
}

static constexpr ArgumentRow mv_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"vec", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"cubeMathType", Form::INTEGER, Role::PARAMETER, 0, 0, false},
};
static constexpr OperatorRow mv_row = {
	OPERATOR_MV,
	UNPU_TENSOR_MATMUL,
	Types::FLOATING,
	plan_mv,
	mv_arguments,
	{},
};

aclnnStatus aclnnMvGetWorkspaceSize(const aclTensor *self, const aclTensor *vec, aclTensor *out,
	int8_t cubeMathType, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, vec, out, cubeMathType};
	return prepare_tensor(mv_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_MV, executor, stream);
}

static constexpr ArgumentRow weight_quant_batch_matmul_v2_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"weight", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"antiquantScale", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"antiquantOffsetOptional", Form::TENSOR, Role::SOURCE, 4, 0, true},
	{"quantScaleOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"quantOffsetOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"biasOptional", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"antiquantGroupSize", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"y", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow weight_quant_batch_matmul_v2_row = {
	OPERATOR_WEIGHT_QUANT_BATCH_MATMUL_V2,
	UNPU_TENSOR_QUANT_MATMUL,
	Types::FLOATING,
	plan_quant_matmul,
	weight_quant_batch_matmul_v2_arguments,
	{},
};

aclnnStatus aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(const aclTensor *x,
	const aclTensor *weight, const aclTensor *antiquantScale,
	const aclTensor *antiquantOffsetOptional, const aclTensor *quantScaleOptional,
	const aclTensor *quantOffsetOptional, const aclTensor *biasOptional,
	int antiquantGroupSize, const aclTensor *y, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {x, weight, antiquantScale, antiquantOffsetOptional, quantScaleOptional, quantOffsetOptional, biasOptional, antiquantGroupSize, y};
	return prepare_tensor(weight_quant_batch_matmul_v2_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnWeightQuantBatchMatmulV2(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_WEIGHT_QUANT_BATCH_MATMUL_V2, executor, stream);
}

static constexpr ArgumentRow trans_matmul_weight_arguments[] = {
	{"mmWeightRef", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow trans_matmul_weight_row = {
	OPERATOR_TRANS_MATMUL_WEIGHT,
	UNPU_TENSOR_CAST,
	Types::FLOATING,
	plan_matmul_weight,
	trans_matmul_weight_arguments,
	{},
};

aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor *mmWeightRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {mmWeightRef};
	return prepare_tensor(trans_matmul_weight_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnTransMatmulWeight(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_TRANS_MATMUL_WEIGHT, executor, stream);
}

static constexpr ArgumentRow triangular_solve_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"A", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"upper", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"transpose", Form::INTEGER, Role::ATTRIBUTE, 1, 0, false},
	{"unitriangular", Form::INTEGER, Role::ATTRIBUTE, 2, 0, false},
	{"xOut", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"mOut", Form::TENSOR, Role::RESULT, 1, 0, false},
};
static constexpr OperatorRow triangular_solve_row = {
	OPERATOR_TRIANGULAR_SOLVE,
	UNPU_TENSOR_TRIANGULAR_SOLVE,
	Types::FLOATING,
	plan_triangular_solve,
	triangular_solve_arguments,
	{},
};

aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor *self, const aclTensor *A,
	bool upper, bool transpose, bool unitriangular, aclTensor *xOut, aclTensor *mOut,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, A, upper, transpose, unitriangular, xOut, mOut};
	return prepare_tensor(triangular_solve_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnTriangularSolve(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_TRIANGULAR_SOLVE, executor, stream);
}
