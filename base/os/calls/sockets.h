// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <sys/socket.h>

namespace base::calls {

/** accept() - accepts a connection of a listening socket.
 * @flags: SOCK_CLOEXEC, SOCK_NONBLOCK
 * Return: its descriptor; -1 with errno, which is never EINTR. */
int accept(int listener, int flags);

/** connect() - connects a socket. For a socket that does not block, the error is EINPROGRESS, as with the
 * system call.
 * @deadline_ns: until when to wait; NO_DEADLINE: until the kernel gives up
 * Return: 0; -1 with errno: EAGAIN or EINPROGRESS at the deadline, and never EINTR. */
int connect(int socket, const sockaddr *address, socklen_t bytes, uint64_t deadline_ns);

} // namespace base::calls
