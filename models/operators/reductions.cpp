// SPDX-License-Identifier: MIT
/*
 * DOC: Reductions
 *
 * Sums and the like over dims, softmax, running sums, and the place of the greatest element.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace reductions {

namespace {

/* struct Reduction - the dims of a reduction. @is_none: there are none, so the result equals the operand */
struct Reduction {
	std::vector<unsigned> axes;
	bool keeps_dims = true;
	bool is_none = false;
};

bool read_reduction(Inference &at, Reduction &reduction)
{
	bool is_given;
	const unsigned rank = at.dims(0).rank();
	if (!at.find_axes(1, rank, reduction.axes, is_given))
		return false;
	reduction.keeps_dims = at.node.integer("keepdims", 1) != 0;
	reduction.is_none = !is_given && at.node.integer("noop_with_empty_axes", 0) != 0;
	if (!is_given && !reduction.is_none)
		for (unsigned d = 0; d < rank; d++)
			reduction.axes.push_back(d);
	return true;
}

ir::Dims reduced(const ir::Dims &dims, const Reduction &reduction, bool keeps_dims)
{
	ir::Dims made;
	for (unsigned d = 0; d < dims.rank(); d++) {
		const bool is_reduced = std::find(reduction.axes.begin(), reduction.axes.end(),
						  d) != reduction.axes.end();
		if (!is_reduced)
			made.push(dims[d]);
		else if (keeps_dims)
			made.push(1);
	}
	return made;
}

bool infer_reduction(Inference &at)
{
	Reduction reduction;
	return read_reduction(at, reduction) &&
	       at.set(0, at.type(0), reduced(at.dims(0), reduction, reduction.keeps_dims));
}

/* reduce() - applies @function to all elements from which a result is computed. */
template <class F>
bool reduce(Inference &at, const Numbers &in, Numbers &out, double first, F function)
{
	Reduction reduction;
	if (!read_reduction(at, reduction))
		return false;
	const ir::Dims kept = reduced(in.dims, reduction, true), strides = ir::strides_of(kept);
	std::fill(out.reals.begin(), out.reals.end(), first);
	std::fill(out.integers.begin(), out.integers.end(), static_cast<int64_t>(first));
	std::vector<bool> is_begun(out.size());
	for (size_t i = 0; i < in.size(); i++) {
		size_t rest = i, to = 0;
		for (unsigned d = in.dims.rank(); d-- > 0;) {
			const auto size = static_cast<size_t>(in.dims[d]);
			if (kept[d] != 1)
				to += rest % size * static_cast<size_t>(strides[d]);
			rest /= size;
		}
		if (out.is_real())
			out.reals[to] =
				is_begun[to] ? function(out.reals[to], in.reals[i]) : in.reals[i];
		else
			out.integers[to] = is_begun[to] ? function(out.integers[to], in.integers[i])
							: in.integers[i];
		is_begun[to] = true;
	}
	return true;
}

using In = std::span<const Numbers>;

bool evaluate_sum(Inference &at, In in, Numbers &out)
{
	return reduce(at, in[0], out, 0, [](auto a, auto b) -> decltype(a) {
		if constexpr (std::is_same_v<decltype(a), int64_t>)
			return static_cast<int64_t>(static_cast<uint64_t>(a) +
						    static_cast<uint64_t>(b));
		else
			return a + b;
	});
}

bool evaluate_prod(Inference &at, In in, Numbers &out)
{
	return reduce(at, in[0], out, 1, [](auto a, auto b) -> decltype(a) {
		if constexpr (std::is_same_v<decltype(a), int64_t>)
			return static_cast<int64_t>(static_cast<uint64_t>(a) *
						    static_cast<uint64_t>(b));
		else
			return a * b;
	});
}

bool evaluate_max(Inference &at, In in, Numbers &out)
{
	if (in[0].size() == 0)
		return at.fail("it has no greatest element of none");
	return reduce(at, in[0], out, 0, [](auto a, auto b) { return std::max(a, b); });
}

bool evaluate_min(Inference &at, In in, Numbers &out)
{
	if (in[0].size() == 0)
		return at.fail("it has no least element of none");
	return reduce(at, in[0], out, 0, [](auto a, auto b) { return std::min(a, b); });
}

int64_t device_type(const Tensor &tensor)
{
	return ir::row_of(tensor.type).device;
}

/* sum() - sums @from over the dims into @out, with or without these dims. */
bool sum(Lowering &l, const Reduction &reduction, const Tensor &from, const Tensor &out)
{
	if (reduction.is_none || reduction.axes.empty())
		return l.copy(from, out);
	return l.call(umd::reduce_sum_row,
		      {from, Integers(reduction.axes.begin(), reduction.axes.end()),
		       int64_t{reduction.keeps_dims}, device_type(out), out});
}

bool lower_sum(Lowering &l)
{
	Reduction reduction;
	return read_reduction(l.at, reduction) && sum(l, reduction, l.in(0), l.out());
}

bool lower_mean(Lowering &l)
{
	Reduction reduction;
	if (!read_reduction(l.at, reduction))
		return false;
	if (reduction.axes.empty())
		return l.copy(l.in(0), l.out());
	return l.call(umd::mean_row,
		      {l.in(0), Integers(reduction.axes.begin(), reduction.axes.end()),
		       int64_t{reduction.keeps_dims}, device_type(l.out()), l.out()});
}

bool lower_norm(Lowering &l)
{
	Reduction reduction;
	if (!read_reduction(l.at, reduction))
		return false;
	if (reduction.axes.empty())
		return l.call(umd::abs_row, {l.in(0), l.out()});
	return l.call(umd::norm_row,
		      {l.in(0), Scalar(2.0), Integers(reduction.axes.begin(), reduction.axes.end()),
		       int64_t{reduction.keeps_dims}, l.out()});
}

bool lower_sum_of_sizes(Lowering &l)
{
	Reduction reduction;
	const Tensor size = l.temporary(l.in(0).type, l.in(0).dims());
	return read_reduction(l.at, reduction) && l.call(umd::abs_row, {l.in(0), size}) &&
	       sum(l, reduction, size, l.out());
}

bool lower_sum_of_squares(Lowering &l)
{
	Reduction reduction;
	const Tensor square = l.temporary(l.in(0).type, l.in(0).dims());
	return read_reduction(l.at, reduction) && l.call(mul_row, {l.in(0), l.in(0), square}) &&
	       sum(l, reduction, square, l.out());
}

bool lower_log_of_sum(Lowering &l)
{
	Reduction reduction;
	const Tensor made = l.temporary(l.out().type, l.out().dims());
	return read_reduction(l.at, reduction) && sum(l, reduction, l.in(0), made) &&
	       l.call(umd::log_row, {made, l.out()});
}

template <const umd::OperatorRow &ROW> bool lower_fold(Lowering &l)
{
	Reduction reduction;
	if (!read_reduction(l.at, reduction))
		return false;
	if (reduction.axes.empty())
		return l.copy(l.in(0), l.out());
	return l.call(ROW, {l.in(0), Integers(reduction.axes.begin(), reduction.axes.end()),
			    int64_t{reduction.keeps_dims}, l.out()});
}

/* flattened() - makes @tensor a matrix, as opsets before 13 do: the dims before @axis are merged into the rows, the
 * others into the columns. */
bool flattened(Lowering &l, Tensor &tensor, unsigned axis)
{
	if (!l.make_dense(tensor))
		return false;
	const int64_t rows = *ir::count(tensor.dims().span().first(axis));
	const int64_t columns = *ir::count(tensor.dims().span().subspan(axis));
	const int64_t offset = tensor.view.offset;
	tensor.view = View::dense({rows, columns});
	tensor.view.offset = offset;
	return true;
}

bool lower_softmax_of(Lowering &l, const umd::OperatorRow &row)
{
	const bool is_old = l.at.node.version < 13;
	const unsigned rank = l.in(0).dims().rank();
	const int64_t value = l.at.node.integer("axis", is_old ? 1 : -1);
	Tensor from = l.in(0), to = l.out();
	unsigned axis = 0;
	if (rank == 0)
		return l.call(row, {from, int64_t{0}, to});
	/* Before opset 13 axis may be the rank: then each row has one element. */
	if (is_old && value == static_cast<int64_t>(rank))
		axis = rank;
	else if (!l.at.find_axis(value, rank, axis))
		return false;
	if (is_old) {
		if (!flattened(l, from, axis) || !flattened(l, to, axis))
			return false;
		axis = 1;
	}
	return l.call(row, {from, int64_t{axis}, to});
}

bool lower_softmax(Lowering &l)
{
	return lower_softmax_of(l, umd::softmax_row);
}

bool lower_log_softmax(Lowering &l)
{
	return lower_softmax_of(l, umd::log_softmax_row);
}

bool infer_argmax(Inference &at)
{
	unsigned axis;
	ir::Dims dims = at.dims(0);
	if (!at.find_axis(at.node.integer("axis", 0), dims.rank(), axis))
		return false;
	if (at.node.integer("keepdims", 1) != 0)
		dims[axis] = 1;
	else
		dims.erase(axis);
	return at.set(0, ir::Type::INT64, dims);
}

/* backward() - a view with dim @axis in reverse order. */
Tensor backward(Tensor tensor, unsigned axis)
{
	View &view = tensor.view;
	if (view.dims[axis] > 0)
		view.offset += (view.dims[axis] - 1) * view.strides[axis];
	view.strides[axis] = -view.strides[axis];
	return tensor;
}

/* The last greatest element is the first one from the end. */
bool find_extreme(Lowering &l, const umd::OperatorRow &row)
{
	unsigned axis;
	const Tensor &from = l.in(0);
	const bool takes_last = l.at.node.integer("select_last_index", 0) != 0;
	if (!l.at.find_axis(l.at.node.integer("axis", 0), from.dims().rank(), axis))
		return false;
	const Tensor turned = takes_last ? backward(from, axis) : from;
	if (!l.call(row, {turned, int64_t{axis}, l.at.node.integer("keepdims", 1), l.out()}))
		return false;
	return !takes_last || (l.call(umd::neg_row, {l.out(), l.out()}) &&
			       l.call(umd::adds_row, {l.out(), Scalar(from.dims()[axis] - 1),
						      Scalar(int64_t{1}), l.out()}));
}

bool lower_argmax(Lowering &l)
{
	return find_extreme(l, umd::arg_max_row);
}

bool lower_argmin(Lowering &l)
{
	return find_extreme(l, umd::arg_min_row);
}

/* read_k() - the number of elements; before opset 10 it is an attribute. */
bool read_k(Inference &at, int64_t &k, unsigned &axis)
{
	std::vector<int64_t> values = {at.node.integer("k", -1)};
	if (at.has(1) && !at.integers(1, values))
		return false;
	if (!at.find_axis(at.node.integer("axis", -1), at.dims(0).rank(), axis))
		return false;
	if (values.size() != 1 || values[0] < 0 || values[0] > at.dims(0)[axis])
		return at.fail("k is no number of elements of dim " + std::to_string(axis));
	k = values[0];
	return true;
}

bool infer_topk(Inference &at)
{
	int64_t k;
	unsigned axis;
	ir::Dims dims = at.dims(0);
	if (!read_k(at, k, axis))
		return false;
	dims[axis] = k;
	return at.set(0, at.type(0), dims) && at.set(1, ir::Type::INT64, dims);
}

bool lower_topk(Lowering &l)
{
	int64_t k;
	unsigned axis;
	return read_k(l.at, k, axis) &&
	       l.call(umd::topk_row,
		      {l.in(0), k, int64_t{axis}, l.at.node.integer("largest", 1), int64_t{1},
		       l.out(),
		       l.at.wants(1) ? l.out(1) : l.temporary(ir::Type::INT64, l.out().dims())});
}

/* 1 at the first greatest element, else 0. */
bool lower_hardmax(Lowering &l)
{
	const bool is_old = l.at.node.version < 13;
	const unsigned rank = l.in(0).dims().rank();
	unsigned axis;
	Tensor from = l.in(0), to = l.out();
	if (!l.at.find_axis(l.at.node.integer("axis", is_old ? 1 : -1), rank, axis))
		return false;
	if (is_old) {
		if (!flattened(l, from, axis) || !flattened(l, to, axis))
			return false;
		axis = 1;
	}
	ir::Dims dims = from.dims();
	const int64_t classes = dims[axis];
	dims.erase(axis);
	const Tensor place = l.temporary(ir::Type::INT64, dims);
	return l.call(umd::arg_max_row, {from, int64_t{axis}, int64_t{0}, place}) &&
	       l.call(umd::one_hot_row, {place, classes, l.number(to.type, 1), l.number(to.type, 0),
					 int64_t{axis}, to});
}

/* Reverse sums use a view in reverse order. An exclusive sum does not contain the element at its own index. */
bool lower_cumsum(Lowering &l)
{
	std::vector<int64_t> axes;
	unsigned axis;
	if (!l.at.integers(1, axes) || axes.size() != 1)
		return axes.empty() ? false : l.at.fail("axis is no single number");
	if (!l.at.find_axis(axes[0], l.in(0).dims().rank(), axis))
		return false;
	const bool is_backward = l.at.node.integer("reverse", 0) != 0;
	const bool is_exclusive = l.at.node.integer("exclusive", 0) != 0;
	const Tensor sums = is_exclusive ? l.temporary(l.out().type, l.out().dims()) : l.out();
	const Tensor from = is_backward ? backward(l.in(0), axis) : l.in(0);
	const Tensor to = is_backward ? backward(sums, axis) : sums;
	return l.call(umd::cumsum_row, {from, int64_t{axis}, device_type(to), to}) &&
	       (!is_exclusive ||
		l.call(umd::sub_row, {sums, l.in(0), Scalar(int64_t{1}), l.out()}));
}

constexpr const char *REDUCTION = "axes keepdims noop_with_empty_axes ";

constexpr OperatorRow ROWS[] = {
	{"ReduceSum", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, evaluate_sum, lower_sum},
	{"ReduceMean", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, nullptr, lower_mean},
	{"ReduceProd", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, evaluate_prod,
	 lower_fold<prod_row>},
	{"ReduceMax", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, evaluate_max,
	 lower_fold<umd::amax_row>},
	{"ReduceMin", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, evaluate_min,
	 lower_fold<umd::amin_row>},
	{"ReduceL1", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, nullptr, lower_sum_of_sizes},
	{"ReduceL2", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, nullptr, lower_norm},
	{"ReduceSumSquare", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, nullptr,
	 lower_sum_of_squares},
	{"ReduceLogSum", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, nullptr,
	 lower_log_of_sum},
	{"ReduceLogSumExp", 1, 0, 1, 2, REDUCTION, infer_reduction, nullptr, nullptr,
	 lower_fold<umd::log_sum_exp_row>},
	{"TopK", 1, 0, 1, 2, "axis k largest sorted ", infer_topk, nullptr, nullptr, lower_topk},
	{"Hardmax", 1, 0, 1, 1, "axis ", infer_same, nullptr, nullptr, lower_hardmax},
	{"Softmax", 1, 0, 1, 1, "axis ", infer_same, nullptr, nullptr, lower_softmax},
	{"LogSoftmax", 1, 0, 1, 1, "axis ", infer_same, nullptr, nullptr, lower_log_softmax},
	{"ArgMax", 1, 0, 1, 1, "axis keepdims select_last_index ", infer_argmax, nullptr, nullptr,
	 lower_argmax},
	{"ArgMin", 1, 0, 1, 1, "axis keepdims select_last_index ", infer_argmax, nullptr, nullptr,
	 lower_argmin},
	{"CumSum", 11, 0, 2, 2, "exclusive reverse ", infer_same, nullptr, nullptr, lower_cumsum},
};

} // namespace

} // namespace reductions

std::span<const OperatorRow> reduce_rows()
{
	return reductions::ROWS;
}

} // namespace models
