// SPDX-License-Identifier: MIT
/**
 * DOC: npu-smi
 *
 * The table that configure scripts read to learn which chip they build for. They take the third field
 * of the seventh line, so the first device's line is the seventh and its name the third field.
 */
#include <string_view>

#include <CLI/CLI.hpp>

#include "tool.h"

static constexpr const char *NAME = "npu-smi";
static constexpr uint64_t MIB = 1 << 20;

/* The columns of the table: inner widths, as the rows below have them. */
static std::string rule(char line)
{
	std::string text = "+";
	for (size_t width : {27, 8, 25, 9, 6})
		text += std::string(width, line) + "+";
	return text + "\n";
}

static std::string row(std::string_view number, std::string_view name, std::string_view health,
		       std::string_view memory, std::string_view engines, std::string_view node)
{
	return fmt::format("| {:<5} {:<19} | {:<6} | {:<23} | {:<7} | {:<4} |\n", number, name,
			   health, memory, engines, node);
}

/* "910B3" of "Ascend910B3". */
static std::string_view chip_name(std::string_view soc_name)
{
	constexpr std::string_view FAMILY = "Ascend";
	if (soc_name.substr(0, FAMILY.size()) == FAMILY && soc_name.size() > FAMILY.size())
		soc_name.remove_prefix(FAMILY.size());
	return soc_name;
}

static std::string device_row(uint32_t number, const struct unpu_device_info &info)
{
	const uint64_t used_bytes = info.memory_total_bytes - info.memory_free_bytes;
	const std::string memory =
		fmt::format("{} / {}", used_bytes / MIB, info.memory_total_bytes / MIB);
	const std::string node = info.node < 0 ? "any" : std::to_string(info.node);
	return row(std::to_string(number), chip_name(info.name), "OK", memory,
		   std::to_string(info.engines), node);
}

static int show_devices()
{
	uint32_t count = 0;
	if (aclrtGetDeviceCount(&count) != ACL_SUCCESS)
		return tool::complain(NAME, tool::sentence("no devices"), tool::EXIT_USAGE);
	std::string table = rule('-');
	table += fmt::format("| {:<77} |\n", fmt::format("npu-smi of unpu {}", tool::version()));
	table += rule('-');
	table += row("NPU", "Name", "Health", "Memory used / total", "Engines", "NUMA");
	table += row("", "", "", "(MiB)", "", "node");
	table += rule('=');
	for (uint32_t number = 0; number < count; number++) {
		struct unpu_device_info info = {};
		info.size = sizeof(info);
		const unpu_result status =
			unpu_get_device_info(static_cast<int32_t>(number), &info);
		if (status != 0)
			return tool::complain(NAME, tool::sentence(unpu_status_sentence(status)),
					      tool::EXIT_NO_DEVICE);
		table += device_row(number, info);
	}
	table += rule('-');
	fmt::print("{}", table);
	return tool::EXIT_SHOWN;
}

int main(int argc, char **argv)
{
	CLI::App app("Shows the devices that UNPU_DEVICE gives.", NAME);
	app.footer(tool::EXIT_CODES);
	app.set_version_flag("-v,--version", tool::version());
	app.require_subcommand(1);
	app.add_subcommand("info", "A table with one line for each device");
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return app.exit(error) == 0 ? tool::EXIT_SHOWN : tool::EXIT_USAGE;
	}
	return show_devices();
}
