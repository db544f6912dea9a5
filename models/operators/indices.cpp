// SPDX-License-Identifier: MIT
/*
 * DOC: Operators with indices
 *
 * Operators that access elements at indices which another operand has. Indices that are known are checked here,
 * the others by the device.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace indices {

namespace {

using In = std::span<const Numbers>;

bool infer_gather(Inference &at)
{
	unsigned axis;
	if (!at.find_axis(at.node.integer("axis", 0), at.dims(0).rank(), axis))
		return false;
	if (at.type(1) != ir::Type::INT64 && at.type(1) != ir::Type::INT32)
		return at.fail("its indices must be INT32 or INT64");
	if (at.dims(0).rank() - 1 + at.dims(1).rank() > ir::MAX_RANK)
		return at.fail("its result would have more than 8 dims");
	ir::Dims dims = at.dims(0);
	dims.erase(axis);
	for (unsigned d = 0; d < at.dims(1).rank(); d++)
		dims.insert(axis + d, at.dims(1)[d]);
	return at.set(0, at.type(0), dims);
}

bool evaluate_gather(Inference &at, In in, Numbers &out)
{
	unsigned axis;
	const ir::Dims &dims = in[0].dims;
	if (!at.find_axis(at.node.integer("axis", 0), dims.rank(), axis))
		return false;
	const auto inner = static_cast<size_t>(*ir::count(dims.span().subspan(axis + 1)));
	const auto outer = static_cast<size_t>(*ir::count(dims.span().first(axis)));
	const int64_t size = dims[axis];
	size_t to = 0;
	for (size_t o = 0; o < outer; o++)
		for (const int64_t index : in[1].integers) {
			if (index < -size || index >= size)
				return at.fail("an index is " + std::to_string(index) +
					       "; the dim has " + std::to_string(size) +
					       " elements");
			const auto row = static_cast<size_t>(index < 0 ? index + size : index);
			const size_t from = (o * static_cast<size_t>(size) + row) * inner;
			for (size_t k = 0; k < inner; k++, to++) {
				if (out.is_real())
					out.reals[to] = in[0].reals[from + k];
				else
					out.integers[to] = in[0].integers[from + k];
			}
		}
	return true;
}

/* With a single index that is known, the result is a view. */
bool lower_gather(Lowering &l)
{
	unsigned axis;
	const Tensor &from = l.in(0);
	std::vector<int64_t> index;
	if (!l.at.find_axis(l.at.node.integer("axis", 0), from.dims().rank(), axis))
		return false;
	if (l.at.in(1).constant && ir::count(l.at.dims(1)) == 1 && l.at.integers(1, index)) {
		const int64_t size = from.dims()[axis];
		if (index[0] < -size || index[0] >= size)
			return l.at.fail("an index is " + std::to_string(index[0]) +
					 "; the dim has " + std::to_string(size) + " elements");
		Tensor view = from;
		view.view.offset +=
			(index[0] < 0 ? index[0] + size : index[0]) * view.view.strides[axis];
		view.view.dims.erase(axis);
		view.view.strides.erase(axis);
		for (unsigned d = 0; d < l.at.dims(1).rank(); d++) {
			view.view.dims.insert(axis, 1);
			view.view.strides.insert(axis, 0);
		}
		l.alias(0, view);
		return true;
	}
	return l.call(umd::gather_v2_row,
		      {movable(from), int64_t{axis}, l.in(1), movable(l.out())});
}

bool infer_scatter(Inference &at)
{
	return at.dims(1).rank() == at.dims(0).rank() && at.dims(2) == at.dims(1)
		       ? infer_same(at)
		       : at.fail("its operands have no common rank");
}

/* find_reduction() - the number of a reduction in the descriptors. */
bool find_reduction(Lowering &l, int64_t &number)
{
	static constexpr const char *WORDS[] = {"none", "add", "mul", "max", "min"};
	const std::string_view word = l.at.node.text("reduction", "none");
	for (number = 0; number < 5; number++)
		if (word == WORDS[number])
			return true;
	return l.at.fail("reduction is " + std::string(word));
}

/* to_front() - a view in which dim @axis is the first one. */
Tensor to_front(Tensor tensor, unsigned axis)
{
	View &view = tensor.view;
	const int64_t size = view.dims[axis], stride = view.strides[axis];
	view.dims.erase(axis);
	view.strides.erase(axis);
	view.dims.insert(0, size);
	view.strides.insert(0, stride);
	return tensor;
}

bool is_index(const Inference &at, size_t i)
{
	return at.type(i) == ir::Type::INT64 || at.type(i) == ir::Type::INT32;
}

bool lower_scatter(Lowering &l)
{
	int64_t reduction;
	unsigned axis;
	const ir::Dims &dims = l.in(0).dims(), &index = l.in(1).dims();
	if (!find_reduction(l, reduction) ||
	    !l.at.find_axis(l.at.node.integer("axis", 0), dims.rank(), axis))
		return false;
	if (!is_index(l.at, 1) || l.at.type(2) != l.at.type(0))
		return l.at.fail(
			"its indices must be INT32 or INT64, and its updates of the type of data");
	for (unsigned d = 0; d < dims.rank(); d++)
		if (d != axis && index[d] > dims[d])
			return l.at.fail("its indices " + ir::print(index) + " are more than " +
					 ir::print(dims));
	return l.call(scatter_along_row, {to_front(movable(l.in(0)), axis), to_front(l.in(1), axis),
					  to_front(movable(l.in(2)), axis), reduction,
					  to_front(movable(l.out()), axis)});
}

bool infer_gather_elements(Inference &at)
{
	unsigned axis;
	const ir::Dims &dims = at.dims(0), &index = at.dims(1);
	if (!at.find_axis(at.node.integer("axis", 0), dims.rank(), axis))
		return false;
	if (!is_index(at, 1) || index.rank() != dims.rank())
		return at.fail("its indices must be INT32 or INT64, with as many dims as its data");
	return at.set(0, at.type(0), index);
}

bool lower_gather_elements(Lowering &l)
{
	return l.call(umd::gather_row,
		      {movable(l.in(0)), l.at.node.integer("axis", 0), l.in(1), movable(l.out())});
}

bool infer_gather_nd(Inference &at)
{
	const ir::Dims &dims = at.dims(0), &index = at.dims(1);
	const int64_t batch = at.node.integer("batch_dims", 0);
	if (at.type(1) != ir::Type::INT64 || index.rank() == 0 || batch < 0 ||
	    batch >= static_cast<int64_t>(std::min(index.rank(), dims.rank())))
		return at.fail("its indices must be INT64 with a dim behind those of the batch");
	const int64_t depth = index[index.rank() - 1];
	const int64_t rest = static_cast<int64_t>(dims.rank()) - batch - depth;
	if (depth < 1 || rest < 0 || index.rank() - 1 + static_cast<uint64_t>(rest) > ir::MAX_RANK)
		return at.fail("its indices name " + std::to_string(depth) + " dims of its data " +
			       ir::print(dims));
	ir::Dims result(index.span().first(index.rank() - 1));
	for (auto d = static_cast<unsigned>(batch + depth); d < dims.rank(); d++)
		result.push(dims[d]);
	for (unsigned d = 0; d < static_cast<unsigned>(batch); d++)
		if (index[d] != dims[d])
			return at.fail("the batches of its operands differ");
	return at.set(0, at.type(0), result);
}

bool lower_gather_nd(Lowering &l)
{
	return l.call(gather_nd_row, {movable(l.in(0)), l.in(1), l.at.node.integer("batch_dims", 0),
				      movable(l.out())});
}

bool infer_scatter_nd(Inference &at)
{
	const ir::Dims &dims = at.dims(0), &index = at.dims(1);
	const int64_t depth = index.rank() == 0 ? 0 : index[index.rank() - 1];
	if (at.type(1) != ir::Type::INT64 || at.type(2) != at.type(0) || depth < 1 ||
	    depth > static_cast<int64_t>(dims.rank()))
		return at.fail(
			"its indices must be INT64, and its updates of the type of its data");
	ir::Dims wanted(index.span().first(index.rank() - 1));
	for (auto d = static_cast<unsigned>(depth); d < dims.rank() && !wanted.is_full(); d++)
		wanted.push(dims[d]);
	return wanted == at.dims(2) ? infer_same(at)
				    : at.fail("its updates are " + ir::print(at.dims(2)) +
					      " in place of " + ir::print(wanted));
}

bool lower_scatter_nd(Lowering &l)
{
	int64_t reduction;
	return find_reduction(l, reduction) &&
	       l.call(scatter_nd_row,
		      {movable(l.in(0)), l.in(1), movable(l.in(2)), reduction, movable(l.out())});
}

/* read_one_hot() - the classes, and where their dim is. */
bool read_one_hot(Inference &at, int64_t &classes, int64_t &axis)
{
	std::vector<double> depth;
	const int64_t rank = at.dims(0).rank();
	axis = at.node.integer("axis", -1);
	if (!at.reals(1, depth))
		return false;
	if (depth.size() != 1 || !(depth[0] >= 1 && depth[0] < 0x1p31) || axis < -rank - 1 ||
	    axis > rank || rank >= ir::MAX_RANK || !(at.dims(2) == ir::Dims{2}))
		return at.fail("depth must be a positive number, values have 2 elements, and axis "
			       "lie in the result");
	classes = static_cast<int64_t>(depth[0]);
	axis = axis < 0 ? axis + rank + 1 : axis;
	return true;
}

bool infer_one_hot(Inference &at)
{
	int64_t classes, axis;
	ir::Dims dims = at.dims(0);
	if (!read_one_hot(at, classes, axis))
		return false;
	dims.insert(static_cast<unsigned>(axis), classes);
	return at.set(0, at.type(2), dims);
}

bool lower_one_hot(Lowering &l)
{
	int64_t classes, axis;
	Tensor index = l.in(0), off = movable(l.in(2)), on = off;
	if (!read_one_hot(l.at, classes, axis) || !l.convert(index, ir::Type::INT64))
		return false;
	on.view.offset += on.view.strides[0];
	for (Tensor *value : {&on, &off})
		value->view.dims = value->view.strides = {};
	return l.call(umd::one_hot_row, {index, classes, on, off, axis, movable(l.out())});
}

/* find_nonzero() - the places of elements that are not 0, which have to be known. */
bool find_nonzero(Inference &at, size_t i, std::vector<int64_t> &places)
{
	std::vector<double> values;
	if (!at.reals(i, values))
		return false;
	for (size_t k = 0; k < values.size(); k++)
		if (values[k] != 0)
			places.push_back(static_cast<int64_t>(k));
	return true;
}

bool infer_nonzero(Inference &at)
{
	std::vector<int64_t> places;
	return find_nonzero(at, 0, places) && at.set(0, ir::Type::INT64,
						     {static_cast<int64_t>(at.dims(0).rank()),
						      static_cast<int64_t>(places.size())});
}

/* A column for each of them. */
bool evaluate_nonzero(Inference &at, In in, Numbers &out)
{
	std::vector<int64_t> places;
	if (!find_nonzero(at, 0, places))
		return false;
	for (size_t k = 0; k < places.size(); k++) {
		int64_t rest = places[k];
		for (unsigned d = in[0].dims.rank(); d-- > 0;) {
			out.integers[d * places.size() + k] = rest % in[0].dims[d];
			rest /= in[0].dims[d];
		}
	}
	return true;
}

/* find_compressed() - the dim of Compress, and the indices that stay; without a dim the operand has one. */
bool find_compressed(Inference &at, unsigned &axis, bool &is_flat, std::vector<int64_t> &places)
{
	is_flat = !at.node.find("axis");
	axis = 0;
	if (at.type(1) != ir::Type::BOOL || at.dims(1).rank() != 1)
		return at.fail("its condition must be BOOL and have one dim");
	if (!is_flat && !at.find_axis(at.node.integer("axis", 0), at.dims(0).rank(), axis))
		return false;
	const int64_t size = is_flat ? *ir::count(at.dims(0)) : at.dims(0)[axis];
	if (at.dims(1)[0] > size)
		return at.fail("its condition has more elements than the operand");
	return find_nonzero(at, 1, places);
}

bool infer_compress(Inference &at)
{
	unsigned axis;
	bool is_flat;
	std::vector<int64_t> places;
	if (!find_compressed(at, axis, is_flat, places))
		return false;
	ir::Dims dims = is_flat ? ir::Dims{0} : at.dims(0);
	dims[axis] = static_cast<int64_t>(places.size());
	return at.set(0, at.type(0), dims);
}

bool lower_compress(Lowering &l)
{
	unsigned axis;
	bool is_flat;
	std::vector<int64_t> places;
	Tensor from = l.in(0);
	if (!find_compressed(l.at, axis, is_flat, places))
		return false;
	if (is_flat) {
		if (!l.make_dense(from))
			return false;
		const int64_t offset = from.view.offset;
		from.view = View::dense({*ir::count(from.dims())});
		from.view.offset = offset;
	}
	const std::vector<double> numbers(places.begin(), places.end());
	const Tensor index =
		l.table(ir::Type::INT64, {static_cast<int64_t>(numbers.size())}, numbers);
	return l.call(umd::gather_v2_row, {movable(from), int64_t{axis}, index, movable(l.out())});
}

constexpr OperatorRow ROWS[] = {
	{"Gather", 1, 0, 2, 2, "axis ", infer_gather, nullptr, evaluate_gather, lower_gather},
	{"GatherElements", 11, 0, 2, 2, "axis ", infer_gather_elements, nullptr, nullptr,
	 lower_gather_elements},
	{"GatherND", 11, 0, 2, 2, "batch_dims ", infer_gather_nd, nullptr, nullptr,
	 lower_gather_nd},
	{"ScatterElements", 11, 0, 3, 3, "axis reduction ", infer_scatter, nullptr, nullptr,
	 lower_scatter},
	{"Scatter", 9, 0, 3, 3, "axis ", infer_scatter, nullptr, nullptr, lower_scatter},
	{"ScatterND", 11, 0, 3, 3, "reduction ", infer_scatter_nd, nullptr, nullptr,
	 lower_scatter_nd},
	{"OneHot", 9, 0, 3, 3, "axis ", infer_one_hot, nullptr, nullptr, lower_one_hot},
	{"NonZero", 9, 0, 1, 1, "", infer_nonzero, nullptr, evaluate_nonzero},
	{"Compress", 9, 0, 2, 2, "axis ", infer_compress, nullptr, nullptr, lower_compress},
};

} // namespace

} // namespace indices

std::span<const OperatorRow> index_rows()
{
	return indices::ROWS;
}

} // namespace models
