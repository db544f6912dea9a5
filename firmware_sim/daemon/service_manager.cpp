// SPDX-License-Identifier: MIT
/**
 * DOC: Service manager
 *
 * The protocol of sd_notify(3) is one datagram, so the daemon sends it itself: libsystemd would be a
 * dependency on machines without systemd.
 */
#include "service_manager.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>

#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"

namespace fwd {

ServiceManager::ServiceManager()
{
	const char *path = getenv("NOTIFY_SOCKET");
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	size_t length = path ? strlen(path) : 0;
	if (length < 2 || length >= sizeof(address.sun_path) || !strchr("/@", path[0]))
		return;
	memcpy(address.sun_path, path, length);
	if (path[0] == '@')
		address.sun_path[0] = 0; /* abstract socket namespace */
	base::Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
	/* If the manager does not listen, no notifications are sent. */
	if (base::calls::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes,
				 base::NO_DEADLINE) == 0)
		socket_ = std::move(socket);
}

void ServiceManager::notify(const std::string &state) const
{
	if (socket_.valid())
		(void)base::calls::send(socket_.get(), state.data(), state.size(),
					base::NO_DEADLINE);
}

} // namespace fwd
