// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_TEXT_REWRITE_H
#define UNPU_KERNELS_COMPILER_TEXT_REWRITE_H

#include <string>
#include <string_view>

#include "kernels/compiler/text/kernels.h"

namespace compiler {

// The text of the device image. Each kernel that has an entry gets a variable shape_name(i), where i is its index in
// the findings.
std::string image_text(std::string_view text, const Findings &findings);
std::string shape_name(size_t kernel);

// The text of the host object: kernels without bodies, a function aclrtlaunch_NAME() for each, and the image in the
// file @image, which a constructor registers.
std::string host_text(std::string_view text, const Findings &findings, const std::string &image);

// The kernels that have a function aclrtlaunch_NAME(): the first of each name that is no template.
std::vector<size_t> kernels_with_stub(const Findings &findings);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_TEXT_REWRITE_H
