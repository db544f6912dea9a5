// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: shapes
 *
 * A third to two thirds of the nodes that exporters write compute shapes from shapes. They are a program of their
 * own, which this pass runs: what is left has fixed shapes.
 */
#include <cstring>

#include "fixer.h"

namespace models {

using ir::ABSENT;

namespace {

/* has_word() - whether @word is one of @words. Each word of @words ends with a blank. */
bool has_word(std::string_view words, std::string_view word)
{
	while (!words.empty()) {
		const size_t end = words.find(' ');
		if (words.substr(0, end) == word)
			return true;
		words.remove_prefix(end + 1);
	}
	return false;
}

} // namespace

void Fixer::store(int32_t value, ir::Type type, const ir::Dims &dims, std::string bytes)
{
	if (value == ABSENT)
		return;
	fixed_.constants.push_back({type, dims, fixed_.owned.emplace_back(std::move(bytes))});
	Known &known = fixed_.values[static_cast<size_t>(value)];
	known.type = type;
	known.dims = dims;
	known.has_dims = true;
	known.constant = &fixed_.constants.back();
}

/* Return: false if an operand has no shape, because the node that writes it was refused. */
bool Fixer::find_operands(const ir::Node &node, std::vector<const Known *> &operands)
{
	for (const int32_t value : node.inputs) {
		const Known *known =
			value == ABSENT
				? nullptr
				: &fixed_.values[static_cast<size_t>(fixed_.resolve(value))];
		if (known && !known->has_dims)
			return false;
		operands.push_back(known);
	}
	while (!operands.empty() && !operands.back())
		operands.pop_back();
	align(node, operands);
	return true;
}

/* Before opset 7 the dims of the second operand were those of the first one from an axis on. */
void Fixer::align(const ir::Node &node, std::vector<const Known *> &operands)
{
	const bool is_slope = node.type == "PRelu"; /* always along the channels */
	const bool has_axis = node.find("axis") && node.integer("broadcast", 0) != 0;
	if (node.version >= 7 || (!has_axis && !is_slope) || operands.size() != 2 || !operands[0] ||
	    !operands[1])
		return;
	const int64_t rank = operands[0]->dims.rank(), own = operands[1]->dims.rank();
	const int64_t axis =
		is_slope ? 1 : std::clamp<int64_t>(node.integer("axis", 0), -rank, rank);
	const int64_t missing = rank - own - (axis < 0 ? axis + rank : axis);
	if (missing <= 0 || missing + own > rank)
		return;
	Known &known = fixed_.aligned.emplace_back(*operands[1]);
	for (int64_t d = 0; d < missing; d++)
		known.dims.push(1);
	if (known.constant) {
		fixed_.constants.push_back(*known.constant);
		fixed_.constants.back().dims = known.dims;
		known.constant = &fixed_.constants.back();
	}
	operands[1] = &known;
}

bool Fixer::check_form(const ir::Node &node, const OperatorRow &row)
{
	bool is_good = true;
	for (const ir::Attribute &attribute : node.attributes)
		if (!has_word(row.attributes, attribute.name))
			is_good = fail_always(node, "the attribute " + attribute.name +
							    " is not one that is understood here");
	return is_good;
}

bool Fixer::infer(Inference &at, const OperatorRow &row)
{
	if (!row.view)
		return row.infer(at);
	for (size_t i = 0; i < at.count_outputs(); i++) {
		View view;
		if (!at.wants(i))
			continue;
		const View whole = View::dense(at.dims(0));
		if (row.view(at, i, whole, view) == Viewed::REFUSED ||
		    !at.set(i, at.type(0), view.dims))
			return false;
	}
	return true;
}

/* The elements of a view, if the operand is known. Return: whether they are known now */
bool Fixer::compute_view(Inference &at, const OperatorRow &row)
{
	if (!at.in(0).constant)
		return false;
	const ir::Constant &from = *at.in(0).constant;
	const auto size = static_cast<size_t>(ir::type_bytes(from.type));
	for (size_t i = 0; i < at.count_outputs(); i++) {
		View view;
		if (!at.wants(i) || !may_compute(at.out(i).dims) || size == 0)
			return false;
		(void)row.view(at, i, View::dense(from.dims), view);
		const auto count = static_cast<size_t>(*ir::count(view.dims));
		std::string bytes(count * size, '\0');
		for (size_t k = 0; k < count; k++) {
			size_t rest = k;
			int64_t index = view.offset;
			for (unsigned d = view.dims.rank(); d-- > 0;) {
				const auto dim = static_cast<size_t>(view.dims[d]);
				index += static_cast<int64_t>(rest % dim) * view.strides[d];
				rest /= dim;
			}
			std::memcpy(bytes.data() + k * size,
				    from.bytes.data() + static_cast<size_t>(index) * size, size);
		}
		store(at.node.outputs[i], from.type, view.dims, std::move(bytes));
	}
	return true;
}

/* Return: whether all results are known now, so that nothing is left to run. */
bool Fixer::compute(Inference &at, const OperatorRow &row)
{
	if (row.view)
		return compute_view(at, row);
	if (!row.evaluate || at.count_outputs() != 1 || !can_compute(at.out(0).type))
		return false;
	const bool by_shape =
		at.node.type == "Shape" || at.node.type == "Size" || at.node.type == "EyeLike";
	std::vector<Numbers> operands;
	for (size_t i = 0; i < at.count() && !by_shape; i++) {
		const bool is_known = at.has(i) && at.in(i).constant &&
				      *ir::count(at.dims(i)) <= MOST_NUMBERS &&
				      can_compute(at.type(i));
		if (!is_known)
			return false;
		operands.push_back(decode(*at.in(i).constant));
	}
	if (!may_compute(at.out(0).dims))
		return false;
	Numbers result;
	result.type = at.out(0).type;
	result.dims = at.out(0).dims;
	result.resize(static_cast<size_t>(*ir::count(result.dims)));
	if (!row.evaluate(at, operands, result))
		return false;
	store(at.node.outputs[0], result.type, result.dims, encode(result));
	return true;
}

bool Fixer::run_node(const ir::Node &written, unsigned depth)
{
	size_t numbers = written.inputs.size() + written.outputs.size();
	for (const ir::Attribute &attribute : written.attributes)
		numbers +=
			attribute.integers.size() + attribute.reals.size() + attribute.texts.size();
	/* A copy of the node has them all. */
	if (loops_ > 0 && !count_turn(written, 1 + numbers / 16))
		return false;
	const ir::Node &node = loops_ > 0 ? rename(written) : written;
	if (node.domain.empty() && node.type == "If")
		return run_if(node, depth);
	if (node.domain.empty() && node.type == "Loop")
		return run_loop(node, depth);
	if (node.domain.empty() && node.type == "Scan")
		return run_scan(node, depth);
	bool is_sequence = false;
	const bool is_good = !node.domain.empty() || run_sequence(node, is_sequence);
	return is_sequence ? is_good : run_operator(node);
}

bool Fixer::run_operator(const ir::Node &node)
{
	std::string why;
	std::vector<const Known *> operands;
	const OperatorRow *row = find_row(node, why);
	if (!row)
		return fail_always(node, why);
	bool is_good = check_form(node, *row);
	if (!find_operands(node, operands) || !is_good)
		return is_good;
	const bool has_least = operands.size() >= row->least &&
			       std::find(operands.begin(), operands.begin() + row->least,
					 nullptr) == operands.begin() + row->least;
	if (!has_least || (row->most != ANY && operands.size() > row->most))
		return fail(node, "it has " + std::to_string(operands.size()) + " operands");
	if (node.outputs.empty() ||
	    (row->most == ANY && std::count(operands.begin(), operands.end(), nullptr) != 0))
		return fail(node, "an operand or a result is missing");
	int32_t source = ABSENT;
	for (const Known *operand : operands)
		if (operand && !operand->constant && source == ABSENT)
			source = operand->source;
	auto at = std::make_unique<Inference>(model_, node, std::move(operands), problems_);
	const size_t before = problems_.list().size();
	if (!infer(*at, *row))
		return false;
	if (compute(*at, *row))
		return true;
	if (problems_.list().size() != before)
		return false;
	if (!row->view && !row->lower)
		return fail_always(node, "it is computed here of constants alone");
	for (size_t i = 0; i < node.outputs.size(); i++)
		if (at->wants(i)) {
			if (!at->out(i).has_dims)
				return fail(node, "its result " + std::to_string(i) +
							  " is not computed here");
			Known &written = fixed_.values[static_cast<size_t>(node.outputs[i])];
			written = at->out(i);
			written.source = source;
		}
	fixed_.steps.push_back({&node, row, std::move(at)});
	return true;
}

bool Fixer::run_body(const ir::Body &body, unsigned depth)
{
	bool is_good = true;
	if (depth > ir::MOST_NESTED) {
		hopeless_++;
		return problems_.add(bad_model, "its bodies nest more than 16 times");
	}
	for (const ir::Node &node : body.nodes)
		is_good &= run_node(node, depth);
	return is_good;
}

bool Fixer::run(std::span<const Binding> bindings)
{
	const ir::Body &body = model_.bodies[0];
	fixed_.model = &model_;
	fixed_.values.resize(model_.values.size());
	for (size_t v = 0; v < model_.values.size(); v++)
		if (const int32_t constant = model_.values[v].constant; constant != ABSENT) {
			const ir::Constant &made = model_.constants[static_cast<size_t>(constant)];
			fixed_.values[v] = {made.type, true, made.dims, &made, ABSENT};
		}
	for (size_t i = 0; i < body.inputs.size(); i++) {
		const auto value = static_cast<size_t>(body.inputs[i]);
		const std::optional<int64_t> count = ir::count(bindings[i].dims);
		if (!count || *count > ir::MOST_ELEMENTS / 8)
			return problems_.add(bad_shape,
					     "input " + model_.values[value].name +
						     " would have the shape " +
						     ir::print(bindings[i].dims) +
						     ", which is not known or too large");
		fixed_.values[value] = {model_.values[value].type, true, bindings[i].dims,
					bindings[i].constant, body.inputs[i]};
	}
	return run_body(body, 0);
}

bool fix_shapes(const ir::Model &model, std::span<const Binding> bindings, Fixed &fixed,
		Problems &problems)
{
	return Fixer(model, fixed, problems).run(bindings);
}

} // namespace models
