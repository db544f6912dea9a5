// SPDX-License-Identifier: MIT
#pragma once

#include "builder.h"
#include "models/inference/inference.h"

namespace models {

/*
 * class Lowering - gives the lowering of an operator access to a node whose shapes are known, and to the tensors of
 * its operands. A lowering adds launches, or makes a result a view. A function returns false if it has refused the
 * node.
 */
class Lowering {
public:
	/* @node: index into Program::nodes. @tensors: one for each operand. @ports: for each result, the output of the
	 * program that it is, if any */
	Lowering(Inference &inference, Builder &builder, uint32_t node, std::vector<Tensor> tensors,
		 std::vector<std::optional<uint32_t>> ports)
		: at(inference), builder_(builder), node_(node), tensors_(std::move(tensors)),
		  ports_(std::move(ports)), results_(inference.node.outputs.size())
	{
	}

	Inference &at;

	size_t count() const { return at.count(); }
	bool has(size_t i) const { return at.has(i); }
	const Tensor &in(size_t i) const { return tensors_[i]; }

	/* out() - result @i, which the node has to write: a dense tensor, but for follow(). A result that nobody reads
	 * has a buffer, too. */
	Tensor out(size_t i = 0);

	/* alias() - makes result @i a view of a tensor that exists already. */
	void alias(size_t i, const Tensor &tensor) { results_[i] = tensor; }

	/* temporary() - adds a dense tensor for an intermediate result. */
	Tensor temporary(ir::Type type, const ir::Dims &dims)
	{
		return builder_.add_tensor(type, dims);
	}

	/* image() - the same with dims N, C, H and W, whose channels lie side by side. */
	Tensor image(ir::Type type, const ir::Dims &dims) { return builder_.add_image(type, dims); }

	/* follow() - lets results be images whose channels lie side by side if an operand is. */
	void follow() { follows_ = true; }

	/* number() - a tensor without dims. */
	Tensor number(ir::Type type, double value);

	/* integer() - the same for an integer that double may not represent. */
	Tensor integer(ir::Type type, int64_t value);

	/* table() - adds a constant tensor with these elements. */
	Tensor table(ir::Type type, const ir::Dims &dims, std::span<const double> values);

	bool call(const umd::OperatorRow &row, std::initializer_list<Operand> operands);
	bool call(const umd::OperatorRow &row, std::span<const Operand> operands);

	/* copy() - copies elements, and converts them if the types differ. Both tensors have the same shape. */
	bool copy(const Tensor &from, const Tensor &to);

	/* make_dense() - @tensor itself, or a copy without gaps. */
	bool make_dense(Tensor &tensor);

	/* make_image() - @tensor itself, or a copy whose channels lie side by side. */
	bool make_image(Tensor &tensor);

	/* convert() - @tensor itself if it has the type, else a copy that has it. */
	bool convert(Tensor &tensor, ir::Type type);

	/* results() - the tensors of the results that were written; for the pass. */
	const std::vector<std::optional<Tensor>> &results() const { return results_; }

private:
	bool has_image() const;

	Builder &builder_;
	const uint32_t node_;
	bool follows_ = false;
	std::vector<Tensor> tensors_;
	std::vector<std::optional<uint32_t>>
		ports_; /* the output of the program that a result is */
	std::vector<std::optional<Tensor>> results_;
};

/* movable() - the same tensor with a type of the device that has the same size, for elements that are only moved. */
Tensor movable(Tensor tensor);

/* broadcast_to() - Context: the shapes fit */
Tensor broadcast_to(Tensor tensor, const ir::Dims &dims);

} // namespace models
