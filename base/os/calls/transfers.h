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

/** read(), write() - one system call, which transfers at most @bytes. Return: the number of bytes; -1 with
 * errno, which is never EINTR. */
ssize_t read(int fd, void *to, size_t bytes);
ssize_t write(int fd, const void *from, size_t bytes);

ssize_t read_at(int fd, const iovec &to, off_t position);
ssize_t write_at(int fd, const iovec &from, off_t position);

/** read_all() - reads exactly @bytes. Return: the number of bytes, which is smaller only at the end of the
 * file; -1 with errno. */
ssize_t read_all(int fd, void *to, size_t bytes);

/** write_all() - writes all bytes. If the descriptor does not block, the function itself waits for room.
 * Return: whether all was written; errno says why not. */
bool write_all(int fd, const void *from, size_t bytes);

/** warn() - writes @text to standard error. Failures are ignored, because the caller could not report
 * them. */
void warn(std::string_view text);

/** read_file() - reads the whole file at @path, which may be a named pipe, into @text.
 * Return: false with errno, which is never EINTR. */
bool read_file(const char *path, std::string &text);

/** write_file() - writes @text as the whole content of the file at @path. A new file gets @mode..
 * Return: whether all was written; errno says why not. */
bool write_file(const char *path, std::string_view text, mode_t mode = 0666);

/** send(), sendmsg(), recv(), recvmsg() - transfer one message of a packet socket, or some bytes of a stream
 * socket, without SIGPIPE.
 * @deadline_ns: until when to wait for room or for a message; NOW: the call does not wait. NO_DEADLINE: the
 * descriptor's own mode decides.
 * Return: the number of bytes; -1 with errno: EAGAIN at the deadline, and never EINTR. */
ssize_t send(int fd, const void *from, size_t bytes, uint64_t deadline_ns);
ssize_t sendmsg(int fd, const msghdr &message, uint64_t deadline_ns);
ssize_t recv(int fd, void *to, size_t bytes, int flags, uint64_t deadline_ns);
ssize_t recvmsg(int fd, msghdr &message, int flags, uint64_t deadline_ns);

/** send_all() - sends all of @bytes through a stream socket until @deadline_ns. Return: whether all were
 * sent; errno says why not. */
bool send_all(int fd, const void *from, size_t bytes, uint64_t deadline_ns);

/** fill_random() - fills @to with random bytes from the kernel. Return: false if the kernel gives none. */
bool fill_random(void *to, size_t bytes);

} // namespace base::calls
