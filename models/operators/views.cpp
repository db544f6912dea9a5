// SPDX-License-Identifier: MIT
/*
 * DOC: Operators that are views
 *
 * Their results are elements of the first operand at other indices. Every kind of the device accepts strides, so a
 * view costs nothing. Only a result that strides cannot describe needs a copy.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace views {

namespace {

Viewed refuse(Inference &at, const std::string &why)
{
	at.fail(why);
	return Viewed::REFUSED;
}

Viewed view_same(Inference &, size_t, const View &in, View &out)
{
	out = in;
	return Viewed::OK;
}

/* What is dropped is a matter of training. Otherwise the mask has all elements. */
bool infer_dropout(Inference &at)
{
	std::vector<int64_t> training;
	std::vector<double> ratio = {at.node.real("ratio", 0.5)};
	if (at.has(2) && !at.integers(2, training))
		return false;
	const bool trains = !training.empty() && training[0] != 0;
	if (trains && at.has(1) && !at.reals(1, ratio))
		return false;
	if (trains && (ratio.empty() || ratio[0] != 0))
		return at.fail("it is for training; export the model for inference");
	const ir::Type mask = at.node.version < 10 ? at.type(0) : ir::Type::BOOL;
	return infer_same(at) && (!at.wants(1) || at.set(1, mask, at.dims(0)));
}

bool evaluate_same(Inference &, std::span<const Numbers> in, Numbers &out)
{
	out.integers = in[0].integers;
	out.reals = in[0].reals;
	return true;
}

bool lower_dropout(Lowering &l)
{
	l.alias(0, l.in(0));
	return !l.at.wants(1) || l.call(fill_row, {l.out(1), Scalar(int64_t{1})});
}

/* reshape() - the same elements with other dims, whose product is the same. */
Viewed reshape(const View &in, const ir::Dims &dims, View &out)
{
	if (!in.is_dense())
		return Viewed::NEEDS_DENSE;
	out = View::dense(dims);
	out.offset = in.offset;
	return Viewed::OK;
}

Viewed view_reshape(Inference &at, size_t, const View &in, View &out)
{
	std::vector<int64_t> wanted;
	if (!at.integers(1, wanted))
		return Viewed::REFUSED;
	if (wanted.size() > ir::MAX_RANK)
		return refuse(at, "its result would have more than 8 dims");
	const bool keeps_zero = at.node.integer("allowzero", 0) != 0;
	ir::Dims dims{std::span<const int64_t>(wanted)};
	int open = -1;
	for (unsigned d = 0; d < dims.rank(); d++) {
		if (dims[d] == 0 && !keeps_zero) {
			if (d >= in.dims.rank())
				return refuse(at, "its shape has a 0 where the operand has no dim");
			dims[d] = in.dims[d];
		}
		if (dims[d] == -1 && open >= 0)
			return refuse(at, "its shape has -1 twice");
		if (dims[d] == -1)
			open = static_cast<int>(d);
		else if (dims[d] < 0)
			return refuse(at, "its shape has a negative dim");
	}
	const int64_t elements = *ir::count(in.dims);
	if (open >= 0) {
		ir::Dims rest = dims;
		rest.erase(static_cast<unsigned>(open));
		const std::optional<int64_t> others = ir::count(rest);
		if (others && *others > 0 && elements % *others == 0)
			dims[static_cast<unsigned>(open)] = elements / *others;
	}
	if (ir::count(dims) != elements)
		return refuse(at, "its operand " + ir::print(in.dims) + " can't get the shape " +
					  ir::print(wanted));
	return reshape(in, dims, out);
}

Viewed view_flatten(Inference &at, size_t, const View &in, View &out)
{
	const int64_t axis = at.node.integer("axis", 1), rank = in.dims.rank();
	if (axis < -rank || axis > rank)
		return refuse(at, "axis is " + std::to_string(axis));
	const auto first = static_cast<size_t>(axis < 0 ? axis + rank : axis);
	const std::optional<int64_t> rows = ir::count(in.dims.span().first(first));
	const std::optional<int64_t> columns = ir::count(in.dims.span().subspan(first));
	if (!rows || !columns)
		return refuse(at, "its operand is too large");
	return reshape(in, {*rows, *columns}, out);
}

Viewed view_squeeze(Inference &at, size_t, const View &in, View &out)
{
	std::vector<unsigned> axes;
	bool is_given;
	if (!at.find_axes(1, in.dims.rank(), axes, is_given))
		return Viewed::REFUSED;
	out = in;
	for (unsigned d = in.dims.rank(); d-- > 0;) {
		const bool is_chosen = std::find(axes.begin(), axes.end(), d) != axes.end();
		if (is_chosen && in.dims[d] != 1)
			return refuse(at, "dim " + std::to_string(d) + " of its operand " +
						  ir::print(in.dims) + " is not 1");
		if (is_chosen || (!is_given && in.dims[d] == 1)) {
			out.dims.erase(d);
			out.strides.erase(d);
		}
	}
	return Viewed::OK;
}

Viewed view_unsqueeze(Inference &at, size_t, const View &in, View &out)
{
	const ir::Attribute *attribute = at.node.find("axes");
	std::vector<int64_t> values;
	if (attribute)
		values = attribute->integers;
	else if (!at.integers(1, values))
		return Viewed::REFUSED;
	const size_t rank = in.dims.rank() + values.size();
	if (rank > ir::MAX_RANK)
		return refuse(at, "its result would have more than 8 dims");
	std::vector<unsigned> axes;
	for (const int64_t value : values) {
		unsigned axis;
		if (!at.find_axis(value, static_cast<unsigned>(rank), axis, "an entry of axes"))
			return Viewed::REFUSED;
		axes.push_back(axis);
	}
	std::sort(axes.begin(), axes.end());
	if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
		return refuse(at, "axes has an entry twice");
	out = in;
	for (const unsigned axis : axes) {
		out.dims.insert(axis, 1);
		out.strides.insert(axis, 0);
	}
	return Viewed::OK;
}

Viewed view_transpose(Inference &at, size_t, const View &in, View &out)
{
	const std::span<const int64_t> order = at.node.integers("perm");
	const unsigned rank = in.dims.rank();
	unsigned seen = 0;
	out.offset = in.offset;
	out.dims = out.strides = {};
	if (!order.empty() && order.size() != rank)
		return refuse(at, "perm has " + std::to_string(order.size()) +
					  " entries; its operand has " + std::to_string(rank) +
					  " dims");
	for (unsigned d = 0; d < rank; d++) {
		const int64_t from = order.empty() ? rank - 1 - d : order[d];
		if (from < 0 || from >= rank || (seen >> from & 1) != 0)
			return refuse(at, "perm is no permutation");
		seen |= 1u << from;
		out.dims.push(in.dims[static_cast<unsigned>(from)]);
		out.strides.push(in.strides[static_cast<unsigned>(from)]);
	}
	return Viewed::OK;
}

Viewed view_expand(Inference &at, size_t, const View &in, View &out)
{
	std::vector<int64_t> wanted;
	if (!at.integers(1, wanted))
		return Viewed::REFUSED;
	if (wanted.size() > ir::MAX_RANK ||
	    std::any_of(wanted.begin(), wanted.end(), [](int64_t size) { return size < 0; }))
		return refuse(at, "its shape is " + ir::print(wanted) +
					  ", which is none of up to 8 dims");
	ir::Dims dims;
	if (!broadcast(in.dims, ir::Dims(std::span<const int64_t>(wanted)), dims))
		return refuse(at, "its operand " + ir::print(in.dims) + " can't be broadcast to " +
					  ir::print(wanted));
	out.offset = in.offset;
	out.dims = dims;
	out.strides = ir::Dims::filled(dims.rank(), 0);
	const unsigned missing = dims.rank() - in.dims.rank();
	for (unsigned d = 0; d < in.dims.rank(); d++)
		out.strides[missing + d] = in.dims[d] == 1 ? 0 : in.strides[d];
	return Viewed::OK;
}

/* cut() - a view of @size elements of dim @axis: every @step-th one, beginning with @start. */
void cut(View &view, unsigned axis, int64_t start, int64_t step, int64_t size)
{
	if (size > 0)
		view.offset += start * view.strides[axis];
	view.strides[axis] *= size > 1 ? step : 1;
	view.dims[axis] = size;
}

/* struct Range - start, end and step of Slice in one dim. */
struct Range {
	int64_t start, end, step;
};

/* Negative numbers count from the end of the dim. Numbers outside of the dim are limited to its ends. */
void slice(View &view, unsigned axis, Range range)
{
	const int64_t size = view.dims[axis];
	const int64_t least = range.step < 0 ? -1 : 0, most = range.step < 0 ? size - 1 : size;
	const auto clamp = [&](int64_t value) {
		if (value < 0)
			value = value < -size ? least : value + size;
		return std::clamp(value, least, std::max(least, most));
	};
	const int64_t start = clamp(range.start), end = clamp(range.end);
	/* Steps may be as large as INT64_MAX. */
	const __int128 way = range.step > 0 ? __int128(end) - start : __int128(start) - end;
	const __int128 step = range.step > 0 ? __int128(range.step) : -__int128(range.step);
	const auto count = static_cast<int64_t>(way > 0 ? (way + step - 1) / step : 0);
	cut(view, axis, start, range.step, count);
}

/* Starts, ends and axes were attributes before opset 10. */
bool read_numbers(Inference &at, size_t i, const char *attribute, std::vector<int64_t> &values)
{
	if (const ir::Attribute *found = at.node.find(attribute)) {
		values = found->integers;
		return true;
	}
	return !at.has(i) || at.integers(i, values);
}

Viewed view_slice(Inference &at, size_t, const View &in, View &out)
{
	std::vector<int64_t> starts, ends, axes, steps;
	if (!read_numbers(at, 1, "starts", starts) || !read_numbers(at, 2, "ends", ends) ||
	    !read_numbers(at, 3, "axes", axes) || !read_numbers(at, 4, "steps", steps))
		return Viewed::REFUSED;
	if (starts.size() != ends.size() || (!axes.empty() && axes.size() != starts.size()) ||
	    (!steps.empty() && steps.size() != starts.size()) || starts.size() > in.dims.rank())
		return refuse(at, "starts, ends, axes and steps do not fit its operand " +
					  ir::print(in.dims));
	out = in;
	unsigned seen = 0;
	for (size_t k = 0; k < starts.size(); k++) {
		unsigned axis = static_cast<unsigned>(k);
		if (!axes.empty() &&
		    !at.find_axis(axes[k], in.dims.rank(), axis, "an entry of axes"))
			return Viewed::REFUSED;
		const int64_t step = steps.empty() ? 1 : steps[k];
		if (step == 0 || step == INT64_MIN || (seen >> axis & 1) != 0)
			return refuse(at, "a step is 0, or an axis is there twice");
		seen |= 1u << axis;
		slice(out, axis, {starts[k], ends[k], step});
	}
	return Viewed::OK;
}

Viewed view_split(Inference &at, size_t i, const View &in, View &out)
{
	std::vector<int64_t> sizes;
	unsigned axis;
	if (!at.find_axis(at.node.integer("axis", 0), in.dims.rank(), axis) ||
	    !read_numbers(at, 1, "split", sizes))
		return Viewed::REFUSED;
	const auto parts = static_cast<int64_t>(at.count_outputs());
	const int64_t size = in.dims[axis];
	if (sizes.empty()) {
		const int64_t asked = at.node.integer("num_outputs", parts);
		if (asked != parts)
			return refuse(at, "num_outputs is not the number of its results");
		/* The last part is smaller if the size is not a multiple. */
		const int64_t each = (size + parts - 1) / parts;
		if (at.node.version < 18 && size % parts != 0)
			return refuse(at,
				      "its operand " + ir::print(in.dims) + " has no equal parts");
		for (int64_t k = 0; k < parts; k++)
			sizes.push_back(std::clamp<int64_t>(size - k * each, 0, each));
	}
	int64_t before = 0;
	if (sizes.size() != static_cast<size_t>(parts))
		return refuse(at, "split has not as many entries as there are results");
	for (size_t k = 0; k < sizes.size(); k++) {
		if (sizes[k] < 0 || sizes[k] > size - before)
			return refuse(at, "the parts are larger than its operand");
		if (k == i) {
			out = in;
			cut(out, axis, before, 1, sizes[k]);
		}
		before += sizes[k];
	}
	return before == size ? Viewed::OK : refuse(at, "the parts are smaller than its operand");
}

constexpr OperatorRow ROWS[] = {
	{"Identity", 1, 0, 1, 1, "", nullptr, view_same},
	{"Dropout", 1, 0, 1, 3, "ratio seed is_test consumed_inputs ", infer_dropout, nullptr,
	 evaluate_same, lower_dropout},
	{"Reshape", 5, 0, 2, 2, "allowzero ", nullptr, view_reshape},
	{"Flatten", 1, 0, 1, 1, "axis ", nullptr, view_flatten},
	{"Squeeze", 1, 0, 1, 2, "axes ", nullptr, view_squeeze},
	{"Unsqueeze", 1, 0, 1, 2, "axes ", nullptr, view_unsqueeze},
	{"Transpose", 1, 0, 1, 1, "perm ", nullptr, view_transpose},
	{"Expand", 8, 0, 2, 2, "", nullptr, view_expand},
	{"Slice", 1, 0, 1, 5, "starts ends axes ", nullptr, view_slice},
	{"Split", 2, 0, 1, 2, "axis split num_outputs ", nullptr, view_split},
};

} // namespace

} // namespace views

std::span<const OperatorRow> view_rows()
{
	return views::ROWS;
}

} // namespace models
