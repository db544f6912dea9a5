// SPDX-License-Identifier: MIT
/**
 * DOC: System calls that make connections
 *
 * A connect() that a signal has ended goes on by itself for TCP, and Linux waits for it when connect() is called again.
 * On a Unix socket the second call is a new try.
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

/* The kernel has no other limit for connect(). 0 would be none. */
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
		/* The kernel counts the limit in ticks, and a quicker signal would end each of them. */
		if (now_ns() >= deadline_ns) {
			errno = EAGAIN;
			break;
		}
		result = connect_once(socket, address, bytes, deadline_ns);
		/* The connection has come about since the first try. */
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
