// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-time
 *
 * Says how long a program would take by the figures of a profile, from the trace of one run. It runs the program for
 * the order of its commands alone, so that the answer does not depend on the load of the machine.
 */
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "time/answer/assertion.h"
#include "time_model.h"
#include "tools/common/command_line.h"
#include "tools/common/output.h"
#include "tools/san/output_files.h"
#include "tools/san/started_program.h"

namespace timing::tool {

static constexpr const char *EXIT_CODES =
	"Ends with 0, with 1 when an assertion does not hold, and with 2 when the command line or "
	"a "
	"file is wrong. run ends as the program does when that fails by itself, and with 127 when "
	"it "
	"can't be started. The times are a model's, not measured: they tell what a program's order "
	"allows, not how fast a chip is.";

static int complain(const std::string &text, int code)
{
	return ::tool::complain(NAME, text, code);
}

static std::string shown(const Wishes &wishes, const Answer &answer)
{
	return wishes.is_json ? json_of(answer) : text_of(answer, wishes.gaps);
}

static std::string parse_all(const Wishes &wishes, std::vector<Assertion> &assertions)
{
	for (const std::string &sentence : wishes.sentences) {
		const std::string problem = assertions.emplace_back().parse(sentence);
		if (!problem.empty())
			return problem;
	}
	return "";
}

/* Prints a line for each assertion. Return: an exit code */
static int check_all(const std::vector<Assertion> &assertions, const Answer &answer, FILE *to)
{
	int code = EXIT_HOLDS;
	for (const Assertion &assertion : assertions) {
		const Assertion::Verdict verdict = assertion.check(answer);
		if (!verdict.holds)
			code = EXIT_FAILED;
		fmt::print(to, "{}: {}: {}\n", verdict.holds ? "holds" : "fails",
			   assertion.sentence(),
			   verdict.problem.empty() ? verdict.value : verdict.problem);
	}
	return code;
}

static int report(const Wishes &wishes)
{
	Model model;
	Answer answer;
	std::string problem = model.prepare(wishes, false);
	if (problem.empty())
		problem = model.read(wishes.trace, answer);
	if (!problem.empty())
		return complain(problem, EXIT_USAGE);
	fmt::print("{}", shown(wishes, answer));
	return EXIT_HOLDS;
}

static int export_trace(const Wishes &wishes)
{
	Model model;
	Answer answer;
	std::string problem = model.prepare(wishes, false);
	if (problem.empty())
		problem = model.read(wishes.trace, answer);
	if (problem.empty() && !wishes.out.empty())
		problem = san::tool::write_file(wishes.out, perfetto_of(answer));
	else if (problem.empty())
		fmt::print("{}", perfetto_of(answer));
	return problem.empty() ? EXIT_HOLDS : complain(problem, EXIT_USAGE);
}

static int check(const Wishes &wishes)
{
	Model model;
	Answer answer;
	std::vector<Assertion> assertions;
	std::string problem = parse_all(wishes, assertions);
	if (problem.empty())
		problem = model.prepare(wishes, false);
	if (problem.empty())
		problem = model.read(wishes.trace, answer);
	if (!problem.empty())
		return complain(problem, EXIT_USAGE);
	fmt::print("{}", headline(answer));
	return check_all(assertions, answer, stdout);
}

static int what_if(const Wishes &wishes)
{
	Model before;
	Model after;
	Answer was;
	Answer is;
	std::string problem = before.prepare(wishes, false);
	if (problem.empty())
		problem = after.prepare(wishes, true);
	if (problem.empty())
		problem = before.read(wishes.trace, was);
	if (problem.empty())
		problem = after.read(wishes.trace, is);
	if (!problem.empty())
		return complain(problem, EXIT_USAGE);
	if (wishes.is_json) {
		fmt::print("{}{}", json_of(was), json_of(is));
		return EXIT_HOLDS;
	}
	fmt::print("{}\nthe trace: total {}, bound {}\n", text_of(is, wishes.gaps),
		   time_text(was.schedule.total), time_text(was.bound.total));
	fmt::print("changed:   total {}, bound {}\n", time_text(is.schedule.total),
		   time_text(is.bound.total));
	return EXIT_HOLDS;
}

/* Return: an exit code for the report of a program that has run well. */
static int give_report(const Wishes &wishes, const std::string &folder,
		       const std::vector<Assertion> &assertions)
{
	Model model;
	Answer answer;
	std::string problem = model.prepare(wishes, false);
	if (problem.empty())
		problem = model.read(folder, answer);
	if (!problem.empty())
		return complain(problem + "; did the program use the runtime?", EXIT_USAGE);
	const std::string text = shown(wishes, answer);
	if (wishes.out.empty())
		fmt::print(stderr, "{}", text);
	else
		problem = san::tool::write_file(wishes.out, text);
	if (!problem.empty())
		return complain(problem, EXIT_USAGE);
	return check_all(assertions, answer, stderr);
}

static int run(const Wishes &wishes)
{
	std::vector<Assertion> assertions;
	Model model;
	std::string problem = parse_all(wishes, assertions);
	if (problem.empty())
		problem = model.prepare(wishes, false);
	if (!problem.empty())
		return complain(problem, EXIT_USAGE);
	const san::tool::Folder temporary;
	const std::string folder =
		wishes.keep.empty() ? temporary.path() : san::tool::make_folder(wishes.keep, "");
	if (folder.empty())
		return complain("no folder for the traces can be made", EXIT_USAGE);
	san::tool::Start start;
	start.variables = {{"UNPU_SANITIZE", std::filesystem::absolute(folder)}};
	const san::tool::Ended ended = san::tool::run_once(wishes.words, start);
	if (!ended.problem.empty())
		return complain(ended.problem, EXIT_NO_RUN);
	if (ended.signal != 0)
		san::tool::end_by(ended.signal);
	const int code = give_report(wishes, folder, assertions);
	return ended.code != 0 ? ended.code : code;
}

static int show_profile(const Wishes &wishes)
{
	Model model;
	const std::string problem = model.prepare(wishes, false);
	if (!problem.empty())
		return complain(problem, EXIT_USAGE);
	fmt::print("# Round figures of no chip, unless a line says where it is from. Not "
		   "validated.\n{}",
		   model.profile().text());
	return EXIT_HOLDS;
}

static CLI::App *add(CLI::App &app, const char *name, const char *text, Wishes &wishes)
{
	CLI::App *command = app.add_subcommand(name, text);
	command->add_option("--profile", wishes.profile,
			    "The figures: plain, or a file as 'unpu time profiles' prints it")
		->type_name("FILE");
	return command;
}

static void add_report(CLI::App *command, Wishes &wishes)
{
	command->add_flag("--json", wishes.is_json, "One JSON object");
	command->add_option("--gaps", wishes.gaps, "How many gaps are listed; 10 if not given")
		->check(CLI::Range(size_t{0}, size_t{1} << 20))
		->type_name("N");
}

static void add_trace(CLI::App *command, Wishes &wishes)
{
	command->add_option("TRACE", wishes.trace, "A trace, or the folder of one run's traces")
		->required();
}

static void add_run(CLI::App &app, Wishes &wishes)
{
	CLI::App *command =
		add(app, "run", "Runs a program, and says how long it would take", wishes);
	add_report(command, wishes);
	command->add_option("--assert", wishes.sentences,
			    "Ends with 1 if this does not hold, as 'elapsed < 300us'")
		->type_name("SENTENCE")
		->allow_extra_args(false);
	command->add_option("--keep", wishes.keep, "Folder that keeps the traces")
		->type_name("FOLDER");
	command->add_option("-o,--output", wishes.out, "Where the report goes; else standard error")
		->type_name("FILE");
	command->add_option("PROGRAM", wishes.words, "After --: the program and its arguments")
		->required();
}

static void add_what_if(CLI::App &app, Wishes &wishes)
{
	CLI::App *command = add(app, "what-if",
				"Says what a change of the program or the device would do", wishes);
	add_report(command, wishes);
	command->add_option("--set", wishes.sets,
			    "STEPS=FACTORx, as copy.h2d=2x for twice as fast, or FIGURE=VALUE, as "
			    "host.call=2us")
		->type_name("CHANGE")
		->allow_extra_args(false);
	command->add_option("--merge", wishes.merges,
			    "Puts the work of two streams of the report into one, as 1,2")
		->type_name("STREAMS")
		->allow_extra_args(false);
	command->add_option("--no-wait", wishes.no_waits,
			    "Leaves out the waits of streams at this call site, as main.cpp:42")
		->type_name("SITE")
		->allow_extra_args(false);
	add_trace(command, wishes);
}

static int dispatch(const CLI::App &app, const Wishes &wishes)
{
	const std::string command = app.get_subcommands().front()->get_name();
	if (command == "run")
		return run(wishes);
	if (command == "report")
		return report(wishes);
	if (command == "assert")
		return check(wishes);
	if (command == "what-if")
		return what_if(wishes);
	if (command == "export")
		return export_trace(wishes);
	return show_profile(wishes);
}

static int parse_and_run(int argc, char **argv)
{
	Wishes wishes;
	CLI::App app("Says how long a program would take, by a model that every run agrees on.",
		     NAME);
	app.footer(EXIT_CODES);
	app.set_version_flag("--version", UNPU_VERSION_TEXT);
	app.require_subcommand(1);
	add_run(app, wishes);
	CLI::App *shows =
		add(app, "report", "Says how long the program of a trace would take", wishes);
	add_report(shows, wishes);
	add_trace(shows, wishes);
	CLI::App *asserts =
		add(app, "assert", "Checks sentences about the program of a trace", wishes);
	add_trace(asserts, wishes);
	asserts->add_option("SENTENCE", wishes.sentences,
			    "As 'overlap(copy_in, matmul) > 80%' or 'elapsed < 300us'")
		->required();
	add_what_if(app, wishes);
	CLI::App *exports =
		add(app, "export", "Writes the timeline as a trace for Perfetto", wishes);
	exports->add_option("-o,--output", wishes.out, "Where it goes; else standard output")
		->type_name("FILE");
	add_trace(exports, wishes);
	add(app, "profiles", "Prints the figures of a profile, and what they mean", wishes);
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &problem) {
		return ::tool::refuse(app, problem, {argv, static_cast<size_t>(argc)}, EXIT_USAGE);
	}
	return dispatch(app, wishes);
}

} // namespace timing::tool

int main(int argc, char **argv)
{
	using namespace timing::tool;
	return ::tool::run_tool(NAME, EXIT_USAGE, [&] { return parse_and_run(argc, argv); });
}
