// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of norms
 *
 * RmsNorm, AddRmsNorm and LayerNorm work along the last dims, GroupNorm along groups of channels. The mean
 * and the reciprocal of the standard deviation have one element for each such row or group. Programs pass
 * them with any rank, so only their number of elements is checked.
 */
#include "operands.h"

namespace umd {

namespace {

/* check_count() - slot @slot is absent or has @count elements. */
aclnnStatus check_count(const Operands &operands, unsigned slot, int64_t count)
{
	if (!operands.has(slot))
		return OK;
	const aclTensor &tensor = operands.tensor(slot);
	return count_elements(tensor.dims, tensor.ndim) == count
		       ? OK
		       : operands.fail(slot, "it has " + std::to_string(count) + " elements");
}

/* is_end_of() - whether @shape has the last dims of @whole. */
bool is_end_of(const Shape &shape, const PlanView &whole)
{
	return shape.ndim <= whole.ndim && std::equal(shape.dims, shape.dims + shape.ndim,
						      whole.dims + whole.ndim - shape.ndim);
}

/* check_row() - checks that tensor @slot does not normalise too many elements together. @row: the dims of
 * these elements. */
aclnnStatus check_row(const Operands &operands, unsigned slot, const int64_t *row, unsigned ndim)
{
	return count_elements(row, ndim) <= UNPU_TENSOR_MAX_NORMALIZED
		       ? OK
		       : operands.fail(slot, "at most " +
						     std::to_string(UNPU_TENSOR_MAX_NORMALIZED) +
						     " elements can be normalised together");
}

/* plan_root_mean() - plans RmsNorm and AddRmsNorm. Slot 0 is y, slot 1 the reciprocal of the root mean
 * square, and slot @gamma has the factors. The slots from 2 to @gamma - 1 are the operands and other results;
 * all have the same shape. Programs leave the strides of slot 1 uninitialised, so its elements count as
 * contiguous. */
aclnnStatus plan_root_mean(Plan &plan, unsigned gamma)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.check_rank(gamma, 1, max_dims);
	if (status == OK)
		status = operands.load(1);
	if (status != OK)
		return status;
	const Shape shape = operands[gamma - 1];
	if (!is_end_of(operands[gamma], operands[gamma - 1]))
		return operands.fail(gamma, "it must have the last dims of " +
						    print_shape(shape.dims, shape.ndim));
	for (unsigned slot = 0; slot < gamma && status == OK; slot++)
		if (slot != 1)
			status = operands.check_shape(slot, shape);
	if (status == OK)
		status = check_row(operands, gamma, operands[gamma].dims, operands[gamma].ndim);
	const int64_t rows = count_elements(shape.dims, shape.ndim - operands[gamma].ndim);
	if (status == OK)
		status = check_count(operands, 1, rows);
	if (status == OK)
		status = add_attributes(plan, operands.type(0));
	return status == OK ? operands.finish() : status;
}

aclnnStatus check_normalized_shape(const Plan &plan, const Operands &operands, const PlanView &view)
{
	const aclIntArray &dims = *plan.argument(1).integers;
	const bool fits = dims.size >= 1 && dims.size <= view.ndim &&
			  std::equal(dims.values.get(), dims.values.get() + dims.size,
				     view.dims + view.ndim - dims.size);
	return fits ? OK : operands.fail(3, "normalizedShape must have its last dims");
}

} // namespace

/* (x, gamma, epsilon, yOut, rstdOut) */
aclnnStatus plan_rms_norm(Plan &plan)
{
	return plan_root_mean(plan, 3);
}

/* (x1, x2, gamma, epsilon, yOut, rstdOut, xOut) */
aclnnStatus plan_add_rms_norm(Plan &plan)
{
	return plan_root_mean(plan, 5);
}

/* (input, normalizedShape, weightOptional, biasOptional, eps, out, meanOutOptional, rstdOutOptional) */
aclnnStatus plan_layer_norm(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = check_normalized_shape(plan, operands, operands[3]);
	if (status == OK)
		status = operands.check_shape(0, operands[3]);
	if (status != OK)
		return status;
	const aclIntArray &dims = *plan.argument(1).integers;
	Shape row;
	row.ndim = static_cast<unsigned>(dims.size);
	std::copy_n(dims.values.get(), row.ndim, row.dims);
	for (unsigned slot = 4; slot < 6 && status == OK; slot++)
		if (operands.has(slot))
			status = operands.check_shape(slot, row);
	if (status == OK)
		status = check_row(operands, 3, row.dims, row.ndim);
	const int64_t rows = count_elements(operands[3].dims, operands[3].ndim - row.ndim);
	for (unsigned slot = 1; slot < 3 && status == OK; slot++)
		status = check_count(operands, slot, rows);
	plan.add_integer(0, row.ndim);
	if (status == OK)
		status = add_attributes(plan, operands.type(0));
	return status == OK ? operands.finish() : status;
}

/* (self, gamma, beta, N, C, HxW, group, eps, out, meanOut, rstdOut) */
aclnnStatus plan_group_norm(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(3, 2, max_dims);
	if (status != OK)
		return status;
	const PlanView &self = operands[3];
	const int64_t n = plan.argument(3).integer, c = plan.argument(4).integer;
	const int64_t group = plan.argument(6).integer;
	if (n != self.dims[0] || c != self.dims[1] ||
	    plan.argument(5).integer != count_elements(self.dims + 2, self.ndim - 2))
		return operands.fail(3, "N, C and HxW must be its dims");
	if (group < 1 || group > c || c % group != 0)
		return plan.fail("group is " + std::to_string(group) + "; C, which is " +
				 std::to_string(c) + ", must be a multiple of it");
	const int64_t row[] = {c / group, plan.argument(5).integer};
	status = check_row(operands, 3, row, 2);
	if (status == OK)
		status = operands.check_shape(0, self);
	for (unsigned slot = 4; slot < 6 && status == OK; slot++)
		if (operands.has(slot))
			status = operands.check_shape(slot, {c});
	const int64_t rows[] = {n, group};
	for (unsigned slot = 1; slot < 3 && status == OK; slot++)
		status = check_count(operands, slot, count_elements(rows, 2));
	if (status == OK)
		status = add_attributes(plan, operands.type(0));
	return status == OK ? operands.finish() : status;
}

/* (input, weight, bias, runningMean, runningVar, training, momentum, eps, output, saveMean, saveInvstd): on the wire
 * the channels are the first dim. */
aclnnStatus plan_batch_norm(Plan &plan)
{
	enum Slot : unsigned { OUT, MEAN, NEW_VAR = 4, INPUT, OLD_MEAN = 8, OLD_VAR };
	const bool is_training = plan.argument(5).integer != 0;
	Operands operands(plan);
	if (!is_training)
		for (unsigned slot = MEAN; slot <= NEW_VAR; slot++)
			operands.leave_out(slot);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(INPUT, 2, max_dims);
	if (status == OK)
		status = operands.check_shape(OUT, operands[INPUT]);
	if (status != OK)
		return status;
	for (const unsigned slot : {OLD_MEAN, OLD_VAR})
		if (!is_training && !operands.has(slot))
			return plan.fail_missing(slot == OLD_MEAN
							 ? "runningMean, without training,"
							 : "runningVar, without training,");
	move_to_front(operands[OUT], 1);
	move_to_front(operands[INPUT], 1);
	const PlanView &input = operands[INPUT];
	status = check_row(operands, INPUT, input.dims + 1, input.ndim - 1);
	for (unsigned slot = MEAN; slot <= OLD_VAR && status == OK; slot++)
		if (slot != INPUT && operands.has(slot))
			status = operands.check_shape(slot, {input.dims[0]});
	if (status == OK)
		status = add_attributes(plan, operands.type(OUT));
	return status == OK ? operands.finish() : status;
}

} // namespace umd
