// SPDX-License-Identifier: MIT
#pragma once

#include "elementwise.h"
#include "executor.h"

namespace umd {

struct Argument;
struct OperatorRow;

/* describe() - stores the call's tensors and attributes in @executor, for dumps. */
void describe(const Elementwise &call, aclOpExecutor &executor);
void describe(const OperatorRow &row, const Argument *arguments, aclOpExecutor &executor);

/* redescribe() - changes the description of a tensor, which is an argument or a member of a list: its memory begins
 * at @data now. */
void redescribe(aclOpExecutor &executor, size_t argument, size_t member, uint64_t data);

} // namespace umd
