// SPDX-License-Identifier: MIT
/*
 * DOC: Pass: packed convolutions
 *
 * It runs when a model is compiled, so that the file has the weights as the device reads them and a load changes
 * nothing. Whether the image fits, only its shape says; any rank of 4 does.
 */
#include "pack.h"

#include <algorithm>

#include "models/operators/packed.h"

namespace models {

namespace {

void pack_node(ir::Model &model, ir::Node &node)
{
	ir::Value &weights = model.values[static_cast<size_t>(node.inputs[1])];
	ir::Constant &constant = model.constants[static_cast<size_t>(weights.constant)];
	const int64_t channels = constant.dims[0];
	const bool is_deep = node.integer("group", 1) != 1;
	constant.bytes =
		model.owned.emplace_back(packed::pack(constant.bytes, constant.dims, is_deep));
	weights.dims = constant.dims;
	node.domain = packed::DOMAIN;
	node.type = packed::TYPE;
	node.version = 1;
	std::erase_if(node.attributes,
		      [](const ir::Attribute &each) { return each.name == "kernel_shape"; });
	ir::Attribute attribute;
	attribute.name = "channels";
	attribute.integers = {channels};
	node.attributes.push_back(std::move(attribute));
}

} // namespace

void pack_convolutions(ir::Model &model)
{
	if (std::ranges::find(model.unfused, PACKED) != model.unfused.end())
		return;
	std::vector<size_t> readers(model.values.size()), users(model.constants.size());
	const auto read = [&](int32_t value) {
		if (value != ir::ABSENT)
			readers[static_cast<size_t>(value)]++;
	};
	for (const ir::Body &body : model.bodies) {
		std::ranges::for_each(body.outputs, read);
		for (const ir::Node &node : body.nodes)
			std::ranges::for_each(node.inputs, read);
	}
	for (const ir::Value &value : model.values)
		if (value.constant != ir::ABSENT)
			users[static_cast<size_t>(value.constant)]++;
	for (ir::Body &body : model.bodies)
		for (ir::Node &node : body.nodes) {
			if (!node.domain.empty() || node.type != "Conv" || node.inputs.size() < 2 ||
			    node.inputs[0] == ir::ABSENT || node.inputs[1] == ir::ABSENT)
				continue;
			const auto weight = static_cast<size_t>(node.inputs[1]);
			const int32_t constant = model.values[weight].constant;
			if (constant == ir::ABSENT || readers[weight] != 1 ||
			    users[static_cast<size_t>(constant)] != 1)
				continue;
			const ir::Constant &of = model.constants[static_cast<size_t>(constant)];
			if (*packed::why_not(node, of.type, of.dims) == 0)
				pack_node(model, node);
		}
}

} // namespace models
