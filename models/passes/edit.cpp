// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: edits
 *
 * Changes of the inputs and outputs of a model by options.
 */
#include "edit.h"

#include <charconv>
#include <cmath>
#include <unordered_map>

#include "models/inference/numbers.h"

namespace models {

namespace {

using ir::ABSENT;

/* find_input() - the index of an input; the number of inputs if there is no such input. */
size_t find_input(const ir::Model &model, std::string_view name)
{
	const std::vector<int32_t> &inputs = model.bodies[0].inputs;
	size_t i = 0;
	while (i < inputs.size() && model.values[static_cast<size_t>(inputs[i])].name != name)
		i++;
	return i;
}

/* read_number() - Return: false if @text is no number of the type */
bool read_number(const std::string &text, Numbers &numbers, size_t i)
{
	const char *const begin = text.data(), *const end = begin + text.size();
	if (text == "true" || text == "false") {
		const int64_t value = text == "true";
		if (numbers.is_real())
			return false;
		numbers.integers[i] = value;
		return true;
	}
	const std::from_chars_result read =
		numbers.is_real() ? std::from_chars(begin, end, numbers.reals[i])
				  : std::from_chars(begin, end, numbers.integers[i]);
	return read.ec == std::errc() && read.ptr == end;
}

bool fix_input(ir::Model &model, const FixedInput &fixed, Problems &problems)
{
	const std::string option = "--fix_input of " + fixed.name;
	const size_t i = find_input(model, fixed.name);
	std::vector<int32_t> &inputs = model.bodies[0].inputs;
	if (i == inputs.size())
		return problems.add(no_such_node, option + ": the model has no such input");
	ir::Value &value = model.values[static_cast<size_t>(inputs[i])];
	const auto given = static_cast<int64_t>(fixed.values.size());
	Numbers numbers;
	numbers.type = value.type;
	numbers.dims = value.dims;
	if (!value.has_dims)
		numbers.dims = given == 1 ? ir::Dims{} : ir::Dims{given};
	/* A single open dim gets the size that fits the number of values. */
	for (unsigned d = 0; d < numbers.dims.rank(); d++)
		if (numbers.dims[d] < 0) {
			ir::Dims rest = numbers.dims;
			rest.erase(d);
			const std::optional<int64_t> others = ir::count(rest);
			numbers.dims[d] = others && *others > 0 ? given / *others : 1;
		}
	const std::optional<int64_t> count = ir::count(numbers.dims);
	if (!can_compute(value.type) || !count || *count > MOST_NUMBERS ||
	    (*count != given && given != 1))
		return problems.add(bad_shape, option + ": there are " + std::to_string(given) +
						       " numbers; the input has the shape " +
						       ir::print(value.dims));
	numbers.resize(static_cast<size_t>(*count));
	for (size_t k = 0; k < numbers.size(); k++)
		if (!read_number(fixed.values[given == 1 ? 0 : k], numbers, k))
			return problems.add(bad_option, option + ": " +
								fixed.values[given == 1 ? 0 : k] +
								" is no number of the type " +
								ir::type_name(value.type));
	value.constant = model.add_constant(numbers.type, numbers.dims, encode(numbers));
	value.dims = numbers.dims;
	value.has_dims = true;
	inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(i));
	return true;
}

/* class Writers - which node writes each value. */
class Writers {
public:
	explicit Writers(const ir::Model &model) : model_(model)
	{
		for (const ir::Node &node : model.bodies[0].nodes)
			for (size_t i = 0; i < node.outputs.size(); i++)
				places_.try_emplace(node.outputs[i], &node, i);
	}

	/* name() - "node:index" of a value; its own name if no node writes it. */
	std::string name(int32_t value) const
	{
		const auto at = places_.find(value);
		if (at == places_.end())
			return model_.values[static_cast<size_t>(value)].name + ":0";
		const auto &[node, index] = at->second;
		return node->name + ":" + std::to_string(index);
	}

private:
	const ir::Model &model_;
	std::unordered_map<int32_t, std::pair<const ir::Node *, size_t>> places_;
};

/* find_output() - "node:index", or the name of an output of the model. */
int32_t find_output(const ir::Model &model, const std::string &name)
{
	for (const int32_t value : model.bodies[0].outputs)
		if (model.values[static_cast<size_t>(value)].name == name)
			return value;
	const size_t colon = name.rfind(':');
	size_t index = 0;
	if (colon == std::string::npos)
		return ABSENT;
	const std::string_view number = std::string_view(name).substr(colon + 1);
	const std::from_chars_result read = std::from_chars(number.begin(), number.end(), index);
	if (read.ec != std::errc() || read.ptr != number.end())
		return ABSENT;
	for (const ir::Node &node : model.bodies[0].nodes)
		if (node.name == name.substr(0, colon) && index < node.outputs.size())
			return node.outputs[index];
	return ABSENT;
}

/* add_cast() - adds a Cast at the begin or the end of the model. Return: the value that it writes */
int32_t add_cast(ir::Model &model, int32_t from, int32_t to, ir::Type type, bool is_first)
{
	ir::Node node;
	node.type = "Cast";
	node.version = 13;
	node.name = "cast/" + model.values[static_cast<size_t>(from)].name;
	node.inputs = {from};
	node.outputs = {to};
	ir::Attribute attribute;
	attribute.name = "to";
	attribute.integers = {static_cast<int64_t>(type)};
	node.attributes.push_back(std::move(attribute));
	std::vector<ir::Node> &nodes = model.bodies[0].nodes;
	nodes.insert(is_first ? nodes.begin() : nodes.end(), std::move(node));
	return to;
}

int32_t add_value(ir::Model &model, const ir::Value &like)
{
	model.values.push_back(like);
	return static_cast<int32_t>(model.values.size() - 1);
}

bool make_half(ir::Model &model, const std::string &name, Problems &problems)
{
	const size_t i = find_input(model, name);
	std::vector<int32_t> &inputs = model.bodies[0].inputs;
	if (i == inputs.size())
		return problems.add(no_such_node, "--input_fp16_nodes names " + name +
							  ", which is no input of the model");
	const ir::Value old = model.values[static_cast<size_t>(inputs[i])];
	if (old.type != ir::Type::FLOAT)
		return problems.add("E10034", "--input_fp16_nodes names " + name + ", which is " +
						      ir::type_name(old.type) +
						      "; it must be FLOAT");
	const int32_t outside = add_value(model, old);
	model.values[static_cast<size_t>(outside)].type = ir::Type::FLOAT16;
	add_cast(model, outside, inputs[i], ir::Type::FLOAT, true);
	inputs[i] = outside;
	return true;
}

bool find_output_type(std::string_view word, ir::Type &type)
{
	static constexpr struct {
		const char *word;
		ir::Type type;
	} WORDS[] = {{"FP32", ir::Type::FLOAT},
		     {"FP16", ir::Type::FLOAT16},
		     {"UINT8", ir::Type::UINT8},
		     {"INT8", ir::Type::INT8}};
	for (const auto &each : WORDS)
		if (word == each.word) {
			type = each.type;
			return true;
		}
	return false;
}

/* The Cast may be to the type that the value already has; a later pass removes such a Cast if it would only copy. */
void convert_output(ir::Model &model, size_t i, ir::Type type)
{
	const int32_t from = model.bodies[0].outputs[i];
	ir::Value like;
	like.name = model.values[static_cast<size_t>(from)].name;
	const int32_t to = add_value(model, like);
	add_cast(model, from, to, type, false);
	model.bodies[0].outputs[i] = to;
}

/* One of "node:index:TYPE". */
bool convert_named(ir::Model &model, const std::string &part, Problems &problems)
{
	const size_t colon = part.rfind(':');
	ir::Type type;
	const std::string bad = "--output_type has " + part;
	if (colon == std::string::npos || !find_output_type(part.substr(colon + 1), type))
		return problems.add(bad_option,
				    bad + "; allowed are FP32, FP16, UINT8 and INT8, or "
					  "node:index:FP32 with ';' between");
	const int32_t value = find_output(model, part.substr(0, colon));
	const std::vector<int32_t> &outputs = model.bodies[0].outputs;
	const auto at = std::find(outputs.begin(), outputs.end(), value);
	if (value == ABSENT || at == outputs.end())
		return problems.add(no_such_node, bad + ", which is no output of the model");
	convert_output(model, static_cast<size_t>(at - outputs.begin()), type);
	return true;
}

} // namespace

bool fix_inputs(ir::Model &model, const std::vector<FixedInput> &fixed, Problems &problems)
{
	bool is_good = true;
	for (const FixedInput &each : fixed)
		is_good &= fix_input(model, each, problems);
	return is_good;
}

bool choose_outputs(ir::Model &model, const std::vector<std::string> &names, Problems &problems)
{
	bool is_good = true;
	std::vector<int32_t> chosen;
	for (const std::string &name : names) {
		const int32_t value = find_output(model, name);
		if (value == ABSENT)
			is_good = problems.add(no_such_node,
					       "--out_nodes names " + name +
						       "; the model has no such node and output; "
						       "an output of a node is written as node:0");
		chosen.push_back(value);
	}
	if (!is_good)
		return false;
	std::vector<int32_t> &outputs = model.bodies[0].outputs;
	if (!chosen.empty())
		outputs = chosen;
	model.output_names.clear();
	const Writers writers(model);
	for (size_t i = 0; i < outputs.size(); i++) {
		const std::string &own = model.values[static_cast<size_t>(outputs[i])].name;
		const bool by_node = !names.empty() && names[i] != own;
		model.output_names.push_back(writers.name(outputs[i]) + (by_node ? "" : ":" + own));
	}
	return true;
}

bool convert_ports(ir::Model &model, const std::vector<std::string> &half_inputs,
		   const std::string &output_type, Problems &problems)
{
	bool is_good = true;
	ir::Type type;
	for (const std::string &name : half_inputs)
		is_good &= make_half(model, name, problems);
	if (output_type.empty())
		return is_good;
	if (find_output_type(output_type, type)) {
		for (size_t i = 0; i < model.bodies[0].outputs.size(); i++)
			convert_output(model, i, type);
		return is_good;
	}
	for (size_t begin = 0; begin <= output_type.size();) {
		const size_t end = std::min(output_type.find(';', begin), output_type.size());
		if (end > begin)
			is_good &= convert_named(model, output_type.substr(begin, end - begin),
						 problems);
		begin = end + 1;
	}
	return is_good;
}

} // namespace models
