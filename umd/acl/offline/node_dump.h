// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>

#include "desc.h"
#include "umd/acl/dump/dump.h"

namespace umd {

/** describe_launch() - a launch of a node, for a dump. @node: of NodeTexts::nodes @words: the descriptor
 * Operands of types that a dump does not have are left out. */
std::shared_ptr<const DumpOperator> describe_launch(const std::string &node,
						    std::span<const uint64_t> words);

/** origin_of() - @run: counts the runs of the model */
DumpOrigin origin_of(const ModelFace &model, uint64_t run);

} // namespace umd
