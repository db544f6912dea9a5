// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of weights and of triangular systems
 *
 * A quantised weight has scales, and may have offsets, for each column or for groups of rows. Weights are not
 * rearranged in memory: TransMatmulWeight changes nothing, and products read a weight whose format is
 * FRACTAL_NZ like any other tensor. The batches of a triangular system are broadcast.
 */
#include "operands.h"

namespace umd {

namespace {

enum QuantSlot : unsigned { QUANT_Y, QUANT_X, QUANT_WEIGHT, QUANT_SCALE, QUANT_OFFSET, QUANT_BIAS };

/* Positions of arguments of aclnnWeightQuantBatchMatmulV2. */
enum QuantPlace : size_t { A_RESULT_SCALE = 4, A_RESULT_OFFSET = 5, A_GROUP_SIZE = 7 };

aclnnStatus check_quant_types(Plan &plan, Operands &operands)
{
	for (const size_t i : {A_RESULT_SCALE, A_RESULT_OFFSET})
		if (plan.argument(i).tensor)
			return plan.fail(std::string(plan.row().arguments[i].name) +
					 " must be NULL: the result is not quantised");
	const aclDataType weight = operands.tensor(QUANT_WEIGHT).dtype;
	if (weight != ACL_INT8 && weight != ACL_INT4)
		return operands.fail(QUANT_WEIGHT, "allowed are INT8 and INT4");
	return operands.check_floating(1u << QUANT_WEIGHT);
}

/* place_scales() - changes the view of a tensor of shape [groups, N], [N], [1, 1] or [1] to [groups, N]. */
aclnnStatus place_scales(Operands &operands, unsigned slot, const Shape &shape)
{
	if (!operands.has(slot))
		return OK;
	const PlanView given = operands[slot];
	const bool has_groups = given.ndim == 2 && given.dims[0] == shape.dims[0];
	if ((has_groups || shape.dims[0] == 1) && broadcast_to(operands[slot], shape))
		return OK;
	return operands.fail(slot, "it must have shape " + print_shape(shape.dims, shape.ndim));
}

int64_t count_groups(int64_t depth, int64_t group)
{
	return group == 0 || group >= depth ? 1 : depth / group + (depth % group != 0);
}

/* broadcast_batches() - broadcasts the dims before the last two of both operands. */
bool broadcast_batches(PlanView &one, PlanView &other)
{
	while (one.ndim < other.ndim)
		insert_dim(one, 0);
	while (other.ndim < one.ndim)
		insert_dim(other, 0);
	for (unsigned d = 0; d + 2 < one.ndim; d++) {
		const int64_t size = one.dims[d] == 1 ? other.dims[d] : one.dims[d];
		if ((one.dims[d] != 1 && one.dims[d] != size) ||
		    (other.dims[d] != 1 && other.dims[d] != size))
			return false;
		one.dims[d] = other.dims[d] = size;
	}
	return true;
}

} // namespace

/* (x, weight, antiquantScale, antiquantOffsetOptional, quantScaleOptional, quantOffsetOptional, biasOptional,
 * antiquantGroupSize, y) */
aclnnStatus plan_quant_matmul(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = check_quant_types(plan, operands);
	if (status == OK)
		status = operands.load();
	for (const unsigned slot : {QUANT_X, QUANT_WEIGHT})
		if (status == OK)
			status = operands.check_rank(slot, 2, 2);
	if (status != OK)
		return status;
	const int64_t m = operands[QUANT_X].dims[0], k = operands[QUANT_X].dims[1];
	const int64_t n = operands[QUANT_WEIGHT].dims[1],
		      group = plan.argument(A_GROUP_SIZE).integer;
	if (operands[QUANT_WEIGHT].dims[0] != k)
		return operands.fail(QUANT_WEIGHT, "x has " + std::to_string(k) + " columns");
	if (k > UNPU_TENSOR_MAX_DEPTH)
		return operands.fail(QUANT_WEIGHT, "it has at most " +
							   std::to_string(UNPU_TENSOR_MAX_DEPTH) +
							   " rows");
	if (group < 0)
		return plan.fail("antiquantGroupSize is " + std::to_string(group) +
				 "; it must not be negative");
	status = operands.check_shape(QUANT_Y, {m, n});
	for (const unsigned slot : {QUANT_SCALE, QUANT_OFFSET})
		if (status == OK)
			status = place_scales(operands, slot, {count_groups(k, group), n});
	if (status == OK && operands.has(QUANT_BIAS)) {
		PlanView &bias = operands[QUANT_BIAS];
		if (bias.ndim == 2 && bias.dims[0] == 1)
			(void)join_dims(bias, 0, 2);
		if (bias.ndim != 1 || bias.dims[0] != n)
			return operands.fail(QUANT_BIAS,
					     "it must have shape [" + std::to_string(n) + "]");
	}
	plan.add_integer(0, group);
	return status == OK ? operands.finish() : status;
}

/* (mmWeightRef) */
aclnnStatus plan_matmul_weight(Plan &plan)
{
	Operands operands(plan);
	const aclDataType dtype = operands.tensor(0).dtype;
	if (dtype != ACL_FLOAT && dtype != ACL_FLOAT16 && dtype != ACL_BF16 && dtype != ACL_INT8)
		return operands.fail(0, "allowed are FLOAT, FLOAT16, BF16 and INT8");
	plan.note_empty();
	return operands.check_rank(0, 2, 6);
}

/* (self, A, upper, transpose, unitriangular, xOut, mOut) */
aclnnStatus plan_triangular_solve(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.check_same_type(1, 3);
	if (status == OK)
		status = operands.load();
	for (unsigned slot = 2; slot < 4; slot++)
		if (status == OK)
			status = operands.check_rank(slot, 2, max_dims);
	if (status != OK)
		return status;
	PlanView &b = operands[2], &a = operands[3];
	const int64_t n = a.dims[a.ndim - 1];
	if (a.dims[a.ndim - 2] != n || n > UNPU_TENSOR_MAX_TRIANGLE)
		return operands.fail(3, "its matrices must be squares of up to " +
						std::to_string(UNPU_TENSOR_MAX_TRIANGLE) + " rows");
	if (b.dims[b.ndim - 2] != n)
		return operands.fail(2, "its matrices must have " + std::to_string(n) + " rows");
	if (!broadcast_batches(b, a))
		return operands.fail(3, "its batches can't be broadcast with those of self");
	status = operands.check_shape(0, b);
	if (status == OK)
		status = operands.check_shape(1, a);
	if (status == OK)
		status = add_attributes(plan, operands.type(0));
	return status == OK ? operands.finish() : status;
}

} // namespace umd
