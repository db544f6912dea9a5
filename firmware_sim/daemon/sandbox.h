// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fwd {

/** give_up_rings() - forbids io_uring_setup() in the process from now on. Devices that are created later
 * transfer files without io_uring.
 * Return: as enter_sandbox(). */
bool give_up_rings(std::string &why);

/** enter_sandbox() - drops, in all threads, every system call that a serving firmware does not need. A
 * dropped call fails with EPERM: among others io_uring, new sockets, execve() and open(). The process cannot
 * get them back. Documentation/threats.rst names the costs.
 * @why: receives what the kernel refused
 * Return: false when the process is unchanged. */
bool enter_sandbox(std::string &why);

} // namespace fwd
