// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"

namespace umd {

/** acl_error() - the aclError for an internal status. */
int acl_error(base::Status status);

/** acl_failure() - returns acl_error(), and stores it as the thread's last run-time error. */
int acl_failure(base::Status status);

/** acl_return() - 0 for OK, else acl_failure(). */
inline int acl_return(base::Status status)
{
	return status == base::Status::OK ? 0 : acl_failure(status);
}

} // namespace umd

/** struct CodeOf - TRY in a function of the interface returns an aclError. */
template <> struct base::CodeOf<int> {
	static int make(Status status) { return umd::acl_failure(status); }
};
