// SPDX-License-Identifier: MIT
/**
 * DOC: A look at a running program
 *
 * A program with an open device answers on an abstract socket that has its number in the name. Another user can take
 * such a name first, so the tool checks who answers.
 */
#include "program.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>

#include "base/json/text.h"
#include "base/os/calls/files.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "tool.h"

namespace tool {

static Program refuse(const std::string &why)
{
	Program program;
	program.code = EXIT_NO_DEVICE;
	program.why = why;
	return program;
}

static int connect_to(uint64_t pid, uint64_t deadline_ns)
{
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	const std::string name = fmt::format("unpu-look-{}", pid);
	memcpy(address.sun_path + 1, name.data(), name.size());
	const auto bytes =
		static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
	const int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (peer >= 0 && base::calls::connect(peer, reinterpret_cast<const sockaddr *>(&address),
					      bytes, deadline_ns) != 0) {
		base::calls::close(peer);
		return -1;
	}
	return peer;
}

static bool is_process(int peer, uint64_t pid)
{
	ucred who{};
	socklen_t bytes = sizeof(who);
	return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 &&
	       static_cast<uint64_t>(who.pid) == pid;
}

/* Each part has to come within the patience. */
static std::string read_all(int peer, uint64_t patience_ns)
{
	std::string text;
	char part[65536];
	for (;;) {
		const ssize_t bytes = base::calls::recv(peer, part, sizeof(part), 0,
							base::deadline_after(patience_ns));
		if (bytes <= 0)
			return text;
		text.append(part, static_cast<size_t>(bytes));
	}
}

Program look_at_program(uint64_t pid, unsigned patience_ms)
{
	const uint64_t patience_ns = patience_ms * base::NS_PER_MS;
	const int peer = connect_to(pid, base::deadline_after(patience_ns));
	if (peer < 0 && kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)
		return refuse(fmt::format("there is no process {}", pid));
	if (peer < 0)
		return refuse(fmt::format("process {} ({}) shows no device: it has none open, does "
					  "not use unpu, or has "
					  "UNPU_LOOK=0",
					  pid, process_name(pid)));
	const std::string text = is_process(peer, pid) ? read_all(peer, patience_ns) : "";
	base::calls::close(peer);
	Program program;
	program.told = base::read_json<Json>(text);
	if (!program.told.is_object())
		return refuse(fmt::format("process {} ({}) gave no answer: it is stopped, ends, or "
					  "belongs to another user",
					  pid, process_name(pid)));
	return program;
}

std::string streams(const Json &device)
{
	std::string text;
	for (const Json &stream : device["streams"])
		text += fmt::format("  stream {:<11} {}\n", stream["stream"].get<uint64_t>(),
				    stream["state"].get<std::string>());
	return text.empty() ? "  every stream is idle\n" : text;
}

} // namespace tool
