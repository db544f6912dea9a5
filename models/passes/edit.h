// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "models/common/problems.h"
#include "models/ir/ir_model.h"

namespace models {

/* struct FixedInput - an input that becomes a constant. @values: the texts of the option */
struct FixedInput {
	std::string name;
	std::vector<std::string> values;
};

/* fix_inputs() - makes constants of inputs. */
bool fix_inputs(ir::Model &model, const std::vector<FixedInput> &fixed, Problems &problems);

/* choose_outputs() - chooses the outputs of the model. @names: "node:index", or names of outputs; if there are
 * none, the outputs do not change. Then each output gets its name for programs: "node:index:value", or
 * "node:index" if it was chosen. */
bool choose_outputs(ir::Model &model, const std::vector<std::string> &names, Problems &problems);

/*
 * convert_ports() - adds casts behind inputs and before outputs. @half_inputs: FLOAT inputs that programs give as
 * FLOAT16. @output_type: as in CompileOptions
 */
bool convert_ports(ir::Model &model, const std::vector<std::string> &half_inputs,
		   const std::string &output_type, Problems &problems);

} // namespace models
