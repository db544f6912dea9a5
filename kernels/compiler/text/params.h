// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_PARAMS_H
#define UNPU_KERNELS_COMPILER_TEXT_PARAMS_H

#include <vector>

#include "kernels/compiler/text/kernels.h"
#include "kernels/compiler/text/walk.h"

namespace compiler {

// The parameters between the parentheses; default arguments are left out, a parameter without a name gets one.
std::vector<Param> params_of(const Walk &walk, size_t begin, size_t end);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_PARAMS_H
