// SPDX-License-Identifier: MIT
/**
 * DOC: Device data of the tools
 *
 * The tools read only snapshots. So they all show the same data, and they can read a firmware in another
 * process without becoming its client.
 */
#include "devices.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/controls.h"
#include "base/json/json_shape.h"
#include "base/json/text.h"
#include "base/os/calls/files.h"
#include "base/os/calls/waits.h"

#include "tool.h"

namespace tool {

static constexpr const char *UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB"};

std::string amount(uint64_t bytes)
{
	size_t unit = 0;
	if (bytes == UNPU_UNLIMITED)
		return "unlimited";
	while (unit + 1 < std::size(UNITS) && bytes >= KIB && bytes % KIB == 0) {
		bytes /= KIB;
		unit++;
	}
	return fmt::format("{} {}", bytes, UNITS[unit]);
}

std::string rounded(uint64_t bytes)
{
	size_t unit = 0;
	auto value = static_cast<double>(bytes);
	while (unit + 1 < std::size(UNITS) && value >= KIB) {
		value /= KIB;
		unit++;
	}
	return fmt::format("{:.{}f} {}", value, value < 10 && unit > 0 ? 1 : 0, UNITS[unit]);
}

std::string process_name(uint64_t pid)
{
	return program_name(fmt::format("/proc/{}/comm", pid));
}

std::string user_name(const Json &client)
{
	uint64_t number = 0;
	struct stat process {};
	const Json told = client.value("user", Json());
	if (told.is_number_unsigned())
		number = told.get<uint64_t>();
	else if (stat(fmt::format("/proc/{}", client["pid"].get<uint64_t>()).c_str(), &process) ==
		 0)
		number = process.st_uid;
	else
		return "?";
	struct passwd entry {};
	struct passwd *found = nullptr;
	char texts[4096];
	getpwuid_r(static_cast<uid_t>(number), &entry, texts, sizeof(texts), &found);
	return found ? base::without_controls(found->pw_name) : std::to_string(number);
}

/* A program chooses its own name, and it may belong to another user. So control characters are replaced,
 * because a terminal would obey them. The kernel may have cut the name inside a character of several bytes,
 * which is not valid in JSON. */
std::string program_name(const std::string &file)
{
	std::ifstream comm(file);
	std::string name;
	if (!std::getline(comm, name))
		return "?";
	std::replace_if(
		name.begin(), name.end(), [](char letter) { return letter < ' ' || letter > '~'; },
		'?');
	return name;
}

std::string process_state(uint64_t pid)
{
	std::ifstream file(fmt::format("/proc/{}/stat", pid));
	std::string line;
	if (!std::getline(file, line))
		return "has ended";
	/* The name is in parentheses, and may contain parentheses itself. */
	const size_t name = line.rfind(") ");
	const char letter = name == std::string::npos ? 'R' : line[name + 2];
	if (letter == 'T' || letter == 't')
		return "is stopped";
	return letter == 'Z' || letter == 'X' ? "has ended" : "";
}

static unpu_result read_snapshot(int32_t device, std::string &text)
{
	/* The snapshot may have grown before the second call. */
	constexpr size_t GROWTH_BYTES = 4096;
	size_t needed = 0;
	unpu_result status = unpu_snapshot(device, nullptr, 0, &needed);
	for (size_t room = 0; status == 0 && needed > room;) {
		room = needed + GROWTH_BYTES;
		text.resize(room);
		status = unpu_snapshot(device, text.data(), room, &needed);
	}
	if (status == 0)
		text.resize(needed - 1);
	return status;
}

static constexpr const char *SNAPSHOT =
	R"({"device": 0, "name": "", "pid": 0, "wire": "", "generation": 0, "engines": 0, "node": null, "placement": null,
	"memory_total_bytes": 0, "memory_used_bytes": 0, "sleeping": true, "uptime_ns": 0, "busy_ns": null,
	"engines_busy_ns": null, "kernels_busy_ns": 0, "faults": null, "watchdog": {"resets": 0},
	"counters": {"packets": 0, "graph_nodes": 0, "doorbells": 0, "messages": 0, "wakes": 0, "faults": 0, "arms_won": 0,
		"arms_lost": 0, "kicks": 0},
	"clients": [{"client": 0, "pid": 0, "broken": null, "memory_used_bytes": 0, "quota_used_bytes": 0, "segments": {"pinned": {"bytes": 0}},
		"counters": {"packets": 0},
		"channels": [{"channel": 0, "state": "", "published": 0, "fetched": 0, "retired": 0, "waits_for": null,
			"blocked_ms": null, "failure": null}],
		"graphs": [{"graph": 0, "nodes": 0, "lines": 0, "executions": 0, "queued": 0, "running": true,
			"waits_for": [null]}],
		"semaphores": [{"semaphore": 0, "value": 0, "waiters": 0}]}]})";

/* Parts that may be null. */
static constexpr const char *PLACEMENT = R"({"memory": null, "why": ""})";
static constexpr const char *FAULTS = R"({"rules": ""})";

/* Return: false: a name has a character that a terminal obeys. Such a value can be replaced, a name can't. */
static bool blank(Json &value)
{
	if (value.is_string())
		base::blank_controls(value.get_ref<std::string &>());
	if (!value.is_structured())
		return true;
	for (const auto &[name, part] : value.items()) {
		if (!blank(part) || (value.is_object() && base::without_controls(name) != name))
			return false;
	}
	return true;
}

bool read_foreign(const std::string &text, Json &value)
{
	value = base::read_json<Json>(text);
	return value.is_object() && blank(value);
}

bool is_like(const Json &value, const char *sample)
{
	return base::is_like(value, base::read_json<Json>(sample));
}

bool is_snapshot(const Json &value)
{
	return is_like(value, SNAPSHOT) &&
	       (value["placement"].is_null() || is_like(value["placement"], PLACEMENT)) &&
	       (value["faults"].is_null() || is_like(value["faults"], FAULTS));
}

namespace {

/* class Notice - tells a user whose tool stands still that the firmware does not answer, and lets the tool wait on. */
class Notice {
public:
	Notice()
	{
		if (!variable("UNPU_DEVICE").starts_with("unix:") || pipe2(ends_, O_CLOEXEC) != 0)
			return;
		try {
			thread_ = std::thread([this] { watch(); });
		} catch (const std::system_error &) {
			/* No thread is left: nothing is told. */
		}
	}

	~Notice()
	{
		if (ends_[1] >= 0)
			base::calls::close(ends_[1]);
		if (thread_.joinable())
			thread_.join();
		if (ends_[0] >= 0)
			base::calls::close(ends_[0]);
	}

private:
	/* The look ends when the other end of the pipe is closed. */
	void watch() const
	{
		pollfd over = {ends_[0], POLLIN, 0};
		if (base::calls::poll(&over, 1, base::deadline_after(2 * base::NS_PER_S)) == 0)
			fmt::print(stderr,
				   "unpu: the firmware of UNPU_DEVICE={} has not answered for 2 s: "
				   "it is stopped, or busy; waiting\n",
				   base::without_controls(variable("UNPU_DEVICE")));
	}

	int ends_[2] = {-1, -1};
	std::thread thread_;
};

} // namespace

/* The firmware may be of another user, who chooses what it tells. */
Devices look()
{
	const Notice notice;
	Devices devices;
	uint32_t count = 0;
	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS) {
		devices.code = EXIT_USAGE;
		devices.why = sentence("no devices");
		return devices;
	}
	for (uint32_t number = 0; number < count; number++) {
		std::string text;
		const unpu_result status = read_snapshot(static_cast<int32_t>(number), text);
		Json snapshot;
		const bool is_good =
			status == 0 && read_foreign(text, snapshot) && is_snapshot(snapshot);
		if (is_good) {
			devices.snapshots.push_back(std::move(snapshot));
			continue;
		}
		devices.code = EXIT_NO_DEVICE;
		if (status == 0) {
			devices.why = fmt::format("device {}: its firmware gave a snapshot that "
						  "does not fit: it is of another "
						  "version of unpu, or is no firmware; UNPU_DEVICE "
						  "says which one is asked",
						  number);
			break;
		}
		devices.why = fmt::format("device {}: {}: {}", number, unpu_status_name(status),
					  sentence(unpu_status_sentence(status)));
		break;
	}
	return devices;
}

} // namespace tool
