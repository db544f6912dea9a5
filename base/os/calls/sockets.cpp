// SPDX-License-Identifier: MIT
/**
 * DOC: System calls that make connections
 *
 * If a signal interrupts connect() of a TCP socket, the kernel still makes the connection, and a second
 * connect() waits for it. On a Unix socket the second call is a new attempt.
 */
#include "sockets.h"

#include <algorithm>
#include <cerrno>

#include <sys/time.h>

#include "repeat.h"
#include "waits.h"

namespace base::calls {

int accept(int listener, int flags)
{
	return repeat([&] { return ::accept4(listener, nullptr, nullptr, flags); });
}

/* This option is the kernel's only limit for connect(). The value 0 would mean no limit. */
static void limit(int socket, uint64_t deadline_ns)
{
	const timespec left = time_left(deadline_ns);
	timeval patience{left.tv_sec, std::max<suseconds_t>(left.tv_nsec / 1000, 1)};
	(void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

static int connect_once(int socket, const sockaddr *address, socklen_t bytes, uint64_t deadline_ns)
{
	if (deadline_ns != NO_DEADLINE)
		limit(socket, deadline_ns);
	return ::connect(socket, address, bytes);
}

int connect(int socket, const sockaddr *address, socklen_t bytes, uint64_t deadline_ns)
{
	int result = connect_once(socket, address, bytes, deadline_ns);
	while (result != 0 && errno == EINTR) {
		/* The kernel counts the limit in timer ticks. A signal that arrives more often than a tick
		 * would interrupt each attempt. */
		if (now_ns() >= deadline_ns) {
			errno = EAGAIN;
			break;
		}
		result = connect_once(socket, address, bytes, deadline_ns);
		/* The connection was made after the first attempt. */
		if (result != 0 && errno == EISCONN)
			result = 0;
	}
	if (deadline_ns == NO_DEADLINE)
		return result;
	const int error = errno;
	const timeval none{};
	(void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof(none));
	errno = error;
	return result;
}

} // namespace base::calls
