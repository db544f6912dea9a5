// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>

namespace base::calls {

/** repeat() - repeats a system call as long as it fails with EINTR. Only the functions of base/os/calls use
 * it. */
template <class Call> auto repeat(Call call)
{
	for (;;) {
		const auto result = call();
		if (result >= 0 || errno != EINTR)
			return result;
	}
}

} // namespace base::calls
