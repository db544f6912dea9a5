// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acl/acl_platform.h"

namespace umd {

/** find_arch() - the architecture of the chip with this name; DAV_RESV for a name that is not known. */
aclplatformNpuArch find_arch(std::string_view soc_name);

/** find_core_version() - the name that the tools of this architecture use for its cores, or "". */
std::string_view find_core_version(aclplatformNpuArch arch);

} // namespace umd
