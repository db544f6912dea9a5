// SPDX-License-Identifier: MIT
/*
 * DOC: Models
 *
 * What a model computes, in the form that the compiler and the runtime use: a list of values, and bodies, which are
 * lists of nodes that read and write these values. A model is read from an ONNX file or from a file in our own format.
 * Some dims may still be unknown.
 */
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dims.h"
#include "type.h"

namespace models::ir {

/* The index of an optional operand that is missing. */
inline constexpr int32_t ABSENT = -1;

/* Limits of a model, whatever file it comes from. */
inline constexpr size_t MOST_NODES = 1 << 20;
inline constexpr size_t MOST_VALUES = 1 << 22;
inline constexpr size_t MOST_OPERANDS = 1 << 14; /* of a node */
inline constexpr unsigned MOST_NESTED = 16;	 /* bodies */

/* struct Constant - a tensor with known elements. @bytes: the elements, dense; the model owns them */
struct Constant {
	Type type = Type::NONE;
	Dims dims;
	std::string_view bytes;
};

/* struct Value - a tensor that a node writes, or that the program gives. @dims: open dims are UNKNOWN. @constant:
 * index of its Constant, or ABSENT */
struct Value {
	std::string name;
	Type type = Type::NONE;
	bool has_dims = false;
	Dims dims;
	int32_t constant = ABSENT;
};

/* struct Attribute - an attribute of a node. @index: the index of a constant or of a body */
struct Attribute {
	enum class Kind : uint8_t { INTEGERS, REALS, TEXTS, CONSTANT, BODY };

	std::string name;
	Kind kind = Kind::INTEGERS;
	bool is_list = false;
	int32_t index = ABSENT;
	std::vector<int64_t> integers;
	std::vector<float> reals;
	std::vector<std::string> texts;
};

/* struct Node - a call of an operator. @version: the opset version of its domain. @inputs, @outputs: indices of
 * values, or ABSENT */
struct Node {
	std::string type, domain, name;
	int32_t version = 0;
	std::vector<int32_t> inputs, outputs;
	std::vector<Attribute> attributes;

	const Attribute *find(std::string_view attribute) const
	{
		for (const Attribute &each : attributes)
			if (each.name == attribute)
				return &each;
		return nullptr;
	}
	int64_t integer(std::string_view attribute, int64_t otherwise) const
	{
		const Attribute *found = find(attribute);
		return found && !found->integers.empty() ? found->integers[0] : otherwise;
	}
	double real(std::string_view attribute, double otherwise) const
	{
		const Attribute *found = find(attribute);
		return found && !found->reals.empty() ? double{found->reals[0]} : otherwise;
	}
	std::string_view text(std::string_view attribute, std::string_view otherwise) const
	{
		const Attribute *found = find(attribute);
		return found && !found->texts.empty() ? std::string_view(found->texts[0])
						      : otherwise;
	}
	std::span<const int64_t> integers(std::string_view attribute) const
	{
		const Attribute *found = find(attribute);
		return found ? std::span<const int64_t>(found->integers)
			     : std::span<const int64_t>();
	}
};

/* struct Body - nodes, each after those whose values it reads. Values of an outer body are visible. */
struct Body {
	std::vector<int32_t> inputs, outputs;
	std::vector<Node> nodes;
};

/* struct Model - a whole model. @bodies: the first one is the body of the model itself. @output_names: the names of
 * the results for programs */
struct Model {
	std::string name, producer;
	std::vector<Value> values;
	std::vector<Constant> constants;
	std::deque<Body> bodies;
	std::vector<std::string> output_names;
	std::vector<std::string> unfused; /* names of passes that do not run */

	/* The owners of the bytes of the constants. */
	std::deque<std::string> owned;
	std::vector<std::shared_ptr<const void>> kept;

	/* add_constant() - adds a constant. @bytes: the model keeps them alive */
	int32_t add_constant(Type type, const Dims &dims, std::string bytes)
	{
		constants.push_back({type, dims, owned.emplace_back(std::move(bytes))});
		return static_cast<int32_t>(constants.size() - 1);
	}
};

/* describe() - "Conv /m/Conv_7 (opset 17)" for sentences. */
inline std::string describe(const Node &node)
{
	const std::string domain = node.domain.empty() ? "" : node.domain + ".";
	return domain + node.type + " " + node.name + " (opset " + std::to_string(node.version) +
	       ")";
}

} // namespace models::ir
