// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of operators with indices
 *
 * GatherV2, Embedding, IndexSelect, Gather, IndexCopy and IndexFillTensor work along one dim, which the views on the
 * wire have as the first one. Where indices have several dims, these are the first ones of the result. The device
 * checks indices in device memory when it reads them. SoftmaxCrossEntropyWithLogits has labels instead: a weight for
 * each class.
 */
#include "operands.h"

namespace umd {

namespace {

/* plan_select() - copies the elements of slot 1 that the indices in slot 2 select to slot 0. */
aclnnStatus plan_select(Plan &plan, int64_t dim_value, unsigned index_dims)
{
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(0, 1);
	if (status == OK)
		status = operands.check_index(2);
	if (status == OK)
		status = operands.check_rank(2, 0, index_dims);
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.find_dim(1, dim_value, dim);
	if (status != OK)
		return status;
	/* In IndexSelect, an index tensor without dims selects one element. */
	PlanView &out = operands[0], &self = operands[1], &index = operands[2];
	if (index_dims == 1 && index.ndim == 0)
		insert_dim(index, 0);
	if (self.ndim - 1 + index.ndim > max_dims)
		return operands.fail(2, "the result would have more than 8 dims");
	Shape shape = self;
	shape.ndim = 0;
	const auto append = [&shape](const PlanView &view, unsigned first, unsigned end) {
		for (unsigned d = first; d < end; d++)
			shape.dims[shape.ndim++] = view.dims[d];
	};
	append(self, 0, dim);
	append(index, 0, index.ndim);
	append(self, dim + 1, self.ndim);
	status = operands.check_shape(0, shape);
	if (status != OK)
		return status;
	/* The device reads one row of indices faster than several dims. */
	PlanView row = index, joined = out;
	if (join_dims(row, 0, index.ndim) && join_dims(joined, dim, index.ndim)) {
		index = row;
		out = joined;
	}
	for (unsigned d = 0; d < index.ndim; d++)
		move_to_front(out, dim + index.ndim - 1);
	move_to_front(self, dim);
	return operands.finish();
}

} // namespace

/* (self, dim, index, out) */
aclnnStatus plan_gather(Plan &plan)
{
	return plan_select(plan, plan.argument(1).integer, max_dims);
}

/* (self, dim, index, out) */
aclnnStatus plan_index_select(Plan &plan)
{
	return plan_select(plan, plan.argument(1).integer, 1);
}

/* (weight, indices, out) */
aclnnStatus plan_embedding(Plan &plan)
{
	const aclnnStatus status = Operands(plan).check_rank(1, 2, 2);
	return status == OK ? plan_select(plan, 0, max_dims) : status;
}

/* (self, dim, index, out): the result has the shape of index */
aclnnStatus plan_gather_elements(Plan &plan)
{
	enum Slot : unsigned { OUT, SELF, INDEX };
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(OUT, SELF);
	if (status == OK)
		status = operands.check_index(INDEX);
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	PlanView &self = operands[SELF], &index = operands[INDEX];
	if (operands.tensor(SELF).ndim == 0 && index.ndim <= 1)
		insert_dim(self, 0);
	else
		status = operands.find_dim(SELF, plan.argument(1).integer, dim);
	if (status == OK)
		status = operands.check_shape(OUT, index);
	if (status != OK)
		return status;
	for (const unsigned slot : {OUT, INDEX})
		if (operands[slot].ndim == 0 && self.ndim == 1)
			insert_dim(operands[slot], 0);
	bool fits = index.ndim == self.ndim;
	for (unsigned d = 0; fits && d < self.ndim; d++)
		fits = d == dim || index.dims[d] <= self.dims[d];
	if (!fits)
		return operands.fail(INDEX, "it must have as many dims as the operand, none of "
					    "them but dim " +
						    std::to_string(dim) + " larger; its shape is " +
						    print_shape(operands.tensor(SELF)));
	for (const unsigned slot : {OUT, SELF, INDEX})
		move_to_front(operands[slot], dim);
	return operands.finish();
}

/* (self, numClasses, onValue, offValue, axis, out) */
aclnnStatus plan_one_hot(Plan &plan)
{
	enum Slot : unsigned { OUT, SELF, ON, OFF };
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_index(SELF);
	for (const unsigned slot : {ON, OFF}) {
		if (status == OK)
			status = operands.check_same_type(slot, OUT);
		if (status == OK)
			status = operands.check_rank(slot, 0, 1);
	}
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	PlanView &self = operands[SELF];
	const int64_t classes = plan.argument(1).integer, told = plan.argument(4).integer;
	const int64_t axis = told == -1 ? self.ndim : told;
	if (axis < 0 || axis > self.ndim)
		return operands.fail(SELF, "axis is " + std::to_string(told) +
						   "; allowed are -1 to " +
						   std::to_string(self.ndim));
	if (self.ndim == max_dims)
		return operands.fail(SELF, "the result would have more than 8 dims");
	for (const unsigned slot : {ON, OFF})
		if (operands[slot].ndim == 1 && operands[slot].dims[0] != 1)
			return operands.fail(slot, "it must have one element");
	const auto dim = static_cast<unsigned>(axis);
	insert_dim(self, dim);
	Shape shape = self;
	shape.dims[dim] = classes;
	status = operands.check_shape(OUT, shape);
	if (status != OK)
		return status;
	move_to_end(self, dim);
	move_to_end(operands[OUT], dim);
	return operands.finish();
}

/* (selfRef, dim, index, source) */
aclnnStatus plan_index_copy(Plan &plan)
{
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(2, 0);
	if (status == OK)
		status = operands.check_index(1);
	if (status == OK)
		status = operands.check_rank(1, 0, 1);
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.find_dim(0, plan.argument(1).integer, dim);
	if (status != OK)
		return status;
	PlanView &self = operands[0], &index = operands[1], &source = operands[2];
	if (index.ndim == 0)
		insert_dim(index, 0);
	Shape shape = self;
	shape.dims[dim] = index.dims[0];
	if (index.dims[0] > UNPU_TENSOR_MAX_INDICES)
		return operands.fail(1, "there are at most " +
						std::to_string(UNPU_TENSOR_MAX_INDICES) +
						" indices");
	status = operands.check_shape(2, shape);
	if (status != OK)
		return status;
	if (!has_elements(source))
		plan.note_empty();
	move_to_front(self, dim);
	move_to_front(source, dim);
	return operands.finish();
}

/* (selfRef, dim, index, value). The indices are a host array, so they are checked here. */
aclnnStatus plan_index_fill(Plan &plan)
{
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.find_dim(0, plan.argument(1).integer, dim);
	if (status != OK)
		return status;
	const aclIntArray &index = *plan.argument(2).integers;
	const int64_t size = operands[0].dims[dim];
	for (uint64_t i = 0; i < index.size; i++)
		if (index.values[i] < -size || index.values[i] >= size)
			return operands.fail(
				0, "index has the entry " + std::to_string(index.values[i]) +
					   ", which is outside of dim " + std::to_string(dim));
	if (index.size == 0)
		plan.note_empty();
	status = add_element(plan, 1, 3, operands.type(0));
	if (status == OK)
		status = plan.add_integers(0, {index.values.get(), index.size}, "index");
	move_to_front(operands[0], dim);
	return status == OK ? operands.finish() : status;
}

/* (features, labels, loss, backprop) */
aclnnStatus plan_cross_entropy(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(2, 2, 2);
	const PlanView &features = operands[2];
	if (status == OK)
		status = operands.check_shape(3, features);
	if (status == OK)
		status = operands.check_shape(1, features);
	if (status == OK)
		status = operands.check_shape(0, {features.dims[0]});
	if (status == OK && (features.dims[1] == 0 || features.dims[1] > UNPU_TENSOR_MAX_CLASSES))
		return operands.fail(2, "a row has 1 to " +
						std::to_string(UNPU_TENSOR_MAX_CLASSES) +
						" elements");
	return status == OK ? operands.finish() : status;
}

} // namespace umd
