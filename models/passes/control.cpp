// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: control flow
 *
 * A program is one list of launches. Of an If whose condition follows from shapes, one branch is in it; of any other If
 * both are, and a run takes one of them. The turns of a Loop and of a Scan stand one behind the other. Where data end a
 * Loop, the turns after that are branches that are not taken.
 */
#include "fixer.h"

namespace models {

using ir::ABSENT;

/* struct Joins - the results of two branches: what each one gives, and the value to which a run copies it. */
struct Fixer::Joins {
	std::vector<std::pair<int32_t, int32_t>> yes, no;
};

/*
 * struct Turns - a loop on its way.
 * @most: turns @is_bounded: or else the condition alone ends it
 * @condition: of the next turn; ABSENT: there is none
 * @alive: whether the turn counts, where data decide about that; ABSENT: it does
 */
struct Fixer::Turns {
	const ir::Body *body;
	int64_t most = INT64_MAX;
	bool is_bounded = false;
	int32_t condition = ABSENT, alive = ABSENT;
	Values states;
	std::vector<Values> parts; /* of the results that have one for each turn */
};

int32_t Fixer::fresh()
{
	fixed_.values.emplace_back();
	return static_cast<int32_t>(fixed_.values.size() - 1);
}

int32_t Fixer::number(int64_t value, ir::Type type)
{
	const int32_t made = fresh();
	Numbers numbers;
	numbers.type = type;
	numbers.integers = {value};
	store(made, type, {}, encode(numbers));
	return made;
}

void Fixer::be_same(int32_t value, int32_t other)
{
	/* Each turn of a loop may give what the turn before gave, and nobody should walk all the way. */
	const int32_t first = fixed_.resolve(other);
	if (value != ABSENT && first != value)
		fixed_.same.emplace(value, first);
}

const ir::Body *Fixer::body_of(const ir::Node &node, const char *attribute)
{
	const ir::Attribute *found = node.find(attribute);
	return found && found->kind == ir::Attribute::Kind::BODY
		       ? &model_.bodies[static_cast<size_t>(found->index)]
		       : nullptr;
}

/* Files are small, and what their loops do is not. Return: false, with one problem added for all that is too much. */
bool Fixer::count_turn(const ir::Node &node, size_t nodes)
{
	if (turned_ > MOST_TURNED)
		return false;
	turned_ += nodes;
	return turned_ <= MOST_TURNED ||
	       fail_always(node, "the turns of loops and the parts of sequences have more than " +
					 std::to_string(MOST_TURNED) + " nodes");
}

const ir::Node &Fixer::rename(const ir::Node &node)
{
	ir::Node &made = fixed_.made.emplace_back(node);
	made.name += turn_;
	for (int32_t &value : made.inputs)
		value = current(value);
	for (int32_t &value : made.outputs)
		if (value != ABSENT) {
			const int32_t own = fresh();
			renamed_[value] = own;
			value = own;
		}
	return made;
}

/* add_node() - a node that no file has, for what control flow needs. @of: the node that it is made for */
bool Fixer::add_node(const ir::Node &of, const char *type, Values inputs, int32_t output,
		     std::vector<std::pair<const char *, int64_t>> attributes)
{
	ir::Node &made = fixed_.made.emplace_back();
	made.type = type;
	made.name = of.name;
	made.version = 9;
	made.inputs = std::move(inputs);
	made.outputs = {output};
	for (const auto &[name, value] : attributes) {
		ir::Attribute &attribute = made.attributes.emplace_back();
		attribute.name = name;
		attribute.integers = {value};
	}
	return run_operator(made);
}

/* pick() - the part of a value at @place of a dim, without the dim. */
bool Fixer::pick(const ir::Node &of, int32_t from, int64_t axis, int64_t place, int32_t &part)
{
	const int32_t row = fresh();
	part = fresh();
	return add_node(of, "Slice", {from}, row,
			{{"starts", place}, {"ends", place + 1}, {"axes", axis}}) &&
	       add_node(of, "Squeeze", {row}, part, {{"axes", axis}});
}

/* stack() - @output has the parts along a dim of its own. */
bool Fixer::stack(const ir::Node &of, const Values &parts, int64_t axis, int32_t output)
{
	Values rows;
	if (output == ABSENT)
		return true;
	if (parts.empty())
		return fail(of, "it has no turn, so its results have no shape");
	if (parts.size() > ir::MOST_OPERANDS)
		return fail(of, "a result would have more than " +
					std::to_string(ir::MOST_OPERANDS) + " parts");
	for (const int32_t part : parts) {
		rows.push_back(parts.size() == 1 ? output : fresh());
		if (!known(part).has_dims)
			return fail(of, "no node that runs writes its result");
		if (!(known(part).dims == known(parts[0]).dims))
			return fail(of, "the parts of a result have different shapes");
		if (!add_node(of, "Unsqueeze", {part}, rows.back(), {{"axes", axis}}))
			return false;
	}
	return parts.size() == 1 || add_node(of, "Concat", rows, output, {{"axis", axis}});
}

/* join() - @output is one of two values, by the branch that runs. @joins: receives them */
bool Fixer::join(const ir::Node &of, int32_t condition, int32_t yes, int32_t no, int32_t output,
		 Joins &joins)
{
	const Known &a = known(yes), &b = known(no);
	const auto print = [](const Known &each) {
		return std::string(ir::type_name(each.type)) + " " + ir::print(each.dims);
	};
	if (!a.has_dims || !b.has_dims)
		return fail(of, "no node that runs writes its result");
	if (a.type != b.type || !(a.dims == b.dims))
		return fail(
			of,
			"its condition is computed when the model runs, and a result would be " +
				print(a) + " or " + print(b) +
				"; it must have one type and shape, or the condition has to "
				"follow from shapes and constants" +
				way_of(condition));
	fixed_.values[static_cast<size_t>(output)] = {a.type, true, a.dims, nullptr,
						      known(condition).source};
	joins.yes.emplace_back(yes, output);
	joins.no.emplace_back(no, output);
	return true;
}

/* take_steps() - the steps from @begin on, which the program has no more. */
Fixed::Steps Fixer::take_steps(size_t begin)
{
	Fixed::Steps &steps = fixed_.steps;
	const auto first = steps.begin() + static_cast<std::ptrdiff_t>(begin);
	Fixed::Steps taken(std::make_move_iterator(first), std::make_move_iterator(steps.end()));
	steps.resize(begin);
	return taken;
}

/* put_choice() - a run goes through @yes or through @no. */
bool Fixer::put_choice(const ir::Node &of, int32_t condition, Fixed::Steps &&yes, Fixed::Steps &&no,
		       Joins &joins)
{
	using Kind = Fixed::Step::Kind;
	Fixed::Steps &steps = fixed_.steps;
	const auto put = [&steps](Fixed::Steps &part) {
		steps.insert(steps.end(), std::make_move_iterator(part.begin()),
			     std::make_move_iterator(part.end()));
	};
	steps.push_back({.node = &of, .kind = Kind::THEN, .condition = condition});
	put(yes);
	steps.push_back({.node = &of, .kind = Kind::ELSE, .results = std::move(joins.yes)});
	put(no);
	steps.push_back({.node = &of, .kind = Kind::END, .results = std::move(joins.no)});
	return ++choices_ <= MOST_CHOICES ||
	       fail_always(of, "the model would have more than " + std::to_string(MOST_CHOICES) +
				       " branches that data choose");
}

/* way_of() - the option that makes a constant of a value; "" where none does. */
std::string Fixer::way_of(int32_t value)
{
	const int32_t source = known(value).source;
	if (source == ABSENT)
		return "";
	const std::string &input = model_.values[static_cast<size_t>(source)].name;
	return "; it follows from the input " + input + ", of which --fix_input=\"" + input +
	       ":...\" makes a constant";
}

/* check_condition() - @value becomes one without dims, if it has one element. */
bool Fixer::check_condition(const ir::Node &node, int32_t &value)
{
	const Known &condition = known(value);
	if (condition.type != ir::Type::BOOL || ir::count(condition.dims) != 1)
		return fail(node, "its condition must be one truth value");
	if (condition.constant || condition.dims.rank() == 0)
		return true;
	const int32_t made = fresh(), from = value;
	value = made;
	return add_node(node, "Squeeze", {from}, made, {});
}

/* The branch that is taken, if the condition is known. Its results are those of the node. */
bool Fixer::run_if(const ir::Node &node, unsigned depth)
{
	if (node.inputs.size() != 1 || node.inputs[0] == ABSENT)
		return fail(node, "it has no condition");
	if (!known(node.inputs[0]).has_dims)
		return true;
	int32_t condition = node.inputs[0];
	const ir::Body *sides[2] = {body_of(node, "then_branch"), body_of(node, "else_branch")};
	for (const ir::Body *side : sides)
		if (!side || side->outputs.size() < node.outputs.size())
			return fail(node, "it lacks a branch, or its branch has fewer results");
	if (!check_condition(node, condition))
		return false;
	if (const ir::Constant *constant = known(condition).constant) {
		const ir::Body &body = *sides[constant->bytes[0] != 0 ? 0 : 1];
		const bool is_good = run_body(body, depth + 1);
		for (size_t i = 0; i < node.outputs.size(); i++)
			be_same(node.outputs[i], current(body.outputs[i]));
		return is_good;
	}
	return choose_branch(node, condition, depth);
}

/*
 * run_branch() - the nodes of a branch that data may take. @why: receives why no run can take it at these shapes, and
 * nothing of it is left then
 * Return: false for what is refused at any shape
 */
bool Fixer::run_branch(const ir::Body &body, unsigned depth, std::string &why)
{
	const size_t steps = fixed_.steps.size(), hopeless = hopeless_;
	const size_t problems = problems_.list().size(), notes = problems_.notes().size();
	if (run_body(body, depth))
		return true;
	if (hopeless_ != hopeless || problems_.list().size() == problems)
		return false;
	why = problems_.list()[problems].text;
	problems_.take_back(problems, notes);
	fixed_.steps.resize(steps);
	return true;
}

/*
 * guard() - a truth value whose computation fails where @condition is @forbidden: the element 0 or 1 of a value that
 * has one element. @fine: receives it
 */
bool Fixer::guard(const ir::Node &node, int32_t condition, bool forbidden, const std::string &why,
		  int32_t &fine)
{
	const int32_t one = fresh(), index = fresh();
	ir::Node &told = fixed_.made.emplace_back();
	int32_t taken = condition;
	fine = fresh();
	told.name = node.name + ", whose " + (forbidden ? "then_branch" : "else_branch") +
		    " can't run at these shapes: " + why + ";";
	problems_.note(ir::describe(node) + ": a run that takes its " +
		       (forbidden ? "then_branch" : "else_branch") + " fails: " + why);
	store(one, ir::Type::BOOL, {1}, std::string(1, 1));
	if (!forbidden) {
		taken = fresh();
		if (!add_node(node, "Not", {condition}, taken, {}))
			return false;
	}
	return add_node(node, "Cast", {taken}, index, {{"to", 7}}) &&
	       add_node(told, "Gather", {one, index}, fine, {});
}

/* A run takes one of the branches. A branch that the shapes forbid fails the run that takes it. */
bool Fixer::choose_branch(const ir::Node &node, int32_t condition, unsigned depth)
{
	const ir::Body *sides[2] = {body_of(node, "then_branch"), body_of(node, "else_branch")};
	const size_t begin = fixed_.steps.size();
	std::string why[2];
	Fixed::Steps parts[2];
	Joins joins;
	for (size_t k = 0; k < 2; k++) {
		const bool is_good = run_branch(*sides[k], depth + 1, why[k]);
		parts[k] = take_steps(begin);
		if (!is_good) /* what the other passes say of the branches is told as well */
			return put_choice(node, condition, std::move(parts[0]), std::move(parts[1]),
					  joins) &&
			       false;
	}
	if (!why[0].empty() && !why[1].empty())
		return fail(node, "none of its branches can run at these shapes: " + why[0] + "; " +
					  why[1]);
	if (!why[0].empty() || !why[1].empty()) {
		const bool forbidden = !why[0].empty();
		if (!guard(node, condition, forbidden, why[forbidden ? 0 : 1], condition))
			return false;
		/* The guard has failed, or the other branch is the one to take. */
		if (forbidden)
			std::swap(parts[0], parts[1]);
		sides[0] = sides[1] = sides[forbidden ? 1 : 0];
	}
	bool is_good = true;
	for (size_t i = 0; is_good && i < node.outputs.size(); i++)
		is_good = node.outputs[i] == ABSENT ||
			  join(node, condition, current(sides[0]->outputs[i]),
			       current(sides[1]->outputs[i]), node.outputs[i], joins);
	if (sides[0] == sides[1])
		joins.no.clear();
	return put_choice(node, condition, std::move(parts[0]), std::move(parts[1]), joins) &&
	       is_good;
}

/* The condition of a turn is computed when the model runs: whatever the turn does, it counts only if that holds. */
bool Fixer::stop_by_data(const ir::Node &node, Turns &turns)
{
	if (!turns.is_bounded)
		return fail(node, "its condition is computed when the model runs, and it has no "
				  "largest number of turns" +
					  way_of(turns.condition));
	if (!turns.parts.empty())
		return fail(node, "its condition is computed when the model runs, and so is the "
				  "size of a result" +
					  way_of(turns.condition));
	turns.alive = turns.condition;
	return true;
}

/*
 * keep_states() - a turn that data may skip: the states are @made of it, or those before it. A condition that it
 * computes becomes false where it is skipped.
 * @begin: of its steps
 */
bool Fixer::keep_states(const ir::Node &node, Turns &turns, int64_t turn, size_t begin,
			Values &made)
{
	Joins joins;
	bool is_good = true;
	if (turn + 1 < turns.most && turns.condition != ABSENT && known(turns.condition).has_dims &&
	    check_condition(node, turns.condition) && !known(turns.condition).constant) {
		const int32_t own = turns.condition;
		turns.condition = fresh();
		is_good = join(node, turns.alive, own, turns.alive, turns.condition, joins);
	}
	Fixed::Steps steps = take_steps(begin);
	for (size_t i = 0; is_good && i < made.size(); i++) {
		const int32_t before = turns.states[i], own = made[i];
		if (fixed_.resolve(own) == fixed_.resolve(before))
			continue;
		made[i] = fresh();
		is_good = join(node, turns.alive, own, before, made[i], joins);
	}
	return put_choice(node, turns.alive, std::move(steps), {}, joins) && is_good;
}

/* One turn. @is_over: receives whether there is none */
bool Fixer::run_turn(const ir::Node &node, Turns &turns, int64_t turn, bool &is_over,
		     unsigned depth)
{
	const ir::Body &body = *turns.body;
	if (turns.condition != ABSENT) {
		if (!known(turns.condition).has_dims)
			return fail(node, "no node that runs writes its condition");
		if (!check_condition(node, turns.condition))
			return false;
		const ir::Constant *constant = known(turns.condition).constant;
		is_over = constant && constant->bytes[0] == 0;
		if (is_over)
			return true;
		if (!constant && !stop_by_data(node, turns))
			return false;
	}
	if (!count_turn(node, 1 + node.inputs.size() / 16 + node.outputs.size() / 16))
		return false;
	renamed_[body.inputs[0]] = number(turn, ir::Type::INT64);
	renamed_[body.inputs[1]] =
		turns.condition == ABSENT ? number(1, ir::Type::BOOL) : turns.condition;
	for (size_t i = 0; i < turns.states.size(); i++)
		renamed_[body.inputs[2 + i]] = turns.states[i];
	const size_t begin = fixed_.steps.size();
	if (!run_body(body, depth + 1))
		return false;
	turns.condition = current(body.outputs[0]);
	Values made;
	for (size_t i = 0; i < turns.states.size(); i++)
		made.push_back(current(body.outputs[1 + i]));
	if (turns.alive != ABSENT && !keep_states(node, turns, turn, begin, made))
		return false;
	turns.states = std::move(made);
	for (size_t k = 0; k < turns.parts.size(); k++)
		turns.parts[k].push_back(current(body.outputs[1 + turns.states.size() + k]));
	return true;
}

bool Fixer::run_turns(const ir::Node &node, Turns &turns, unsigned depth)
{
	const std::string outer = turn_;
	bool is_good = true, is_over = false;
	loops_++;
	for (int64_t turn = 0; is_good && !is_over && turn < turns.most; turn++) {
		turn_ = outer + "#" + std::to_string(turn);
		is_good = run_turn(node, turns, turn, is_over, depth);
	}
	turn_ = outer;
	loops_--;
	return is_good;
}

bool Fixer::run_loop(const ir::Node &node, unsigned depth)
{
	Turns turns;
	turns.body = body_of(node, "body");
	if (!turns.body || node.inputs.size() < 2 || node.outputs.size() + 2 < node.inputs.size() ||
	    turns.body->inputs.size() != node.inputs.size() ||
	    turns.body->outputs.size() < node.outputs.size() + 1)
		return fail(node, "its operands and results do not fit its body");
	turns.states.assign(node.inputs.begin() + 2, node.inputs.end());
	turns.parts.resize(node.outputs.size() - turns.states.size());
	turns.condition = node.inputs[1];
	for (const int32_t state : turns.states)
		if (state == ABSENT)
			return fail(node, "an operand is missing");
	for (const int32_t value : node.inputs)
		if (value != ABSENT && !known(value).has_dims)
			return true;
	if (node.inputs[0] != ABSENT) {
		const Known &most = known(node.inputs[0]);
		if (most.type != ir::Type::INT64 || ir::count(most.dims) != 1)
			return fail(node, "its number of turns must be one of INT64");
		if (!most.constant)
			return fail(node, "its number of turns is computed when the model runs; it "
					  "has to follow from shapes and constants" +
						  way_of(node.inputs[0]));
		turns.most = decode(*most.constant).integers[0];
		turns.is_bounded = true;
	}
	if (!run_turns(node, turns, depth))
		return false;
	for (size_t i = 0; i < turns.states.size(); i++)
		be_same(node.outputs[i], turns.states[i]);
	for (size_t k = 0; k < turns.parts.size(); k++)
		if (!stack(node, turns.parts[k], 0, node.outputs[turns.states.size() + k]))
			return false;
	return true;
}

/* struct Scanned - a Scan, and where its operands and results have the dim of its turns. */
struct Fixer::Scanned {
	const ir::Body *body = nullptr;
	size_t states = 0, scans = 0;
	std::vector<int64_t> axes, directions, result_axes, result_directions;
};

/* scan_once() - @operands: states, and what has a part for each turn @results: receives those of the node */
bool Fixer::scan_once(const ir::Node &node, const Scanned &scanned, const Values &operands,
		      Values &results, unsigned depth)
{
	const ir::Body &body = *scanned.body;
	const std::string outer = turn_;
	Values states(operands.begin(),
		      operands.begin() + static_cast<std::ptrdiff_t>(scanned.states));
	std::vector<Values> parts(node.outputs.size() - scanned.states);
	int64_t turns = -1;
	for (size_t k = 0; k < scanned.scans; k++) {
		const ir::Dims &dims = known(operands[scanned.states + k]).dims;
		const int64_t rank = dims.rank(), axis = scanned.axes[k];
		if (axis < -rank || axis >= rank)
			return fail(node, "a scanned operand is " + ir::print(dims) +
						  "; it has no dim " + std::to_string(axis));
		const int64_t size = dims[static_cast<unsigned>(axis < 0 ? axis + rank : axis)];
		if (turns >= 0 && size != turns)
			return fail(node, "its scanned operands have different numbers of parts");
		turns = size;
	}
	bool is_good = true;
	loops_++;
	for (int64_t turn = 0; is_good && turn < turns; turn++) {
		turn_ = outer + "#" + std::to_string(turn);
		is_good = count_turn(node, 1 + node.inputs.size() / 16 + node.outputs.size() / 16);
		for (size_t i = 0; i < scanned.states; i++)
			renamed_[body.inputs[i]] = states[i];
		for (size_t k = 0; is_good && k < scanned.scans; k++) {
			const int64_t place = scanned.directions[k] != 0 ? turns - 1 - turn : turn;
			int32_t part;
			is_good = pick(node, operands[scanned.states + k], scanned.axes[k], place,
				       part);
			renamed_[body.inputs[scanned.states + k]] = part;
		}
		is_good = is_good && run_body(body, depth + 1);
		for (size_t i = 0; i < scanned.states; i++)
			states[i] = current(body.outputs[i]);
		for (size_t k = 0; k < parts.size(); k++)
			parts[k].push_back(current(body.outputs[scanned.states + k]));
	}
	turn_ = outer;
	loops_--;
	results = states;
	for (size_t k = 0; is_good && k < parts.size(); k++) {
		if (scanned.result_directions[k] != 0)
			std::reverse(parts[k].begin(), parts[k].end());
		results.push_back(fresh());
		is_good = stack(node, parts[k], scanned.result_axes[k], results.back());
	}
	return is_good;
}

/* Opset 8 has a batch as the first dim of all operands and results. */
bool Fixer::scan_batches(const ir::Node &node, const Scanned &scanned, const Values &operands,
			 Values &results, unsigned depth)
{
	const ir::Dims first = known(operands[0]).dims;
	std::vector<Values> parts(node.outputs.size());
	for (const int32_t operand : operands)
		if (first.rank() == 0 || known(operand).dims.rank() == 0 ||
		    known(operand).dims[0] != first[0])
			return fail(node, "its operands have no batch in common");
	for (int64_t batch = 0; batch < first[0]; batch++) {
		Values own, found;
		if (!count_turn(node, 1 + operands.size() / 4))
			return false;
		for (const int32_t operand : operands)
			if (!pick(node, operand, 0, batch, own.emplace_back()))
				return false;
		if (!scan_once(node, scanned, own, found, depth))
			return false;
		for (size_t i = 0; i < parts.size(); i++)
			parts[i].push_back(found[i]);
	}
	for (const Values &each : parts) {
		results.push_back(fresh());
		if (!stack(node, each, 0, results.back()))
			return false;
	}
	return true;
}

bool Fixer::run_scan(const ir::Node &node, unsigned depth)
{
	const bool is_old = node.version < 9;
	const int64_t scans = node.integer("num_scan_inputs", 0);
	Values operands = node.inputs, results;
	Scanned scanned;
	scanned.body = body_of(node, "body");
	if (is_old && !operands.empty()) {
		if (operands[0] != ABSENT)
			return fail(node, "sequence_lens is not understood here");
		operands.erase(operands.begin());
	}
	if (scans < 1 || static_cast<uint64_t>(scans) > operands.size())
		return fail(node, "num_scan_inputs is " + std::to_string(scans));
	scanned.scans = static_cast<size_t>(scans);
	scanned.states = operands.size() - scanned.scans;
	if (!scanned.body || scanned.body->inputs.size() != operands.size() ||
	    node.outputs.size() < scanned.states ||
	    scanned.body->outputs.size() < node.outputs.size())
		return fail(node, "its operands and results do not fit its body");
	for (const int32_t value : operands) {
		if (value == ABSENT)
			return fail(node, "an operand is missing");
		if (!known(value).has_dims)
			return true;
	}
	const auto read = [&node](const char *attribute, size_t count, std::vector<int64_t> &to) {
		const std::span<const int64_t> given = node.integers(attribute);
		to.assign(given.begin(), given.end());
		to.resize(count);
	};
	const size_t made = node.outputs.size() - scanned.states;
	read(is_old ? "" : "scan_input_axes", scanned.scans, scanned.axes);
	read(is_old ? "directions" : "scan_input_directions", scanned.scans, scanned.directions);
	read(is_old ? "" : "scan_output_axes", made, scanned.result_axes);
	read(is_old ? "" : "scan_output_directions", made, scanned.result_directions);
	if (is_old ? !scan_batches(node, scanned, operands, results, depth)
		   : !scan_once(node, scanned, operands, results, depth))
		return false;
	for (size_t i = 0; i < node.outputs.size(); i++)
		be_same(node.outputs[i], results[i]);
	return true;
}

} // namespace models
