// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: lowering
 *
 * Converts each node to launches, or to a view of a tensor that exists already. Both branches of a choice copy what
 * they give to the same tensors.
 */
#include "lower.h"

#include "umd/aclnn/rows/rows.h"

namespace models {

namespace {

using ir::ABSENT;

/* Operators whose results lie in memory as their operands do: they compute each element, or each channel, by itself. */
constexpr std::string_view FOLLOWING[] = {
	"Add",	     "AveragePool", "BatchNormalization",
	"Clip",	     "Concat",	    "Div",
	"Elu",	     "Gelu",	    "HardSigmoid",
	"HardSwish", "LeakyRelu",   "MaxPool",
	"Mul",	     "Relu",	    "Resize",
	"Sigmoid",   "Silu",	    "Sub",
	"Tanh",
};

/* class Lowerer - one run. */
class Lowerer {
public:
	Lowerer(const Fixed &fixed, Program &program, Problems &problems)
		: fixed_(fixed), program_(program), problems_(problems), builder_(program),
		  tensors_(fixed.values.size())
	{
	}

	bool run();

private:
	void add_inputs();
	void add_outputs();
	bool run_step(const Fixed::Step &step);
	bool run_node(const Fixed::Step &step);
	bool begin_choice(const Fixed::Step &step);
	bool end_branch(const Fixed::Step &step);
	bool join(int32_t from, int32_t to);
	bool copy(const Tensor &from, const Tensor &to, uint32_t node);
	bool view(Lowering &l, const Fixed::Step &step);
	bool tensor_of(int32_t value, Tensor &tensor);
	Tensor constant(const ir::Constant &constant);
	bool finish_outputs();
	std::optional<uint32_t> port_of(int32_t value) const
	{
		const auto at = ports_.find(value);
		return at == ports_.end() ? std::nullopt : std::optional(at->second);
	}

	const Fixed &fixed_;
	Program &program_;
	Problems &problems_;
	Builder builder_;
	std::vector<std::optional<Tensor>> tensors_;
	std::unordered_map<int32_t, uint32_t>
		ports_; /* by value: the first output that has this value */
	std::unordered_map<const ir::Constant *, uint32_t> constants_;
	std::vector<uint32_t> open_; /* choices whose END is still to come */
};

Tensor Lowerer::constant(const ir::Constant &constant)
{
	const ir::Model &model = *fixed_.model;
	auto [at, is_new] = constants_.try_emplace(&constant, 0);
	if (is_new) {
		const ir::Constant *first = model.constants.data();
		const bool is_weight = !model.constants.empty() && &constant >= first &&
				       &constant < first + model.constants.size();
		at->second = is_weight
				     ? builder_.add_buffer(Space::WEIGHTS,
							   static_cast<uint32_t>(&constant - first),
							   constant.bytes.size())
				     : builder_.add_own(constant.bytes);
	}
	return {at->second, constant.type, View::dense(constant.dims)};
}

/* Return: false if the node that writes it was refused. */
bool Lowerer::tensor_of(int32_t value, Tensor &tensor)
{
	const auto index = static_cast<size_t>(fixed_.resolve(value));
	if (!tensors_[index] && fixed_.values[index].constant)
		tensors_[index] = constant(*fixed_.values[index].constant);
	if (!tensors_[index])
		return false;
	tensor = *tensors_[index];
	return true;
}

void Lowerer::add_inputs()
{
	const ir::Body &body = fixed_.model->bodies[0];
	for (const int32_t value : body.inputs) {
		const Known &known = fixed_.values[static_cast<size_t>(value)];
		if (known.constant)
			continue;
		const auto index = static_cast<uint32_t>(program_.inputs.size());
		const Tensor tensor =
			builder_.add_tensor(known.type, known.dims, Space::INPUT, index);
		tensors_[static_cast<size_t>(value)] = tensor;
		program_.inputs.push_back({fixed_.model->values[static_cast<size_t>(value)].name,
					   known.type, known.dims,
					   program_.buffers[tensor.buffer].bytes});
	}
}

void Lowerer::add_outputs()
{
	const ir::Body &body = fixed_.model->bodies[0];
	for (size_t i = 0; i < body.outputs.size(); i++) {
		const int32_t value = fixed_.resolve(body.outputs[i]);
		const Known &known = fixed_.values[static_cast<size_t>(value)];
		const std::vector<std::string> &names = fixed_.model->output_names;
		Port port;
		port.name =
			i < names.size()
				? names[i]
				: fixed_.model->values[static_cast<size_t>(body.outputs[i])].name;
		port.type = known.type;
		port.dims = known.dims;
		port.bytes = static_cast<uint64_t>(ir::count(known.dims).value_or(0) *
						   ir::type_bytes(known.type));
		program_.outputs.push_back(std::move(port));
		ports_.emplace(value, static_cast<uint32_t>(i));
	}
}

bool Lowerer::view(Lowering &l, const Fixed::Step &step)
{
	for (size_t i = 0; i < step.node->outputs.size(); i++) {
		if (!l.at.wants(i))
			continue;
		Tensor from = l.in(0);
		View made;
		if (step.row->view(l.at, i, from.view, made) == Viewed::NEEDS_DENSE &&
		    (!l.make_dense(from) || step.row->view(l.at, i, from.view, made) != Viewed::OK))
			return l.at.fail("its operand can't be a view");
		from.view = made;
		l.alias(i, from);
	}
	return true;
}

bool Lowerer::copy(const Tensor &from, const Tensor &to, uint32_t node)
{
	std::string why;
	const Operand operands[] = {from, int64_t{ir::row_of(to.type).device}, to};
	return builder_.launch(umd::cast_row, operands, node, why) ||
	       problems_.add(not_supported, program_.nodes[node] + ": " + why);
}

/* The device looks at a word of 64 bits. */
bool Lowerer::begin_choice(const Fixed::Step &step)
{
	program_.nodes.push_back(ir::describe(*step.node));
	const auto node = static_cast<uint32_t>(program_.nodes.size() - 1);
	const Tensor word = builder_.add_tensor(ir::Type::INT64, {});
	Tensor condition;
	const bool is_good = !tensor_of(step.condition, condition) || copy(condition, word, node);
	const auto at = static_cast<uint32_t>(program_.launches.size());
	open_.push_back(static_cast<uint32_t>(program_.choices.size()));
	program_.choices.push_back({node, word.buffer, at, at, at});
	return is_good;
}

/* join() - a copy of what a branch gives, at the place that the other branch has for it, too. */
bool Lowerer::join(int32_t from, int32_t to)
{
	Tensor made;
	std::optional<Tensor> &place = tensors_[static_cast<size_t>(to)];
	if (!tensor_of(from, made))
		return true;
	if (!place) {
		const std::optional<uint32_t> port = port_of(to);
		place = builder_.add_tensor(made.type, made.dims(),
					    port ? Space::OUTPUT : Space::ARENA, port.value_or(0));
	}
	return copy(movable(made), movable(*place), program_.choices[open_.back()].node);
}

bool Lowerer::end_branch(const Fixed::Step &step)
{
	bool is_good = true;
	for (const auto &[from, to] : step.results)
		is_good &= join(from, to);
	Choice &choice = program_.choices[open_.back()];
	choice.end = static_cast<uint32_t>(program_.launches.size());
	if (step.kind == Fixed::Step::Kind::ELSE)
		choice.middle = choice.end;
	else
		open_.pop_back();
	return is_good;
}

bool Lowerer::run_step(const Fixed::Step &step)
{
	switch (step.kind) {
	case Fixed::Step::Kind::NODE:
		break;
	case Fixed::Step::Kind::THEN:
		return begin_choice(step);
	case Fixed::Step::Kind::ELSE:
	case Fixed::Step::Kind::END:
		return end_branch(step);
	}
	return run_node(step);
}

bool Lowerer::run_node(const Fixed::Step &step)
{
	std::vector<Tensor> operands(step.node->inputs.size());
	std::vector<std::optional<uint32_t>> ports;
	for (size_t i = 0; i < operands.size(); i++)
		if (step.node->inputs[i] != ABSENT && !tensor_of(step.node->inputs[i], operands[i]))
			return true;
	/* Operands that the shape pass has aligned have more dims there. */
	for (size_t i = 0; i < operands.size(); i++)
		while (step.inference->has(i) &&
		       operands[i].dims().rank() < step.inference->dims(i).rank()) {
			operands[i].view.dims.push(1);
			operands[i].view.strides.push(0);
		}
	for (const int32_t value : step.node->outputs)
		ports.push_back(value == ABSENT ? std::nullopt : port_of(value));
	program_.nodes.push_back(ir::describe(*step.node));
	const auto index = static_cast<uint32_t>(program_.nodes.size() - 1);
	Lowering lowering(*step.inference, builder_, index, std::move(operands), std::move(ports));
	if (std::ranges::find(FOLLOWING, std::string_view(step.row->type)) != std::end(FOLLOWING))
		lowering.follow();
	const bool is_good = step.row->view ? view(lowering, step) : step.row->lower(lowering);
	if (!is_good)
		return false;
	for (size_t i = 0; i < step.node->outputs.size(); i++)
		if (step.inference->wants(i) && i < lowering.results().size())
			tensors_[static_cast<size_t>(step.node->outputs[i])] =
				lowering.results()[i];
	return true;
}

/* A result that no launch has written to its output is copied there. */
bool Lowerer::finish_outputs()
{
	const ir::Body &body = fixed_.model->bodies[0];
	bool is_good = true;
	for (size_t i = 0; i < body.outputs.size(); i++) {
		Tensor from;
		if (!tensor_of(body.outputs[i], from)) {
			/* If nodes were refused, other problems are only consequences. */
			is_good = problems_.empty()
					  ? problems_.add(not_supported,
							  "no node that runs writes the result " +
								  program_.outputs[i].name)
					  : false;
			continue;
		}
		const Buffer &buffer = program_.buffers[from.buffer];
		if (buffer.space == Space::OUTPUT && buffer.index == i && from.view.is_dense() &&
		    from.view.offset == 0)
			continue;
		const Tensor to = movable(builder_.add_tensor(from.type, from.dims(), Space::OUTPUT,
							      static_cast<uint32_t>(i)));
		program_.nodes.push_back("the result " + program_.outputs[i].name);
		is_good &=
			copy(movable(from), to, static_cast<uint32_t>(program_.nodes.size() - 1));
	}
	return is_good;
}

bool Lowerer::run()
{
	bool is_good = true;
	add_inputs();
	add_outputs();
	for (const Fixed::Step &step : fixed_.steps)
		is_good &= run_step(step);
	return finish_outputs() && is_good;
}

} // namespace

bool lower(const Fixed &fixed, Program &program, Problems &problems)
{
	return Lowerer(fixed, program, problems).run();
}

namespace {

/* count_nodes() - of @fixed, without the marks behind a branch. */
size_t count_nodes(const Fixed &fixed)
{
	return static_cast<size_t>(std::ranges::count_if(fixed.steps, [](const Fixed::Step &step) {
		return step.kind == Fixed::Step::Kind::NODE || step.kind == Fixed::Step::Kind::THEN;
	}));
}

/* count_views() - nodes for which there is no launch. */
size_t count_views(const Fixed &fixed, const Program &program)
{
	std::vector<bool> has_launch(program.nodes.size());
	for (const Launch &launch : program.launches)
		has_launch[launch.node] = true;
	const auto seen = std::min(count_nodes(fixed), has_launch.size());
	return static_cast<size_t>(std::count(
		has_launch.begin(), has_launch.begin() + static_cast<std::ptrdiff_t>(seen), false));
}

} // namespace

bool make_program(const ir::Model &model, std::span<const Binding> bindings, Program &program,
		  Problems &problems, Passed *passed)
{
	Fixed fixed;
	const bool has_shapes = fix_shapes(model, bindings, fixed, problems);
	std::vector<Fusion> fusions;
	if (has_shapes)
		fuse(fixed, fusions);
	/* Continues after a refused node, so that all problems are reported at once. */
	if (!lower(fixed, program, problems) || !has_shapes)
		return false;
	if (passed)
		*passed = {.left = count_nodes(fixed),
			   .views = count_views(fixed, program),
			   .launches = program.launches.size(),
			   .fusions = std::move(fusions)};
	drop_dead(program);
	if (!plan_memory(program, problems))
		return false;
	if (passed) {
		passed->live = program.launches.size();
		passed->bound = bound_of(program);
		for (const Launch &launch : program.launches)
			for (const Relocation &address : launch.addresses)
				passed->moved += program.buffers[address.buffer].bytes;
	}
	return true;
}

} // namespace models
