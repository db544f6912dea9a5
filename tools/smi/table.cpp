// SPDX-License-Identifier: MIT
/**
 * DOC: npu-smi info
 *
 * The table that configure scripts read to learn which chip they build for. They take the third field
 * of the seventh line, so the first device's line is the seventh and its name the third field. Below
 * it are the processes that use the devices.
 */
#include <string_view>
#include <vector>

#include <unistd.h>

#include "common/devices.h"
#include "common/tool.h"
#include "views.h"

namespace smi {

using tool::Json;

/* Inner widths of the columns, as the rows below have them. Both tables are equally wide. */
static const std::vector<size_t> DEVICE_WIDTHS = {27, 8, 25, 9, 6};
static const std::vector<size_t> PROCESS_WIDTHS = {27, 14, 20, 15};

static std::string rule(const std::vector<size_t> &widths, char line)
{
	std::string text = "+";
	for (size_t width : widths)
		text += std::string(width, line) + "+";
	return text + "\n";
}

static std::string row(std::string_view number, std::string_view name, std::string_view health,
		       std::string_view memory, std::string_view engines, std::string_view node)
{
	return fmt::format("| {:<5} {:<19} | {:<6} | {:<23} | {:<7} | {:<4} |\n", number, name,
			   health, memory, engines, node);
}

static std::string device_row(const Json &device)
{
	const int64_t node = device["node"];
	const std::string memory =
		fmt::format("{} / {}", device["memory_used_bytes"].get<uint64_t>() / MIB,
			    device["memory_total_bytes"].get<uint64_t>() / MIB);
	return row(device["device"].dump(), chip_name(device), "OK", memory,
		   device["engines"].dump(), node < 0 ? "any" : std::to_string(node));
}

static std::string process_row(std::string_view number, std::string_view pid, std::string_view name,
			       std::string_view memory)
{
	return fmt::format("| {:<25} | {:<12} | {:<18} | {:<13} |\n", number, pid, name, memory);
}

/* The processes that use a device, without this program. */
static std::string process_rows(const Json &device)
{
	std::string rows;
	for (const Json &client : device["clients"]) {
		const uint64_t pid = client["pid"];
		if (pid == static_cast<uint64_t>(getpid()))
			continue;
		rows += process_row(
			device["device"].dump(), std::to_string(pid), tool::process_name(pid),
			std::to_string(client["memory_used_bytes"].get<uint64_t>() / MIB));
	}
	if (!rows.empty())
		return rows;
	return fmt::format("| {:<77} |\n", "No process uses device " + device["device"].dump());
}

int show_table()
{
	const tool::Devices devices = tool::look();
	if (devices.code != tool::EXIT_SHOWN)
		return tool::complain(NAME, devices.why, devices.code);
	std::string table = rule(DEVICE_WIDTHS, '-');
	table += fmt::format("| {:<77} |\n", fmt::format("npu-smi of unpu {}", tool::version()));
	table += rule(DEVICE_WIDTHS, '-');
	table += row("NPU", "Name", "Health", "Memory used / total", "Engines", "NUMA");
	table += row("", "", "", "(MiB)", "", "node");
	table += rule(DEVICE_WIDTHS, '=');
	for (const Json &device : devices.snapshots)
		table += device_row(device);
	table += rule(DEVICE_WIDTHS, '-');
	table += rule(PROCESS_WIDTHS, '-');
	table += process_row("NPU", "Process id", "Process name", "Memory (MiB)");
	table += rule(PROCESS_WIDTHS, '=');
	for (const Json &device : devices.snapshots)
		table += process_rows(device);
	table += rule(PROCESS_WIDTHS, '-');
	fmt::print("{}", table);
	return tool::EXIT_SHOWN;
}

} // namespace smi
