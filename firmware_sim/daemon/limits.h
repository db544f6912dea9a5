// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options.h"

namespace fwd {

/** raise_file_limit() - raises the limit of open files as far as it may, because a client costs several
 * descriptors. */
void raise_file_limit();

/** file_limit() - the most descriptors of this process. mapping_limit() - the most mappings. */
uint64_t file_limit();
uint64_t mapping_limit();

/** low_limits() - a sentence for each limit of this process that is too low to serve programs.
 * @own_descriptors: what the firmware keeps for itself. @memory_bytes: memory of a device */
std::vector<std::string> low_limits(uint64_t own_descriptors, uint64_t memory_bytes);

/** name_limits() - sets what @config says about the limits of clients. */
void name_limits(const Options &options, fw::Config &config);

/** large_sizes() - a sentence for each size that was asked for and that the machine, or a device, does not
 * have. */
std::vector<std::string> large_sizes(const Options &options, const fw::Config &config);

/** bounds_sentence() - what bounds the clients of this firmware. */
std::string bounds_sentence(const Options &options, const fw::Config &config);

} // namespace fwd
