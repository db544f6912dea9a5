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

#include "base/json/text.h"

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

/* The program has chosen its name, perhaps that of another user. A terminal obeys control characters, and the kernel
 * may have cut a letter of several bytes, which no JSON takes. */
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
	/* The name is in parentheses, and may have some itself. */
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

Devices look()
{
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
		Json snapshot = base::read_json<Json>(text);
		if (status == 0 && !snapshot.is_discarded()) {
			devices.snapshots.push_back(std::move(snapshot));
			continue;
		}
		devices.code = EXIT_NO_DEVICE;
		devices.why = fmt::format("device {}: {}: {}", number, unpu_status_name(status),
					  sentence(unpu_status_sentence(status)));
		break;
	}
	return devices;
}

} // namespace tool
