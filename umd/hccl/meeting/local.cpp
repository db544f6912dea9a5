// SPDX-License-Identifier: MIT
/**
 * DOC: Unix sockets of a meeting
 *
 * A meeting is at a Unix socket without a file, whose name is the nonce. So nothing is left behind, and only a
 * process that got the nonce finds it. Processes of one network namespace meet there.
 */
#include "local.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os/calls/sockets.h"

namespace umd {

using base::Fd;
using base::Result;
using base::Status;

/* Some tens of milliseconds. */
static constexpr int CONNECT_TRIES = 20000;

static socklen_t address_of(const Nonce &nonce, sockaddr_un &address)
{
	std::string name = "unpu-hccl-";
	for (uint8_t byte : nonce)
		name += fmt::format("{:02x}", byte);
	address = {};
	address.sun_family = AF_UNIX;
	/* The first byte is 0: the name is no file. */
	memcpy(address.sun_path + 1, name.data(), name.size());
	return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

static Fd make_socket()
{
	return Fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

Result<Fd> listen_for(const Nonce &nonce)
{
	sockaddr_un address;
	const socklen_t bytes = address_of(nonce, address);
	Fd socket = make_socket();
	if (!socket.valid())
		return Status::NO_RESOURCE;
	if (bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes) != 0)
		return errno == EADDRINUSE ? Status::IN_USE : Status::NO_PERMISSION;
	if (listen(socket.get(), 4 * MAX_RANKS) != 0)
		return Status::NO_RESOURCE;
	return socket;
}

Result<Fd> connect_to(const Nonce &nonce, bool is_awaited)
{
	sockaddr_un address;
	const socklen_t bytes = address_of(nonce, address);
	Fd socket = make_socket();
	if (!socket.valid())
		return Status::NO_RESOURCE;
	for (int tries = 1;
	     base::calls::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes,
				  base::NO_DEADLINE) != 0;
	     tries++) {
		/* Another rank may have the name already, and listen in a moment. */
		if (errno != ECONNREFUSED || is_awaited || tries == CONNECT_TRIES)
			return Status::NOT_READY;
	}
	return socket;
}

bool is_same_user(const Fd &socket)
{
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	return getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
	       peer.uid == getuid();
}

} // namespace umd
