// SPDX-License-Identifier: MIT
/**
 * DOC: Reports of other processes
 *
 * A process with an open device answers on a socket (umd/core/watch/look.h). The search skips a process that
 * is stopped, and one with UNPU_LOOK=0, which does not answer.
 */
#include "report_peers.h"

#include <cerrno>
#include <fstream>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/json/json_shape.h"
#include "base/json/text.h"
#include "base/no_destructor.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/shm.h"
#include "umd/core/watch/look.h"

namespace umd {

using nlohmann::json;

static base::Fd connect_to(uint64_t pid, uint64_t deadline_ns)
{
	sockaddr_un address;
	const socklen_t bytes = Look::address_of(static_cast<pid_t>(pid), address);
	base::Fd peer(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (base::calls::connect(peer.get(), reinterpret_cast<const sockaddr *>(&address), bytes,
				 deadline_ns) != 0)
		return {};
	ucred who{};
	socklen_t size = sizeof(who);
	const bool is_process = getsockopt(peer.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
				static_cast<uint64_t>(who.pid) == pid && who.uid == geteuid();
	return is_process ? std::move(peer) : base::Fd();
}

static std::string ask(uint64_t pid)
{
	constexpr size_t MOST_BYTES = 64 << 20;
	std::string text;
	char part[65536];
	/* One second for the connection, and one for each part of the answer. */
	const base::Fd peer = connect_to(pid, base::deadline_after(base::NS_PER_S));
	for (;;) {
		const ssize_t bytes =
			peer.valid() ? base::calls::recv(peer.get(), part, sizeof(part), 0,
							 base::deadline_after(base::NS_PER_S))
				     : 0;
		if (bytes <= 0 || text.size() > MOST_BYTES)
			return text;
		text.append(part, static_cast<size_t>(bytes));
	}
}

/* Checks that a report has all the fields that a search reads. A process of the same user may have another
 * version, or send wrong data. */
static bool is_report(const json &report)
{
	static base::NoDestructor<json> sample(base::read_json<json>(
		R"({"name": "", "id": "", "rank": 0, "device": 0,
		"members": [{"process": 0, "host": "", "here": true, "device": 0, "calls": 0}],
		"pending": [{"number": 0, "call": "", "stream": 0, "reached": true,
			"messages": [{"rank": 0, "is_send": true, "number": 0}]}]})"));
	return base::is_like(report, *sample);
}

const json &Peers::communicators(uint64_t pid)
{
	const auto found = reports_.find(pid);
	if (found != reports_.end())
		return found->second;
	json list = json::array();
	if (pid == static_cast<uint64_t>(getpid())) {
		list = base::read_json<json>(Look::get().communicators());
	} else if (state(pid).empty()) {
		const json told = base::read_json<json>(ask(pid));
		if (told.is_object() && told.contains("communicators"))
			list = told["communicators"];
	}
	json &reports = reports_[pid] = json::array();
	for (json &each : list) {
		if (is_report(each))
			reports.push_back(std::move(each));
	}
	return reports;
}

const json *Peers::rank(uint64_t pid, const std::string &id, uint32_t rank)
{
	for (const json &each : communicators(pid)) {
		if (each["id"] == id && each["rank"] == rank)
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
	/* The process name is in parentheses, and may itself contain parentheses. So the last one counts. */
	const size_t name = line.rfind(") ");
	const char letter =
		name == std::string::npos || name + 2 >= line.size() ? 'R' : line[name + 2];
	if (letter == 'T' || letter == 't')
		return "is stopped";
	return letter == 'Z' || letter == 'X' ? "has ended" : "";
}

} // namespace umd
