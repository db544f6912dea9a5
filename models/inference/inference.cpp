// SPDX-License-Identifier: MIT
/*
 * DOC: Queries of the rules of operators
 *
 * Operands that determine shapes must be known when a model is compiled. If one is not, the error message names it
 * and the option that fixes it.
 */
#include "inference.h"

#include <algorithm>

#include "numbers.h"

namespace models {

bool Inference::fail(const std::string &why)
{
	return problems_.add(not_supported, ir::describe(node) + ": " + why);
}

bool Inference::set(size_t i, ir::Type type, const ir::Dims &dims)
{
	if (i >= outputs_.size())
		return true;
	const std::optional<int64_t> elements = ir::count(dims);
	if (!elements || *elements * std::max<int64_t>(ir::type_bytes(type), 1) > ir::MOST_ELEMENTS)
		return fail("its result would have the shape " + ir::print(dims) +
			    "; at most 64 GiB are possible");
	outputs_[i].type = type;
	outputs_[i].dims = dims;
	outputs_[i].has_dims = true;
	return true;
}

const std::string &Inference::name_of(size_t i) const
{
	/* Turns of loops write values that the model does not have. */
	static const std::string OF_A_TURN = "of a turn";
	const auto value = static_cast<size_t>(node.inputs[i]);
	return value < model_.values.size() ? model_.values[value].name : OF_A_TURN;
}

std::string Inference::way_of(size_t i) const
{
	if (in(i).source == ir::ABSENT)
		return "";
	const std::string &input = model_.values[static_cast<size_t>(in(i).source)].name;
	return "; it follows from the input " + input + ", of which --fix_input=\"" + input +
	       ":...\" makes a constant";
}

bool Inference::check_constant(size_t i)
{
	if (!has(i))
		return fail("its operand " + std::to_string(i) + " is not there");
	if (!in(i).constant)
		return fail("its operand " + name_of(i) +
			    " has to be known when the model is compiled: it decides about a "
			    "shape or a form" +
			    way_of(i));
	if (*ir::count(in(i).constant->dims) > MOST_NUMBERS || !can_compute(in(i).constant->type))
		return fail("its operand " + name_of(i) + " has too many elements or no numbers");
	return true;
}

bool Inference::integers(size_t i, std::vector<int64_t> &values)
{
	if (!check_constant(i))
		return false;
	Numbers numbers = decode(*in(i).constant);
	if (numbers.is_real())
		return fail("its operand " + name_of(i) + " must have integers");
	values = std::move(numbers.integers);
	return true;
}

bool Inference::reals(size_t i, std::vector<double> &values)
{
	if (!check_constant(i))
		return false;
	const Numbers numbers = decode(*in(i).constant);
	values.resize(numbers.size());
	for (size_t k = 0; k < values.size(); k++)
		values[k] = numbers.real(k);
	return true;
}

bool Inference::find_axis(int64_t value, unsigned rank, unsigned &axis, const char *name)
{
	const auto count = static_cast<int64_t>(rank);
	if (value < -count || value >= count)
		return fail(std::string(name) + " is " + std::to_string(value) +
			    "; its operand has " + std::to_string(count) + " dims");
	axis = static_cast<unsigned>(value < 0 ? value + count : value);
	return true;
}

bool Inference::find_axes(size_t i, unsigned rank, std::vector<unsigned> &axes, bool &is_given)
{
	std::vector<int64_t> values;
	const ir::Attribute *attribute = node.find("axes");
	axes.clear();
	is_given = attribute || has(i);
	if (attribute)
		values = attribute->integers;
	else if (has(i) && !integers(i, values))
		return false;
	if (values.size() > ir::MAX_RANK)
		return fail("there are more than 8 axes");
	for (const int64_t value : values) {
		unsigned axis;
		if (!find_axis(value, rank, axis, "an entry of axes"))
			return false;
		if (std::find(axes.begin(), axes.end(), axis) != axes.end())
			return fail("axes has an entry twice");
		axes.push_back(axis);
	}
	is_given = is_given && !values.empty();
	return true;
}

const ir::Constant *Inference::constant_of(std::string_view attribute) const
{
	const ir::Attribute *found = node.find(attribute);
	return found && found->kind == ir::Attribute::Kind::CONSTANT && found->index != ir::ABSENT
		       ? &model_.constants[static_cast<size_t>(found->index)]
		       : nullptr;
}

bool broadcast(const ir::Dims &a, const ir::Dims &b, ir::Dims &result)
{
	const ir::Dims &longer = a.rank() >= b.rank() ? a : b,
		       &shorter = a.rank() >= b.rank() ? b : a;
	const unsigned missing = longer.rank() - shorter.rank();
	ir::Dims made = longer;
	for (unsigned d = 0; d < shorter.rank(); d++) {
		int64_t &size = made[missing + d];
		if (size != shorter[d] && size != 1 && shorter[d] != 1)
			return false;
		size = size == 1 ? shorter[d] : size;
	}
	result = made;
	return true;
}

} // namespace models
