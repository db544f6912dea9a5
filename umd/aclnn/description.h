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

/* redescribe() - the tensor of an argument, or of a member of a list, has other memory, which begins at @data. */
void redescribe(aclOpExecutor &executor, size_t argument, size_t member, uint64_t data);

} // namespace umd
