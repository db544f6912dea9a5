// SPDX-License-Identifier: MIT
/**
 * DOC: unpu doctor
 *
 * Says what this machine lacks, what follows from it, and what to do. Then it opens the devices, because that is
 * what a program does.
 */
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/json/text.h"

#include "checks.h"
#include "commands.h"
#include "common/devices.h"
#include "common/tool.h"

namespace unpu_command {

namespace fs = std::filesystem;
using State = Finding::State;
using tool::Json;

/* The first folder of LD_LIBRARY_PATH that has the library: a program loads the library from there. */
static Finding check_libraries()
{
	constexpr const char *LIBRARY = "libascendcl.so";
	std::error_code error;
	const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
	std::istringstream folders(tool::variable("LD_LIBRARY_PATH"));
	for (std::string folder; std::getline(folders, folder, ':');) {
		if (folder.empty() || !fs::exists(fs::path(folder) / LIBRARY, error))
			continue;
		if (fs::exists(fs::path(folder) / "libunpu.so.0", error))
			return {"libraries", State::GOOD, folder, ""};
		return {"libraries", State::LACKS,
			fmt::format("programs find {} of another toolkit first, in {}", LIBRARY,
				    folder),
			fmt::format(". {}/set_env.sh, or unpu run -- PROGRAM", own.string())};
	}
	return {"libraries", State::GOOD,
		"LD_LIBRARY_PATH has none; programs find those they are linked with",
		fmt::format("else: . {}/set_env.sh, or unpu run -- PROGRAM", own.string())};
}

static Finding check_devices()
{
	const tool::Devices devices = tool::look();
	if (devices.code != tool::EXIT_SHOWN)
		return {"devices", State::LACKS, devices.why,
			"mend UNPU_DEVICE, or unset it for one device in the program"};
	const Json &first = devices.snapshots.front();
	return {"devices", State::GOOD,
		fmt::format("{}: {} with {}", devices.snapshots.size(),
			    first["name"].get<std::string>(),
			    tool::rounded(first["memory_total_bytes"].get<uint64_t>())),
		""};
}

static const char *state_name(State state)
{
	switch (state) {
	case State::GOOD:
		return "ok";
	case State::LESS:
		return "less";
	default:
		return "LACKS";
	}
}

static size_t count(const std::vector<Finding> &findings, State state)
{
	return static_cast<size_t>(
		std::count_if(findings.begin(), findings.end(),
			      [state](const Finding &each) { return each.state == state; }));
}

static void print_text(const std::vector<Finding> &findings)
{
	for (const Finding &each : findings) {
		fmt::print("{:<6} {:<11} {}\n", state_name(each.state), each.what, each.text);
		if (!each.remedy.empty())
			fmt::print("{:<18} -> {}\n", "", each.remedy);
	}
	fmt::print("{} ok, {} with less speed or size, {} missing\n", count(findings, State::GOOD),
		   count(findings, State::LESS), count(findings, State::LACKS));
}

static void print_json(const std::vector<Finding> &findings)
{
	Json list = Json::array();
	for (const Finding &each : findings)
		list.push_back({{"check", each.what},
				{"state", state_name(each.state)},
				{"text", each.text},
				{"remedy", each.remedy}});
	fmt::print("{}\n",
		   base::write_json(Json({{"version", tool::version()}, {"checks", list}}), 2));
}

int doctor(const DoctorWishes &options)
{
	tool::use_device(options.device);
	std::vector<Finding> findings = check_machine();
	findings.push_back(check_libraries());
	findings.push_back(check_devices());
	if (options.is_json)
		print_json(findings);
	else
		print_text(findings);
	return count(findings, State::LACKS) == 0 ? tool::EXIT_SHOWN : tool::EXIT_NO_DEVICE;
}

} // namespace unpu_command
