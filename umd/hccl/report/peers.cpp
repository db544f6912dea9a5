// SPDX-License-Identifier: MIT
/**
 * DOC: Reports of other processes
 *
 * A process with an open device answers on a socket (umd/core/hang/look.h). One that is stopped, or has UNPU_LOOK=0,
 * does not answer, and the search goes on without it.
 */
#include "peers.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os/shm.h"
#include "umd/core/hang/look.h"

namespace umd {

using nlohmann::json;

static base::Fd connect_to(uint64_t pid)
{
	const timeval patience = {1, 0};
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	const std::string name = fmt::format("unpu-look-{}", pid);
	memcpy(address.sun_path + 1, name.data(), name.size());
	const auto bytes =
		static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
	base::Fd peer(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	(void)setsockopt(peer.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	(void)setsockopt(peer.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(peer.get(), reinterpret_cast<const sockaddr *>(&address), bytes) != 0)
		return {};
	ucred who{};
	socklen_t size = sizeof(who);
	const bool is_process = getsockopt(peer.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
				static_cast<uint64_t>(who.pid) == pid && who.uid == geteuid();
	return is_process ? std::move(peer) : base::Fd();
}

static std::string ask(uint64_t pid)
{
	std::string text;
	char part[65536];
	const base::Fd peer = connect_to(pid);
	for (;;) {
		const ssize_t bytes = peer.valid() ? read(peer.get(), part, sizeof(part)) : 0;
		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes <= 0)
			return text;
		text.append(part, static_cast<size_t>(bytes));
	}
}

const json &Peers::communicators(uint64_t pid)
{
	const auto found = reports_.find(pid);
	if (found != reports_.end())
		return found->second;
	json list = json::array();
	if (pid == static_cast<uint64_t>(getpid())) {
		list = json::parse(Look::get().communicators(), nullptr, false);
	} else {
		const json told = json::parse(ask(pid), nullptr, false);
		if (told.is_object() && told.contains("communicators"))
			list = told["communicators"];
	}
	return reports_[pid] = list.is_array() ? std::move(list) : json::array();
}

const json *Peers::rank(uint64_t pid, const std::string &id, uint32_t rank)
{
	for (const json &each : communicators(pid)) {
		if (each.value("id", "") == id && each.value("rank", UINT32_MAX) == rank)
			return &each;
	}
	return nullptr;
}

std::string Peers::state(uint64_t pid)
{
	std::ifstream file(fmt::format("/proc/{}/stat", pid));
	std::string line;
	if (!std::getline(file, line))
		return "has ended";
	/* The name is in parentheses, and may have some itself. */
	const size_t name = line.rfind(") ");
	const char letter =
		name == std::string::npos || name + 2 >= line.size() ? 'R' : line[name + 2];
	if (letter == 'T' || letter == 't')
		return "is stopped";
	return letter == 'Z' || letter == 'X' ? "has ended" : "";
}

} // namespace umd
