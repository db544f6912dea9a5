// SPDX-License-Identifier: MIT
/*
 * DOC: Compiling a model
 *
 * The options change the model. Then the compiler tries to build a program for each profile, as the runtime will
 * do. A model with free dims is tried at two shapes: a dim of an output that differs between them is reported as
 * open.
 */
#include "compile.h"

#include <algorithm>

#include "aipp.h"
#include "passes/lower.h"
#include "passes/pack.h"

namespace models {

namespace {

using ir::UNKNOWN;

/* class Compiler - one run. */
class Compiler {
public:
	Compiler(const CompileOptions &options, ir::Model &model, om::Face &face,
		 Problems &problems)
		: options_(options), model_(model), face_(face), problems_(problems)
	{
	}

	bool run();

private:
	const ir::Body &body() const { return model_.bodies[0]; }
	const ir::Value &input(size_t i) const
	{
		return model_.values[static_cast<size_t>(body().inputs[i])];
	}
	bool fail(const char *code, std::string text)
	{
		return problems_.add(code, std::move(text));
	}

	bool set_shapes();
	bool set_shape(size_t input, const InputShape &shape);
	bool make_profiles();
	bool make_profile(const om::Profile &choice, om::Profile &profile);
	bool place(const om::Profile &choice, size_t input, unsigned dim, size_t &next,
		   int64_t &size);
	void describe();
	bool try_all();
	bool try_free();
	bool try_shapes(const om::Profile &profile, Problems &problems);
	om::Profile sample(int64_t usual, bool is_first) const;
	void note_outputs(const Program &program, om::Face &seen) const;

	const CompileOptions &options_;
	ir::Model &model_;
	om::Face &face_;
	Problems &problems_;
	std::vector<std::vector<DimRange>> ranges_; /* of each input */
};

bool Compiler::set_shape(size_t i, const InputShape &shape)
{
	const ir::Value &value = input(i);
	if (shape.dims.size() > ir::MAX_RANK)
		return fail(bad_shape, "input " + value.name + " would have more than 8 dims");
	if (value.has_dims && value.dims.rank() != shape.dims.size())
		return fail(bad_shape,
			    "input " + value.name + " has " + std::to_string(value.dims.rank()) +
				    " dims in the model and " + std::to_string(shape.dims.size()) +
				    " in --input_shape");
	for (unsigned d = 0; value.has_dims && d < shape.dims.size(); d++)
		if (!shape.dims[d].is_open() && value.dims[d] >= 0 &&
		    value.dims[d] != shape.dims[d].least)
			return fail(
				bad_shape,
				"dim " + std::to_string(d) + " of input " + value.name + " is " +
					std::to_string(value.dims[d]) + " in the model and " +
					std::to_string(shape.dims[d].least) + " in --input_shape");
	ranges_[i] = shape.dims;
	/* Dims that the model fixes do not change. */
	for (unsigned d = 0; value.has_dims && d < shape.dims.size(); d++)
		if (value.dims[d] >= 0)
			ranges_[i][d] = {value.dims[d], value.dims[d]};
	return true;
}

bool Compiler::set_shapes()
{
	const size_t count = body().inputs.size();
	std::vector<bool> is_set(count);
	ranges_.resize(count);
	size_t next = 0;
	bool is_good = true;
	for (const InputShape &shape : options_.shapes) {
		size_t i = 0;
		if (shape.name.empty())
			i = next++;
		else
			while (i < count && input(i).name != shape.name)
				i++;
		/* It is a constant by now, whose shape is its own. */
		const bool is_fixed = std::any_of(
			options_.fixed.begin(), options_.fixed.end(),
			[&](const FixedInput &each) { return each.name == shape.name; });
		if (i >= count && is_fixed)
			continue;
		if (i >= count) {
			is_good = fail(bad_shape, "--input_shape names the input " + shape.name +
							  ", which the model does not have");
			continue;
		}
		if (is_set[i]) {
			is_good = fail("E10012",
				       "--input_shape names the input " + input(i).name + " twice");
			continue;
		}
		is_set[i] = true;
		is_good &= set_shape(i, shape);
	}
	for (size_t i = 0; i < count; i++) {
		const ir::Value &value = input(i);
		if (is_set[i])
			continue;
		if (!value.has_dims || !value.dims.is_known()) {
			is_good = fail(no_shape, "input " + value.name + " has the shape " +
							 (value.has_dims ? ir::print(value.dims)
									 : std::string("unknown")) +
							 " in the model; --input_shape=\"" +
							 value.name + ":...\" gives it one");
			continue;
		}
		for (const int64_t size : value.dims)
			ranges_[i].push_back({size, size});
	}
	return is_good;
}

/* The size that a choice has for an open dim. */
bool Compiler::place(const om::Profile &choice, size_t i, unsigned dim, size_t &next, int64_t &size)
{
	switch (options_.dynamic) {
	case om::Dynamic::BATCH:
		if (dim != 0)
			return fail("E10009",
				    "dim " + std::to_string(dim) + " of input " + input(i).name +
					    " is -1; --dynamic_batch_size fills the first one");
		size = choice[0];
		return true;
	case om::Dynamic::IMAGE: {
		const unsigned height = options_.format == om::Format::NHWC ? 1 : 2;
		if (dim != height && dim != height + 1)
			return fail("E10009",
				    "dim " + std::to_string(dim) + " of input " + input(i).name +
					    " is -1; --dynamic_image_size fills height and "
					    "width");
		size = choice[dim - height];
		return true;
	}
	default:
		if (next >= choice.size())
			return fail("E10045",
				    "--dynamic_dims has fewer numbers than the inputs have "
				    "dims of -1");
		size = choice[next++];
		return true;
	}
}

bool Compiler::make_profile(const om::Profile &choice, om::Profile &profile)
{
	size_t next = 0;
	for (size_t i = 0; i < ranges_.size(); i++)
		for (unsigned d = 0; d < ranges_[i].size(); d++) {
			int64_t size = ranges_[i][d].least;
			if (ranges_[i][d].is_open() && !place(choice, i, d, next, size))
				return false;
			profile.push_back(size);
		}
	if (options_.dynamic == om::Dynamic::DIMS && next != choice.size())
		return fail("E10045", "--dynamic_dims has " + std::to_string(choice.size()) +
					      " numbers in a profile; the inputs have " +
					      std::to_string(next) + " dims of -1");
	return true;
}

bool Compiler::make_profiles()
{
	bool is_open = false;
	for (const std::vector<DimRange> &range : ranges_)
		for (const DimRange &dim : range)
			is_open |= dim.is_open();
	face_.dynamic = options_.dynamic;
	if (options_.dynamic == om::Dynamic::NONE && is_open)
		face_.dynamic = om::Dynamic::FREE;
	if (options_.dynamic == om::Dynamic::NONE)
		return true;
	if (!is_open)
		return fail("E10040",
			    "no dim of --input_shape is -1, so there is none that "
			    "--dynamic_batch_size, --dynamic_image_size or --dynamic_dims fills");
	for (const om::Profile &choice : options_.choices) {
		om::Profile &profile = face_.profiles.emplace_back();
		if (std::count(face_.choices.begin(), face_.choices.end(), choice) != 0)
			return fail("E10039", "a profile is there twice");
		face_.choices.push_back(choice);
		if (!make_profile(choice, profile))
			return false;
	}
	return true;
}

/* sample() - a shape that a model with free dims may have. A dim without an upper bound gets the size @usual, any
 * other dim a bound of its range. */
om::Profile Compiler::sample(int64_t usual, bool is_first) const
{
	om::Profile profile;
	for (const std::vector<DimRange> &range : ranges_)
		for (const DimRange &dim : range) {
			int64_t size = dim.least;
			if (dim.is_open() && dim.most < 0)
				size = (dim.least - dim.least % 32) + usual;
			else if (dim.is_open() && is_first)
				size = dim.most;
			profile.push_back(size);
		}
	return profile;
}

/*
 * try_free() - finds two shapes that the model takes. Windows may need more elements than a usual size, and what is
 * halved and doubled again a multiple of some number.
 */
bool Compiler::try_free()
{
	constexpr int64_t USUAL[] = {32, 64, 128, 512, 2048, 16384};
	bool is_first = true;
	Problems first;
	for (const int64_t usual : USUAL) {
		Problems problems;
		if (!try_shapes(sample(usual, is_first), problems)) {
			if (first.empty())
				first = problems;
			continue;
		}
		if (!is_first)
			return true;
		is_first = false;
	}
	for (const Problem &problem : first.list())
		problems_.add(problem.code, problem.text);
	return false;
}

void Compiler::note_outputs(const Program &program, om::Face &seen) const
{
	seen.outputs.resize(program.outputs.size());
	for (size_t i = 0; i < program.outputs.size(); i++) {
		const Port &port = program.outputs[i];
		om::Port &output = seen.outputs[i];
		const bool is_image = port.dims.rank() == 4;
		output.name = port.name;
		output.type = port.type;
		output.format = is_image ? om::Format::NCHW : om::Format::ND;
		/* Programs get the shapes of the largest profile. Free dims that differ between the samples are
		 * open. */
		if (face_.dynamic == om::Dynamic::FREE && output.dims.rank() == port.dims.rank() &&
		    output.bytes != 0) {
			for (unsigned d = 0; d < port.dims.rank(); d++)
				if (output.dims[d] != port.dims[d])
					output.dims[d] = UNKNOWN;
		} else if (port.bytes >= output.bytes) {
			output.dims = port.dims;
		}
		output.bytes = std::max(output.bytes, port.bytes);
	}
}

bool Compiler::try_shapes(const om::Profile &profile, Problems &problems)
{
	std::vector<ir::Dims> dims;
	size_t next = 0;
	for (const std::vector<DimRange> &range : ranges_) {
		dims.emplace_back(std::span(profile).subspan(next, range.size()));
		next += range.size();
	}
	Program program;
	if (!instantiate(model_, dims, program, problems))
		return false;
	face_.work_bytes = std::max(face_.work_bytes, program.arena_bytes + program.own.size());
	for (size_t i = 0; i < program.inputs.size(); i++)
		face_.inputs[i].bytes = std::max(face_.inputs[i].bytes, program.inputs[i].bytes);
	note_outputs(program, face_);
	return true;
}

/* The inputs as reported to programs. */
void Compiler::describe()
{
	face_.name = options_.name;
	face_.soc = options_.soc;
	(void)om::place_weights(model_, face_.weight_bytes);
	for (size_t i = 0; i < ranges_.size(); i++) {
		om::Port port;
		port.name = input(i).name;
		port.type = input(i).type;
		port.format = ranges_[i].size() == 4 ? options_.format : om::Format::ND;
		for (const DimRange &dim : ranges_[i]) {
			port.dims.push(dim.is_open() ? UNKNOWN : dim.least);
			port.least.push(dim.least);
			port.most.push(dim.most);
		}
		face_.inputs.push_back(std::move(port));
	}
	for (const om::Images &images : face_.images)
		if (images.steps_input == ir::ABSENT)
			face_.inputs[images.input].format = om::Format::NHWC;
}

bool Compiler::try_all()
{
	if (face_.dynamic == om::Dynamic::NONE)
		return try_shapes(sample(0, true), problems_);
	if (face_.dynamic != om::Dynamic::FREE) {
		for (const om::Profile &profile : face_.profiles)
			if (!try_shapes(profile, problems_))
				return false;
		return true;
	}
	if (!try_free())
		return false;
	/* The memory that a shape needs is unknown until the program gives the shape. */
	for (std::vector<om::Port> *ports : {&face_.inputs, &face_.outputs})
		for (om::Port &port : *ports)
			if (!port.dims.is_known())
				port.bytes = 0;
	face_.work_bytes = 0;
	return true;
}

bool Compiler::run()
{
	model_.unfused = options_.unfused;
	if (!fix_inputs(model_, options_.fixed, problems_) ||
	    !choose_outputs(model_, options_.out_nodes, problems_) ||
	    !convert_ports(model_, options_.half_inputs, options_.output_type, problems_))
		return false;
	if (body().outputs.empty())
		return fail(bad_model, "the model has no outputs, so there is nothing to compute");
	/* What reads the file refuses more. */
	if (body().inputs.size() > ir::MOST_OPERANDS || body().outputs.size() > ir::MOST_OPERANDS)
		return fail(bad_model, "the model has more than " +
					       std::to_string(ir::MOST_OPERANDS) +
					       " inputs or outputs");
	const bool has_shapes = set_shapes();
	if (!has_shapes || !make_profiles())
		return false;
	/* Dims that are fixed stay as they are. */
	for (size_t i = 0; i < ranges_.size(); i++) {
		ir::Value &value = model_.values[static_cast<size_t>(body().inputs[i])];
		value.has_dims = true;
		value.dims = {};
		for (const DimRange &dim : ranges_[i])
			value.dims.push(dim.is_open() ? UNKNOWN : dim.least);
	}
	if (!insert_aipp(model_, options_.aipp, {options_.format, ranges_}, face_, problems_))
		return false;
	pack_convolutions(model_);
	describe();
	return try_all();
}

} // namespace

bool compile(const CompileOptions &options, ir::Model &model, om::Face &face, Problems &problems)
{
	return Compiler(options, model, face, problems).run();
}

bool instantiate(const ir::Model &model, std::span<const ir::Dims> dims, Program &program,
		 Problems &problems)
{
	std::vector<Binding> bindings;
	for (const ir::Dims &each : dims)
		bindings.push_back({each, nullptr});
	return make_program(model, bindings, program, problems);
}

} // namespace models
