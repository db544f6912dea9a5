// SPDX-License-Identifier: MIT
/**
 * DOC: Listener
 *
 * A socket file remains when its process is killed, so an existing file does not mean a live firmware: open()
 * connects to find out. It locks the folder from that check until the new socket exists. Otherwise, two
 * firmwares that start at the same time could each believe that the other one is dead.
 *
 * Programs wait until the file exists and then connect. The kernel refuses connections between bind(), which
 * makes the file, and listen(). So the file is made under a hidden name. It gets its real name when the
 * socket listens and has its final mode.
 */
#include "listener.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/waits.h"

namespace fwd {

using base::Result;
using base::Status;

static constexpr int BACKLOG = 256;
static constexpr size_t PATH_CHARACTERS = sizeof(sockaddr_un::sun_path) - 1;
static constexpr size_t HIDDEN_CHARACTERS = 8; /* a dot and the number of a process */

static bool fill_address(const std::string &path, sockaddr_un &address)
{
	address = {};
	address.sun_family = AF_UNIX;
	if (path.empty() || path.size() > PATH_CHARACTERS)
		return false;
	memcpy(address.sun_path, path.data(), path.size());
	return true;
}

static Status fail(const std::string &path, const char *what, std::string &why)
{
	int error = errno;
	why = fmt::format("{}: {}: {}", path, what, strerror(error));
	return error == EACCES || error == EPERM || error == EROFS ? Status::NO_PERMISSION
								   : Status::INVALID_ARGUMENT;
}

/* Whether the process that listens at the other end has ended. connect() alone does not tell: an
 * io_uring operation can keep the socket alive for a while after its process. */
static bool is_dead(const base::Fd &connected)
{
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	if (getsockopt(connected.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 ||
	    peer.pid <= 0)
		return false;
	base::Fd process(static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0)));
	if (!process.valid())
		return errno == ESRCH;
	pollfd entry{process.get(), POLLIN, 0};
	return base::calls::poll(&entry, 1, base::calls::NOW) == 1;
}

/* Removes the socket file that a dead firmware left at the path. */
static Status clear_path(const std::string &path, const sockaddr_un &address, std::string &why)
{
	struct stat found {};
	if (lstat(path.c_str(), &found) != 0)
		return errno == ENOENT ? Status::OK : fail(path, "stat", why);
	if (!S_ISSOCK(found.st_mode)) {
		why = path + ": there is something that is not a socket; it is left alone";
		return Status::INVALID_ARGUMENT;
	}
	base::Fd probe(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (!probe.valid())
		return fail(path, "socket", why);
	const auto *generic = reinterpret_cast<const sockaddr *>(&address);
	bool connected =
		base::calls::connect(probe.get(), generic, sizeof(address), base::NO_DEADLINE) == 0;
	if (connected && is_dead(probe))
		return unlink(path.c_str()) == 0 ? Status::OK : fail(path, "unlink", why);
	if (connected || errno == EAGAIN || errno == EPROTOTYPE) {
		why = path + ": a live process listens there";
		return Status::IN_USE;
	}
	if (errno == EACCES) {
		why = fmt::format("{}: a socket of user {} is there, which this user may not open; "
				  "listen at another path, or let its owner remove it",
				  path, found.st_uid);
		return Status::NO_PERMISSION;
	}
	if (errno != ECONNREFUSED)
		return fail(path, "connect", why);
	return unlink(path.c_str()) == 0 ? Status::OK : fail(path, "unlink", why);
}

Status Listener::bind_path(gid_t group, std::string &why)
{
	size_t slash = path_.rfind('/');
	std::string folder = slash == path_.npos ? "./" : path_.substr(0, slash + 1);
	std::string hidden = fmt::format("{}.{}", folder, getpid());
	sockaddr_un address;
	sockaddr_un hidden_address;
	if (!fill_address(path_, address) || !fill_address(hidden, hidden_address)) {
		why = fmt::format(
			"{}: the path of a socket has 1 to {} characters, that of its folder "
			"at most {}",
			path_, PATH_CHARACTERS, PATH_CHARACTERS - HIDDEN_CHARACTERS);
		return Status::INVALID_ARGUMENT;
	}
	base::Fd lock(base::calls::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (!lock.valid() || base::calls::lock(lock.get(), LOCK_EX) != 0)
		return fail(folder, "the folder of the socket can't be opened", why);
	TRY(clear_path(path_, address, why));
	/* A process of this number may have been killed before it named its socket. */
	TRY(clear_path(hidden, hidden_address, why));
	socket_ = base::Fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	if (!socket_.valid())
		return fail(path_, "socket", why);
	const bool has_group = group != static_cast<gid_t>(-1);
	mode_t former = umask(has_group ? 0117 : 0177);
	int bound = bind(socket_.get(), reinterpret_cast<const sockaddr *>(&hidden_address),
			 sizeof(hidden_address));
	umask(former);
	if (bound != 0)
		return fail(path_, "bind", why);
	Status status = name_file(hidden, group, why);
	unlink(hidden.c_str());
	return status;
}

Status Listener::name_file(const std::string &hidden, gid_t group, std::string &why)
{
	/* A process with write access to the folder may have replaced the file in the meantime. */
	base::Fd file(base::calls::open(hidden.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
	struct stat made {};
	if (!file.valid() || fstat(file.get(), &made) != 0)
		return fail(path_, "stat", why);
	if (!S_ISSOCK(made.st_mode) || made.st_uid != geteuid()) {
		why = path_ + ": the socket was replaced while it was set up";
		return Status::NO_PERMISSION;
	}
	if (group != static_cast<gid_t>(-1) &&
	    fchownat(file.get(), "", static_cast<uid_t>(-1), group, AT_EMPTY_PATH) != 0)
		return fail(path_, "opening it to the group", why);
	if (listen(socket_.get(), BACKLOG) != 0)
		return fail(path_, "listen", why);
	/* Unlike rename(), link() replaces nothing that came to the path meanwhile. */
	if (link(hidden.c_str(), path_.c_str()) != 0)
		return fail(path_, "link", why);
	device_ = made.st_dev;
	inode_ = made.st_ino;
	return Status::OK;
}

Result<std::unique_ptr<Listener>> Listener::open(const std::string &path, gid_t group,
						 std::string &why)
{
	std::unique_ptr<Listener> listener(new Listener(path));
	TRY(listener->bind_path(group, why));
	return listener;
}

Listener::~Listener()
{
	struct stat found {};
	/* Do not remove a file with which another process has replaced ours. */
	if (inode_ != 0 && lstat(path_.c_str(), &found) == 0 && found.st_dev == device_ &&
	    found.st_ino == inode_)
		unlink(path_.c_str());
}

} // namespace fwd
