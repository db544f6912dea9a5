// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "models/common/problems.h"
#include "models/ir/ir_model.h"

namespace models {

/* struct FixedInput - an input that becomes a constant. @values: in the words of the option */
struct FixedInput {
	std::string name;
	std::vector<std::string> values;
};

/* fix_inputs() - inputs become constants, and are inputs no more. */
bool fix_inputs(ir::Model &model, const std::vector<FixedInput> &fixed, Problems &problems);

/* choose_outputs() - @names: "node:index", or names of outputs; none keeps those of the model. Then each output gets
 * the name by which programs know it: "node:index:value", or "node:index" where it was chosen. */
bool choose_outputs(ir::Model &model, const std::vector<std::string> &names, Problems &problems);

/*
 * convert_ports() - casts behind inputs and before outputs.
 * @half_inputs: inputs of FLOAT that programs give as FLOAT16
 * @output_type: as CompileOptions has it
 */
bool convert_ports(ir::Model &model, const std::vector<std::string> &half_inputs,
		   const std::string &output_type, Problems &problems);

} // namespace models
