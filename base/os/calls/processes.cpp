// SPDX-License-Identifier: MIT
/**
 * DOC: System calls that wait for processes
 */
#include "processes.h"

#include "repeat.h"

namespace base::calls {

pid_t waitpid(pid_t child, int *status, int options)
{
	return repeat([&] { return ::waitpid(child, status, options); });
}

void reap(int process)
{
	siginfo_t info;
	(void)repeat([&] {
		return ::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process), &info,
				WEXITED | WNOHANG);
	});
}

} // namespace base::calls
