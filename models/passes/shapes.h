// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/common/problems.h"
#include "models/inference/inference.h"
#include "models/ir/ir_model.h"
#include "models/operators/row.h"

namespace models {

/*
 * struct Fixed - a model at fixed shapes: what is known of each value, and the nodes that are left to run.
 * @same: a value that is another one, as a result of an If is one of the branch that is taken
 */
struct Fixed {
	struct Step {
		const ir::Node *node;
		const OperatorRow *row;
		std::unique_ptr<Inference> inference;
	};

	const ir::Model *model = nullptr;
	std::deque<Known> values; /* those of the model, and then those of turns of loops */
	std::unordered_map<int32_t, int32_t> same;
	std::vector<Step> steps;

	std::deque<ir::Node> made; /* nodes of turns of loops */
	std::deque<Known> aligned; /* operands that an old form of broadcasting has aligned */

	/* Constants that follow from shapes. */
	std::deque<ir::Constant> constants;
	std::deque<std::string> owned;

	int32_t resolve(int32_t value) const
	{
		for (auto at = same.find(value); at != same.end(); at = same.find(value))
			value = at->second;
		return value;
	}
};

/* struct Binding - the shape of an input of the model, and its elements if they are to be constant. */
struct Binding {
	ir::Dims dims;
	const ir::Constant *constant = nullptr;
};

/*
 * fix_shapes() - runs the shape program: finds the shape of each value, computes what follows from shapes and
 * constants, and takes the branches of conditions that are known.
 * @bindings: one for each input of the model, with dims that are known
 * Return: whether each node has shapes; if not, with all problems added.
 */
bool fix_shapes(const ir::Model &model, std::span<const Binding> bindings, Fixed &fixed,
		Problems &problems);

} // namespace models
