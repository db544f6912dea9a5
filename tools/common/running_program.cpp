// SPDX-License-Identifier: MIT
/**
 * DOC: Asking a running program about its devices
 *
 * A program with an open device answers on an abstract socket whose name contains the process id. Another
 * user can take such a name first, so the tool checks which process and which user answer. Root may ask the
 * programs of all users, so the tool also checks the content of the answer.
 */
#include "running_program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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

/* A program answers only its own user and root. So if a process of another user answers a user who is not
 * root, it is not such a program. */
static bool is_process(int peer, uint64_t pid)
{
	ucred who{};
	socklen_t bytes = sizeof(who);
	return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 &&
	       static_cast<uint64_t>(who.pid) == pid && (who.uid == geteuid() || geteuid() == 0);
}

/* Each part of the answer must come within @patience_ns, and the whole answer within three times
 * @patience_ns. */
static std::string read_all(int peer, uint64_t patience_ns)
{
	constexpr size_t MOST_BYTES = 64 << 20;
	const uint64_t end_ns = base::deadline_after(3 * patience_ns);
	std::string text;
	char part[65536];
	for (;;) {
		const uint64_t deadline_ns = std::min(end_ns, base::deadline_after(patience_ns));
		const ssize_t bytes = base::calls::recv(peer, part, sizeof(part), 0, deadline_ns);
		if (bytes <= 0 || text.size() > MOST_BYTES || base::now_ns() >= end_ns)
			return bytes == 0 ? text : std::string();
		text.append(part, static_cast<size_t>(bytes));
	}
}

static constexpr const char *PROGRAM = R"({"program": "", "version": "", "devices": [{
	"streams": [{"stream": 0, "state": ""}]}]})";

static constexpr const char *REPORT =
	R"({"name": "", "id": "", "rank": 0, "calls": 0, "failure": "",
	"trouble": "", "members": [{"rank": 0, "process": 0, "host": "", "here": true, "device": 0, "calls": 0,
		"left": true}],
	"pending": [{"number": 0, "call": "", "stream": 0, "reached": true}]})";

static bool is_report(const Json &report)
{
	return is_like(report, REPORT) && report["rank"] < report["members"].size();
}

static bool check(const Json &told)
{
	if (!is_like(told, PROGRAM))
		return false;
	for (const Json &device : told["devices"]) {
		if (device.contains("clients") && !is_snapshot(device))
			return false;
	}
	if (!told.contains("communicators"))
		return true;
	const Json &reports = told["communicators"];
	return reports.is_array() && std::all_of(reports.begin(), reports.end(), is_report);
}

static bool read_told(const std::string &text, Json &told)
{
	return read_foreign(text, told) && check(told);
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
	if (text.empty())
		return refuse(
			fmt::format("process {} ({}) gave no answer: it {}", pid, process_name(pid),
				    is_own_process(pid) || geteuid() == 0
					    ? "is stopped, or ends"
					    : "belongs to another user, and only that user and "
					      "root may look at it"));
	if (!read_told(text, program.told))
		return refuse(fmt::format("process {} ({}) gave an answer that does not fit: it "
					  "uses another version of unpu, or is no such program",
					  pid, process_name(pid)));
	return program;
}

std::vector<uint64_t> listening_programs()
{
	static constexpr const char *NAME = "@unpu-look-";
	std::vector<uint64_t> pids;
	std::ifstream table("/proc/net/unix");
	for (std::string line; std::getline(table, line);) {
		const size_t at = line.find(NAME);
		if (at != std::string::npos)
			pids.push_back(strtoull(line.c_str() + at + strlen(NAME), nullptr, 10));
	}
	std::sort(pids.begin(), pids.end());
	pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
	return pids;
}

bool is_own_process(uint64_t pid)
{
	struct stat found {};
	return stat(fmt::format("/proc/{}", pid).c_str(), &found) == 0 && found.st_uid == geteuid();
}

/* A program that did not answer has no devices to add. If the firmware is another process, the answer has no
 * snapshot with clients. */
static void add_devices(Devices &devices, const Program &program)
{
	if (program.code != EXIT_SHOWN || !program.told.contains("devices"))
		return;
	for (const Json &device : program.told["devices"]) {
		if (device.contains("clients"))
			devices.snapshots.push_back(device);
	}
}

static Devices look_at_chosen(const std::vector<uint64_t> &pids)
{
	Devices devices;
	for (const uint64_t pid : pids) {
		const Program program = look_at_program(pid);
		if (program.code != EXIT_SHOWN) {
			devices.code = program.code;
			devices.why = program.why;
			return devices;
		}
		add_devices(devices, program);
	}
	return devices;
}

std::string own_folder()
{
	const std::string folder = variable("XDG_RUNTIME_DIR");
	std::error_code error;
	if (!folder.empty())
		return folder;
	const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
	return (error ? std::filesystem::path("/tmp") : temporary) /
	       fmt::format("unpu-{}", geteuid());
}

/* Whether "unpu daemon" of this user has made its socket where it listens unless told otherwise. */
static bool has_own_daemon()
{
	struct stat found {};
	return lstat((own_folder() + "/unpu").c_str(), &found) == 0 && S_ISSOCK(found.st_mode) &&
	       found.st_uid == geteuid();
}

Devices look_around(const std::vector<uint64_t> &pids)
{
	constexpr unsigned LOOK_MS = 500;
	static bool is_said = false;
	if (!pids.empty())
		return look_at_chosen(pids);
	if (!variable("UNPU_DEVICE").empty())
		return look();
	Devices devices;
	for (const uint64_t pid : listening_programs()) {
		if (pid != static_cast<uint64_t>(getpid()) && is_own_process(pid))
			add_devices(devices, look_at_program(pid, LOOK_MS));
	}
	if (!devices.snapshots.empty())
		return devices;
	if (!is_said)
		fmt::print(stderr,
			   "unpu: UNPU_DEVICE is not set, and no program of this "
			   "user has a device "
			   "open: this is a device of the tool's own; {}\n",
			   has_own_daemon() ? fmt::format("UNPU_DEVICE=unix:{} shows those of the "
							  "daemon of this user",
							  own_folder() + "/unpu")
					    : "UNPU_DEVICE=unix:PATH shows those of a daemon, "
					      "whose log has PATH");
	is_said = true;
	return look();
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
