// SPDX-License-Identifier: MIT
/**
 * DOC: npu-smi info, npu-smi info proc and npu-smi info -t topo
 *
 * Tables with the columns of the chip's own tool, because programs cut them. A device has two lines: its name, then its
 * chip. Configure scripts take the third field of the seventh line, which is the first device's name. Below are the
 * processes that use the devices.
 */
#include <numeric>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "base/json/text.h"

#include "common/devices.h"
#include "common/places.h"
#include "common/running_program.h"
#include "common/tool.h"
#include "views.h"

namespace smi {

using tool::Json;

/* The inner widths of the columns of the rows below. All tables have the same width. */
static const std::vector<size_t> DEVICE_WIDTHS = {27, 15, 52};
static const std::vector<size_t> PROCESS_WIDTHS = {27, 15, 17, 20, 13};

static std::string rule(const std::vector<size_t> &widths, char line)
{
	std::string text = "+";
	for (size_t width : widths)
		text += std::string(width, line) + "+";
	return text + "\n";
}

static std::string wide_row(std::string_view text)
{
	return fmt::format("| {:<94} |\n", text);
}

static std::string row(std::string_view number, std::string_view name, std::string_view state,
		       std::string_view first, std::string_view second, std::string_view third)
{
	return fmt::format("| {:<5} {:<19} | {:<13} | {:<11} {:<17} {:<21}|\n", number, name, state,
			   first, second, third);
}

static std::string used(uint64_t used, uint64_t total)
{
	return fmt::format("{:<5}/ {}", used, total);
}

/* The same bus numbers as cuDeviceGetPCIBusId() returns. */
std::string bus_id(const Json &device)
{
	return fmt::format("0000:{:02X}:00.0", device["device"].get<unsigned>() + 1);
}

static std::string device_rows(const Json &before, const Json &device)
{
	const std::string cores = core_usage(before, device);
	const std::string memory = used(device["memory_used_bytes"].get<uint64_t>() / MIB,
					device["memory_total_bytes"].get<uint64_t>() / MIB);
	return row(base::write_json(device["device"]), chip_name(device), health_word(device),
		   NOT_THERE, NOT_THERE, used(0, 0)) +
	       row("0", "", bus_id(device), cores, used(0, 0), memory);
}

static std::string process_row(std::string_view number, std::string_view chip, std::string_view pid,
			       std::string_view name, std::string_view memory,
			       std::string_view user)
{
	return fmt::format("| {:<7} {:<17} | {:<13} | {:<15} | {:<18} | {:<11} |\n", number, chip,
			   pid, name, memory, user);
}

/* The processes that use a device, without this program. The chip's own tool has no user, so it is the last column. */
static std::string process_rows(const Json &device)
{
	constexpr size_t MOST_OF_USER = 11;
	std::string rows;
	for (const Json &client : device["clients"]) {
		const uint64_t pid = client["pid"];
		if (pid == static_cast<uint64_t>(getpid()))
			continue;
		rows += process_row(
			base::write_json(device["device"]), "0", std::to_string(pid),
			tool::process_name(pid),
			std::to_string(client["memory_used_bytes"].get<uint64_t>() / MIB),
			tool::user_name(client).substr(0, MOST_OF_USER));
	}
	if (!rows.empty())
		return rows;
	return wide_row("No running processes found in NPU " + base::write_json(device["device"]));
}

static std::string process_table(const tool::Devices &devices)
{
	std::string table = rule(PROCESS_WIDTHS, '-');
	table += process_row("NPU", "Chip", "Process id", "Process name", "Process memory(MB)",
			     "User");
	table += rule(PROCESS_WIDTHS, '=');
	for (const Json &device : devices.snapshots)
		table += process_rows(device) + rule(PROCESS_WIDTHS, '=');
	return table;
}

int show_processes(const Wishes &wishes)
{
	const tool::Devices devices = chosen_devices(wishes);
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	fmt::print("{}", process_table(devices));
	return tool::EXIT_SHOWN;
}

int show_table()
{
	const Looks looks = look_twice({});
	if (looks.now.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, looks.now.why, looks.now.code);
	std::string table = rule({std::accumulate(DEVICE_WIDTHS.begin(), DEVICE_WIDTHS.end(),
						  DEVICE_WIDTHS.size() - 1)},
				 '-');
	table += wide_row(fmt::format("npu-smi {0:<25} Version: {0}", tool::version()));
	table += rule(DEVICE_WIDTHS, '-');
	table += row("NPU", "Name", "Health", "Power(W)", "Temp(C)", "Hugepages-Usage(page)");
	table += row("Chip", "", "Bus-Id", "AICore(%)", "Memory-Usage(MB)", "HBM-Usage(MB)");
	table += rule(DEVICE_WIDTHS, '=');
	for (size_t i = 0; i < looks.now.snapshots.size(); i++)
		table += device_rows(earlier(looks.before, looks.now.snapshots[i]),
				     looks.now.snapshots[i]) +
			 rule(DEVICE_WIDTHS, '=');
	fmt::print("{}{}", table, process_table(looks.now));
	return tool::EXIT_SHOWN;
}

/* As in aclrtGetDevicesTopo(): two devices of one NUMA node are linked by its memory bus, other devices by
 * the link between their nodes. */
static std::string_view link(const Json &one, const Json &other, size_t nodes)
{
	const bool is_near = nodes <= 1 || (one["node"] >= 0 && one["node"] == other["node"]);
	if (one["device"] == other["device"])
		return "X";
	return is_near ? "PHB" : "SYS";
}

static std::string cpus_near(const Json &device, const Json &nodes)
{
	std::string all;
	for (const Json &node : nodes) {
		const auto cpus = node["cpus"].get<std::string>();
		if (node["node"] == device["node"])
			return cpus;
		all += (all.empty() || cpus.empty() ? "" : ",") + cpus;
	}
	return all.empty() ? NOT_THERE : all;
}

int show_topology()
{
	const tool::Devices devices = tool::look_around();
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	auto cell = [](std::string_view text) { return fmt::format("{:<11}", text); };
	auto name = [](const Json &device) { return "NPU" + base::write_json(device["device"]); };
	const Json nodes = tool::nodes();
	std::string table = cell("");
	for (const Json &device : devices.snapshots)
		table += cell(name(device));
	table += "CPU Affinity\n";
	for (const Json &device : devices.snapshots) {
		table += cell(name(device));
		for (const Json &other : devices.snapshots)
			table += cell(link(device, other, nodes.size()));
		table += cpus_near(device, nodes) + "\n";
	}
	fmt::print("{}\nLegend:\n\n"
		   "  X    = the device itself\n"
		   "  PHB  = through the memory of one NUMA node\n"
		   "  SYS  = through the link between NUMA nodes\n",
		   table);
	return tool::EXIT_SHOWN;
}

} // namespace smi
