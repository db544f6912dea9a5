// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_PROCESS_H
#define UNPU_KERNELS_COMPILER_PROCESS_H

#include <string>
#include <vector>

namespace compiler {

// Runs a command, which is looked for in PATH, with the driver's own output, and returns its exit status; 127 if it
// cannot be started.
int run_command(const std::vector<std::string> &command, bool shows_command);

// The same. @errors: receives its standard error
int run_command_quietly(const std::vector<std::string> &command, std::string *errors);

// The path of the tool @name that @compiler reports; @name itself if it reports none.
std::string tool_of(const std::string &compiler, const std::string &name);

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_PROCESS_H
