// SPDX-License-Identifier: MIT
/*
 * DOC: Single operators
 *
 * The operators that programs call by a name and descriptions, as models of a few nodes. A row of a table says how the
 * nodes of ONNX that the compiler knows make one of them: no operator is computed in two ways.
 */
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile.h"

namespace models {

/* There is no row for an operator. */
inline constexpr const char *no_operator = "E19010";

/* struct SingleTensor - the description of an operand.
 * @is_absent: an optional operand that is left out
 * @elements: the bytes of an operand that is constant */
struct SingleTensor {
	ir::Type type = ir::Type::NONE;
	om::Format format = om::Format::ND;
	std::vector<DimRange> dims;
	bool is_absent = false;
	std::optional<std::string> elements;
};

/* struct SingleOp - a call. @type: as Add */
struct SingleOp {
	std::string type;
	std::vector<SingleTensor> inputs, outputs;
	std::vector<ir::Attribute> attributes;
};

/*
 * compile_single() - the model of a call. Its inputs are the operands that are neither constant nor absent, in their
 * order; its results are those that the call describes.
 * @options: of the file; receives the shapes of the inputs @face: receives what programs can query
 * Return: nullptr, with the problems added.
 */
std::unique_ptr<ir::Model> compile_single(const SingleOp &op, CompileOptions &options,
					  om::Face &face, Problems &problems);

} // namespace models
