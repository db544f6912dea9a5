// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fwd {

/** notify_manager() - tells the service manager that started the process, if one did.
 * @state: lines as sd_notify(3) has them, "READY=1" */
void notify_manager(const std::string &state);

} // namespace fwd
