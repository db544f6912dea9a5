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
	/*
	 * struct Step - a node, or a mark of an If by data: of the steps from THEN to ELSE and from there to END a run
	 * takes either part.
	 * @node: of a mark: for what it is made @condition: of THEN
	 * @results: of ELSE and END: what the part before it gives, and the value to which that is copied
	 */
	struct Step {
		enum class Kind : uint8_t { NODE, THEN, ELSE, END };

		const ir::Node *node;
		const OperatorRow *row = nullptr;
		std::unique_ptr<Inference> inference{};
		Kind kind = Kind::NODE;
		int32_t condition = ir::ABSENT;
		std::vector<std::pair<int32_t, int32_t>> results{};
	};
	using Steps = std::vector<Step>;

	const ir::Model *model = nullptr;
	std::deque<Known> values; /* those of the model, and then those of turns of loops */
	std::unordered_map<int32_t, int32_t> same;
	Steps steps;

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
