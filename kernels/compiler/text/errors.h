// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_ERRORS_H
#define UNPU_KERNELS_COMPILER_TEXT_ERRORS_H

#include <string>

namespace compiler {

// The messages of a compiler, shortened to ten lines: errors, and before each the line of the source that
// instantiated the template. The last line counts what is left out.
std::string shortened(const std::string &said);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_ERRORS_H
