// SPDX-License-Identifier: MIT
/*
 * DOC: Operators that move elements
 *
 * Concatenations, pads and the like: they copy elements of operands to places that strides cannot describe.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace moves {

namespace {

using In = std::span<const Numbers>;

bool infer_concat(Inference &at)
{
	unsigned axis;
	ir::Dims dims = at.dims(0);
	if (!at.find_axis(at.node.integer("axis", 1), dims.rank(), axis))
		return false;
	for (size_t i = 1; i < at.count(); i++) {
		if (!at.has(i) || at.type(i) != at.type(0) || at.dims(i).rank() != dims.rank())
			return at.fail("its operands have no common type and rank");
		for (unsigned d = 0; d < dims.rank(); d++)
			if (d != axis && at.dims(i)[d] != dims[d])
				return at.fail("its operands " + ir::print(at.dims(0)) + " and " +
					       ir::print(at.dims(i)) + " differ in dim " +
					       std::to_string(d));
		dims[axis] += at.dims(i)[axis];
	}
	return at.set(0, at.type(0), dims);
}

bool evaluate_concat(Inference &at, In in, Numbers &out)
{
	unsigned axis;
	if (!at.find_axis(at.node.integer("axis", 1), out.dims.rank(), axis))
		return false;
	const auto inner = static_cast<size_t>(*ir::count(out.dims.span().subspan(axis + 1)));
	const auto outer = static_cast<size_t>(*ir::count(out.dims.span().first(axis)));
	size_t to = 0;
	for (size_t o = 0; o < outer; o++)
		for (const Numbers &from : in) {
			const size_t row = static_cast<size_t>(from.dims[axis]) * inner;
			for (size_t k = 0; k < row; k++, to++) {
				if (out.is_real())
					out.reals[to] = from.reals[o * row + k];
				else
					out.integers[to] = from.integers[o * row + k];
			}
		}
	return true;
}

/* The kind CAT takes 15 tensors. If there are more, each one is copied to its place. */
bool lower_concat(Lowering &l)
{
	constexpr size_t MOST = 15;
	unsigned axis;
	const Tensor out = movable(l.out());
	if (!l.at.find_axis(l.at.node.integer("axis", 1), out.dims().rank(), axis))
		return false;
	if (l.count() <= MOST) {
		constexpr unsigned TURNED[] = {0, 3, 1, 2};
		const bool turns = is_image(out.view) && !out.view.is_dense();
		std::vector<Tensor> members;
		for (size_t i = 0; i < l.count(); i++)
			members.push_back(turns ? turn(movable(l.in(i))) : movable(l.in(i)));
		return l.call(umd::cat_row, {members, int64_t{turns ? TURNED[axis] : axis},
					     turns ? turn(out) : out});
	}
	int64_t before = 0;
	for (size_t i = 0; i < l.count(); i++) {
		Tensor place = l.out();
		place.view.offset += before * place.view.strides[axis];
		place.view.dims[axis] = l.in(i).dims()[axis];
		before += place.view.dims[axis];
		if (!l.copy(l.in(i), place))
			return false;
	}
	return true;
}

/* find_pads() - @pads: receives two entries for each dim, its padding at the begin and at the end */
bool find_pads(Inference &at, std::vector<int64_t> &pads)
{
	std::vector<int64_t> given, axes;
	const unsigned rank = at.dims(0).rank();
	if (const ir::Attribute *attribute = at.node.find("pads"))
		given = attribute->integers;
	else if (!at.integers(1, given))
		return false;
	if (at.has(3)) {
		if (!at.integers(3, axes))
			return false;
	} else {
		for (unsigned d = 0; d < rank; d++)
			axes.push_back(d);
	}
	pads.assign(2 * size_t{rank}, 0);
	if (given.size() != 2 * axes.size())
		return at.fail("pads must have an entry for both ends of each dim");
	for (size_t k = 0; k < axes.size(); k++) {
		unsigned axis;
		if (!at.find_axis(axes[k], rank, axis, "an entry of axes"))
			return false;
		pads[axis] = given[k];
		pads[rank + axis] = given[axes.size() + k];
	}
	return true;
}

bool infer_pad(Inference &at)
{
	std::vector<int64_t> pads;
	ir::Dims dims = at.dims(0);
	if (!find_pads(at, pads))
		return false;
	for (unsigned d = 0; d < dims.rank(); d++)
		if (__builtin_add_overflow(dims[d], pads[d], &dims[d]) ||
		    __builtin_add_overflow(dims[d], pads[dims.rank() + d], &dims[d]) || dims[d] < 0)
			return at.fail("pads leaves nothing of dim " + std::to_string(d) +
				       ", or too much");
	return at.set(0, at.type(0), dims);
}

bool find_fill(Lowering &l, Scalar &value)
{
	std::vector<double> reals;
	std::vector<int64_t> integers;
	const bool is_real = ir::is_floating(l.in(0).type);
	value = is_real ? Scalar(l.at.node.real("value", 0)) : Scalar(int64_t{0});
	if (!l.has(2))
		return true;
	if (is_real ? !l.at.reals(2, reals) : !l.at.integers(2, integers))
		return false;
	if (reals.size() + integers.size() != 1)
		return l.at.fail("the value is no single number");
	value = is_real ? Scalar(reals[0]) : Scalar(integers[0]);
	return true;
}

bool lower_pad(Lowering &l)
{
	std::vector<int64_t> pads;
	const std::string_view mode = l.at.node.text("mode", "constant");
	const unsigned rank = l.in(0).dims().rank();
	if (!find_pads(l.at, pads))
		return false;
	Scalar value(0.0);
	if (mode == "constant") {
		/* Begins with the last dim. */
		Integers sizes;
		for (unsigned d = rank; d-- > 0;) {
			sizes.push_back(pads[d]);
			sizes.push_back(pads[rank + d]);
		}
		return find_fill(l, value) &&
		       l.call(umd::constant_pad_nd_row,
			      {movable(l.in(0)), sizes, value, movable(l.out())});
	}
	if (mode != "reflect" && mode != "edge")
		return l.at.fail("mode " + std::string(mode) +
				 " is not computed here; constant, reflect and edge are");
	const Integers low(pads.begin(), pads.begin() + rank),
		high(pads.begin() + rank, pads.end());
	for (unsigned d = 0; d < rank; d++) {
		const int64_t size = l.in(0).dims()[d], most = std::max(low[d], high[d]);
		if (std::min(low[d], high[d]) < 0 || (size == 0 && most > 0) ||
		    (mode == "reflect" && most > 0 && most >= size))
			return l.at.fail("pads are negative, or larger than dim " +
					 std::to_string(d) + " allows");
	}
	return l.call(mode == "edge" ? edge_row : reflect_row,
		      {movable(l.in(0)), low, high, movable(l.out())});
}

bool infer_tile(Inference &at)
{
	std::vector<int64_t> repeats;
	ir::Dims dims = at.dims(0);
	if (!at.integers(1, repeats))
		return false;
	if (repeats.size() != dims.rank())
		return at.fail("repeats must have an entry for each dim");
	for (unsigned d = 0; d < dims.rank(); d++)
		if (repeats[d] < 0 || __builtin_mul_overflow(dims[d], repeats[d], &dims[d]))
			return at.fail("repeats is " + ir::print(repeats));
	return at.set(0, at.type(0), dims);
}

bool evaluate_tile(Inference &, In in, Numbers &out)
{
	const ir::Dims strides = ir::strides_of(in[0].dims);
	for (size_t i = 0; i < out.size(); i++) {
		size_t rest = i;
		int64_t from = 0;
		for (unsigned d = out.dims.rank(); d-- > 0;) {
			const auto size = static_cast<size_t>(out.dims[d]);
			from += static_cast<int64_t>(rest % size) % in[0].dims[d] * strides[d];
			rest /= size;
		}
		if (out.is_real())
			out.reals[i] = in[0].reals[static_cast<size_t>(from)];
		else
			out.integers[i] = in[0].integers[static_cast<size_t>(from)];
	}
	return true;
}

bool lower_tile(Lowering &l)
{
	std::vector<int64_t> repeats;
	return l.at.integers(1, repeats) &&
	       l.call(umd::repeat_row, {movable(l.in(0)), repeats, movable(l.out())});
}

/* find_block() - the images, and the size of a block. */
bool find_block(Inference &at, int64_t &block)
{
	block = at.node.integer("blocksize", 0);
	if (at.dims(0).rank() != 4 || block < 1 || block > 1 << 20)
		return at.fail("its operand must have 4 dims, and blocksize be at least 1");
	return true;
}

bool infer_depth_to_space(Inference &at)
{
	int64_t block;
	if (!find_block(at, block))
		return false;
	const ir::Dims &dims = at.dims(0);
	if (dims[1] % (block * block) != 0)
		return at.fail("its channels are no multiple of the elements of a block");
	return at.set(0, at.type(0),
		      {dims[0], dims[1] / (block * block), dims[2] * block, dims[3] * block});
}

/* Both are one copy between views of 6 dims. */
bool lower_depth_to_space(Lowering &l)
{
	int64_t b;
	Tensor from = l.in(0), to = l.out();
	if (!find_block(l.at, b) || !l.make_dense(from))
		return false;
	const ir::Dims out = l.out().dims();
	const int64_t n = out[0], c = out[1], h = out[2] / b, w = out[3] / b;
	const bool by_columns = l.at.node.text("mode", "DCR") == "CRD";
	const int64_t channel = by_columns ? b * b * h * w : h * w;
	const int64_t part = by_columns ? h * w : c * h * w;
	from.view.dims = to.view.dims = {n, c, h, b, w, b};
	from.view.strides = {c * b * b * h * w, channel, w, b * part, 1, part};
	to.view.strides = ir::strides_of(to.view.dims);
	return l.copy(from, to);
}

bool infer_space_to_depth(Inference &at)
{
	int64_t block;
	if (!find_block(at, block))
		return false;
	const ir::Dims &dims = at.dims(0);
	int64_t channels;
	if (dims[2] % block != 0 || dims[3] % block != 0 ||
	    __builtin_mul_overflow(dims[1], block * block, &channels))
		return at.fail("its images are no multiple of blocksize");
	return at.set(0, at.type(0), {dims[0], channels, dims[2] / block, dims[3] / block});
}

bool lower_space_to_depth(Lowering &l)
{
	int64_t b;
	Tensor from = l.in(0), to = l.out();
	if (!find_block(l.at, b) || !l.make_dense(from))
		return false;
	const ir::Dims &in = l.in(0).dims();
	const int64_t n = in[0], c = in[1], h = in[2] / b, w = in[3] / b;
	from.view.dims = to.view.dims = {n, b, b, c, h, w};
	from.view.strides = {c * b * b * h * w, b * w, 1, b * b * h * w, b * b * w, b};
	to.view.strides = ir::strides_of(to.view.dims);
	return l.copy(from, to);
}

bool infer_trilu(Inference &at)
{
	return at.dims(0).rank() >= 2 ? infer_same(at) : at.fail("its operand is no matrix");
}

bool lower_trilu(Lowering &l)
{
	std::vector<int64_t> k = {0};
	if (l.has(1) && !l.at.integers(1, k))
		return false;
	if (k.size() != 1)
		return l.at.fail("k is no single number");
	const bool is_upper = l.at.node.integer("upper", 1) != 0;
	return l.call(is_upper ? umd::triu_row : umd::tril_row,
		      {movable(l.in(0)), k[0], movable(l.out())});
}

/* Two copies for each batch: the first elements in reverse order, and the others unchanged. */
bool lower_reverse(Lowering &l)
{
	constexpr int64_t MOST_BATCHES = 1 << 12;
	std::vector<int64_t> lengths;
	unsigned batch, time;
	const ir::Dims &dims = l.in(0).dims();
	if (!l.at.integers(1, lengths) ||
	    !l.at.find_axis(l.at.node.integer("batch_axis", 1), dims.rank(), batch, "batch_axis") ||
	    !l.at.find_axis(l.at.node.integer("time_axis", 0), dims.rank(), time, "time_axis"))
		return false;
	if (batch == time || lengths.size() != static_cast<size_t>(dims[batch]) ||
	    dims[batch] > MOST_BATCHES)
		return l.at.fail(
			"sequence_lens must have an element for each of up to 4,096 batches");
	for (size_t b = 0; b < lengths.size(); b++) {
		if (lengths[b] < 0 || lengths[b] > dims[time])
			return l.at.fail("a sequence is longer than dim " + std::to_string(time));
		Tensor from = l.in(0), to = l.out();
		for (Tensor *tensor : {&from, &to}) {
			tensor->view.offset +=
				static_cast<int64_t>(b) * tensor->view.strides[batch];
			tensor->view.dims[batch] = 1;
		}
		Tensor rest = from, rest_to = to;
		for (Tensor *tensor : {&rest, &rest_to}) {
			tensor->view.offset += lengths[b] * tensor->view.strides[time];
			tensor->view.dims[time] = dims[time] - lengths[b];
		}
		from.view.dims[time] = to.view.dims[time] = lengths[b];
		from.view.offset += std::max<int64_t>(lengths[b] - 1, 0) * from.view.strides[time];
		from.view.strides[time] = -from.view.strides[time];
		if (!l.copy(from, to) || !l.copy(rest, rest_to))
			return false;
	}
	return true;
}

constexpr OperatorRow ROWS[] = {
	{"Concat", 4, 0, 1, ANY, "axis ", infer_concat, nullptr, evaluate_concat, lower_concat},
	{"Pad", 2, 0, 1, 4, "mode pads value ", infer_pad, nullptr, nullptr, lower_pad},
	{"Tile", 6, 0, 2, 2, "", infer_tile, nullptr, evaluate_tile, lower_tile},
	{"DepthToSpace", 1, 0, 1, 1, "blocksize mode ", infer_depth_to_space, nullptr, nullptr,
	 lower_depth_to_space},
	{"SpaceToDepth", 1, 0, 1, 1, "blocksize ", infer_space_to_depth, nullptr, nullptr,
	 lower_space_to_depth},
	{"Trilu", 14, 0, 1, 2, "upper ", infer_trilu, nullptr, nullptr, lower_trilu},
	{"ReverseSequence", 10, 0, 2, 2, "batch_axis time_axis ", infer_same, nullptr, nullptr,
	 lower_reverse},
};

} // namespace

} // namespace moves

std::span<const OperatorRow> move_rows()
{
	return moves::ROWS;
}

} // namespace models
