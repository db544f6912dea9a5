// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/types.h>

namespace base::calls {

/** open() - opens a file. A signal can interrupt the open of a named pipe or of a file on another machine.
 * Return: the descriptor; -1 with errno, which is never EINTR. */
int open(const char *path, int flags, mode_t mode = 0);

/** close() - closes @fd. The descriptor is closed afterwards even if the call fails, so the caller must not
 * try again.
 * Return: 0; -1 with errno if the file has lost data. */
int close(int fd);

/** replace() - makes @number a copy of @fd, as dup2() does. Return: @number; -1 with errno. */
int replace(int fd, int number);

/** lock() - locks a file as flock() does, and waits for it unless @operation has LOCK_NB. Return: 0; -1 with errno. */
int lock(int fd, int operation);

/** resize() - sets the size of a file. Return: 0; -1 with errno. */
int resize(int fd, uint64_t bytes);

/** allocate() - reserves memory or disk blocks for the range [@from, @from + @bytes) of a file. Return: 0; -1
 * with errno. */
int allocate(int fd, uint64_t from, uint64_t bytes);

} // namespace base::calls
