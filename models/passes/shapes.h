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
 * struct Fixed - a model at fixed shapes: what is known about each value, and the nodes that must still run. @same:
 * by value, the other value that it equals; for example, a result of an If equals a value of the branch that is
 * taken
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
	std::deque<Known>
		aligned; /* operands whose dims were aligned for the old form of broadcasting */

	/* Constants that were computed from shapes. */
	std::deque<ir::Constant> constants;
	std::deque<std::string> owned;

	int32_t resolve(int32_t value) const
	{
		for (auto at = same.find(value); at != same.end(); at = same.find(value))
			value = at->second;
		return value;
	}
};

/* struct Binding - the shape of an input of the model, and its elements if it becomes a constant. */
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
