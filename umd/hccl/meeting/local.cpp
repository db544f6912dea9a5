// SPDX-License-Identifier: MIT
/**
 * DOC: Unix sockets of a meeting
 *
 * A meeting uses an abstract Unix socket: it has no file, so nothing is left behind. Each user of the machine
 * can read its name in /proc/net/unix, so the name is a hash of the secret. Processes of one network
 * namespace meet there.
 */
#include "local.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/number.h"
#include "base/os/calls/sockets.h"
#include "hal/options.h"
#include "umd/hccl/hccl_result.h"

namespace umd {

using base::Fd;
using base::Result;
using base::Status;

/* This many tries take some tens of milliseconds. */
static constexpr int CONNECT_TRIES = 20000;

static socklen_t address_of(const Nonce &secret, sockaddr_un &address)
{
	const std::string name = "unpu-hccl-" + hex_of(derive(Topic::SOCKET, secret));
	address = {};
	address.sun_family = AF_UNIX;
	/* The first byte is 0, which marks an abstract name: there is no file. */
	memcpy(address.sun_path + 1, name.data(), name.size());
	return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

static Fd make_socket()
{
	return Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

Result<Fd> listen_for(const Nonce &secret)
{
	sockaddr_un address;
	const socklen_t bytes = address_of(secret, address);
	Fd socket = make_socket();
	if (!socket.valid())
		return Status::NO_RESOURCE;
	if (bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes) != 0)
		return errno == EADDRINUSE ? Status::IN_USE : Status::NO_PERMISSION;
	if (listen(socket.get(), 4 * MAX_RANKS) != 0)
		return Status::NO_RESOURCE;
	return socket;
}

Result<Fd> connect_to(const Nonce &secret, bool is_awaited)
{
	sockaddr_un address;
	const socklen_t bytes = address_of(secret, address);
	Fd socket = make_socket();
	if (!socket.valid())
		return Status::NO_RESOURCE;
	for (int tries = 1;
	     base::calls::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes,
				  base::NO_DEADLINE) != 0;
	     tries++) {
		/* Another rank may have bound the name already, and may listen in a moment. */
		if (errno != ECONNREFUSED || is_awaited || tries == CONNECT_TRIES)
			return Status::NOT_READY;
	}
	return socket;
}

/* The groups that the process at the other side had when it connected or began to listen. */
static std::vector<gid_t> groups_of(const Fd &socket)
{
	/* The kernel's limit for the groups of a process. */
	std::vector<gid_t> groups(65536);
	socklen_t bytes = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
	if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERGROUPS, groups.data(), &bytes) != 0)
		bytes = 0;
	groups.resize(bytes / sizeof(gid_t));
	return groups;
}

HcclResult read_group(uint32_t &group)
{
	const std::string text = hal::environment("UNPU_HCCL_GROUP");
	if (text.empty() || (base::read_number(text, group) && group != NO_GROUP))
		return HCCL_SUCCESS;
	::group entry;
	::group *found = nullptr;
	std::vector<char> room(65536);
	if (getgrnam_r(text.c_str(), &entry, room.data(), room.size(), &found) != 0 || !found)
		return refuse(HCCL_E_PARA,
			      fmt::format("UNPU_HCCL_GROUP is \"{}\"; it must be the name or the "
					  "number of a group of this machine",
					  text));
	group = found->gr_gid;
	return HCCL_SUCCESS;
}

bool may_meet(const Fd &socket, uint32_t group)
{
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0)
		return false;
	if (peer.uid == getuid())
		return true;
	if (group == NO_GROUP)
		return false;
	const std::vector<gid_t> groups = groups_of(socket);
	return peer.gid == group || std::find(groups.begin(), groups.end(), group) != groups.end();
}

} // namespace umd
