// SPDX-License-Identifier: MIT
/*
 * DOC: Losses
 *
 * Loss functions, which some models have as their last nodes: the negative log likelihood of a class, with weights
 * of classes, and with one class that is ignored.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace losses {

namespace {

/* The reduction, and the shape of a loss for each target. */
bool infer_loss(Inference &at)
{
	const ir::Dims &dims = at.dims(0), &target = at.dims(1);
	const std::string_view reduction = at.node.text("reduction", "mean");
	ir::Dims wanted = dims;
	if (dims.rank() < 2 || (at.type(1) != ir::Type::INT64 && at.type(1) != ir::Type::INT32))
		return at.fail("its scores must have classes, and its targets be INT32 or INT64");
	wanted.erase(1);
	if (!(target == wanted))
		return at.fail("its targets are " + ir::print(target) + " in place of " +
			       ir::print(wanted));
	if (at.has(2) && !(at.dims(2) == ir::Dims{dims[1]}))
		return at.fail("its weights must have an element for each class");
	if (reduction != "none" && reduction != "sum" && reduction != "mean")
		return at.fail("reduction is " + std::string(reduction));
	return at.set(0, at.type(0), reduction == "none" ? wanted : ir::Dims{}) &&
	       at.set(1, at.type(0), dims);
}

/* sum() - of all elements. */
bool sum(Lowering &l, const Tensor &from, const Tensor &to)
{
	return l.call(umd::reduce_sum_row,
		      {from, Integers{}, int64_t{0}, int64_t{ir::row_of(to.type).device}, to});
}

/* weights_of() - the weight of each target; 0 for the ignored class. Targets of this class become 0 in @index. */
bool weights_of(Lowering &l, Tensor &index, Tensor &weights)
{
	const ir::Type type = l.in(0).type;
	const ir::Dims &dims = index.dims();
	weights = broadcast_to(l.number(type, 1), dims);
	Tensor counted = index;
	const ir::Attribute *ignored = l.at.node.find("ignore_index");
	const Tensor is_ignored = l.temporary(ir::Type::BOOL, dims);
	if (ignored) {
		const auto value = static_cast<double>(l.at.node.integer("ignore_index", 0));
		counted = l.temporary(index.type, dims);
		if (!l.call(umd::eq_tensor_row, {index, l.number(index.type, value), is_ignored}) ||
		    !l.call(umd::swhere_row, {is_ignored, l.number(index.type, 0), index, counted}))
			return false;
	}
	if (l.has(2)) {
		weights = l.temporary(type, dims);
		if (!l.call(umd::gather_v2_row, {l.in(2), int64_t{0}, counted, weights}))
			return false;
	}
	if (ignored) {
		const Tensor kept = l.temporary(type, dims);
		if (!l.call(umd::swhere_row, {is_ignored, l.number(type, 0), weights, kept}))
			return false;
		weights = kept;
	}
	index = counted;
	return true;
}

/* finish() - computes the loss from @scores, which are logarithms. */
bool finish(Lowering &l, const Tensor &scores)
{
	Tensor index = l.in(1), weights;
	const std::string_view reduction = l.at.node.text("reduction", "mean");
	const ir::Type type = l.in(0).type;
	const ir::Dims dims = index.dims();
	if (!weights_of(l, index, weights))
		return false;
	Tensor chosen = l.temporary(type, dims), place = chosen;
	for (Tensor *tensor : {&index, &place}) {
		tensor->view.dims.insert(1, 1);
		tensor->view.strides.insert(1, 0);
	}
	const Tensor loss = reduction == "none" ? l.out() : l.temporary(type, dims);
	if (!l.call(umd::gather_row, {scores, int64_t{1}, index, place}) ||
	    !l.call(mul_row, {chosen, weights, chosen}) || !l.call(umd::neg_row, {chosen, loss}))
		return false;
	if (reduction == "none")
		return true;
	const Tensor total = reduction == "sum" ? l.out() : l.temporary(type, {});
	const Tensor weight = l.temporary(type, {});
	return sum(l, loss, total) &&
	       (reduction == "sum" ||
		(sum(l, weights, weight) && l.call(umd::div_row, {total, weight, l.out()})));
}

bool lower_likelihood(Lowering &l)
{
	return finish(l, l.in(0));
}

bool lower_cross_entropy(Lowering &l)
{
	const Tensor scores = l.at.wants(1) ? l.out(1) : l.temporary(l.in(0).type, l.in(0).dims());
	return l.call(umd::log_softmax_row, {l.in(0), int64_t{1}, scores}) && finish(l, scores);
}

constexpr OperatorRow ROWS[] = {
	{"NegativeLogLikelihoodLoss", 12, 0, 2, 3, "ignore_index reduction ", infer_loss, nullptr,
	 nullptr, lower_likelihood},
	{"SoftmaxCrossEntropyLoss", 12, 0, 2, 3, "ignore_index reduction ", infer_loss, nullptr,
	 nullptr, lower_cross_entropy},
};

} // namespace

} // namespace losses

std::span<const OperatorRow> loss_rows()
{
	return losses::ROWS;
}

} // namespace models
