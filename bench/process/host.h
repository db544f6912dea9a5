// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace bench {

/** describe_host() - what figures depend on: the CPU, the kernel, page sizes, versions. */
nlohmann::ordered_json describe_host();

} // namespace bench
