// SPDX-License-Identifier: MIT
/**
 * DOC: npu-smi
 *
 * The commands by which users of the chip's own tool look at devices, with the same options and words. For a
 * value that a simulated device does not have, such as a temperature, the tool prints NA.
 */
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "common/command_line.h"
#include "common/tool.h"
#include "views.h"

namespace smi {

/* -i and -c, which many commands have. A device has one chip. */
static void add_choice(CLI::App *command, Wishes &wishes, int &chip)
{
	constexpr int MOST_DEVICES = 64;
	command->add_option("-i", wishes.device, "The device; all if not given")
		->check(CLI::Range(0, MOST_DEVICES))
		->type_name("ID");
	command->add_option("-c", chip, "The chip of the device, which is 0")
		->check(CLI::Range(0, 0))
		->type_name("CHIP");
}

static CLI::App *add_watch(CLI::App *info, Wishes &wishes, int &chip)
{
	constexpr uint32_t MOST_SECONDS = 100;
	auto *watch = info->add_subcommand("watch", "A line for each device, again and again");
	add_choice(watch, wishes, chip);
	watch->add_option("-d", wishes.delay_seconds, "Seconds between two looks, 5 if not given")
		->check(CLI::Range(1u, MOST_SECONDS))
		->type_name("SECONDS");
	auto known = [](const std::string &text) {
		const bool is_known =
			!text.empty() && text.find_first_not_of("ptaicmb") == text.npos;
		return is_known ? std::string() : std::string("letters are p t a i c m b");
	};
	watch->add_option("-s", wishes.fields,
			  "Columns: p power, t temperature, a AI core, i AI CPU, c control CPU, m "
			  "memory, b memory bandwidth; all if not given")
		->check(known)
		->type_name("LETTERS");
	return watch;
}

/* The chip's own tool shows all devices of the machine, even those that a program's device mask hides. */
static void see_all_devices()
{
	unsetenv("ASCEND_RT_VISIBLE_DEVICES");
}

static int parse_and_show(int argc, char **argv)
{
	Wishes wishes;
	int chip = 0;
	bool is_list = false;
	bool is_map = false;
	CLI::App app("Shows the devices that UNPU_DEVICE gives.", NAME);
	app.footer(tool::EXIT_CODES);
	app.set_version_flag("-v,--version", tool::version());
	app.require_subcommand(1);
	auto *info = app.add_subcommand("info", "A table with one line for each device");
	auto *list = info->add_flag("-l", is_list, "A list of the devices");
	auto *map = info->add_flag("-m", is_map, "Which chip of which device has which number")
			    ->excludes(list);
	info->add_option("-t", wishes.type, "What of the devices to show")
		->check(CLI::IsMember(type_names()))
		->type_name("TYPE")
		->excludes(list)
		->excludes(map);
	add_choice(info, wishes, chip);
	auto *watched = add_watch(info, wishes, chip);
	auto *processes = info->add_subcommand("proc", "The processes that use the devices");
	add_choice(processes, wishes, chip);
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		return tool::refuse(app, error, {argv, static_cast<size_t>(argc)},
				    tool::EXIT_USAGE);
	}
	see_all_devices();
	if (watched->parsed())
		return watch(wishes);
	if (processes->parsed())
		return show_processes(wishes);
	if (wishes.device >= 0 && wishes.type.empty())
		return tool::complain(
			NAME, "info: -i chooses a device for -t TYPE, for watch or for proc",
			tool::EXIT_USAGE);
	if (!wishes.type.empty())
		return show_type(wishes);
	if (is_map)
		return show_map();
	return is_list ? show_list() : show_table();
}

} // namespace smi

int main(int argc, char **argv)
{
	return tool::run_tool(smi::NAME, tool::EXIT_NO_DEVICE,
			      [&] { return smi::parse_and_show(argc, argv); });
}
