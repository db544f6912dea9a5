// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of Scatter and MaskedFillScalar
 *
 * Scatter works along one dim, which is the first dim of the views on the wire. There src has the shape of
 * index, because the rest of src is never read. The mask of MaskedFillScalar is broadcast.
 */
#include "operands.h"

namespace umd {

namespace {

/* class Scatter - the steps of the rule. */
class Scatter {
public:
	explicit Scatter(Plan &plan) : plan_(plan), operands_(plan) {}

	aclnnStatus run();

private:
	enum Slot : unsigned { OUT, SELF, INDEX, SRC };

	aclnnStatus check_types();
	aclnnStatus find_dim();
	aclnnStatus check_index();
	aclnnStatus cut_source();
	aclnnStatus add_attributes();

	Plan &plan_;
	Operands operands_;
	unsigned dim_ = 0;
};

aclnnStatus Scatter::check_types()
{
	aclnnStatus status = operands_.check_numbers();
	if (status == OK)
		status = operands_.check_same_type(OUT, SELF);
	if (status == OK && operands_.has(SRC))
		status = operands_.check_same_type(SRC, SELF);
	return status == OK ? operands_.check_index(INDEX) : status;
}

/* A tensor without dims counts as one of a single dim. */
aclnnStatus Scatter::find_dim()
{
	const int64_t value = plan_.argument(1).integer;
	if (operands_[SELF].ndim != 0 || (value != 0 && value != -1))
		return operands_.find_dim(SELF, value, dim_);
	for (const unsigned slot : {OUT, SELF})
		insert_dim(operands_[slot], 0);
	return OK;
}

aclnnStatus Scatter::check_index()
{
	const PlanView &self = operands_[SELF];
	PlanView &index = operands_[INDEX];
	if (index.ndim == 0 && operands_.tensor(SELF).ndim <= 1)
		insert_dim(index, 0);
	bool fits = index.ndim == self.ndim;
	for (unsigned d = 0; fits && d < self.ndim; d++)
		fits = d == dim_ || index.dims[d] <= self.dims[d];
	if (!fits)
		return operands_.fail(INDEX,
				      "it must have as many dims as the operand, none of them but "
				      "dim " + std::to_string(dim_) +
					      " larger; its shape is " +
					      print_shape(operands_.tensor(SELF)));
	for (const unsigned slot : {SELF, INDEX})
		if (operands_[slot].dims[dim_] > UNPU_TENSOR_MAX_SCATTERED)
			return operands_.fail(slot,
					      "dim " + std::to_string(dim_) + " has at most " +
						      std::to_string(UNPU_TENSOR_MAX_SCATTERED) +
						      " elements");
	return OK;
}

aclnnStatus Scatter::cut_source()
{
	const PlanView &index = operands_[INDEX];
	PlanView &source = operands_[SRC];
	if (source.ndim == 0 && index.ndim == 1)
		insert_dim(source, 0);
	bool fits = source.ndim == index.ndim;
	for (unsigned d = 0; fits && d < index.ndim; d++)
		fits = index.dims[d] <= source.dims[d];
	if (!fits)
		return operands_.fail(SRC, "it must have as many dims as index, none of them "
					   "smaller; the shape of index is " +
						   print_shape(operands_.tensor(INDEX)));
	for (unsigned d = 0; d < index.ndim; d++) {
		source.dims[d] = index.dims[d];
		source.strides[d] = index.dims[d] == 1 ? 0 : source.strides[d];
	}
	move_to_front(source, dim_);
	return OK;
}

aclnnStatus Scatter::add_attributes()
{
	const std::span<const ConstantRow> constants = plan_.row().constants;
	const int64_t reduce = constants.empty() ? plan_.argument(4).integer : constants[0].value;
	if (reduce < 0 || reduce > 2)
		return plan_.fail("reduce is " + std::to_string(reduce) +
				  "; allowed are 0, 1 and 2");
	plan_.add_integer(0, reduce);
	return operands_.has(SRC) ? OK : add_element(plan_, 1, 3, operands_.type(SELF));
}

aclnnStatus Scatter::run()
{
	aclnnStatus status = check_types();
	if (status == OK)
		status = operands_.load();
	if (status == OK)
		status = operands_.check_shape(OUT, operands_[SELF]);
	if (status == OK)
		status = find_dim();
	if (status == OK)
		status = check_index();
	if (status == OK && operands_.has(SRC))
		status = cut_source();
	if (status == OK)
		status = add_attributes();
	for (const unsigned slot : {OUT, SELF, INDEX})
		if (status == OK)
			move_to_front(operands_[slot], dim_);
	return status == OK ? operands_.finish() : status;
}

} // namespace

/* (self, dim, index, src or value, reduce, out); without out, the result replaces self */
aclnnStatus plan_scatter(Plan &plan)
{
	return Scatter(plan).run();
}

/* (selfRef, mask, value) */
aclnnStatus plan_masked_fill(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK && operands.type(1).dtype != UNPU_DTYPE_BOOL)
		status = operands.fail(1, "allowed is BOOL");
	if (status == OK)
		status = operands.load();
	if (status == OK && !broadcast_to(operands[1], operands[0]))
		status = operands.fail(1, "it can't be broadcast to the shape " +
						  print_shape(operands.tensor(0)));
	if (status == OK)
		status = add_element(plan, 0, 2, operands.type(0));
	return status == OK ? operands.finish() : status;
}

} // namespace umd
