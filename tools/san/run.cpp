// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san run
 *
 * Starts a program, and afterwards checks the traces that the program and its children have written. The
 * report goes to standard error or into a file. If the program fails by itself, the tool ends with the same
 * exit code or signal, even if there are findings.
 */
#include <cstdlib>
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

/* struct Runs - a summary of the runs of a program. */
struct Runs {
	/* how the first run that failed has ended; if none failed, the last run */
	Ended ended;
	uint64_t steps = 0; /* number of decisions in the first run */
	uint32_t failed = 0;
	uint32_t unsteady = 0; /* number of runs whose repetition made other decisions */
	std::string first;     /* how to repeat the first run that failed */
};

} // namespace

/* A text of decisions with at most this many characters is printed in full. */
static constexpr size_t SHORT_DECISIONS = 200;

/* How a run finds wrong accesses to pinned memory. By default it compares the sources of copies, because this
 * changes nothing that the program can see. A run with a schedule does not compare, because the copies for
 * the comparison would be decisions of the schedule too. */
static std::string host_check(const Wishes &wishes, const Order &order)
{
	return wishes.host.empty() && order.value.empty() ? "digest" : wishes.host;
}

static std::string advise(const Wishes &wishes, const Order &order, const std::string &folder,
			  const std::string &decisions)
{
	/* A comparison makes copies, which are decisions too. A replay does not make these copies, so its
	 * decisions would not match. */
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

/* Lets the library into the program by which system calls of the program with memory in flight are found (san/calls).
 * AddressSanitizer refuses what is loaded before it, for fear that it allocates memory, which this library does not. */
static void preload(Start &start)
{
	std::error_code error;
	const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
	const std::string path = own.parent_path().parent_path() / "lib64" / "libunpu_san_calls.so";
	/* The variable is a list with these between the words. */
	if (path.find_first_of(" :") != path.npos || !std::filesystem::exists(path, error))
		return;
	const auto add = [&](const char *name, const std::string &word) {
		const char *const before = getenv(name);
		start.variables.emplace_back(name, before && *before ? word + ":" + before : word);
	};
	add("LD_PRELOAD", path);
	add("ASAN_OPTIONS", "verify_asan_link_order=0");
}

static Ended run_in(const Wishes &wishes, const std::string &folder, const Order &order)
{
	Start start;
	/* The program may change its working folder, so the path must be absolute. */
	start.variables = {{"UNPU_SANITIZE", std::filesystem::absolute(folder)}};
	if (!order.value.empty())
		start.variables.emplace_back("UNPU_SCHEDULE", order.value);
	const std::string host = host_check(wishes, order);
	if (!host.empty())
		start.variables.emplace_back("UNPU_SANITIZE_HOST", host);
	if (!wishes.reports.empty())
		start.variables.emplace_back(
			"UNPU_TRACE", std::filesystem::absolute(wishes.reports) / "trace-%p.json");
	if (host == "digest")
		preload(start);
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

/* Return: the exit code if the tool can't continue, else 0. */
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

/* Recommends options that find early reads of a copy's target. A run without options does not use them: page
 * protection does not work for all targets, and the pattern changes what the program sees. */
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

/* Two blocks of a kernel, or its units, are no streams: what they lack is found where they run. */
static void explain_kernels(const Report &report)
{
	if (report.totals().has_kernels && report.entries().empty())
		complain(
			"kernels ran; what is missing within a kernel, as SyncAll or a queue, only "
			"UNPU_KERNEL_CHECK=3 finds",
			EXIT_CLEAN);
}

static int give_report(const Wishes &wishes, Session &session)
{
	session.finish();
	if (!wishes.reports.empty()) {
		const std::string why = session.write_all(wishes.reports);
		if (!why.empty())
			return complain(why, EXIT_USAGE);
	}
	const std::string text = session.text();
	if (wishes.out.empty()) {
		fmt::print(stderr, "{}", text);
	} else {
		const std::string why = write_file(wishes.out, text);
		if (!why.empty())
			return complain(why, EXIT_USAGE);
	}
	explain_reads(wishes, session.report().totals().unawaited);
	explain_kernels(session.report());
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
	if (why.empty() && !wishes.reports.empty() && make_folder(wishes.reports, "").empty())
		why = wishes.reports + ": no folder for reports can be made there";
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
	if (runs.ended.is_good())
		return code;
	if (code == wishes.exit_code)
		complain(fmt::format("the program {}, and so does unpu-san", describe(runs.ended)),
			 EXIT_CLEAN);
	return runs.ended.code;
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
