// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_HEADERS_H
#define UNPU_KERNELS_COMPILER_TEXT_HEADERS_H

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/compiler/text/kernels.h"

namespace compiler {

struct Stub {
	const Kernel *kernel;
	std::vector<uint8_t> kinds; // enum unpu_kernel_param_kind
};

// The declarations of all launch functions of a source. Each one appears when its header asks for it, since a header
// that declares one kernel must not need the structs of another one.
std::string declarations_text(const std::vector<Stub> &stubs, const std::string &source);

// aclrtlaunch_NAME.h; @list is the file of declarations, relative to the header.
std::string header_text(const std::string &name, const std::string &list);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_HEADERS_H
