// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-info
 *
 * What a device and the machine under it are: the first thing to run where something is slow or does
 * not start. It opens the device that programs would get.
 */
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tool.h"

static constexpr const char *NAME = "unpu-info";

/* Keys in the order they are printed in. */
using Json = nlohmann::ordered_json;

struct Wishes {
	std::string device_string;
	bool topology_only = false;
	bool json = false;
	bool dump = false;
};

static std::string amount(uint64_t bytes)
{
	constexpr uint64_t KIB = 1024;
	constexpr const char *UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	if (bytes == UNPU_UNLIMITED)
		return "unlimited";
	while (unit < 4 && bytes >= KIB && bytes % KIB == 0) {
		bytes /= KIB;
		unit++;
	}
	return fmt::format("{} {}", bytes, UNITS[unit]);
}

static Json describe_features(uint32_t features)
{
	struct Feature {
		uint32_t bit;
		const char *name;
	};
	constexpr Feature FEATURES[] = {
		{UNPU_DEVICE_STEPPED, "stepped"},
		{UNPU_DEVICE_NULL, "null"},
		{UNPU_DEVICE_LIGHT_DOORBELL, "light-doorbell"},
		{UNPU_DEVICE_ENGINES, "engines"},
	};
	Json names = Json::array();
	for (const Feature &feature : FEATURES) {
		if (features & feature.bit)
			names.push_back(feature.name);
	}
	return names;
}

static Json describe_device(uint32_t number, const struct unpu_device_info &info)
{
	return {
		{"device", number},
		{"name", info.name},
		{"wire", fmt::format("{}.{}", info.abi_major, info.abi_minor)},
		{"features", describe_features(info.features)},
		{"generation", info.generation},
		{"engines", info.engines},
		{"node", info.node},
		{"memory_total_bytes", info.memory_total_bytes},
		{"memory_free_bytes", info.memory_free_bytes},
		{"segments_huge", info.segments_huge},
		{"segments_thp", info.segments_thp},
		{"segments_4k", info.segments_4k},
	};
}

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

/* A line for each key; sizes for people. */
static void print_section(const std::string &title, const Json &section)
{
	fmt::print("{}\n", title);
	for (const auto &[key, value] : section.items()) {
		std::string text = value.is_string() ? value.get<std::string>() : value.dump();
		const size_t end = key.find("_bytes");
		if (end != key.npos)
			text = amount(value.get<uint64_t>());
		fmt::print("  {:<18} {}\n", key.substr(0, end), text);
	}
}

static unpu_result read_dump(int32_t number, std::string &text)
{
	size_t needed = 0;
	unpu_result status = unpu_dump(number, nullptr, 0, &needed);
	if (status != 0)
		return status;
	std::vector<char> buffer(needed);
	status = unpu_dump(number, buffer.data(), buffer.size(), nullptr);
	text = buffer.data();
	return status;
}

/* Adds what is asked for of one device. */
static unpu_result show_device(uint32_t number, const Wishes &wishes, Json &devices)
{
	struct unpu_device_info info = {};
	info.size = sizeof(info);
	unpu_result status = unpu_get_device_info(static_cast<int32_t>(number), &info);
	if (status != 0)
		return status;
	std::string dump;
	if (wishes.dump)
		status = read_dump(static_cast<int32_t>(number), dump);
	Json device = describe_device(number, info);
	if (!wishes.json) {
		print_section(fmt::format("device {}", number), device);
		fmt::print("{}", dump);
	} else if (wishes.dump) {
		device["dump"] = dump;
	}
	devices.push_back(std::move(device));
	return status;
}

static int show_devices(const Wishes &wishes, Json &all)
{
	uint32_t count = 0;
	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS)
		return tool::complain(NAME, tool::sentence("no devices"), tool::EXIT_USAGE);
	Json devices = Json::array();
	for (uint32_t number = 0; number < count; number++) {
		const unpu_result status = show_device(number, wishes, devices);
		if (status == 0)
			continue;
		const std::string why = tool::sentence(unpu_status_sentence(status));
		return tool::complain(
			NAME,
			fmt::format("device {}: {}: {}", number, unpu_status_name(status), why),
			tool::EXIT_NO_DEVICE);
	}
	all["devices"] = std::move(devices);
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
	if (!wishes.json) {
		fmt::print("unpu {}\n", tool::version());
		print_section("machine", all["machine"]);
	}
	int code = tool::EXIT_SHOWN;
	if (!wishes.topology_only)
		code = show_devices(wishes, all);
	if (wishes.json && code == tool::EXIT_SHOWN)
		fmt::print("{}\n", all.dump(2));
	return code;
}

int main(int argc, char **argv)
{
	Wishes wishes;
	CLI::App app("Shows the machine, and the devices that UNPU_DEVICE gives.", NAME);
	app.footer(tool::EXIT_CODES);
	app.set_version_flag("--version", tool::version());
	app.add_option(
		"--device-string", wishes.device_string,
		"Devices to open instead of UNPU_DEVICE's, as sim: or sim:memory=1G,devices=2");
	app.add_flag("--topology", wishes.topology_only, "The machine alone; opens no device");
	app.add_flag("--json", wishes.json, "One JSON object; sizes in bytes");
	app.add_flag("--dump", wishes.dump, "The state of each device too");
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? tool::EXIT_SHOWN : tool::EXIT_USAGE;
	}
	tool::use_device(wishes.device_string);
	return show(wishes);
}
