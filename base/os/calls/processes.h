// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

namespace base::calls {

/** waitpid() - waits for the end of a child.
 * @options: WNOHANG: the call does not wait
 * Return: the child's process id; 0 with WNOHANG if the child still runs; -1 with errno, which is never
 * EINTR. */
pid_t waitpid(pid_t child, int *status, int options);

/** reap() - removes the zombie of the child of a pidfd, if the child has ended. */
void reap(int process);

} // namespace base::calls
