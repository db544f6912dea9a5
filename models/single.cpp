// SPDX-License-Identifier: MIT
/*
 * DOC: Single operators
 *
 * Names and attributes are those of the operators that frameworks of the vendor's devices call. An attribute that a row
 * does not read is refused, unless it has no effect.
 */
#include "single.h"

#include <algorithm>
#include <cstring>

#include "models/inference/numbers.h"

namespace models {

namespace {

using ir::ABSENT;

constexpr int32_t VERSION = 17; /* of the opset whose nodes the rows make */

/* class SingleMaker - makes one model. */
class SingleMaker {
public:
	SingleMaker(const SingleOp &op, ir::Model &model, std::vector<InputShape> &shapes,
		    Problems &problems)
		: op_(op), model_(model), shapes_(shapes), problems_(problems)
	{
	}

	bool run();

	bool fail(const std::string &why)
	{
		return problems_.add(not_supported, op_.type + ": " + why);
	}
	size_t count() const { return inputs_.size(); }
	const SingleTensor &in(size_t i) const { return op_.inputs[i]; }
	const SingleTensor &out(size_t i) const { return op_.outputs[i]; }
	bool has(size_t i) const { return i < inputs_.size() && inputs_[i] != ABSENT; }
	int32_t value(size_t i) const { return inputs_[i]; }

	/* attribute() - nullptr if the call does not have it. */
	const ir::Attribute *attribute(const char *name)
	{
		read_.push_back(name);
		for (const ir::Attribute &each : op_.attributes)
			if (each.name == name)
				return &each;
		return nullptr;
	}
	int64_t integer(const char *name, int64_t otherwise)
	{
		const ir::Attribute *found = attribute(name);
		return found && !found->integers.empty() ? found->integers[0] : otherwise;
	}
	std::vector<int64_t> integers(const char *name, std::vector<int64_t> otherwise)
	{
		const ir::Attribute *found = attribute(name);
		return found ? found->integers : otherwise;
	}
	double real(const char *name, double otherwise)
	{
		const ir::Attribute *found = attribute(name);
		return found && !found->reals.empty() ? double{found->reals[0]} : otherwise;
	}

	/* elements() - of constant operand @i, as integers. */
	bool elements(size_t i, std::vector<int64_t> &values);

	/* node() - adds a node. Return: its result */
	int32_t node(const char *type, std::vector<int32_t> operands,
		     std::vector<ir::Attribute> attributes = {});
	int32_t constant(const std::vector<int64_t> &values);
	int32_t reshape(int32_t from, const std::vector<int64_t> &dims)
	{
		return node("Reshape", {from, constant(dims)});
	}
	int32_t convert(int32_t from, ir::Type type);

	/* give() - makes a value result @i. */
	bool give(size_t i, int32_t from)
	{
		results_.resize(std::max(results_.size(), i + 1), ABSENT);
		results_[i] = from;
		return true;
	}

private:
	int32_t add_value(std::string name, ir::Type type);
	bool add_input(size_t i);
	bool check_attributes();

	const SingleOp &op_;
	ir::Model &model_;
	std::vector<InputShape> &shapes_;
	Problems &problems_;
	std::vector<int32_t> inputs_, results_;
	std::vector<std::string_view> read_;
};

ir::Attribute integers_of(const char *name, std::vector<int64_t> values, bool is_list = true)
{
	ir::Attribute made;
	made.name = name;
	made.is_list = is_list;
	made.integers = std::move(values);
	return made;
}

/* struct SingleRow - @onnx: of a row whose node has the operands and no attributes; else nullptr
 * @least, @most: operands @ignored: attributes without an effect, each with a blank behind it */
struct SingleRow {
	const char *type;
	const char *onnx;
	size_t least, most;
	bool (*make)(SingleMaker &m);
	const char *ignored = "";
};

bool make_cast(SingleMaker &m)
{
	(void)m.integer("dst_type", 0);
	if (m.integer("truncate", 0) != 0)
		return m.fail("truncate must be false");
	return m.give(0, m.convert(m.value(0), m.out(0).type));
}

/* Bytes are multiplied into INT32, as ONNX does it. */
bool is_bytes(const SingleMaker &m)
{
	return m.in(0).type == ir::Type::INT8 && m.out(0).type == ir::Type::INT32;
}

/* Whether a product computes in the type of its result, so that no sum is rounded on the way. */
bool is_widened(const SingleMaker &m)
{
	return !is_bytes(m) && ir::type_bytes(m.in(0).type) < ir::type_bytes(m.out(0).type);
}

int32_t converted(SingleMaker &m, size_t i, bool is_converted)
{
	const ir::Type type = m.out(0).type;
	return is_converted && m.in(i).type != type ? m.convert(m.value(i), type) : m.value(i);
}

int32_t factor(SingleMaker &m, size_t i, bool is_turned)
{
	const auto rank = static_cast<int64_t>(m.in(i).dims.size());
	std::vector<int64_t> order;
	for (int64_t d = 0; d < rank; d++)
		order.push_back(d);
	const int32_t from = converted(m, i, is_widened(m));
	if (!is_turned || rank < 2)
		return from;
	std::swap(order[static_cast<size_t>(rank) - 1], order[static_cast<size_t>(rank) - 2]);
	return m.node("Transpose", {from}, {integers_of("perm", order)});
}

/* A product, in the type of the result. @turn_a, @turn_b: whether the last two dims change places */
int32_t product(SingleMaker &m, bool turn_a, bool turn_b)
{
	const int32_t a = factor(m, 0, turn_a), b = factor(m, 1, turn_b);
	const int32_t made = m.node(is_bytes(m) ? "MatMulInteger" : "MatMul", {a, b});
	const bool has_type = is_bytes(m) || is_widened(m) || m.in(0).type == m.out(0).type;
	return has_type ? made : m.convert(made, m.out(0).type);
}

bool make_product(SingleMaker &m, const char *first, const char *second)
{
	if (m.integer("offset_x", 0) != 0 || m.has(3))
		return m.fail("offsets are not supported; offset_x must be 0");
	const int32_t made = product(m, m.integer(first, 0) != 0, m.integer(second, 0) != 0);
	return m.give(0, m.has(2) ? m.node("Add", {made, converted(m, 2, true)}) : made);
}

bool make_matmul(SingleMaker &m)
{
	return make_product(m, "transpose_x1", "transpose_x2");
}

bool make_batch_matmul(SingleMaker &m)
{
	return make_product(m, "adj_x1", "adj_x2");
}

/* alpha * a * b + beta * c; alpha and beta are operands of one element. */
bool make_gemm(SingleMaker &m)
{
	const int32_t made =
		product(m, m.integer("transpose_a", 0) != 0, m.integer("transpose_b", 0) != 0);
	const int32_t scaled = m.node("Mul", {made, m.value(3)});
	return m.give(0, m.node("Add", {scaled, m.node("Mul", {m.value(2), m.value(4)})}));
}

bool make_softmax(SingleMaker &m)
{
	const std::vector<int64_t> axes = m.integers("axes", {-1});
	if (axes.size() != 1)
		return m.fail("axes has " + std::to_string(axes.size()) +
			      " entries; one is supported");
	return m.give(0, m.node("Softmax", {m.value(0)}, {integers_of("axis", axes, false)}));
}

bool make_reshape(SingleMaker &m)
{
	std::vector<int64_t> dims;
	return m.elements(1, dims) && m.give(0, m.reshape(m.value(0), dims));
}

bool make_transpose(SingleMaker &m)
{
	std::vector<int64_t> order;
	return m.elements(1, order) &&
	       m.give(0, m.node("Transpose", {m.value(0)}, {integers_of("perm", order)}));
}

bool make_slice(SingleMaker &m)
{
	std::vector<int64_t> begin, size, end, axes;
	if (!m.elements(1, begin) || !m.elements(2, size))
		return false;
	if (begin.size() != size.size() || begin.size() != m.in(0).dims.size())
		return m.fail("offsets and size have an entry for each dim");
	for (size_t d = 0; d < begin.size(); d++) {
		if (begin[d] < 0 || size[d] < -1)
			return m.fail("an entry of offsets or size is negative");
		end.push_back(size[d] == -1 ? INT64_MAX : begin[d] + size[d]);
		axes.push_back(static_cast<int64_t>(d));
	}
	return m.give(0, m.node("Slice", {m.value(0), m.constant(begin), m.constant(end),
					  m.constant(axes)}));
}

/* The result may be described with the dim of size 1 that goes away, or as one element. */
bool make_argmax(SingleMaker &m)
{
	std::vector<int64_t> axis, dims;
	(void)m.integer("dtype", 0);
	if (!m.elements(1, axis))
		return false;
	if (axis.size() != 1)
		return m.fail("dimension has one element");
	axis.push_back(0);
	const int32_t found = m.node(
		"ArgMax", {m.value(0)},
		{integers_of("axis", {axis[0]}, false), integers_of("keepdims", {0}, false)});
	for (const DimRange &dim : m.out(0).dims)
		dims.push_back(dim.is_open() ? -1 : dim.least);
	return m.give(0, m.convert(m.reshape(found, dims), m.out(0).type));
}

bool make_conv(SingleMaker &m)
{
	std::vector<int64_t> strides = m.integers("strides", {1, 1, 1, 1});
	std::vector<int64_t> dilations = m.integers("dilations", {1, 1, 1, 1});
	const std::vector<int64_t> pads = m.integers("pads", {0, 0, 0, 0});
	const int64_t groups = m.integer("groups", 1);
	const ir::Attribute *format = m.attribute("data_format");
	if (m.integer("offset_x", 0) != 0 || m.has(3))
		return m.fail("offsets are not supported; offset_x must be 0");
	if ((format && (format->texts.size() != 1 || format->texts[0] != "NCHW")) ||
	    m.in(0).format == om::Format::NHWC)
		return m.fail("images are NCHW; data_format must be NCHW");
	if (strides.size() != 4 || dilations.size() != 4 || pads.size() != 4)
		return m.fail("strides, dilations and pads have 4 entries");
	strides.erase(strides.begin(), strides.begin() + 2);
	dilations.erase(dilations.begin(), dilations.begin() + 2);
	/* above, below, left, right */
	const std::vector<int64_t> around = {pads[0], pads[2], pads[1], pads[3]};
	std::vector<int32_t> operands = {m.value(0), m.value(1)};
	if (m.has(2))
		operands.push_back(m.value(2));
	return m.give(0, m.node("Conv", operands,
				{integers_of("strides", strides), integers_of("pads", around),
				 integers_of("dilations", dilations),
				 integers_of("group", {groups}, false)}));
}

constexpr SingleRow ROWS[] = {
	{"Add", "Add", 2, 2, nullptr},
	{"Sub", "Sub", 2, 2, nullptr},
	{"Mul", "Mul", 2, 2, nullptr},
	{"Div", "Div", 2, 2, nullptr},
	{"RealDiv", "Div", 2, 2, nullptr},
	{"Pow", "Pow", 2, 2, nullptr},
	{"Maximum", "Max", 2, 2, nullptr},
	{"Minimum", "Min", 2, 2, nullptr},
	{"Equal", "Equal", 2, 2, nullptr},
	{"Greater", "Greater", 2, 2, nullptr},
	{"Less", "Less", 2, 2, nullptr},
	{"Abs", "Abs", 1, 1, nullptr},
	{"Neg", "Neg", 1, 1, nullptr},
	{"Exp", "Exp", 1, 1, nullptr, "base scale shift "},
	{"Log", "Log", 1, 1, nullptr, "base scale shift "},
	{"Sqrt", "Sqrt", 1, 1, nullptr},
	{"Relu", "Relu", 1, 1, nullptr},
	{"Sigmoid", "Sigmoid", 1, 1, nullptr},
	{"Tanh", "Tanh", 1, 1, nullptr},
	{"Cast", nullptr, 1, 1, make_cast},
	{"MatMul", nullptr, 2, 3, make_matmul},
	{"MatMulV2", nullptr, 2, 4, make_matmul},
	{"BatchMatMul", nullptr, 2, 2, make_batch_matmul},
	{"BatchMatMulV2", nullptr, 2, 4, make_batch_matmul},
	{"GEMM", nullptr, 5, 5, make_gemm},
	{"Softmax", nullptr, 1, 1, make_softmax},
	{"SoftmaxV2", nullptr, 1, 1, make_softmax},
	{"Reshape", nullptr, 2, 2, make_reshape, "axis num_axes "},
	{"Transpose", nullptr, 2, 2, make_transpose},
	{"Slice", nullptr, 3, 3, make_slice},
	{"ArgMaxV2", nullptr, 2, 2, make_argmax},
	{"Conv2D", nullptr, 2, 4, make_conv},
};

const SingleRow *find_single(const std::string &type)
{
	for (const SingleRow &row : ROWS)
		if (type == row.type)
			return &row;
	return nullptr;
}

int32_t SingleMaker::add_value(std::string name, ir::Type type)
{
	ir::Value value;
	value.name = std::move(name);
	value.type = type;
	model_.values.push_back(std::move(value));
	return static_cast<int32_t>(model_.values.size() - 1);
}

int32_t SingleMaker::node(const char *type, std::vector<int32_t> operands,
			  std::vector<ir::Attribute> attributes)
{
	ir::Body &body = model_.bodies[0];
	ir::Node made;
	made.type = type;
	made.version = VERSION;
	made.name = op_.type + (body.nodes.empty() ? "" : "/" + std::to_string(body.nodes.size()));
	made.inputs = std::move(operands);
	made.attributes = std::move(attributes);
	const int32_t result = add_value(made.name, ir::Type::NONE);
	made.outputs = {result};
	body.nodes.push_back(std::move(made));
	return result;
}

int32_t SingleMaker::constant(const std::vector<int64_t> &values)
{
	Numbers numbers;
	numbers.type = ir::Type::INT64;
	numbers.dims = {static_cast<int64_t>(values.size())};
	numbers.integers = values;
	const int32_t made = add_value("constant", ir::Type::INT64);
	ir::Value &value = model_.values[static_cast<size_t>(made)];
	value.has_dims = true;
	value.dims = numbers.dims;
	value.constant = model_.add_constant(numbers.type, numbers.dims, encode(numbers));
	return made;
}

int32_t SingleMaker::convert(int32_t from, ir::Type type)
{
	return node("Cast", {from}, {integers_of("to", {static_cast<int64_t>(type)}, false)});
}

bool SingleMaker::elements(size_t i, std::vector<int64_t> &values)
{
	const ir::Value &value = model_.values[static_cast<size_t>(inputs_[i])];
	if (value.constant == ABSENT || ir::is_floating(value.type) || !can_compute(value.type))
		return fail("input " + std::to_string(i) + " has to be constant integers");
	values = decode(model_.constants[static_cast<size_t>(value.constant)]).integers;
	return true;
}

bool SingleMaker::add_input(size_t i)
{
	const SingleTensor &of = op_.inputs[i];
	const std::string name = "input " + std::to_string(i);
	if (of.is_absent) {
		inputs_.push_back(ABSENT);
		return true;
	}
	InputShape shape{"x" + std::to_string(i), of.dims};
	const int32_t made = add_value(shape.name, of.type);
	inputs_.push_back(made);
	if (of.type == ir::Type::NONE || of.type == ir::Type::STRING)
		return fail(name + " has no type that is computed here");
	if (of.dims.size() > ir::MAX_RANK)
		return fail(name + " has more than 8 dims");
	ir::Value &value = model_.values[static_cast<size_t>(made)];
	value.has_dims = true;
	for (const DimRange &dim : of.dims)
		value.dims.push(dim.is_open() ? ir::UNKNOWN : dim.least);
	if (!of.elements) {
		model_.bodies[0].inputs.push_back(made);
		shapes_.push_back(std::move(shape));
		return true;
	}
	const std::optional<int64_t> size = ir::count(value.dims);
	if (!size || *size > MOST_NUMBERS ||
	    of.elements->size() != static_cast<size_t>(*size * ir::type_bytes(of.type)))
		return fail(name +
			    " is constant, and its elements are not as many as its dims say");
	value.constant = model_.add_constant(of.type, value.dims, *of.elements);
	return true;
}

bool SingleMaker::check_attributes()
{
	const SingleRow &row = *find_single(op_.type);
	bool is_good = true;
	for (const ir::Attribute &each : op_.attributes)
		if (std::find(read_.begin(), read_.end(), each.name) == read_.end() &&
		    std::string(row.ignored).find(each.name + " ") == std::string::npos)
			is_good = fail("there is no attribute " + each.name);
	return is_good;
}

bool SingleMaker::run()
{
	const SingleRow *const row = find_single(op_.type);
	std::string known;
	for (const SingleRow &each : ROWS)
		known += (known.empty() ? "" : ", ") + std::string(each.type);
	if (!row)
		return problems_.add(no_operator, "there is no operator " + op_.type +
							  " here; there are " + known);
	size_t given = op_.inputs.size();
	while (given > 0 && op_.inputs[given - 1].is_absent)
		given--;
	if (given < row->least || op_.inputs.size() > row->most)
		return fail("it has " + std::to_string(given) + " inputs; it takes " +
			    std::to_string(row->least) + " to " + std::to_string(row->most));
	if (op_.outputs.size() != 1)
		return fail("it has " + std::to_string(op_.outputs.size()) +
			    " outputs; one is supported");
	model_.bodies.emplace_back();
	for (size_t i = 0; i < op_.inputs.size(); i++)
		if (!add_input(i))
			return false;
	for (size_t i = 0; i < row->least; i++)
		if (!has(i))
			return fail("input " + std::to_string(i) + " is missing");
	if (row->onnx ? !give(0, node(row->onnx, inputs_)) : !row->make(*this))
		return false;
	model_.name = op_.type;
	model_.bodies[0].outputs = results_;
	return check_attributes();
}

/* Whether a compiled model has the results that the call describes. */
bool check_single(const SingleOp &op, const om::Face &face, Problems &problems)
{
	bool is_good = true;
	for (size_t i = 0; i < op.outputs.size() && i < face.outputs.size(); i++) {
		const SingleTensor &told = op.outputs[i];
		const om::Port &made = face.outputs[i];
		bool fits = told.type == made.type && told.dims.size() == made.dims.rank();
		ir::Dims dims;
		for (unsigned d = 0; d < told.dims.size() && d < ir::MAX_RANK; d++) {
			dims.push(told.dims[d].is_open() ? ir::UNKNOWN : told.dims[d].least);
			fits = fits && (told.dims[d].is_open() || dims[d] == made.dims[d]);
		}
		if (!fits)
			is_good = problems.add(
				not_supported,
				op.type + ": output " + std::to_string(i) + " is " +
					(told.type == ir::Type::NONE ? "of no type"
								     : ir::type_name(told.type)) +
					" " + ir::print(dims) +
					" in its description; the operator "
					"gives " +
					ir::type_name(made.type) + " " + ir::print(made.dims));
	}
	return is_good;
}

} // namespace

std::unique_ptr<ir::Model> compile_single(const SingleOp &op, CompileOptions &options,
					  om::Face &face, Problems &problems)
{
	auto model = std::make_unique<ir::Model>();
	if (!SingleMaker(op, *model, options.shapes, problems).run() ||
	    !compile(options, *model, face, problems) || !check_single(op, face, problems))
		return nullptr;
	return model;
}

} // namespace models
