// SPDX-License-Identifier: MIT
/**
 * DOC: npu-smi info -l, -m and -t
 *
 * Lines of "Name : value", as scripts cut them. Rates are measured over a short time between two snapshots.
 */
#include "views.h"

#include <algorithm>

#include <unistd.h>

#include "base/json/text.h"

#include "common/running_program.h"
#include "common/screen.h"
#include "common/tool.h"

namespace smi {

using tool::Json;

/* The time between the two snapshots from which rates are computed. */
static constexpr double LOOK_SECONDS = 0.1;

static std::string line(const std::string &name, const std::string &value)
{
	return fmt::format("\t{:<30} : {}\n", name, value);
}

static std::string line(const std::string &name, uint64_t value)
{
	return line(name, std::to_string(value));
}

std::string chip_name(const Json &device)
{
	const std::string family = "Ascend";
	const std::string name = device["name"];
	const bool is_family = name.size() > family.size() && name.starts_with(family);
	return is_family ? name.substr(family.size()) : name;
}

/* A list of numbers as text: "0", "0 and 1", "0, 1 and 2". */
static std::string listed(const std::vector<Json> &snapshots)
{
	std::string text;
	for (size_t i = 0; i < snapshots.size(); i++) {
		if (i > 0)
			text += i + 1 < snapshots.size() ? ", " : " and ";
		text += base::write_json(snapshots[i]["device"]);
	}
	return text;
}

tool::Devices chosen_devices(const Wishes &wishes)
{
	tool::Devices devices = tool::look_around();
	if (devices.code != tool::EXIT_SHOWN || wishes.device < 0)
		return devices;
	for (const Json &device : devices.snapshots) {
		if (device["device"] == wishes.device) {
			devices.snapshots = std::vector<Json>{device};
			return devices;
		}
	}
	devices.why = fmt::format("-i is {}, but the devices are {}, as npu-smi info -l lists them",
				  wishes.device, listed(devices.snapshots));
	devices.code = tool::EXIT_USAGE;
	return devices;
}

Looks look_twice(const Wishes &wishes)
{
	Looks looks = {chosen_devices(wishes), {}};
	if (looks.before.code == tool::EXIT_SHOWN && tool::Screen(false).wait(LOOK_SECONDS))
		looks.now = chosen_devices(wishes);
	else
		looks.now = looks.before;
	return looks;
}

const Json &earlier(const tool::Devices &before, const Json &now)
{
	for (const Json &device : before.snapshots) {
		if (device["device"] == now["device"] &&
		    device["generation"] == now["generation"] &&
		    device["uptime_ns"] <= now["uptime_ns"])
			return device;
	}
	return now;
}

std::string usage(const Json &before, const Json &now, const char *key, uint64_t threads)
{
	const double ns = now["uptime_ns"].get<double>() - before["uptime_ns"].get<double>();
	if (before[key].is_null() || now[key].is_null() || threads == 0 || ns <= 0 ||
	    before["generation"] != now["generation"])
		return "0";
	const double busy = now[key].get<double>() - before[key].get<double>();
	return fmt::format("{:.0f}", busy / ns / static_cast<double>(threads) * 100);
}

std::string core_usage(const Json &before, const Json &now)
{
	const int engines =
		std::stoi(usage(before, now, "engines_busy_ns", now["engines"].get<uint64_t>()));
	const int kernels = std::stoi(usage(before, now, "kernels_busy_ns", 1));
	return std::to_string(std::min(std::max(engines, kernels), 100));
}

uint64_t memory_rate(const Json &device)
{
	const auto total = device["memory_total_bytes"].get<uint64_t>();
	return total == 0 ? 0 : device["memory_used_bytes"].get<uint64_t>() * 100 / total;
}

static std::string board(const Json &, const Json &device)
{
	return line("Product Name", "unpu") + line("Model", device["name"].get<std::string>()) +
	       line("Manufacturer", "unpu") + line("Serial Number", NOT_THERE) +
	       line("Software Version", tool::version()) +
	       line("Firmware Version", "wire " + device["wire"].get<std::string>()) +
	       line("Board ID", NOT_THERE) + line("PCIe Bus Info", bus_id(device)) +
	       line("NUMA Node", base::write_json(device["node"]));
}

static std::string memory(const Json &, const Json &device)
{
	return line("HBM Capacity(MB)", device["memory_total_bytes"].get<uint64_t>() / MIB) +
	       line("HBM Usage(MB)", device["memory_used_bytes"].get<uint64_t>() / MIB) +
	       line("HBM Clock Speed(MHz)", NOT_THERE) + line("HBM Temperature(C)", NOT_THERE);
}

static std::string usages(const Json &before, const Json &device)
{
	return line("HBM Capacity(MB)", device["memory_total_bytes"].get<uint64_t>() / MIB) +
	       line("HBM Usage Rate(%)", memory_rate(device)) +
	       line("Aicore Usage Rate(%)", core_usage(before, device)) +
	       line("Aicpu Usage Rate(%)", NOT_THERE) +
	       line("Ctrlcpu Usage Rate(%)", usage(before, device, "busy_ns", 1)) +
	       line("HBM Bandwidth Usage Rate(%)", NOT_THERE);
}

std::string health_word(const Json &device)
{
	return device["watchdog"]["resets"].get<uint64_t>() == 0 ? "OK" : "Warning";
}

/* A device whose watchdog cut a client off has had a hung task. */
static std::string health(const Json &, const Json &device)
{
	const auto resets = device["watchdog"]["resets"].get<uint64_t>();
	return line("Health Status", health_word(device)) + line("Hung Tasks", resets) +
	       line("Faults On Purpose", device["faults"].is_null()
						 ? "none"
						 : device["faults"]["rules"].get<std::string>());
}

static std::string common(const Json &before, const Json &device)
{
	return line("Memory Usage Rate(%)", memory_rate(device)) +
	       line("Aicore Usage Rate(%)", core_usage(before, device)) +
	       line("Aicore Freq(MHZ)", NOT_THERE) +
	       line("Aicore Count", base::write_json(device["engines"])) +
	       line("Temperature(C)", NOT_THERE) + line("NPU Real-time Power(W)", NOT_THERE);
}

static std::string temperature(const Json &, const Json &)
{
	return line("NPU Temperature (C)", NOT_THERE);
}

static std::string power(const Json &, const Json &)
{
	return line("NPU Real-time Power(W)", NOT_THERE);
}

static std::string product(const Json &, const Json &device)
{
	return line("Product Type", device["name"].get<std::string>());
}

static std::string ecc(const Json &, const Json &)
{
	return line("HBM Single Bit Error Count", 0) + line("HBM Double Bit Error Count", 0);
}

static std::string process_memory(const Json &, const Json &device)
{
	std::string text;
	for (const Json &client : device["clients"]) {
		const auto pid = client["pid"].get<uint64_t>();
		if (pid == static_cast<uint64_t>(getpid()))
			continue;
		text += line("Process id", pid) + line("Process name", tool::process_name(pid)) +
			line("Process user", tool::user_name(client)) +
			line("Process memory(MB)",
			     client["memory_used_bytes"].get<uint64_t>() / MIB);
	}
	return text.empty() ? line("Processes", 0) : text;
}

/* The text of info -t for a device, from its snapshot @now and from a snapshot a short time before. */
struct Type {
	const char *name;
	std::string (*text)(const Json &before, const Json &device);
};

static constexpr Type TYPES[] = {
	{"board", board},     {"common", common},
	{"ecc", ecc},	      {"health", health},
	{"memory", memory},   {"power", power},
	{"product", product}, {"temp", temperature},
	{"usages", usages},   {"proc-mem", process_memory},
};

/* The table of all devices. */
static constexpr const char *TOPOLOGY = "topo";

std::vector<std::string> type_names()
{
	std::vector<std::string> names;
	for (const Type &type : TYPES)
		names.emplace_back(type.name);
	names.emplace_back(TOPOLOGY);
	return names;
}

int show_type(const Wishes &wishes)
{
	if (wishes.type == TOPOLOGY)
		return show_topology();
	const Looks looks = look_twice(wishes);
	if (looks.now.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, looks.now.why, looks.now.code);
	const std::vector<Json> &now = looks.now.snapshots;
	for (const Type &type : TYPES) {
		if (type.name != wishes.type)
			continue;
		for (size_t i = 0; i < now.size(); i++)
			fmt::print("{}{}\n{}{}\n",
				   line("NPU ID", base::write_json(now[i]["device"])),
				   line("Chip Count", 1),
				   type.text(earlier(looks.before, now[i]), now[i]),
				   line("Chip ID", 0));
	}
	return tool::EXIT_SHOWN;
}

int show_list()
{
	const tool::Devices devices = tool::look_around();
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	fmt::print("{}", line("Total Count", devices.snapshots.size()));
	for (const Json &device : devices.snapshots)
		fmt::print("\n{}{}{}{}", line("NPU ID", base::write_json(device["device"])),
			   line("Product Name", device["name"].get<std::string>()),
			   line("Serial Number", NOT_THERE), line("Chip Count", 1));
	return tool::EXIT_SHOWN;
}

int show_map()
{
	const tool::Devices devices = tool::look_around();
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	constexpr const char *ROW = "\t{:<30} {:<30} {:<30} {:<30}\n";
	fmt::print(ROW, "NPU ID", "Chip ID", "Chip Logic ID", "Chip Name");
	for (const Json &device : devices.snapshots)
		fmt::print(ROW, base::write_json(device["device"]), "0",
			   base::write_json(device["device"]), "Ascend " + chip_name(device));
	return tool::EXIT_SHOWN;
}

} // namespace smi
