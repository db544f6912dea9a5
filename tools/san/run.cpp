// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san run
 *
 * Starts a program, and judges afterwards what it and its children have written. The report goes to the standard
 * error or into a file. A program that failed by itself ends the tool as it would have ended without: a finding
 * never hides that.
 */
#include <filesystem>

#include <fmt/format.h>

#include "output_files.h"
#include "reports.h"
#include "san/formats/text.h"
#include "schedules.h"
#include "started_program.h"

namespace san::tool {

static void explain_silence()
{
	complain(
		"not armed: the program wrote no trace, so it never used the runtime. Is it linked "
		"with, or does it load, libraries of this toolkit?",
		EXIT_CLEAN);
}

namespace {

/* struct Runs - what the runs of a program were like. */
struct Runs {
	Ended ended;	    /* the first one that failed, or the last one */
	uint64_t steps = 0; /* decisions of the first run */
	uint32_t failed = 0;
	uint32_t unsteady = 0; /* runs of which a repetition made other decisions */
	std::string first;     /* of those that failed: how to make it happen again */
};

} // namespace

/* Decisions of at most so many characters are printed as they are. */
static constexpr size_t SHORT_DECISIONS = 200;

/* What is compared of pinned memory. A comparison of sources changes nothing that the program sees, so it is what a run
 * does if nobody says otherwise. A run with a schedule leaves it out: its copies are decisions, too. */
static std::string host_check(const Wishes &wishes, const Order &order)
{
	return wishes.host.empty() && order.value.empty() ? "digest" : wishes.host;
}

static std::string advise(const Wishes &wishes, const Order &order, const std::string &folder,
			  const std::string &decisions)
{
	/* The copies of a comparison are decisions, too, and a replay makes none. */
	if (!wishes.host.empty() && wishes.host != "off")
		return fmt::format("unpu-san run --host {} --schedule {} -- PROGRAM", wishes.host,
				   order.name);
	std::string text = fmt::format("UNPU_SCHEDULE={}", order.name);
	const std::string file = decision_file(folder);
	if (!wishes.keep.empty() && !file.empty())
		text += fmt::format(", or unpu-san replay {} -- PROGRAM", file);
	const size_t first = decisions.find_first_not_of(' ');
	if (first != std::string::npos && decisions.size() <= SHORT_DECISIONS)
		text += fmt::format(", or unpu-san replay '{}' -- PROGRAM",
				    decisions.substr(first));
	return text;
}

static Ended run_in(const Wishes &wishes, const std::string &folder, const Order &order)
{
	Start start;
	/* The program may change its folder. */
	start.variables = {{"UNPU_SANITIZE", std::filesystem::absolute(folder)}};
	if (!order.value.empty())
		start.variables.emplace_back("UNPU_SCHEDULE", order.value);
	const std::string host = host_check(wishes, order);
	if (!host.empty())
		start.variables.emplace_back("UNPU_SANITIZE_HOST", host);
	return run_once(wishes.files, start);
}

static void note(const Wishes &wishes, uint32_t run, const Order &order, const std::string &folder,
		 const Ended &ended, Runs &runs)
{
	const std::string decisions = read_decisions(folder);
	if (run == 1)
		runs.steps = count_decisions(decisions);
	if (runs.ended.is_good())
		runs.ended = ended;
	if (ended.is_good() || order.value.empty())
		return;
	complain(fmt::format("run {}, {}: the program {}", run, order.name, describe(ended)),
		 EXIT_CLEAN);
	if (runs.failed++ == 0)
		runs.first = advise(wishes, order, folder, decisions);
}

/* Runs the program once more, with the same order. */
static void repeat(const Wishes &wishes, uint32_t run, uint64_t steps, const std::string &base,
		   const std::string &folder, Runs &runs)
{
	const std::string again = make_folder(base, fmt::format("run-{}-again", run));
	const Order order = order_of_run(wishes.schedule, wishes.seed + run - 1, steps, again);
	(void)run_in(wishes, again, order);
	const size_t at = difference(read_decisions(folder), read_decisions(again));
	if (at == 0)
		return;
	runs.unsteady++;
	complain(fmt::format("run {}, {}: a repetition differs from word {} of the decisions on; "
			     "threads, the time or the input of the program decide too",
			     run, order.name, at),
		 EXIT_CLEAN);
}

/* Return: the code of a tool that can't go on, else 0. */
static int run_all(const Wishes &wishes, const std::string &base, Session &session, Runs &runs)
{
	for (uint32_t run = 1; run <= wishes.runs; run++) {
		const std::string folder = make_folder(base, fmt::format("run-{}", run));
		if (folder.empty())
			return complain(base + ": no folder for traces can be made there",
					EXIT_USAGE);
		const uint64_t steps = runs.steps;
		Order order;
		if (!wishes.schedule.empty())
			order = order_of_run(wishes.schedule, wishes.seed + run - 1, steps, folder);
		const Ended now = run_in(wishes, folder, order);
		if (!now.problem.empty())
			return complain(now.problem, EXIT_NO_RUN);
		const std::string why = session.add_folder(folder);
		if (!why.empty())
			complain(why, EXIT_CLEAN);
		note(wishes, run, order, folder, now, runs);
		if (wishes.check && !wishes.schedule.empty())
			repeat(wishes, run, steps, base, folder, runs);
	}
	return 0;
}

static void explain_runs(const Wishes &wishes, const Runs &runs)
{
	if (wishes.schedule.empty())
		return;
	if (runs.failed != 0)
		complain(fmt::format("{} of {} runs failed; the first one again: {}", runs.failed,
				     wishes.runs, runs.first),
			 EXIT_CLEAN);
	if (wishes.check && runs.unsteady == 0)
		complain("each repetition made the same decisions", EXIT_CLEAN);
}

/* Not all targets can be guarded, and the pattern that shows other early reads changes what the program sees. So a
 * plain run says what can find them. */
static void explain_reads(const Wishes &wishes, uint64_t unawaited)
{
	if (unawaited == 0 || !wishes.host.empty() || !wishes.schedule.empty())
		return;
	complain(fmt::format("{} to pinned memory {} waited for with the whole device or not at "
			     "all; run with --host digest+late --schedule lazy to see whether the "
			     "program reads "
			     "{} too early",
			     unawaited == 1 ? "1 copy" : fmt::format("{} copies", unawaited),
			     unawaited == 1 ? "was" : "were", unawaited == 1 ? "it" : "them"),
		 EXIT_CLEAN);
}

static int give_report(const Wishes &wishes, Session &session)
{
	session.finish();
	const std::string text = session.text();
	if (wishes.out.empty()) {
		fmt::print(stderr, "{}", text);
	} else {
		const std::string why = write_file(wishes.out, text);
		if (!why.empty())
			return complain(why, EXIT_USAGE);
	}
	explain_reads(wishes, session.report().totals().unawaited);
	fmt::print(stderr, "{}{}", problem_lines(session.report()), summary_line(session.report()));
	if (session.report().totals().traces == 0)
		explain_silence();
	return session.exit_code();
}

/* Return: the code of the tool, unless the program was killed by the signal @runs.ended.signal. */
static int run_and_report(const Wishes &wishes, Runs &runs)
{
	const Folder temporary;
	const std::string base = wishes.keep.empty() ? temporary.path() : wishes.keep;
	if (base.empty())
		return complain("no temporary folder can be made", EXIT_USAGE);
	Session session(wishes);
	std::string why = session.prepare();
	if (why.empty() && !wishes.schedule.empty())
		why = check_schedule(wishes.schedule);
	if (!why.empty())
		return complain(why, EXIT_USAGE);
	fmt::print(stderr, "unpu-san: watches {}{}{}{}\n", wishes.files[0],
		   wishes.runs == 1 ? "" : fmt::format(", {} runs", wishes.runs),
		   wishes.schedule.empty() ? "" : ", schedule " + wishes.schedule,
		   wishes.out.empty() ? "" : "; the report goes to " + wishes.out);
	const int failed = run_all(wishes, base, session, runs);
	if (failed != 0)
		return failed;
	explain_runs(wishes, runs);
	const int code = give_report(wishes, session);
	return runs.ended.code != 0 ? runs.ended.code : code;
}

int run_program(const Wishes &wishes)
{
	Runs runs;
	const int code = run_and_report(wishes, runs);
	if (runs.ended.signal != 0)
		end_by(runs.ended.signal);
	return code;
}

} // namespace san::tool
