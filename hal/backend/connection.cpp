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
#include <grp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace hal {

using base::Result;
using base::Status;

/* If a firmware does not answer for this time, it counts as lost. */
static constexpr uint64_t PATIENCE_NS = 10 * base::NS_PER_S;
/* A firmware that has to be loaded first takes seconds on a busy machine, above all in a build with a
 * sanitizer. */
static constexpr uint64_t START_PATIENCE_NS = 60 * base::NS_PER_S;

static Status connection_status(int error)
{
	if (error == EACCES || error == EPERM)
		return Status::NO_PERMISSION;
	if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN)
		return Status::NO_RESOURCE;
	return Status::INVALID_DEVICE;
}

static std::string group_name(gid_t gid)
{
	struct group entry {};
	struct group *found = nullptr;
	char texts[4096];
	return getgrgid_r(gid, &entry, texts, sizeof(texts), &found) == 0 && found
		       ? found->gr_name
		       : std::to_string(gid);
}

/* Whom the file lets in, as far as its mode tells. */
static std::string permission_advice(const std::string &path)
{
	struct stat file {};
	if (stat(path.c_str(), &file) == 0 && S_ISSOCK(file.st_mode) && (file.st_mode & S_IWGRP))
		return fmt::format(
			"the socket is its owner's and that of members of the group {}; 'id' shows "
			"the "
			"groups of this process, and new ones count from the next login on",
			group_name(file.st_gid));
	return "the socket is its owner's; firmware-sim --group opens it to a group";
}

static std::string connection_advice(int error, const std::string &path)
{
	if (error == EACCES || error == EPERM)
		return permission_advice(path);
	if (error == EMFILE || error == ENFILE)
		return "raise RLIMIT_NOFILE";
	if (error == ENOENT || error == ECONNREFUSED)
		return std::string("is 'firmware-sim --listen' or 'unpu daemon' running there?") +
		       (path.starts_with("/")
				? ""
				: " The path is relative to the folder of this process");
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

static constexpr uint64_t UNLIMITED = UINT64_MAX;

/* The value of a line of /proc/PID/limits; UNLIMITED if there is none. */
static uint64_t limit_in(const std::string &limits, const std::string &name)
{
	const size_t at = limits.find(name);
	if (at == limits.npos)
		return UNLIMITED;
	const char *text = limits.c_str() + at + name.size();
	char *end = nullptr;
	const uint64_t value = strtoull(text, &end, 10);
	return end == text ? UNLIMITED : value;
}

std::string Connection::peer_limits() const
{
	/* The firmware keeps about 600 for itself. */
	constexpr uint64_t FEW_FILES = 1024;
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	if (getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0)
		return {};
	std::string limits, text;
	if (!base::calls::read_file(fmt::format("/proc/{}/limits", peer.pid).c_str(), limits))
		return {};
	const auto add = [&](const char *name, uint64_t value, const char *what) {
		text += fmt::format("; {} of firmware-sim, process {}, is {}: {}", name, peer.pid,
				    value, what);
	};
	if (const uint64_t files = limit_in(limits, "Max open files"); files < FEW_FILES)
		add("RLIMIT_NOFILE (ulimit -n)", files, "it keeps about 600 files for itself");
	if (const uint64_t most = limit_in(limits, "Max file size"); most != UNLIMITED)
		add("RLIMIT_FSIZE (ulimit -f)", most,
		    "memory of a device is files of so many bytes at most");
	if (const uint64_t most = limit_in(limits, "Max address space"); most != UNLIMITED)
		add("RLIMIT_AS (ulimit -v)", most,
		    "so many bytes have to hold the memory of all programs");
	return text;
}

Result<std::unique_ptr<Connection>> Connection::to(const std::string &path, std::string &why)
{
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	if (path.size() >= sizeof(address.sun_path))
		return Status::INVALID_ARGUMENT;
	memcpy(address.sun_path, path.data(), path.size());
	base::Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	const auto *generic = reinterpret_cast<const sockaddr *>(&address);
	if (socket.valid() && base::calls::connect(socket.get(), generic, sizeof(address),
						   base::deadline_after(PATIENCE_NS)) == 0) {
		auto connection = std::make_unique<Connection>(std::move(socket));
		connection->watch(open_peer(connection->socket_));
		return connection;
	}
	int error = errno;
	why = fmt::format("unix:{}: {}; {}", path, strerror(error), connection_advice(error, path));
	return connection_status(error);
}

Status Connection::call(base::FdMessage &message)
{
	std::lock_guard lock(mutex_);
	uint32_t type = message.message.type;
	const uint64_t deadline_ns =
		base::deadline_after(is_starting_ ? START_PATIENCE_NS : PATIENCE_NS);
	TRY(send_message(socket_, message, deadline_ns));
	if (!replied(deadline_ns)) {
		is_silent_ = base::now_ns() >= deadline_ns;
		/* Close the connection: a late reply would be taken for the reply to the next request. */
		shut();
		return Status::DEVICE_LOST;
	}
	is_starting_ = false;
	base::MessageBuffer buffer;
	const ssize_t bytes =
		base::calls::recvmsg(socket_.get(), buffer.header(), MSG_CMSG_CLOEXEC, deadline_ns);
	if (bytes <= 0)
		return Status::DEVICE_LOST;
	auto reply = buffer.open(bytes);
	if (!reply)
		return reply.status() == Status::NO_RESOURCE ? reply.status() : Status::DEVICE_LOST;
	message = reply.take();
	if (message.message.abi >> 16 != UNPU_ABI_MAJOR)
		return Status::VERSION_MISMATCH;
	if (message.message.type != type)
		return Status::DEVICE_LOST;
	return static_cast<Status>(message.message.status);
}

void Connection::shut()
{
	shutdown(socket_.get(), SHUT_RDWR);
}

/* Waits until a message can be received. A message that the peer sent before it died is still received. */
bool Connection::replied(uint64_t deadline_ns) const
{
	pollfd entries[] = {{socket_.get(), POLLIN | POLLRDHUP, 0}, {process_.get(), POLLIN, 0}};
	return base::calls::poll(entries, std::size(entries), deadline_ns) > 0 &&
	       entries[0].revents != 0;
}

bool Connection::open() const
{
	pollfd entries[] = {{socket_.get(), POLLRDHUP, 0}, {process_.get(), POLLIN, 0}};
	/* If poll() fails, for example because the kernel lacks memory, the connection counts as open. */
	return base::calls::poll(entries, std::size(entries), base::calls::NOW) <= 0;
}

} // namespace hal
