// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

namespace base::calls {

/** waitpid() - waits for the end of a child.
 * @options: WNOHANG: does not wait
 * Return: the child; 0: WNOHANG, and it runs; -1 with errno, which is never EINTR. */
pid_t waitpid(pid_t child, int *status, int options);

/** reap() - takes the end of the child behind a pidfd, if it has ended. */
void reap(int process);

} // namespace base::calls
