// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/clock.h"

namespace base::calls {

/** read(), write() - one call: at most @bytes. Return: the bytes; -1 with errno, which is never EINTR. */
ssize_t read(int fd, void *to, size_t bytes);
ssize_t write(int fd, const void *from, size_t bytes);

/** read_at(), write_at() - as read() and write(), at @position of a file; -1: at the place of the descriptor. */
ssize_t read_at(int fd, const iovec &to, off_t position);
ssize_t write_at(int fd, const iovec &from, off_t position);

/** read_all() - reads until there are @bytes. Return: the bytes, fewer at the end of the file only; -1 with errno. */
ssize_t read_all(int fd, void *to, size_t bytes);

/** write_all() - writes until nothing is left, and waits for room where the descriptor does not do that itself.
 * Return: whether all was written; errno says why not. */
bool write_all(int fd, const void *from, size_t bytes);

/** warn() - writes @text to standard error. A failure is of no use to anyone, and is not told. */
void warn(std::string_view text);

/** read_file() - makes @text the whole content of the file at @path, which may be a pipe with a name.
 * Return: false with errno, which is never EINTR. */
bool read_file(const char *path, std::string &text);

/** write_file() - makes @text the content of the file at @path, which has @mode if it is new.
 * Return: whether all was written; errno says why not. */
bool write_file(const char *path, std::string_view text, mode_t mode = 0666);

/** send(), sendmsg(), recv(), recvmsg() - a message of a packet socket, or some bytes of a stream, without SIGPIPE.
 * @deadline_ns: until when to wait for room or for a message; NOW: not at all. NO_DEADLINE: as the descriptor says.
 * Return: the bytes; -1 with errno: EAGAIN at the deadline, and never EINTR. */
ssize_t send(int fd, const void *from, size_t bytes, uint64_t deadline_ns);
ssize_t sendmsg(int fd, const msghdr &message, uint64_t deadline_ns);
ssize_t recv(int fd, void *to, size_t bytes, int flags, uint64_t deadline_ns);
ssize_t recvmsg(int fd, msghdr &message, int flags, uint64_t deadline_ns);

/** send_all() - sends all of @bytes through a stream until @deadline_ns. Return: whether it did; errno says why not. */
bool send_all(int fd, const void *from, size_t bytes, uint64_t deadline_ns);

/** fill_random() - fills @to with random bytes of the kernel. Return: false if the kernel has none. */
bool fill_random(void *to, size_t bytes);

} // namespace base::calls
