// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fwd {

/** give_up_rings() - lets nothing in the process make an io_uring from now on. Devices that are made
 * afterwards transfer files without.
 * Return: as enter_sandbox(). */
bool give_up_rings(std::string &why);

/** enter_sandbox() - gives up every system call that a serving firmware does not need, in all its threads.
 * A call that was given up fails with EPERM, as io_uring, sockets, programs and opened files do from
 * then on. No call gets them back. Documentation/threats.rst says what that costs.
 * @why: what the kernel refused
 * Return: false when the process is as it was.
 */
bool enter_sandbox(std::string &why);

} // namespace fwd
