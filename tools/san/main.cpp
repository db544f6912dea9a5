// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san
 *
 * Finds wrong synchronization in a program: runs the program, checks the calls that it made to the runtime,
 * and makes reports from traces that were kept.
 */
#include <algorithm>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "output_files.h"
#include "reports.h"
#include "san/formats/json.h"
#include "san/formats/text.h"
#include "tools/common/command_line.h"
#include "tools/common/output.h"

namespace san::tool {

static constexpr const char *EXIT_CODES =
	"Ends with 0 without errors, 1 (or what --exit-code names) when errors were found, 1 when "
	"confirm showed one, diff has new findings, selftest fails, or a replay met other "
	"commands, 2 when the command line or a file is wrong or the output can't be written. run "
	"and replay end as the program does when that fails by itself; all end with 127 when it "
	"can't be started.";

static int report_files(const Wishes &wishes)
{
	Session session(wishes);
	std::string why = session.prepare();
	for (size_t i = 0; why.empty() && i < wishes.files.size(); i++) {
		std::error_code error;
		const bool folder = std::filesystem::is_directory(wishes.files[i], error);
		why = folder ? session.add_folder(wishes.files[i])
			     : session.add_file(wishes.files[i]);
	}
	if (!why.empty())
		return complain(why, EXIT_USAGE);
	session.finish();
	const std::string text = session.text();
	if (wishes.out.empty())
		fmt::print("{}", text);
	else
		why = write_file(wishes.out, text);
	fflush(stdout);
	fmt::print(stderr, "{}{}", problem_lines(session.report()), summary_line(session.report()));
	return why.empty() ? session.exit_code() : complain(why, EXIT_USAGE);
}

static std::string read_report(const std::string &path, Report &report)
{
	const File file(path);
	if (!file.problem().empty())
		return file.problem();
	return read_json_report({file.bytes().data(), file.bytes().size()}, path, report);
}

static int diff(const Wishes &wishes)
{
	Report before;
	Report after;
	std::string why = read_report(wishes.files[0], before);
	if (why.empty())
		why = read_report(wishes.files[1], after);
	if (!why.empty())
		return complain(why, EXIT_USAGE);
	before.mark_known(after);
	after.mark_known(before);
	const std::vector<const Entry *> old = before.entries();
	const auto gone = std::count_if(old.begin(), old.end(),
					[](const Entry *entry) { return !entry->is_known; });
	fmt::print("{}", text_report(after));
	const size_t added = after.count(Severity::ERROR) + after.count(Severity::WARNING) +
			     after.count(Severity::NOTE);
	fmt::print("{} new, {} gone, {} in both\n", added, gone,
		   static_cast<std::ptrdiff_t>(old.size()) - gone);
	return added > 0 ? EXIT_NEW : EXIT_CLEAN;
}

static constexpr int MAX_EXIT_CODE = 255;

static void add_report_options(CLI::App *app, Wishes &wishes, const char *out)
{
	app->add_option("--format", wishes.format, "text, json (lines), sarif, github or html")
		->check(CLI::IsMember({"text", "json", "sarif", "github", "html"}));
	app->add_option(out, wishes.out, "Where the report goes")->type_name("FILE");
	app->add_option("--suppressions", wishes.suppressions, "Findings to leave out")
		->type_name("FILE");
	app->add_option("--baseline", wishes.baseline,
			"A report in JSON; its findings are no new ones")
		->type_name("FILE");
	app->add_option("--root", wishes.root,
			"Folder of the sources, for sarif and github; here if not given")
		->type_name("FOLDER");
	app->add_option("--fail-on", wishes.fail_on, "error, warning or never")
		->check(CLI::IsMember({"error", "warning", "never"}));
	app->add_option("--exit-code", wishes.exit_code,
			"What it ends with when it found something; 1 if not given")
		->check(CLI::Range(1, MAX_EXIT_CODE))
		->type_name("CODE");
	app->add_flag("--parts", wishes.parts,
		      "Reads of memory of which only a part was never written, too");
	app->add_flag("--by-mark", wishes.by_mark,
		      "A finding for each part of the program that was marked, as a test");
}

static int dispatch(CLI::App &app, const Wishes &wishes)
{
	const std::string command = app.get_subcommands().front()->get_name();
	if (command == "run")
		return run_program(wishes);
	if (command == "replay")
		return replay_program(wishes);
	if (command == "confirm")
		return confirm_finding(wishes);
	if (command == "diff")
		return diff(wishes);
	if (command == "selftest")
		return self_test();
	return report_files(wishes);
}

static int parse_and_run(int argc, char **argv)
{
	constexpr uint32_t MAX_RUNS = 100000;
	Wishes wishes;
	std::error_code error;
	wishes.root = std::filesystem::current_path(error);
	CLI::App app("Tells a program where its synchronization is wrong.", NAME);
	app.footer(EXIT_CODES);
	app.set_version_flag("--version", UNPU_VERSION_TEXT);
	app.require_subcommand(1);

	auto *run = app.add_subcommand("run", "Runs a program, and reports what it did wrong");
	add_report_options(run, wishes, "--log");
	run->add_option("--runs", wishes.runs, "How often it is run; the report is one")
		->check(CLI::Range(1u, MAX_RUNS));
	run->add_option("--schedule", wishes.schedule,
			"In which order commands run that have none: fifo, eager, lazy, starve, "
			"random, pct or portfolio; as UNPU_SCHEDULE")
		->type_name("PLAN");
	run->add_option("--seed", wishes.seed,
			"Of the first run's schedule; each run has the next one");
	run->add_flag("--check", wishes.check,
		      "Make each run with a schedule twice, and say whether it is the same");
	run->add_option("--host", wishes.host,
			"Compare pinned memory that copies use: off, digest (sources; the "
			"default without a schedule), late (targets) or digest+late")
		->envname("UNPU_SANITIZE_HOST")
		->check(CLI::IsMember({"off", "digest", "late", "digest+late"}));
	run->add_option("--reports", wishes.reports,
			"Folder for report.txt, report.json, report.sarif and, of each process, "
			"trace-PID.json for Perfetto")
		->type_name("FOLDER");
	run->add_option("--keep", wishes.keep, "Folder that keeps the traces")->type_name("FOLDER");
	run->add_option("PROGRAM", wishes.files, "After --: the program and its arguments")
		->required();

	auto *report = app.add_subcommand("report", "Reports what is wrong in traces");
	add_report_options(report, wishes, "-o,--output");
	report->add_option("FILE", wishes.files, "Traces, folders of them, or reports in JSON")
		->required();

	auto *merge = app.add_subcommand("merge", "Makes one report in JSON of several files");
	merge->add_option("FILE", wishes.files, "Traces, folders of them, or reports in JSON")
		->required();
	merge->add_option("-o,--output", wishes.out, "Where it goes")->type_name("FILE");

	auto *diff =
		app.add_subcommand("diff", "Shows what one report has and an older one has not");
	diff->add_option("OLD NEW", wishes.files, "Reports in JSON")->required()->expected(2);

	auto *replay = app.add_subcommand("replay", "Runs a program with recorded decisions");
	replay->add_option("DECISIONS PROGRAM", wishes.files,
			   "A file of decisions or the decisions; after --: the program and its "
			   "arguments")
		->required()
		->expected(2, -1);

	auto *confirm = app.add_subcommand(
		"confirm", "Runs a program so that a finding of a report gives a wrong result");
	confirm->add_option("--finding", wishes.finding,
			    "Its number in the report, as F1, or its fingerprint; the first one "
			    "if not given")
		->type_name("FINDING");
	confirm->add_option("REPORT PROGRAM", wishes.files,
			    "A report in JSON; after --: the program and its arguments")
		->required()
		->expected(2, -1);

	app.add_subcommand("selftest", "Checks that a race is found");
	try {
		app.parse(argc, argv);
	} catch (const CLI::ParseError &problem) {
		return ::tool::refuse(app, problem, {argv, static_cast<size_t>(argc)}, EXIT_USAGE);
	}
	const auto root = std::filesystem::absolute(wishes.root, error).lexically_normal();
	wishes.root = root.has_filename() ? root : root.parent_path();
	if (merge->parsed()) {
		wishes.format = "json";
		wishes.fail_on = "never";
	}
	return dispatch(app, wishes);
}

} // namespace san::tool

int main(int argc, char **argv)
{
	using namespace san::tool;
	return ::tool::run_tool(NAME, EXIT_USAGE, [&] { return parse_and_run(argc, argv); });
}
