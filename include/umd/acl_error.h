// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"

namespace umd {

/** acl_error() - the aclError that stands for an internal status. */
int acl_error(base::Status status);

/** acl_return() - acl_error(), and remembers it as the thread's last run-time error. */
int acl_return(base::Status status);

} // namespace umd
