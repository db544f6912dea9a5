// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "models/common/problems.h"
#include "uapi/aipp.h"

namespace models {

/*
 * struct AippOp - one aipp_op of --insert_op_conf: how an input is made of images.
 * @input: number of the input in the model
 * @is_dynamic: a program gives the steps before each run; of @steps only nothing is set
 * @crops, @pads: crop and padding
 * @most_bytes: of the images of a run; only if @is_dynamic
 * @steps: sizes that are 0 follow from the input of the model
 */
struct AippOp {
	size_t input = 0;
	bool is_dynamic = false, crops = false, pads = false;
	uint64_t most_bytes = 0;
	unpu_aipp steps{};
};

/* parse_aipp() - reads the file of --insert_op_conf. @text: its bytes
 * Return: whether all of it makes sense; what does not is added */
bool parse_aipp(std::string_view text, std::vector<AippOp> &ops, Problems &problems);

} // namespace models
