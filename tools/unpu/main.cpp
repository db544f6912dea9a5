// SPDX-License-Identifier: MIT
/**
 * DOC: unpu
 *
 * One command for what the toolkit's tools do. Commands that have a tool of their own become that tool, with all its
 * options; the others are built in.
 */
#include <CLI/CLI.hpp>

#include "commands.h"
#include "common/command_line.h"
#include "common/tool.h"

namespace unpu_command {

/* Commands for which another tool exists. They accept all options of that tool. */
struct Alias {
	const char *command;
	const char *tool;
	const char *text;
};

static constexpr Alias ALIASES[] = {
	{"info", "unpu-info", "Shows the machine and the devices: unpu-info"},
	{"san", "unpu-san", "Tells a program where its synchronization is wrong: unpu-san"},
	{"time", "unpu-time",
	 "Says how long a program would take by a model, the same in every run: unpu-time"},
	{"smi", "npu-smi", "Shows the devices as npu-smi does"},
	{"daemon", "firmware-sim", "Serves devices to several programs: firmware-sim --listen"},
};

/* Return: an exit code if @words begin with the command of another tool, else -1. */
static int become_alias(const std::vector<std::string> &words)
{
	for (const Alias &alias : ALIASES) {
		if (words.empty() || words[0] != alias.command)
			continue;
		const std::vector<std::string> rest(words.begin() + 1, words.end());
		return words[0] == "daemon" ? daemon(rest) : become_tool(alias.tool, rest);
	}
	return -1;
}

static void add_device(CLI::App *command, std::string &device)
{
	command->add_option("--device", device,
			    "Devices instead of UNPU_DEVICE's, as sim: or sim:memory=1G,devices=2")
		->type_name("TEXT");
}

/* Whether the value of an option is missing. The parser would then take the following "--" as the value. */
static std::string refuse_dashes(const std::string &text)
{
	return text == "--" ? "a value is missing before --" : "";
}

static void add_run(CLI::App &app, RunOptions &options)
{
	auto *run = app.add_subcommand("run", "Runs a program on a simulated device");
	add_device(run, options.device);
	run->add_option("--trace", options.trace,
			"Record what host and device do into this file, for Perfetto")
		->type_name("FILE");
	run->add_option("--faults", options.faults,
			"Rules that make devices go wrong, as delay:op=copy:ms=0-2;seed=7")
		->type_name("RULES");
	run->add_option("--schedule", options.schedule,
			"In which order commands run that have none, as random:seed=7")
		->type_name("PLAN");
	for (const char *option : {"--device", "--trace", "--faults", "--schedule"})
		run->get_option(option)->check(refuse_dashes);
	run->add_flag("--check{warn}", options.check,
		      "Name mistakes that the interface allows; --check=error lets the calls fail")
		->check(CLI::IsMember({"warn", "error"}));
	run->add_flag("--sanitize", options.is_sanitized,
		      "Report where the program lacks a wait, as unpu-san run does");
	run->add_flag("--cuda", options.has_cuda, "libcuda.so.1 is unpu's too");
	run->add_option("PROGRAM", options.words, "After --: the program and its arguments")
		->required();
}

static void add_kernel(CLI::App &app, DebugWishes &options)
{
	auto *kernel = app.add_subcommand("kernel", "Works on kernels: unpu kernel debug");
	kernel->require_subcommand(1);
	auto *debug = kernel->add_subcommand("debug",
					     "Starts a program in gdb, which stops in its kernels");
	add_device(debug, options.device);
	debug->add_option("--break", options.places,
			  "Where kernels stop, as a name or FILE:LINE; the program runs at once")
		->type_name("PLACE")
		->allow_extra_args(false);
	for (const char *option : {"--device", "--break"})
		debug->get_option(option)->check(refuse_dashes);
	debug->add_option("PROGRAM", options.words, "After --: the program and its arguments")
		->required();
}

static void add_model_file(CLI::App *command, ModelWishes &options)
{
	command->add_option("FILE", options.file,
			    "A file of atc; of an ONNX file, what atc would refuse is told")
		->required();
	command->add_option("--dims", options.dims,
			    "Sizes of the open dims, as 1,224,224; else the last profile's, or 32")
		->delimiter(',')
		->check(CLI::Range(int64_t{0}, int64_t{1} << 36))
		->type_name("LIST");
	command->get_option("--dims")->check(refuse_dashes);
}

static void add_model(CLI::App &app, ModelWishes &options)
{
	auto *model = app.add_subcommand(
		"model", "Works on files of models: unpu model show and unpu model explain");
	model->require_subcommand(1);
	auto *show = model->add_subcommand(
		"show", "Shows what a model of atc computes, and what the compiler made of it");
	add_model_file(show, options);
	show->add_flag("--nodes", options.has_nodes, "A line for each node and launch");
	show->add_option("--svg", options.picture, "A picture of the launches into this file")
		->type_name("FILE")
		->check(refuse_dashes);
	auto *explain = model->add_subcommand(
		"explain", "Says which nodes the compiler made one, and why not others");
	add_model_file(explain, options);
	explain->callback([&options] { options.explains = true; });
}

static void add_top(CLI::App &app, TopWishes &options)
{
	constexpr double MIN_SECONDS = 0.05;
	constexpr double MAX_SECONDS = 3600;
	auto *top = app.add_subcommand("top", "Shows what devices do, again and again");
	add_device(top, options.device);
	top->add_option("--every", options.seconds, "Seconds between two looks, 1 if not given")
		->check(CLI::Range(MIN_SECONDS, MAX_SECONDS))
		->type_name("SECONDS");
	top->add_option("--pid", options.pids,
			"Devices that this program has in it; all programs of this user where "
			"UNPU_DEVICE is not set")
		->type_name("PID");
	top->add_option("--looks", options.looks, "End after so many looks")
		->check(CLI::Range(1u, 1u << 30))
		->type_name("N");
	top->add_option("--colour,--color", options.colour,
			"always, never or auto: on a terminal, unless NO_COLOR is set")
		->check(CLI::IsMember({"always", "never", "auto"}));
}

static void add_doctor(CLI::App &app, DoctorWishes &options)
{
	auto *doctor = app.add_subcommand("doctor", "Says what this machine lacks, and what to do");
	add_device(doctor, options.device);
	doctor->add_flag("--json", options.is_json, "One JSON object");
}

static void add_bench(CLI::App &app, BenchWishes &options)
{
	constexpr uint32_t MOST_ROUNDS = 99;
	auto odd = [](const std::string &text) {
		const bool is_odd = !text.empty() && (text.back() - '0') % 2 == 1;
		return is_odd ? std::string() : std::string("a number of rounds is odd");
	};
	auto *bench = app.add_subcommand("bench", "Measures calls and copies on this machine");
	add_device(bench, options.device);
	bench->add_option("--rounds", options.rounds, "An odd number; 5 if not given")
		->check(CLI::Range(1u, MOST_ROUNDS))
		->check(odd)
		->type_name("N");
	bench->add_flag("--json", options.is_json, "One JSON object");
}

/* struct Wishes - the options of the whole command line. */
struct Wishes {
	RunOptions run;
	DebugWishes debug;
	ModelWishes model;
	TopWishes top;
	DoctorWishes doctor;
	BenchWishes bench;
	std::string shell;
};

static int dispatch(const CLI::App &app, const Wishes &options)
{
	const std::string command = app.get_subcommands().front()->get_name();
	if (command == "run")
		return run(options.run);
	if (command == "kernel")
		return debug(options.debug);
	if (command == "model")
		return options.model.explains ? explain_model(options.model)
					      : show_model(options.model);
	if (command == "top")
		return top(options.top);
	if (command == "doctor")
		return doctor(options.doctor);
	if (command == "bench")
		return bench(options.bench);
	return complete(options.shell);
}

static int parse_and_dispatch(int argc, char **argv)
{
	Wishes options;
	CLI::App app("Runs programs on simulated NPUs, and shows what the devices do.", NAME);
	app.footer(tool::EXIT_CODES + std::string(" run ends as the program does, and with 127 "
						  "when it can't be started."));
	app.set_version_flag("--version", tool::version());
	app.require_subcommand(1);
	add_run(app, options.run);
	add_kernel(app, options.debug);
	add_model(app, options.model);
	add_top(app, options.top);
	add_doctor(app, options.doctor);
	add_bench(app, options.bench);
	for (const Alias &alias : ALIASES)
		app.add_subcommand(alias.command, alias.text);
	app.add_subcommand("completion", "Prints a script that completes command lines")
		->add_option("SHELL", options.shell, "bash, zsh or fish")
		->required()
		->check(CLI::IsMember({"bash", "zsh", "fish"}));
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &error) {
		/* Without this check, the parser would only say that a command is required. */
		if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty())
			return tool::complain(
				NAME,
				fmt::format("there is no command '{}'; --help lists them", argv[1]),
				tool::EXIT_USAGE);
		return tool::refuse(app, error, {argv, static_cast<size_t>(argc)},
				    tool::EXIT_USAGE);
	}
	return dispatch(app, options);
}

} // namespace unpu_command

int main(int argc, char **argv)
{
	return tool::run_tool(unpu_command::NAME, tool::EXIT_NO_DEVICE, [&] {
		const int code = unpu_command::become_alias({argv + 1, argv + argc});
		return code >= 0 ? code : unpu_command::parse_and_dispatch(argc, argv);
	});
}
