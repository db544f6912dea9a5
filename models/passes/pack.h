// SPDX-License-Identifier: MIT
#pragma once

#include "models/ir/ir_model.h"

namespace models {

/* The name of the pass for Model::unfused. */
inline constexpr const char *PACKED = "packed-conv";

/*
 * pack_convolutions() - makes a node PackedConv of each Conv whose weights are a constant that nothing else reads.
 * These weights are then in the order in which the device reads them.
 */
void pack_convolutions(ir::Model &model);

} // namespace models
