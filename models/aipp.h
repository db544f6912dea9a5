// SPDX-License-Identifier: MIT
#pragma once

#include "compile.h"

namespace models {

/* struct InputDims - the dims of the inputs of a model. @format: of images */
struct InputDims {
	om::Format format;
	std::vector<std::vector<DimRange>> &ranges;
};

/*
 * insert_aipp() - puts a node in front of each input that has an AippOp, which makes it of the bytes of images. A model
 * whose steps come with each run gets one more input for them, at the end.
 * @dims, @face: the dims and profiles of the inputs, which become those of the images; @face receives Face::images
 * Return: whether each of them fits its input; those that do not are added.
 */
bool insert_aipp(ir::Model &model, std::span<const AippOp> ops, InputDims dims, om::Face &face,
		 Problems &problems);

} // namespace models
