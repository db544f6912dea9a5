// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>

namespace base::calls {

/** repeat() - makes a system call again while a signal has ended it. For the functions of this room. */
template <class Call> auto repeat(Call call)
{
	for (;;) {
		const auto result = call();
		if (result >= 0 || errno != EINTR)
			return result;
	}
}

} // namespace base::calls
