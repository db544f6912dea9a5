// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: fusion
 *
 * Exporters write functions that the device has as several nodes: a normalisation as nine, GELU as five. Each pass here
 * begins at nodes of one type, and looks at what they read and who reads them.
 */
#include "fuse.h"

#include <cmath>

#include "models/operators/packed.h"
#include "pack.h"
#include "umd/aclnn/rows/rows.h"

namespace models {

namespace {

using ir::ABSENT;

constexpr const char *NO_PLACE =
	nullptr; /* what a pass says of a node that is none of its places */
constexpr const char *DONE = "";

bool lower_silu(Lowering &l)
{
	return l.call(umd::silu_row, {l.in(0), l.out()});
}

constexpr OperatorRow SILU = {"Silu", 1, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_silu};

/* class Fuser - one run of all passes. */
class Fuser {
public:
	Fuser(Fixed &fixed, std::vector<Fusion> &report) : fixed_(fixed), report_(report) {}

	/* A pass - what it makes of the node of step @i. Return: DONE, why not, or NO_PLACE */
	using Pass = const char *(Fuser::*)(size_t i);

	void run(const char *name, const char *type, Pass pass);

	const char *make_layer_norm(size_t root);
	const char *make_gelu(size_t erf);
	const char *make_silu(size_t sigmoid);
	const char *make_hard_swish(size_t clip);
	const char *extend_packed(size_t conv);
	const char *leave_conv(size_t conv);

private:
	static constexpr size_t NONE = SIZE_MAX;

	struct Norm;

	void drop_unread();
	void index();
	template <class Note> static void for_reads(const Fixed::Step &step, const Note &note);
	template <class Note> static void for_writes(const Fixed::Step &step, const Note &note);
	const ir::Node &node(size_t i) const { return *fixed_.steps[i].node; }
	bool is(size_t i, std::string_view type) const
	{
		return i != NONE && fixed_.steps[i].kind == Fixed::Step::Kind::NODE &&
		       (node(i).domain.empty() || node(i).domain == packed::DOMAIN) &&
		       node(i).type == type;
	}
	const Known &known(int32_t value) const
	{
		return fixed_.values[static_cast<size_t>(fixed_.resolve(value))];
	}
	int32_t input(size_t i, size_t k) const { return fixed_.resolve(node(i).inputs[k]); }

	/* writer() - the step that writes a value. reader() - the only step that reads the result of step @i. Both
	 * NONE if there is none. */
	size_t writer(int32_t value) const
	{
		const auto at = writers_.find(fixed_.resolve(value));
		return at == writers_.end() ? NONE : at->second;
	}
	size_t reader(size_t i) const
	{
		const auto at = readers_.find(fixed_.resolve(node(i).outputs[0]));
		return at == readers_.end() || at->second.size() != 1 ? NONE : at->second[0];
	}

	/* other() - the operand of a node of two that is not @value; ABSENT if @value is none of them. */
	int32_t other(size_t i, int32_t value) const;
	bool is_number(int32_t value, double &number) const;
	bool is_number(int32_t value, double least, double most) const
	{
		double number;
		return is_number(value, number) && number >= least && number <= most;
	}
	bool is_clip(size_t i, double &least, double &most) const;
	bool is_output(int32_t value) const;
	int64_t find_function(size_t i, double &number) const;
	bool is_row_mean(size_t i) const;
	bool find_difference(size_t i, Norm &norm) const;
	bool find_variance(size_t i, Norm &norm) const;
	bool replace(size_t last, const OperatorRow *row, ir::Node made);
	const char *make_unary(size_t last, const OperatorRow *row, const char *type,
			       int32_t version, int32_t x);

	Fixed &fixed_;
	std::vector<Fusion> &report_;
	std::unordered_map<int32_t, size_t> writers_;
	std::unordered_map<int32_t, std::vector<size_t>> readers_;
};

/* for_reads() - the values that a step reads. A mark of a branch reads the condition, or what the branch gives. */
template <class Note> void Fuser::for_reads(const Fixed::Step &step, const Note &note)
{
	if (step.kind == Fixed::Step::Kind::THEN)
		return note(step.condition);
	for (const auto &[from, to] : step.results)
		note(from);
	if (step.kind == Fixed::Step::Kind::NODE)
		for (const int32_t value : step.node->inputs)
			if (value != ABSENT)
				note(value);
}

template <class Note> void Fuser::for_writes(const Fixed::Step &step, const Note &note)
{
	for (const auto &[from, to] : step.results)
		note(to);
	if (step.kind == Fixed::Step::Kind::NODE)
		for (const int32_t value : step.node->outputs)
			if (value != ABSENT)
				note(value);
}

void Fuser::index()
{
	writers_.clear();
	readers_.clear();
	for (size_t i = 0; i < fixed_.steps.size(); i++) {
		const Fixed::Step &step = fixed_.steps[i];
		for_writes(step, [&](int32_t value) { writers_[fixed_.resolve(value)] = i; });
		for_reads(step,
			  [&](int32_t value) { readers_[fixed_.resolve(value)].push_back(i); });
	}
}

int32_t Fuser::other(size_t i, int32_t value) const
{
	if (node(i).inputs.size() != 2)
		return ABSENT;
	value = fixed_.resolve(value);
	return input(i, 0) == value ? input(i, 1) : input(i, 1) == value ? input(i, 0) : ABSENT;
}

bool Fuser::is_number(int32_t value, double &number) const
{
	if (value == ABSENT)
		return false;
	const ir::Constant *constant = known(value).constant;
	if (!constant || ir::count(constant->dims) != 1 || !can_compute(constant->type))
		return false;
	number = decode(*constant).real(0);
	return true;
}

/* replace() - makes @made of the last one of some nodes. Return: false, with nothing changed, if it does not fit */
bool Fuser::replace(size_t last, const OperatorRow *row, ir::Node made)
{
	Fixed::Step &step = fixed_.steps[last];
	Problems problems;
	std::string why;
	made.name = step.node->name;
	made.outputs = {step.node->outputs[0]};
	if (!row)
		row = find_row(made, why);
	std::vector<const Known *> operands;
	for (const int32_t value : made.inputs)
		operands.push_back(value == ABSENT ? nullptr : &known(value));
	const ir::Node &node = fixed_.made.emplace_back(std::move(made));
	auto at = std::make_unique<Inference>(*fixed_.model, node, std::move(operands), problems);
	const Known &old = known(node.outputs[0]);
	if (!row || !row->infer(*at) || !(at->out(0).dims == old.dims) ||
	    at->out(0).type != old.type) {
		fixed_.made.pop_back();
		return false;
	}
	step = {&node, row, std::move(at)};
	index();
	return true;
}

/* make_unary() - makes a node of one operand, @x, of the last one of some nodes. Return: as a pass */
const char *Fuser::make_unary(size_t last, const OperatorRow *row, const char *type,
			      int32_t version, int32_t x)
{
	ir::Node made;
	made.type = type;
	made.version = version;
	made.inputs = {x};
	return replace(last, row, std::move(made)) ? DONE : "its operands are broadcast";
}

/* struct Norm - (x - mean) / sqrt(mean of (x - mean)^2 + epsilon) */
struct Fuser::Norm {
	int32_t x = ABSENT;
	double epsilon = 0;
};

/* is_row_mean() - whether a node has the means of rows along the last dim, which stays with size 1. */
bool Fuser::is_row_mean(size_t i) const
{
	if (!is(i, "ReduceMean") || node(i).integer("keepdims", 1) == 0)
		return false;
	const int64_t rank = known(node(i).inputs[0]).dims.rank();
	if (node(i).inputs.size() < 2 || node(i).inputs[1] == ABSENT) {
		const std::span<const int64_t> axes = node(i).integers("axes");
		return axes.size() == 1 && (axes[0] == -1 || axes[0] == rank - 1);
	}
	double axis;
	return is_number(input(i, 1), axis) &&
	       (axis == -1 || axis == static_cast<double>(rank - 1));
}

/* x - the mean of its rows. */
bool Fuser::find_difference(size_t i, Norm &norm) const
{
	if (!is(i, "Sub") || !is_row_mean(writer(input(i, 1))))
		return false;
	norm.x = input(i, 0);
	return input(writer(input(i, 1)), 0) == norm.x;
}

/* The mean of squares of such a difference. */
bool Fuser::find_variance(size_t i, Norm &norm) const
{
	if (!is_row_mean(i))
		return false;
	const size_t square = writer(input(i, 0));
	const bool is_square = (is(square, "Pow") && is_number(input(square, 1), 2, 2)) ||
			       (is(square, "Mul") && input(square, 0) == input(square, 1));
	return is_square && find_difference(writer(input(square, 0)), norm);
}

const char *Fuser::make_layer_norm(size_t root)
{
	Norm norm, above;
	const size_t sum = writer(input(root, 0));
	if (!is(sum, "Add"))
		return NO_PLACE;
	size_t mean = NONE;
	for (size_t k = 0; k < 2; k++)
		if (is_number(input(sum, k), norm.epsilon))
			mean = writer(input(sum, 1 - k));
	if (!is(mean, "ReduceMean"))
		return NO_PLACE;
	if (!find_variance(mean, norm))
		return "what is under the root is not the variance along the last dim alone";
	const size_t quotient = reader(root);
	if (!is(quotient, "Div") || !find_difference(writer(input(quotient, 0)), above) ||
	    above.x != norm.x)
		return "the root does not divide what it is of";
	const size_t product = reader(quotient);
	const size_t last = is(product, "Mul") ? reader(product) : NONE;
	if (!is(last, "Add"))
		return "no weights and biases of its own follow";
	ir::Node made;
	made.type = "LayerNormalization";
	made.version = 17;
	made.inputs = {norm.x, other(product, node(quotient).outputs[0]),
		       other(last, node(product).outputs[0])};
	ir::Attribute epsilon;
	epsilon.name = "epsilon";
	epsilon.kind = ir::Attribute::Kind::REALS;
	epsilon.reals = {static_cast<float>(norm.epsilon)};
	made.attributes.push_back(epsilon);
	if (made.inputs[1] == ABSENT || made.inputs[2] == ABSENT ||
	    !replace(last, nullptr, std::move(made)))
		return "its weights and biases are not as long as a row";
	return DONE;
}

/* x * 0.5 * (1 + erf(x / sqrt(2))), with the factors in any order. */
const char *Fuser::make_gelu(size_t erf)
{
	constexpr double FEW = 1e-5;
	const size_t scaled = writer(input(erf, 0));
	const double factor = is(scaled, "Div") ? std::sqrt(2) : std::sqrt(0.5);
	if (!is(scaled, "Div") && !is(scaled, "Mul"))
		return "what erf is of is no quotient and no product";
	int32_t x = ABSENT;
	for (size_t k = is(scaled, "Div") ? 1 : 0; k < 2; k++)
		if (is_number(input(scaled, k), factor - FEW, factor + FEW))
			x = input(scaled, 1 - k);
	if (x == ABSENT)
		return "what erf is of is not divided by the root of 2";
	const size_t sum = reader(erf);
	if (!is(sum, "Add") || !is_number(other(sum, node(erf).outputs[0]), 1, 1))
		return "erf is not added to 1";
	/* Two products follow. Their other factors are x and 0.5, or the first one has x * 0.5. */
	bool has_half = false, has_x = false;
	size_t last = sum;
	while (!has_half || !has_x) {
		const size_t next = reader(last);
		if (!is(next, "Mul"))
			return "no products with x and 0.5 follow";
		const int32_t by = other(next, node(last).outputs[0]);
		const size_t half = by == ABSENT ? NONE : writer(by);
		if (by == x && !has_x) {
			has_x = true;
		} else if (is_number(by, 0.5, 0.5) && !has_half) {
			has_half = true;
		} else if (is(half, "Mul") && !has_x && !has_half &&
			   is_number(other(half, x), 0.5, 0.5)) {
			has_x = has_half = true;
		} else {
			return "a product follows that is not with x or 0.5";
		}
		last = next;
	}
	return make_unary(last, nullptr, "Gelu", 20, x);
}

const char *Fuser::make_silu(size_t sigmoid)
{
	const int32_t x = input(sigmoid, 0);
	const size_t product = reader(sigmoid);
	if (!is(product, "Mul") || other(product, node(sigmoid).outputs[0]) != x)
		return "its result is not only multiplied with its operand";
	return make_unary(product, &SILU, "Silu", 1, x);
}

/* is_clip() - Clip with bounds that are known, as operands or, before opset 11, as attributes. */
bool Fuser::is_clip(size_t i, double &least, double &most) const
{
	if (!is(i, "Clip"))
		return false;
	least = node(i).real("min", -HUGE_VAL);
	most = node(i).real("max", HUGE_VAL);
	const std::vector<int32_t> &inputs = node(i).inputs;
	return (inputs.size() < 2 || inputs[1] == ABSENT || is_number(inputs[1], least)) &&
	       (inputs.size() < 3 || inputs[2] == ABSENT || is_number(inputs[2], most));
}

/* x * clip(x + 3, 0, 6) / 6 */
const char *Fuser::make_hard_swish(size_t clip)
{
	double least, most;
	if (!is_clip(clip, least, most) || least != 0 || most != 6)
		return NO_PLACE;
	const size_t sum = writer(input(clip, 0));
	int32_t x = ABSENT;
	for (size_t k = 0; k < 2 && is(sum, "Add"); k++)
		if (is_number(input(sum, k), 3, 3))
			x = input(sum, 1 - k);
	if (x == ABSENT)
		return NO_PLACE;
	bool has_x = false, has_six = false;
	size_t last = clip;
	while (!has_x || !has_six) {
		const size_t next = reader(last);
		const int32_t by = is(next, "Mul") || is(next, "Div")
					   ? other(next, node(last).outputs[0])
					   : ABSENT;
		if (is(next, "Mul") && by == x && !has_x)
			has_x = true;
		else if (is(next, "Div") && input(next, 1) == by && is_number(by, 6, 6) && !has_six)
			has_six = true;
		else
			return "no product with x and quotient by 6 follow";
		last = next;
	}
	return make_unary(last, nullptr, "HardSwish", 14, x);
}

bool Fuser::is_output(int32_t value) const
{
	const std::vector<int32_t> &outputs = fixed_.model->bodies[0].outputs;
	return std::ranges::any_of(outputs, [&](int32_t each) {
		return fixed_.resolve(each) == fixed_.resolve(value);
	});
}

/* find_function() - what a packed convolution does in the place of a node; UNPU_FINISH_NONE if it can't. */
int64_t Fuser::find_function(size_t i, double &number) const
{
	double least;
	number = HUGE_VAL;
	if (is(i, "Relu") || (is_clip(i, least, number) && least == 0 && number > 0))
		return UNPU_FINISH_RELU;
	if (is(i, "Silu"))
		return UNPU_FINISH_SILU;
	return is(i, "HardSwish") ? UNPU_FINISH_HARDSWISH : UNPU_FINISH_NONE;
}

/* A packed convolution takes the sum with an image of its shape, and the function, that follow it. */
const char *Fuser::extend_packed(size_t conv)
{
	int64_t function = UNPU_FINISH_NONE;
	double number = HUGE_VAL;
	int32_t more = ABSENT;
	size_t last = conv;
	while (function == UNPU_FINISH_NONE) {
		const int32_t value = fixed_.resolve(node(last).outputs[0]);
		const size_t next = is_output(value) ? NONE : reader(last);
		function = find_function(next, number);
		if (function == UNPU_FINISH_NONE) {
			const int32_t by = is(next, "Add") ? other(next, value) : ABSENT;
			if (more != ABSENT || by == ABSENT || by == value ||
			    !(known(by).dims == known(value).dims))
				break;
			more = by;
		}
		last = next;
	}
	if (last == conv)
		return DONE;
	ir::Node made = node(conv);
	made.inputs.resize(4, ABSENT);
	made.inputs[3] = more;
	ir::Attribute attribute;
	attribute.name = packed::FUNCTION;
	attribute.integers = {function};
	made.attributes.push_back(attribute);
	attribute = {};
	attribute.name = packed::NUMBER;
	attribute.kind = ir::Attribute::Kind::REALS;
	attribute.reals = {static_cast<float>(number)};
	made.attributes.push_back(attribute);
	return replace(last, nullptr, std::move(made)) ? DONE : "what follows has another shape";
}

const char *Fuser::leave_conv(size_t conv)
{
	const Known &weights = known(node(conv).inputs[1]);
	if (!weights.constant)
		return "its weights are computed by the model";
	const char *why = packed::why_not(node(conv), weights.type, weights.dims);
	return *why != 0 ? why : "its weights are read elsewhere, too";
}

void Fuser::run(const char *name, const char *type, Pass pass)
{
	bool is_changed = false;
	index();
	for (size_t i = 0; i < fixed_.steps.size(); i++) {
		if (!is(i, type))
			continue;
		std::string described = ir::describe(node(i));
		if (const char *why = (this->*pass)(i)) {
			report_.push_back({name, std::move(described), why});
			is_changed |= *why == 0;
		}
	}
	/* A node without readers must not count as a reader in the next pass. */
	if (is_changed)
		drop_unread();
}

/* Removes the nodes whose results nobody reads any more. */
void Fuser::drop_unread()
{
	std::vector<bool> is_read(fixed_.values.size());
	const auto note = [&](int32_t value) {
		is_read[static_cast<size_t>(fixed_.resolve(value))] = true;
	};
	for (const int32_t value : fixed_.model->bodies[0].outputs)
		note(value);
	std::vector<Fixed::Step> kept;
	for (; !fixed_.steps.empty(); fixed_.steps.pop_back()) {
		Fixed::Step &step = fixed_.steps.back();
		bool is_used = step.kind != Fixed::Step::Kind::NODE;
		for_writes(step, [&](int32_t value) {
			is_used |= is_read[static_cast<size_t>(fixed_.resolve(value))];
		});
		if (!is_used)
			continue;
		for_reads(step, note);
		kept.push_back(std::move(step));
	}
	std::move(kept.rbegin(), kept.rend(), std::back_inserter(fixed_.steps));
}

struct PassRow {
	const char *name, *type;
	Fuser::Pass pass;
};

constexpr PassRow PASSES[] = {
	{"layer-norm", "Sqrt", &Fuser::make_layer_norm},
	{"gelu", "Erf", &Fuser::make_gelu},
	{"silu", "Sigmoid", &Fuser::make_silu},
	{"hard-swish", "Clip", &Fuser::make_hard_swish},
	{PACKED, packed::TYPE, &Fuser::extend_packed},
	{PACKED, "Conv", &Fuser::leave_conv},
};

} // namespace

std::vector<std::string> fusion_names()
{
	std::vector<std::string> names;
	for (const PassRow &row : PASSES)
		if (names.empty() || names.back() != row.name)
			names.emplace_back(row.name);
	return names;
}

void fuse(Fixed &fixed, std::vector<Fusion> &report)
{
	const std::vector<std::string> &off = fixed.model->unfused;
	Fuser fuser(fixed, report);
	for (const PassRow &row : PASSES)
		if (std::find(off.begin(), off.end(), row.name) == off.end())
			fuser.run(row.name, row.type, row.pass);
}

} // namespace models
