// SPDX-License-Identifier: MIT
/**
 * DOC: Connection
 *
 * Requests to a firmware in another process, one at a time (uapi/socket.h).
 */
#include "connection.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

namespace hal {

using base::Result;
using base::Status;

/* A firmware that does not answer for this time counts as lost. */
static constexpr time_t PATIENCE_S = 10;
/* One that has to be loaded first takes seconds on a busy machine, with a sanitizer above all. */
static constexpr time_t START_PATIENCE_S = 60;

static Status connection_status(int error)
{
	if (error == EACCES || error == EPERM)
		return Status::NO_PERMISSION;
	if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN)
		return Status::NO_RESOURCE;
	return Status::INVALID_DEVICE;
}

static const char *connection_advice(int error)
{
	if (error == EACCES || error == EPERM)
		return "the socket is its owner's; firmware-sim --group opens it to a group";
	if (error == EMFILE || error == ENFILE)
		return "raise RLIMIT_NOFILE";
	if (error == ENOENT || error == ECONNREFUSED)
		return "is 'firmware-sim --listen' running there?";
	return "the path must be that of 'firmware-sim --listen'";
}

/* A pidfd of the process at the other end; invalid if it is in another PID namespace. */
static base::Fd open_peer(const base::Fd &socket)
{
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 || peer.pid <= 0)
		return {};
	return base::Fd(static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0)));
}

Result<std::unique_ptr<Connection>> Connection::to(const std::string &path, std::string &why)
{
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	if (path.size() >= sizeof(address.sun_path))
		return Status::INVALID_ARGUMENT;
	memcpy(address.sun_path, path.data(), path.size());
	base::Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	if (socket.valid())
		limit_patience(socket);
	const auto *generic = reinterpret_cast<const sockaddr *>(&address);
	if (socket.valid() && connect(socket.get(), generic, sizeof(address)) == 0) {
		auto connection = std::make_unique<Connection>(std::move(socket));
		connection->watch(open_peer(connection->socket_));
		return connection;
	}
	int error = errno;
	why = fmt::format("unix:{}: {}; {}", path, strerror(error), connection_advice(error));
	return connection_status(error);
}

Status Connection::call(base::Parcel &parcel)
{
	std::lock_guard lock(mutex_);
	uint32_t type = parcel.message.type;
	TRY(send_parcel(socket_, parcel, true));
	if (!replied()) {
		/* Close the connection: a late reply would be taken for the reply to the next request. */
		shut();
		return Status::DEVICE_LOST;
	}
	is_starting_ = false;
	base::ParcelBuffer buffer;
	ssize_t bytes;
	do {
		bytes = recvmsg(socket_.get(), &buffer.header(), MSG_CMSG_CLOEXEC);
	} while (bytes < 0 && errno == EINTR);
	if (bytes <= 0)
		return Status::DEVICE_LOST;
	auto reply = buffer.open(bytes);
	if (!reply)
		return reply.status() == Status::NO_RESOURCE ? reply.status() : Status::DEVICE_LOST;
	parcel = reply.take();
	if (parcel.message.abi >> 16 != UNPU_ABI_MAJOR)
		return Status::VERSION_MISMATCH;
	if (parcel.message.type != type)
		return Status::DEVICE_LOST;
	return static_cast<Status>(parcel.message.status);
}

void Connection::limit_patience(const base::Fd &socket)
{
	const timeval patience{PATIENCE_S, 0};
	setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}

void Connection::shut()
{
	shutdown(socket_.get(), SHUT_RDWR);
}

/* Waits until a message can be received. A message that the peer sent before it died is still received. */
bool Connection::replied() const
{
	pollfd entries[] = {{socket_.get(), POLLIN | POLLRDHUP, 0}, {process_.get(), POLLIN, 0}};
	const int patience_s = is_starting_ ? START_PATIENCE_S : PATIENCE_S;
	int ready;
	do {
		ready = poll(entries, std::size(entries), patience_s * 1000);
	} while (ready < 0 && errno == EINTR);
	return ready > 0 && entries[0].revents != 0;
}

bool Connection::open() const
{
	pollfd entries[] = {{socket_.get(), POLLRDHUP, 0}, {process_.get(), POLLIN, 0}};
	return poll(entries, std::size(entries), 0) == 0;
}

} // namespace hal
