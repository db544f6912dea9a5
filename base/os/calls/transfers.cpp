// SPDX-License-Identifier: MIT
/**
 * DOC: Transfers in system calls
 *
 * A signal makes a read, a write, a send or a receive fail with EINTR, or transfer fewer bytes than were
 * asked for. Without SA_RESTART this can happen to all of these calls. For a socket with a timeout it happens
 * even with SA_RESTART. The timeout of a socket would also begin again with each attempt, so these functions
 * use poll() to wait until a deadline.
 */
#include "transfers.h"

#include <cerrno>

#include <sys/random.h>
#include <unistd.h>

#include "files.h"
#include "repeat.h"
#include "waits.h"

namespace base::calls {

ssize_t read(int fd, void *to, size_t bytes)
{
	return repeat([&] { return ::read(fd, to, bytes); });
}

ssize_t write(int fd, const void *from, size_t bytes)
{
	return repeat([&] { return ::write(fd, from, bytes); });
}

ssize_t read_at(int fd, const iovec &to, off_t position)
{
	return repeat([&] { return ::preadv2(fd, &to, 1, position, 0); });
}

ssize_t write_at(int fd, const iovec &from, off_t position)
{
	return repeat([&] { return ::pwritev2(fd, &from, 1, position, 0); });
}

static bool await(int fd, short event, uint64_t deadline_ns)
{
	pollfd entry{fd, event, 0};
	return poll(&entry, 1, deadline_ns) > 0;
}

/* Whether to try again after a call that would have had to wait for @fd. */
static bool can_go_on(int fd, short event, uint64_t deadline_ns)
{
	if (errno != EAGAIN)
		return false;
	const bool is_ready = deadline_ns != NOW && await(fd, event, deadline_ns);
	errno = EAGAIN;
	return is_ready;
}

ssize_t read_all(int fd, void *to, size_t bytes)
{
	size_t done = 0;
	while (done < bytes) {
		const ssize_t got = read(fd, static_cast<char *>(to) + done, bytes - done);
		if (got > 0)
			done += static_cast<size_t>(got);
		else if (got == 0)
			break;
		else if (!can_go_on(fd, POLLIN, NO_DEADLINE))
			return -1;
	}
	return static_cast<ssize_t>(done);
}

bool write_all(int fd, const void *from, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		const ssize_t put = write(fd, static_cast<const char *>(from) + done, bytes - done);
		if (put > 0)
			done += static_cast<size_t>(put);
		else if (put == 0)
			return errno = EIO, false;
		else if (!can_go_on(fd, POLLOUT, NO_DEADLINE))
			return false;
	}
	return true;
}

void warn(std::string_view text)
{
	(void)write_all(STDERR_FILENO, text.data(), text.size());
}

bool read_file(const char *path, std::string &text)
{
	char part[16384];
	ssize_t got;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	text.clear();
	while ((got = read(fd, part, sizeof(part))) > 0)
		text.append(part, static_cast<size_t>(got));
	const int error = errno;
	(void)close(fd);
	errno = error;
	return got == 0;
}

bool write_file(const char *path, std::string_view text, mode_t mode)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	if (fd < 0)
		return false;
	const bool is_written = write_all(fd, text.data(), text.size());
	const int error = errno;
	if (close(fd) != 0)
		return false;
	errno = error;
	return is_written;
}

/* Repeats @call, which takes flags, until it transfers at least one byte or @deadline_ns passes. */
template <class Call>
static ssize_t transfer(int fd, short event, int flags, uint64_t deadline_ns, Call call)
{
	if (deadline_ns == NO_DEADLINE)
		return repeat([&] { return call(flags); });
	for (;;) {
		const ssize_t moved = repeat([&] { return call(flags | MSG_DONTWAIT); });
		if (moved >= 0 || !can_go_on(fd, event, deadline_ns))
			return moved;
	}
}

ssize_t send(int fd, const void *from, size_t bytes, uint64_t deadline_ns)
{
	return transfer(fd, POLLOUT, MSG_NOSIGNAL, deadline_ns,
			[&](int flags) { return ::send(fd, from, bytes, flags); });
}

ssize_t sendmsg(int fd, const msghdr &message, uint64_t deadline_ns)
{
	return transfer(fd, POLLOUT, MSG_NOSIGNAL, deadline_ns,
			[&](int flags) { return ::sendmsg(fd, &message, flags); });
}

ssize_t recv(int fd, void *to, size_t bytes, int flags, uint64_t deadline_ns)
{
	return transfer(fd, POLLIN, flags, deadline_ns,
			[&](int all) { return ::recv(fd, to, bytes, all); });
}

ssize_t recvmsg(int fd, msghdr &message, int flags, uint64_t deadline_ns)
{
	return transfer(fd, POLLIN, flags, deadline_ns,
			[&](int all) { return ::recvmsg(fd, &message, all); });
}

bool send_all(int fd, const void *from, size_t bytes, uint64_t deadline_ns)
{
	for (size_t done = 0; done < bytes;) {
		const ssize_t put =
			send(fd, static_cast<const char *>(from) + done, bytes - done, deadline_ns);
		if (put < 0)
			return false;
		done += static_cast<size_t>(put);
	}
	return true;
}

bool fill_random(void *to, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		const ssize_t got = repeat([&] {
			return ::getrandom(static_cast<char *>(to) + done, bytes - done, 0);
		});
		if (got <= 0)
			return false;
		done += static_cast<size_t>(got);
	}
	return true;
}

} // namespace base::calls
