// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of products of matrices
 *
 * Shapes are those of numpy's matmul: the dims before the last two are broadcast. A vector counts as a row on
 * the left side, and as a column on the right side; the result does not have that extra dim. Gemm, Addmm and Baddbmm
 * add another operand, and multiply both by numbers. On the wire all operands have the rank of the full product,
 * including the extra dims, and stride 0 in the dims along which they are broadcast.
 */
#include <algorithm>

#include "operands.h"

namespace umd {

namespace {

/* class Product - the steps of the rules. Slots: 0 result, 1 left operand, 2 right operand, 3 what is added. */
class Product {
public:
	explicit Product(Plan &plan) : plan_(plan) {}

	/* run() - plans the product. @left, @right: ranks that the operands must have; 0: any rank from 1
	 * on. */
	aclnnStatus run(unsigned left, unsigned right);

	/* transpose() - exchanges the two dims of the matrix in a slot. */
	void transpose(unsigned slot) { is_transposed_[slot] = true; }

	/* scale() - the product counts @alpha times, and what is added @beta times. */
	void scale(double alpha, double beta);

private:
	aclnnStatus load(unsigned slot, unsigned rank);
	aclnnStatus find_shape();
	aclnnStatus check_result();
	aclnnStatus load_addend();
	void add(unsigned slot);
	const aclTensor &tensor(unsigned slot) const
	{
		return *plan_.argument(argument_[slot]).tensor;
	}

	Plan &plan_;
	size_t argument_[4] = {}; /* for each slot, the position of its argument */
	bool is_transposed_[3] = {};
	bool has_addend_ = false;
	PlanView views_[4];
	unsigned ndim_ = 0; /* rank of the product */
	int64_t dims_[max_dims] = {};
};

aclnnStatus Product::load(unsigned slot, unsigned rank)
{
	const size_t i = argument_[slot];
	const Type type = find_tensor_type(tensor(slot).dtype);
	if (type.category != Category::FLOATING || type.bytes > 4)
		return plan_.fail_tensor(i, "allowed are FLOAT, FLOAT16 and BF16");
	if (rank != 0 && tensor(slot).ndim != rank)
		return plan_.fail_tensor(i, "it must have " + std::to_string(rank) +
						    (rank == 1 ? " dim" : " dims"));
	if ((slot == 1 || slot == 2) && tensor(slot).ndim == 0)
		return plan_.fail_tensor(i, "it must have 1 dim at least");
	const aclnnStatus status = plan_.make_view(i, views_[slot]);
	if (status == OK && slot < 3 && is_transposed_[slot]) {
		std::swap(views_[slot].dims[0], views_[slot].dims[1]);
		std::swap(views_[slot].strides[0], views_[slot].strides[1]);
	}
	return status;
}

void Product::scale(double alpha, double beta)
{
	const auto add_factor = [this](unsigned attribute, double value) {
		aclScalar scalar{};
		scalar.is_floating = true;
		scalar.real = value;
		plan_.add_scalar(attribute, scalar, true);
	};
	add_factor(0, alpha);
	add_factor(1, beta);
	has_addend_ = beta != 0;
}

/* Loads what is added, broadcast to the shape of the product. */
aclnnStatus Product::load_addend()
{
	Shape shape;
	shape.ndim = ndim_;
	std::copy_n(dims_, ndim_, shape.dims);
	const aclnnStatus status = load(3, 0);
	if (status == OK && !broadcast_to(views_[3], shape))
		return plan_.fail_tensor(argument_[3], "it can't be broadcast to the shape " +
							       print_shape(dims_, ndim_));
	return status;
}

/* Finds the shape of the product, including the extra dims of vectors. */
aclnnStatus Product::find_shape()
{
	PlanView &left = views_[1], &right = views_[2];
	if (left.ndim == 1)
		insert_dim(left, 0);
	if (right.ndim == 1)
		insert_dim(right, 1);
	if (left.dims[left.ndim - 1] != right.dims[right.ndim - 2])
		return plan_.fail_tensor(argument_[2],
					 "the dim that is added up has size " +
						 std::to_string(left.dims[left.ndim - 1]) +
						 " in the operand before it");
	if (right.dims[right.ndim - 2] > UNPU_TENSOR_MAX_DEPTH)
		return plan_.fail_tensor(
			argument_[2], "the dim that is added up has at most " +
					      std::to_string(UNPU_TENSOR_MAX_DEPTH) + " elements");
	ndim_ = std::max(left.ndim, right.ndim);
	while (left.ndim < ndim_)
		insert_dim(left, 0);
	while (right.ndim < ndim_)
		insert_dim(right, 0);
	for (unsigned d = 0; d + 2 < ndim_; d++) {
		if (left.dims[d] != right.dims[d] && left.dims[d] != 1 && right.dims[d] != 1)
			return plan_.fail_tensor(argument_[2],
						 "it can't be broadcast with " +
							 print_shape(left.dims, left.ndim));
		dims_[d] = left.dims[d] == 1 ? right.dims[d] : left.dims[d];
	}
	dims_[ndim_ - 2] = left.dims[ndim_ - 2];
	dims_[ndim_ - 1] = right.dims[ndim_ - 1];
	return OK;
}

aclnnStatus Product::check_result()
{
	PlanView &result = views_[0];
	PlanView wanted;
	wanted.ndim = ndim_;
	std::copy_n(dims_, ndim_, wanted.dims);
	const auto leave_out = [&wanted](unsigned d) {
		std::copy(wanted.dims + d + 1, wanted.dims + wanted.ndim, wanted.dims + d);
		wanted.ndim--;
	};
	const bool has_columns = tensor(2).ndim > 1, has_rows = tensor(1).ndim > 1;
	if (!has_columns)
		leave_out(ndim_ - 1);
	if (!has_rows)
		leave_out(ndim_ - 2);
	if (result.ndim != wanted.ndim ||
	    !std::equal(wanted.dims, wanted.dims + wanted.ndim, result.dims))
		return plan_.fail_tensor(argument_[0],
					 "the result has shape " +
						 print_shape(wanted.dims, wanted.ndim));
	if (std::find(dims_, dims_ + ndim_, 0) != dims_ + ndim_)
		plan_.note_empty();
	if (!has_rows)
		insert_dim(result, ndim_ - 2);
	if (!has_columns)
		insert_dim(result, ndim_ - 1);
	return OK;
}

void Product::add(unsigned slot)
{
	PlanView &view = views_[slot];
	for (unsigned d = 0; d + 2 < ndim_; d++)
		view.dims[d] = dims_[d]; /* The stride of a dim of size 1 is 0. */
	plan_.add_operand(slot, slot == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ, view,
			  argument_[slot]);
}

aclnnStatus Product::run(unsigned left, unsigned right)
{
	for (size_t i = 0; i < plan_.row().arguments.size(); i++) {
		const ArgumentRow &argument = plan_.row().arguments[i];
		if (argument.form == Form::TENSOR)
			argument_[argument.place] = i;
		if (argument.role == Role::BOTH)
			argument_[argument.source] = i;
	}
	plan_.set_compute(UNPU_DTYPE_F32);
	aclnnStatus status = load(1, left);
	if (status == OK)
		status = load(2, right);
	if (status == OK)
		status = load(0, 0);
	if (status == OK)
		status = find_shape();
	if (status == OK)
		status = check_result();
	if (status == OK && has_addend_)
		status = load_addend();
	const unsigned end = has_addend_ ? 4 : 3;
	for (unsigned slot = 0; slot < end && status == OK; slot++)
		add(slot);
	return status;
}

} // namespace

aclnnStatus plan_mm(Plan &plan)
{
	return Product(plan).run(2, 2);
}

aclnnStatus plan_matmul(Plan &plan)
{
	return Product(plan).run(0, 0);
}

aclnnStatus plan_batch_matmul(Plan &plan)
{
	return Product(plan).run(3, 3);
}

aclnnStatus plan_mv(Plan &plan)
{
	return Product(plan).run(2, 1);
}

aclnnStatus plan_dot(Plan &plan)
{
	return Product(plan).run(1, 1);
}

/* (A, B, C, alpha, beta, transA, transB, out, cubeMathType) */
aclnnStatus plan_gemm(Plan &plan)
{
	Product product(plan);
	for (const unsigned slot : {1u, 2u})
		if (plan.argument(4 + slot).integer != 0)
			product.transpose(slot);
	product.scale(plan.argument(3).real, plan.argument(4).real);
	return product.run(2, 2);
}

/* plan_scaled_sum() - (self, left, right, beta, alpha, out, cubeMathType), or without out. @rank: of left and right */
static aclnnStatus plan_scaled_sum(Plan &plan, unsigned rank)
{
	Product product(plan);
	product.scale(plan.argument(4).scalar->real, plan.argument(3).scalar->real);
	return product.run(rank, rank);
}

aclnnStatus plan_addmm(Plan &plan)
{
	return plan_scaled_sum(plan, 2);
}

aclnnStatus plan_baddbmm(Plan &plan)
{
	return plan_scaled_sum(plan, 3);
}

} // namespace umd
