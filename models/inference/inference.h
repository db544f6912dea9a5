// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "models/common/problems.h"
#include "models/ir/ir_model.h"
#include "value_view.h"

namespace models {

/* struct Known - what is known about a value after all shapes were computed. @constant: its elements, if they are
 * known, too. @source: an input of the model that it follows from; ABSENT if there is none */
struct Known {
	ir::Type type = ir::Type::NONE;
	bool has_dims = false;
	ir::Dims dims;
	const ir::Constant *constant = nullptr;
	int32_t source = ir::ABSENT;
};

/*
 * class Inference - gives a rule of an operator access to a node, and receives the types and shapes of its results.
 * A rule returns false if it has refused the node.
 */
class Inference {
public:
	Inference(const ir::Model &model, const ir::Node &of, std::vector<const Known *> inputs,
		  Problems &problems)
		: node(of), model_(model), inputs_(std::move(inputs)), outputs_(of.outputs.size()),
		  problems_(problems)
	{
	}

	const ir::Node &node;

	size_t count() const { return inputs_.size(); }
	bool has(size_t i) const { return i < inputs_.size() && inputs_[i]; }

	/* in() - Context: has(i) */
	const Known &in(size_t i) const { return *inputs_[i]; }
	const ir::Dims &dims(size_t i) const { return inputs_[i]->dims; }
	ir::Type type(size_t i) const { return inputs_[i]->type; }

	size_t count_outputs() const { return outputs_.size(); }
	bool wants(size_t i) const
	{
		return i < node.outputs.size() && node.outputs[i] != ir::ABSENT;
	}
	const Known &out(size_t i) const { return outputs_[i]; }

	/* set() - sets the type and shape of result @i. The result may be unused. */
	bool set(size_t i, ir::Type type, const ir::Dims &dims);

	/* fail() - refuses the node. Return: false */
	bool fail(const std::string &why);

	/* integers() - the elements of operand @i, which must be known. Return: false if they are not; the node is
	 * then refused. */
	bool integers(size_t i, std::vector<int64_t> &values);
	bool reals(size_t i, std::vector<double> &values);

	/* find_axis() - the index of a dim of a tensor with @rank dims. A negative one counts from the end. */
	bool find_axis(int64_t value, unsigned rank, unsigned &axis, const char *name = "axis");

	/* find_axes() - attribute "axes", or operand @i. @is_given: receives whether there are any */
	bool find_axes(size_t i, unsigned rank, std::vector<unsigned> &axes, bool &is_given);

	/* constant_of() - the constant of an attribute that is a tensor; nullptr if there is no such attribute. */
	const ir::Constant *constant_of(std::string_view attribute) const;

	/* name_of() - of operand @i. */
	const std::string &name_of(size_t i) const;

	/* way_of() - how operand @i, which is not known, becomes so; "" where nothing helps. */
	std::string way_of(size_t i) const;

private:
	bool check_constant(size_t i);

	const ir::Model &model_;
	std::vector<const Known *> inputs_;
	std::vector<Known> outputs_;
	Problems &problems_;
};

/* broadcast() - broadcasts shapes as numpy does. Return: false if the shapes do not fit. */
bool broadcast(const ir::Dims &a, const ir::Dims &b, ir::Dims &result);

} // namespace models
