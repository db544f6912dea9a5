// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-info
 *
 * Shows a device, its machine, its clients and their work: the first tool to run if a program is slow, hangs
 * or does not start. It shows the device that programs would open.
 */
#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <signal.h>
#include <unistd.h>

#include "base/json/text.h"

#include "common/collectives.h"
#include "common/command_line.h"
#include "common/devices.h"
#include "common/merge.h"
#include "common/places.h"
#include "common/running_program.h"
#include "common/screen.h"
#include "common/tool.h"
#include "common/view.h"

using tool::Json;

static constexpr const char *NAME = "unpu-info";
static constexpr double WATCH_SECONDS = 1;

struct Wishes {
	std::string device_string;
	std::vector<std::string> traces;
	std::vector<uint64_t> processes;
	std::string out;
	double watch_seconds = WATCH_SECONDS;
	bool topology = false;
	bool json = false;
	bool dump = false;
	bool hccl = false;
};

static Json describe_machine(const struct unpu_topology &machine)
{
	return {
		{"nodes", machine.nodes},
		{"cpus", machine.cpus},
		{"membarrier", machine.membarrier_works != 0},
		{"memory_bytes", machine.memory_bytes},
		{"page_bytes", machine.page_bytes},
		{"huge_page_bytes", machine.huge_page_bytes},
		{"huge_pages_free", machine.huge_pages_free},
		{"thp_bytes", machine.thp_bytes},
		{"memlock_limit_bytes", machine.memlock_limit_bytes},
	};
}

static std::string read_dump(size_t number)
{
	const auto device = static_cast<int32_t>(number);
	size_t needed = 0;
	if (unpu_dump(device, nullptr, 0, &needed) != 0)
		return "";
	std::vector<char> buffer(needed);
	return unpu_dump(device, buffer.data(), buffer.size(), nullptr) == 0 ? buffer.data() : "";
}

/* The quotas of a firmware that has some. */
static std::string quotas_of(const Json &device)
{
	const Json quotas = device.value("quotas", Json::object());
	const bool has_some = std::any_of(quotas.begin(), quotas.end(), [](const Json &most) {
		return most.is_number() && most != 0;
	});
	return has_some ? fmt::format("quotas of device {}, 0 for none\n{}",
				      base::write_json(device["device"]), tool::fields(quotas))
			: "";
}

static std::string describe_device(const Json &device)
{
	const std::string number = base::write_json(device["device"]);
	return fmt::format(
		"device {0}\n{1}{2}counters of device {0}\n{3}clients of device {0}\n{4}", number,
		tool::fields(device), quotas_of(device), tool::fields(device["counters"]),
		tool::clients(device));
}

static int show_devices(const Wishes &wishes, Json &all)
{
	const tool::Devices devices = wishes.dump ? tool::look() : tool::look_around();
	Json list = Json::array();
	for (size_t i = 0; i < devices.snapshots.size(); i++) {
		Json device = devices.snapshots[i];
		if (!wishes.json)
			fmt::print("{}", describe_device(device));
		if (wishes.dump && wishes.json)
			device["dump"] = read_dump(i);
		else if (wishes.dump)
			fmt::print("{}", read_dump(i));
		list.push_back(std::move(device));
	}
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	all["devices"] = std::move(list);
	return tool::EXIT_SHOWN;
}

/* A device of sim: normally ends right after its snapshot. It is opened here, so that it still exists when
 * the tool reads /proc afterwards. */
static tool::Devices look_and_stay()
{
	tool::Devices devices = tool::look();
	bool opened = false;
	for (size_t i = 0; i < devices.snapshots.size(); i++) {
		const auto pid = devices.snapshots[i]["pid"].get<pid_t>();
		if (pid == getpid() || kill(pid, 0) != 0)
			opened = aclrtSetDevice(static_cast<int32_t>(i)) == ACL_SUCCESS || opened;
	}
	return opened ? tool::look() : devices;
}

/* If a device can't be opened, only the machine is drawn. */
static int show_places(const Wishes &wishes, Json &all)
{
	const tool::Devices devices = look_and_stay();
	all["nodes"] = tool::nodes();
	all["devices"] = devices.snapshots;
	all["processes"] = Json::array();
	for (const uint64_t pid : tool::processes_of(devices.snapshots, wishes.processes))
		all["processes"].push_back(tool::process_places(pid));
	if (wishes.json)
		fmt::print("{}\n", base::write_json(all, 2));
	else
		fmt::print("{}",
			   tool::draw_places(all["nodes"], devices.snapshots, all["processes"]));
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	return tool::EXIT_SHOWN;
}

static int show(const Wishes &wishes)
{
	Json all = {{"version", tool::version()}};
	struct unpu_topology machine = {};
	machine.size = sizeof(machine);
	if (unpu_get_topology(&machine) != 0)
		return tool::complain(NAME, tool::sentence("no topology"), tool::EXIT_NO_DEVICE);
	all["machine"] = describe_machine(machine);
	if (!wishes.json)
		fmt::print("unpu {}\nmachine\n{}", tool::version(), tool::fields(all["machine"]));
	if (wishes.topology)
		return show_places(wishes, all);
	const int code = show_devices(wishes, all);
	if (wishes.json && code == tool::EXIT_SHOWN)
		fmt::print("{}\n", base::write_json(all, 2));
	return code;
}

/* The snapshot lacks the clients of the device if the firmware did not send them. */
static std::string describe_own(const Json &device)
{
	return device.contains("clients") ? describe_device(device) : tool::fields(device);
}

static int show_program(const Wishes &wishes)
{
	for (const uint64_t pid : wishes.processes) {
		const tool::Program program = tool::look_at_program(pid);
		if (program.code != tool::EXIT_SHOWN)
			return tool::complain(NAME, program.why, program.code);
		if (wishes.json) {
			fmt::print("{}\n", base::write_json(program.told, 2));
			continue;
		}
		fmt::print("process {} ({}), unpu {}\n", pid,
			   program.told["program"].get<std::string>(),
			   program.told["version"].get<std::string>());
		for (const Json &device : program.told["devices"])
			fmt::print("{}streams\n{}", describe_own(device), tool::streams(device));
	}
	return tool::EXIT_SHOWN;
}

static int show_communicators(const Wishes &wishes)
{
	const Json list = tool::look_at_communicators(wishes.processes);
	if (wishes.json)
		fmt::print("{}\n", base::write_json(list, 2));
	else
		fmt::print("{}", tool::communicators(list));
	return tool::EXIT_SHOWN;
}

static std::string picture(const std::vector<Json> &before, const std::vector<Json> &now)
{
	std::string text;
	for (size_t i = 0; i < now.size(); i++) {
		text += tool::rates(i < before.size() ? before[i] : Json(), now[i]);
		text += tool::clients(now[i]);
	}
	return text;
}

static int watch(const Wishes &wishes)
{
	tool::Screen screen;
	std::vector<Json> before;
	do {
		tool::Devices devices = tool::look_around();
		if (devices.code != tool::EXIT_SHOWN)
			return tool::complain(NAME, devices.why, devices.code);
		if (wishes.json)
			screen.draw(base::write_json(Json(devices.snapshots)));
		else
			screen.draw(picture(before, devices.snapshots));
		before = std::move(devices.snapshots);
	} while (screen.wait(wishes.watch_seconds));
	return tool::EXIT_SHOWN;
}

static int merge(const Wishes &wishes)
{
	const tool::Merged merged = tool::merge_traces(wishes.traces, wishes.out);
	if (!merged.why.empty())
		return tool::complain(NAME, merged.why, tool::EXIT_USAGE);
	fmt::print("{}: {} events, {} arrows between the files, {} without their other end\n",
		   wishes.out, merged.events, merged.arrows, merged.loose_ends);
	return tool::EXIT_SHOWN;
}

static int parse_and_show(int argc, char **argv)
{
	constexpr double WATCH_MIN_SECONDS = 0.05;
	constexpr double WATCH_MAX_SECONDS = 86400;
	constexpr unsigned MOST_PIDS = 1u << 22; /* Linux has no more processes */
	Wishes wishes;
	CLI::App app("Shows the machine, and the devices that UNPU_DEVICE gives.", NAME);
	app.footer(tool::EXIT_CODES);
	app.set_version_flag("--version", tool::version());
	app.add_option(
		"--device-string", wishes.device_string,
		"Devices to look at instead of UNPU_DEVICE's, as sim: or sim:memory=1G,devices=2");
	auto *topology = app.add_flag("--topology", wishes.topology,
				      "Where devices, threads and pages are on the machine");
	auto *processes =
		app.add_option("--pid", wishes.processes,
			       "The devices that a running program has open, and what its streams "
			       "wait for; with --topology: a process to draw, beside firmware and "
			       "clients")
			->check(CLI::Range(1u, MOST_PIDS))
			->type_name("PID");
	app.add_flag(
		   "--hccl", wishes.hccl,
		   "The communicators of running programs, and what each rank waits for; opens no "
		   "device. --pid: of these programs alone")
		->excludes(topology);
	app.add_flag("--json", wishes.json,
		     "One JSON object, sizes in bytes; with --watch an array a line");
	auto *dump = app.add_flag("--dump", wishes.dump, "This process's state of each device too");
	auto *watched = app.add_option("--watch", wishes.watch_seconds,
				       "The devices again every so many seconds, 1 if not given, "
				       "until q or ctrl-c")
				->check(CLI::Range(WATCH_MIN_SECONDS, WATCH_MAX_SECONDS))
				->type_name("SECONDS")
				->expected(0, 1)
				->excludes(topology)
				->excludes(processes)
				->excludes(dump);
	auto *traces =
		app.add_option("--merge-trace", wishes.traces,
			       "Trace files of programs and of the firmware they used, to be "
			       "one; opens no device")
			->type_name("FILE")
			->expected(2, CLI::detail::expected_max_vector_size);
	app.add_option("-o,--output", wishes.out, "Where the merged trace goes")
		->type_name("FILE")
		->needs(traces);
	traces->needs("--output");
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return tool::refuse(app, error, {argv, static_cast<size_t>(argc)},
				    tool::EXIT_USAGE);
	}
	if (traces->count() > 0)
		return merge(wishes);
	if (wishes.hccl)
		return show_communicators(wishes);
	if (processes->count() > 0 && !wishes.topology)
		return show_program(wishes);
	tool::use_device(wishes.device_string);
	return watched->count() > 0 ? watch(wishes) : show(wishes);
}

int main(int argc, char **argv)
{
	return tool::run_tool(NAME, tool::EXIT_NO_DEVICE,
			      [&] { return parse_and_show(argc, argv); });
}
