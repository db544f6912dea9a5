// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "aclnn/aclnn_base.h"
#include "umd/acl/operator_names.h"

namespace umd {

class Plan;

/* enum class Form - the C type of an argument. */
enum class Form : uint8_t { TENSOR, TENSORS, SCALAR, INTEGER, REAL, INTEGERS, REALS, TEXT };

/* enum class Role - how the kind uses an argument. */
enum class Role : uint8_t {
	RESULT,	   /* a slot that is written */
	SOURCE,	   /* a slot that is read */
	BOTH,	   /* the result, and the operand of another slot */
	ATTRIBUTE, /* a number that the descriptor has beside its slots */
	PARAMETER, /* only the rule uses it */
};

/* enum class Types - which types the operands may have, and the type of the arithmetic. */
enum class Types : uint8_t {
	FLOATING, /* FLOAT, FLOAT16 and BF16, in F32 */
	NUMBER,	  /* any number; the most general type of the operands */
	QUOTIENT, /* any number, but the result is floating */
	TRUTH,	  /* as NUMBER; the result, 0 or 1, has any type */
	INTEGER,  /* integers and truth values */
	INDEX,	  /* as NUMBER; the result, an index, is INT32 or INT64 */
};

/* struct ArgumentRow - one argument of an entry point. @place: slot or attribute; for BOTH the slot that is written.
 * @source: for BOTH the slot that is read */
struct ArgumentRow {
	const char *name;
	Form form;
	Role role;
	uint8_t place;
	uint8_t source = 0;
	bool is_optional = false;
};

/* struct ConstantRow - an attribute that the entry point fixes. */
struct ConstantRow {
	uint8_t attribute;
	Form form;
	int64_t value;
};

/* struct OperatorRow - an entry point. The rows are generated from umd/aclnn/operators.json. */
struct OperatorRow {
	OperatorNumber number;
	uint32_t kind; /* enum unpu_tensor_kind */
	Types types;
	aclnnStatus (*rule)(Plan &plan);
	std::span<const ArgumentRow> arguments;
	std::span<const ConstantRow> constants;
};

/* struct Argument - the value of an argument: a number, or a handle, which is later replaced by its object. */
struct Argument {
	Argument(const aclTensor *value) : tensor(value) {}
	Argument(const aclTensorList *value) : tensors(value) {}
	Argument(const aclScalar *value) : scalar(value) {}
	Argument(const aclIntArray *value) : integers(value) {}
	Argument(const aclFloatArray *value) : reals(value) {}
	Argument(const char *value) : text(value) {}
	Argument(int64_t value) : integer(value) {}
	Argument(uint64_t value) : integer(static_cast<int64_t>(value)) {}
	Argument(int value) : integer(value) {}
	Argument(int8_t value) : integer(value) {}
	Argument(aclDataType value) : integer(value) {}
	Argument(bool value) : integer(value) {}
	Argument(double value) : real(value) {}

	union {
		const aclTensor *tensor;
		const aclTensorList *tensors;
		const aclScalar *scalar;
		const aclIntArray *integers;
		const aclFloatArray *reals;
		const char *text;
		int64_t integer;
		double real;
	};
};

/*
 * prepare_tensor() - the first phase of a tensor operator.
 * @arguments: one for each of the row's, with the handles of the program
 * Context: any thread; never blocks.
 * Return: 0, and the caller owns *@executor; else an error, and *@executor is not changed.
 */
aclnnStatus prepare_tensor(const OperatorRow &row, Argument *arguments, uint64_t *workspace_bytes,
			   aclOpExecutor **executor);

/* The rules: each builds the descriptor for a family of operators from their arguments. */
aclnnStatus plan_elementwise(Plan &plan);
aclnnStatus plan_gelu(Plan &plan);
aclnnStatus plan_ger(Plan &plan);
aclnnStatus plan_prelu(Plan &plan);
aclnnStatus plan_sum(Plan &plan);
aclnnStatus plan_mm(Plan &plan);
aclnnStatus plan_matmul(Plan &plan);
aclnnStatus plan_batch_matmul(Plan &plan);
aclnnStatus plan_mv(Plan &plan);
aclnnStatus plan_dot(Plan &plan);
aclnnStatus plan_gemm(Plan &plan);
aclnnStatus plan_addmm(Plan &plan);
aclnnStatus plan_baddbmm(Plan &plan);
aclnnStatus plan_copy(Plan &plan);
aclnnStatus plan_cast(Plan &plan);
aclnnStatus plan_permute(Plan &plan);
aclnnStatus plan_slice(Plan &plan);
aclnnStatus plan_slice_v2(Plan &plan);
aclnnStatus plan_flatten(Plan &plan);
aclnnStatus plan_repeat(Plan &plan);
aclnnStatus plan_repeat_interleave(Plan &plan);
aclnnStatus plan_softmax(Plan &plan);
aclnnStatus plan_cumsum(Plan &plan);
aclnnStatus plan_argsort(Plan &plan);
aclnnStatus plan_argmax(Plan &plan);
aclnnStatus plan_reduce(Plan &plan);
aclnnStatus plan_mean_v2(Plan &plan);
aclnnStatus plan_global_pool(Plan &plan);
aclnnStatus plan_norm(Plan &plan);
aclnnStatus plan_fold(Plan &plan);
aclnnStatus plan_extreme(Plan &plan);
aclnnStatus plan_topk(Plan &plan);
aclnnStatus plan_sort(Plan &plan);
aclnnStatus plan_swiglu(Plan &plan);
aclnnStatus plan_geglu(Plan &plan);
aclnnStatus plan_triangle(Plan &plan);
aclnnStatus plan_arange(Plan &plan);
aclnnStatus plan_range(Plan &plan);
aclnnStatus plan_linspace(Plan &plan);
aclnnStatus plan_upsample(Plan &plan);
aclnnStatus plan_cat(Plan &plan);
aclnnStatus plan_constant_pad(Plan &plan);
aclnnStatus plan_pad_1d(Plan &plan);
aclnnStatus plan_pad_2d(Plan &plan);
aclnnStatus plan_pad_3d(Plan &plan);
aclnnStatus plan_resize(Plan &plan);
aclnnStatus plan_resize_by_scales(Plan &plan);
aclnnStatus plan_roll(Plan &plan);
aclnnStatus plan_gather(Plan &plan);
aclnnStatus plan_index_select(Plan &plan);
aclnnStatus plan_gather_elements(Plan &plan);
aclnnStatus plan_one_hot(Plan &plan);
aclnnStatus plan_flip(Plan &plan);
aclnnStatus plan_expand(Plan &plan);
aclnnStatus plan_stack(Plan &plan);
aclnnStatus plan_split(Plan &plan);
aclnnStatus plan_embedding(Plan &plan);
aclnnStatus plan_masked_fill(Plan &plan);
aclnnStatus plan_scatter(Plan &plan);
aclnnStatus plan_index_copy(Plan &plan);
aclnnStatus plan_index_fill(Plan &plan);
aclnnStatus plan_cross_entropy(Plan &plan);
aclnnStatus plan_rms_norm(Plan &plan);
aclnnStatus plan_add_rms_norm(Plan &plan);
aclnnStatus plan_layer_norm(Plan &plan);
aclnnStatus plan_group_norm(Plan &plan);
aclnnStatus plan_batch_norm(Plan &plan);
aclnnStatus plan_rotary(Plan &plan);
aclnnStatus plan_attention(Plan &plan);
aclnnStatus plan_quant_matmul(Plan &plan);
aclnnStatus plan_matmul_weight(Plan &plan);
aclnnStatus plan_triangular_solve(Plan &plan);
aclnnStatus plan_convolution(Plan &plan);
aclnnStatus plan_im2col(Plan &plan);
aclnnStatus plan_avg_pool(Plan &plan);
aclnnStatus plan_max_pool(Plan &plan);

} // namespace umd
