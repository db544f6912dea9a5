// SPDX-License-Identifier: MIT
/*
 * DOC: Compiling a model
 *
 * The work of `atc` between reading the ONNX file and writing our file. The runtime uses only instantiate().
 */
#pragma once

#include <string>
#include <vector>

#include "aipp_text.h"
#include "lower/launch_list.h"
#include "om/om.h"
#include "passes/edit.h"

namespace models {

/* struct DimRange - the sizes that a dim may have. @most: UNKNOWN if there is no upper bound */
struct DimRange {
	int64_t least = 0;
	int64_t most = ir::UNKNOWN;

	bool is_open() const { return least != most; }
};

/* struct InputShape - of --input_shape. @name: "" for the next input */
struct InputShape {
	std::string name;
	std::vector<DimRange> dims;
};

struct CompileOptions {
	std::string name, soc;
	om::Format format = om::Format::NCHW;
	std::vector<InputShape> shapes;
	std::vector<FixedInput> fixed;
	om::Dynamic dynamic = om::Dynamic::NONE; /* by --dynamic_* */
	std::vector<om::Profile> choices;
	std::vector<std::string> out_nodes;
	std::vector<std::string> half_inputs;
	std::vector<std::string> unfused; /* passes that do not run */
	std::vector<AippOp> aipp;
	std::string output_type; /* "", or FP32, FP16, UINT8, INT8, or node:0:FP16;... */
};

/*
 * compile() - changes @model as the options say, and tries to build its program at each shape. @face: receives
 * what programs can query
 * Return: whether it can run; if not, with all problems added.
 */
bool compile(const CompileOptions &options, ir::Model &model, om::Face &face, Problems &problems);

/*
 * instantiate() - the program of a model at one shape of each input.
 * @dims: one for each input of the model
 */
bool instantiate(const ir::Model &model, std::span<const ir::Dims> dims, Program &program,
		 Problems &problems);

} // namespace models
