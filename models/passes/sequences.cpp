// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: sequences
 *
 * A sequence is a list of values while a model is compiled, and nothing of it is left when the model runs. So what is
 * at which place has to follow from shapes and constants.
 */
#include "fixer.h"

namespace models {

using ir::ABSENT;

const Fixer::Values *Fixer::find_list(int32_t value) const
{
	const auto at = value == ABSENT ? lists_.end() : lists_.find(fixed_.resolve(value));
	return at == lists_.end() ? nullptr : &at->second;
}

/* list_of() - operand 0. Return: nullptr with the node refused */
const Fixer::Values *Fixer::list_of(const ir::Node &node)
{
	const Values *list = node.inputs.empty() ? nullptr : find_list(node.inputs[0]);
	if (!list)
		fail(node, "its operand is no sequence that is known when the model is compiled");
	return list;
}

/* set_list() - the result. */
bool Fixer::set_list(const ir::Node &node, Values list)
{
	if (!count_turn(node, 1 + list.size() / 4))
		return false;
	lists_[node.outputs[0]] = std::move(list);
	return true;
}

/* find_place() - operand @i, a place in a list of @size values. @otherwise: where it is not given */
bool Fixer::find_place(const ir::Node &node, size_t i, size_t size, size_t most, int64_t otherwise,
		       size_t &place)
{
	const auto count = static_cast<int64_t>(size);
	int64_t value = otherwise;
	if (i < node.inputs.size() && node.inputs[i] != ABSENT) {
		const Known &given = known(node.inputs[i]);
		if (!given.constant)
			return fail(node, "its place is computed when the model runs" +
						  way_of(node.inputs[i]));
		if ((given.type != ir::Type::INT64 && given.type != ir::Type::INT32) ||
		    ir::count(given.dims) != 1)
			return fail(node, "its place must be one of INT32 or INT64");
		value = decode(*given.constant).integers[0];
	}
	if (value < -count || value > static_cast<int64_t>(most))
		return fail(node, "its place is " + std::to_string(value) + "; the sequence has " +
					  std::to_string(size) + " values");
	place = static_cast<size_t>(value < 0 ? value + count : value);
	return true;
}

bool Fixer::split_to_list(const ir::Node &node)
{
	const Known &from = known(node.inputs[0]);
	if (!from.has_dims)
		return true;
	std::vector<int64_t> sizes;
	const int64_t rank = from.dims.rank();
	int64_t axis = node.integer("axis", 0);
	if (axis < -rank || axis >= rank)
		return fail(node, "axis is " + std::to_string(axis));
	axis = axis < 0 ? axis + rank : axis;
	const int64_t size = from.dims[static_cast<unsigned>(axis)];
	const bool is_given = node.inputs.size() > 1 && node.inputs[1] != ABSENT;
	const bool keeps_dim = is_given || node.integer("keepdims", 1) != 0;
	int64_t each = 1; /* of a part, where the sizes are not given one by one */
	if (is_given) {
		const Known &split = known(node.inputs[1]);
		if (!split.constant || !can_compute(split.type) || ir::is_floating(split.type) ||
		    *ir::count(split.dims) > MOST_NUMBERS)
			return fail(node, "its parts are computed when the model runs" +
						  way_of(node.inputs[1]));
		sizes = decode(*split.constant).integers;
		each = split.dims.rank() == 0 ? sizes[0] : 0;
		if (split.dims.rank() == 0 && each < 1)
			return fail(node, "its parts have " + std::to_string(each) + " elements");
	}
	const int64_t parts =
		each > 0 ? size / each + (size % each != 0) : static_cast<int64_t>(sizes.size());
	if (!count_turn(node, static_cast<size_t>(parts)))
		return false;
	if (each > 0) {
		sizes.assign(static_cast<size_t>(parts), each);
		if (size % each != 0)
			sizes.back() = size % each;
	}
	Values list;
	int64_t before = 0;
	for (const int64_t part : sizes) {
		if (part < 0 || part > size - before)
			return fail(node, "its parts are larger than the operand");
		list.push_back(fresh());
		if (keeps_dim
			    ? !add_node(
				      node, "Slice", {node.inputs[0]}, list.back(),
				      {{"starts", before}, {"ends", before + part}, {"axes", axis}})
			    : !pick(node, node.inputs[0], axis, before, list.back()))
			return false;
		before += part;
	}
	return before == size ? set_list(node, std::move(list))
			      : fail(node, "its parts are smaller than the operand");
}

bool Fixer::join_list(const ir::Node &node)
{
	const Values *list = list_of(node);
	if (!list)
		return false;
	const int64_t axis = node.integer("axis", 0);
	if (list->empty() || list->size() > ir::MOST_OPERANDS)
		return fail(node, "its sequence has " + std::to_string(list->size()) + " values");
	if (node.integer("new_axis", 0) != 0)
		return stack(node, *list, axis, node.outputs[0]);
	return add_node(node, "Concat", *list, node.outputs[0], {{"axis", axis}});
}

/* change_list() - SequenceInsert and SequenceErase. */
bool Fixer::change_list(const ir::Node &node, bool inserts)
{
	const Values *from = list_of(node);
	size_t place;
	if (!from || (inserts && node.inputs.size() < 2) || (!inserts && from->empty()))
		return from ? fail(node, "an operand is missing, or the sequence is empty") : false;
	Values list = *from;
	const size_t most = inserts ? list.size() : list.size() - 1;
	const auto end = static_cast<int64_t>(most);
	if (!find_place(node, inserts ? 2 : 1, list.size(), most, end, place))
		return false;
	const auto at = list.begin() + static_cast<std::ptrdiff_t>(place);
	if (inserts)
		list.insert(at, node.inputs[1]);
	else
		list.erase(at);
	return set_list(node, std::move(list));
}

/* run_sequence() - a node of sequences. @is_one: receives whether it is */
bool Fixer::run_sequence(const ir::Node &node, bool &is_one)
{
	const std::string &type = node.type;
	is_one = type.starts_with("Sequence") || type == "SplitToSequence" ||
		 type == "ConcatFromSequence" ||
		 (type == "Identity" && !node.inputs.empty() && find_list(node.inputs[0]));
	if (!is_one || type == "SequenceMap") {
		is_one = false;
		return true;
	}
	if (node.outputs.size() != 1 || node.outputs[0] == ABSENT)
		return fail(node, "its result is missing");
	if (type == "SequenceEmpty")
		return set_list(node, {});
	if (node.inputs.empty() || std::count(node.inputs.begin(), node.inputs.begin() + 1, ABSENT))
		return fail(node, "an operand is missing");
	if (type == "Identity") {
		be_same(node.outputs[0], node.inputs[0]);
		return true;
	}
	if (type == "SequenceConstruct")
		return std::count(node.inputs.begin(), node.inputs.end(), ABSENT) == 0
			       ? set_list(node, node.inputs)
			       : fail(node, "an operand is missing");
	if (type == "SequenceInsert" || type == "SequenceErase")
		return change_list(node, type == "SequenceInsert");
	if (type == "SplitToSequence")
		return split_to_list(node);
	if (type == "ConcatFromSequence")
		return join_list(node);
	const Values *list = list_of(node);
	if (!list)
		return false;
	if (type == "SequenceLength") {
		be_same(node.outputs[0],
			number(static_cast<int64_t>(list->size()), ir::Type::INT64));
		return true;
	}
	size_t place;
	if (type != "SequenceAt" || list->empty())
		return fail(node, "the sequence is empty, or there is no such operator here");
	if (!find_place(node, 1, list->size(), list->size() - 1, 0, place))
		return false;
	be_same(node.outputs[0], (*list)[place]);
	return true;
}

} // namespace models
