// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san confirm
 *
 * Turns a finding into a wrong result. The program runs twice, with its memory at the same addresses. In the
 * first run, each command ends before the call that submits it returns. In the second run, the commands that
 * touch the memory of the finding run as late as the program's synchronization allows, and as far as possible
 * in reverse order. If both runs give the same result, the program still has the mistake, but its result does
 * not depend on this memory.
 */
#include <fmt/format.h>

#include "output_files.h"
#include "reports.h"
#include "san/formats/json.h"
#include "schedules.h"
#include "started_program.h"

namespace san::tool {

namespace {

/* How many times the program runs at most until the memory of the finding has the same address as in the
 * previous run. */
constexpr int RUNS_MOST = 20;

/* struct Result - the results of one run of the program. */
struct Result {
	Ended ended;
	std::string output;
};

} // namespace

static Result run_with(const Wishes &wishes, const std::string &schedule, const std::string &folder)
{
	Start start;
	start.variables = {{"UNPU_SANITIZE", folder}, {"UNPU_SCHEDULE", schedule}};
	start.output = folder + "/output";
	start.has_fixed_addresses = true;
	Result result;
	result.ended = run_once({wishes.files.begin() + 1, wishes.files.end()}, start);
	const File output(start.output);
	result.output.assign(output.bytes().begin(), output.bytes().end());
	return result;
}

/* Return: the finding that the user has asked for; nullptr: the report does not have this finding. */
static const Entry *find_wanted(const Wishes &wishes, const Report &report)
{
	const auto entries = report.entries();
	for (size_t i = 0; i < entries.size(); i++) {
		if (wishes.finding.empty() || wishes.finding == fmt::format("F{}", i + 1) ||
		    wishes.finding == entries[i]->fingerprint)
			return entries[i];
	}
	return nullptr;
}

/* The bytes that both accesses of a finding use. */
struct Bytes {
	uint64_t address = 0;
	uint64_t bytes = 0;

	bool operator==(const Bytes &) const = default;
};

/* Checks the traces of a run for the finding. @found: receives the memory that the finding is about. Return:
 * why there is no such memory, or an empty text. */
static std::string find_bytes(const Wishes &wishes, const std::string &folder, const Entry &wanted,
			      Bytes &found)
{
	Session session(wishes);
	const std::string why = session.add_folder(folder);
	if (!why.empty())
		return why;
	for (const Entry *entry : session.report().entries()) {
		const MemoryPart &memory = entry->memory;
		if (entry->fingerprint != wanted.fingerprint)
			continue;
		if (!memory.is_known || memory.end <= memory.begin)
			return entry->rule + " is not about memory, which confirm needs";
		found = {memory.address + memory.begin, memory.end - memory.begin};
		return "";
	}
	const bool is_of_host = wanted.rule == rule_text(Rule::HOST_READ_INFLIGHT) ||
				wanted.rule == rule_text(Rule::HOST_WRITE_INFLIGHT);
	return fmt::format("a run of the program has no finding {}{}", wanted.fingerprint,
			   is_of_host ? ": confirm looks at the host by its calls alone, not by "
					"what --host compares"
				      : "");
}

static std::string first_difference(const std::string &one, const std::string &other)
{
	size_t line = 1;
	for (size_t at = 0; at < one.size() && at < other.size() && one[at] == other[at]; at++)
		line += one[at] == '\n';
	return fmt::format("its output differs from line {} on", line);
}

/* Whether the finding is about a kernel of the program. */
static bool is_of_kernel(const Entry &entry)
{
	return entry.earlier.label.starts_with("kernel ") ||
	       entry.later.label.starts_with("kernel ");
}

static int compare(const Entry &entry, const Result &good, const Result &bad)
{
	if (good.ended == bad.ended && good.output == bad.output)
		return complain(fmt::format("{} [{}] is not confirmed: both orders give the same "
					    "exit code and output",
					    entry.rule, entry.fingerprint),
				EXIT_CLEAN);
	std::string how = "the program " + describe(bad.ended);
	if (good.ended == bad.ended)
		how = first_difference(good.output, bad.output);
	/* For nodes of a graph, the order of the calls in the program means nothing, so the message does not
	 * mention it. */
	if (entry.rule == rule_text(Rule::GRAPH_RACE))
		return complain(fmt::format("{} [{}] is confirmed: in one order of {} and {} the "
					    "program {}, in the other {}",
					    entry.rule, entry.fingerprint, entry.earlier.label,
					    entry.later.label, describe(good.ended),
					    good.ended == bad.ended ? "its output differs"
								    : "it " + describe(bad.ended)),
				EXIT_FOUND);
	return complain(fmt::format("{} [{}] is confirmed: with {} ({}) after {} ({}), {}",
				    entry.rule, entry.fingerprint, entry.earlier.label,
				    entry.earlier.stream, entry.later.label, entry.later.stream,
				    how),
			EXIT_FOUND);
}

static int confirm(const Wishes &wishes, const Entry &wanted, const std::string &base)
{
	std::string folder = make_folder(base, "before");
	const Result good = run_with(wishes, "eager", folder);
	if (!good.ended.problem.empty())
		return complain(good.ended.problem, EXIT_NO_RUN);
	Bytes bytes;
	std::string why = find_bytes(wishes, folder, wanted, bytes);
	for (int run = 1; why.empty() && run <= RUNS_MOST; run++) {
		folder = make_folder(base, fmt::format("after-{}", run));
		const Result bad = run_with(wishes,
					    fmt::format("confirm:address={:#x},bytes={},kernels={}",
							bytes.address, bytes.bytes,
							is_of_kernel(wanted) ? 1 : 0),
					    folder);
		Bytes now;
		why = find_bytes(wishes, folder, wanted, now);
		if (why.empty() && now == bytes)
			return compare(wanted, good, bad);
		/* The memory of the finding moved, because threads of the program have allocated in another
		 * order. Run again. */
		bytes = now;
	}
	if (why.empty())
		why = fmt::format("the memory of the finding was elsewhere in each of {} runs",
				  RUNS_MOST);
	return complain(why, EXIT_USAGE);
}

int confirm_finding(const Wishes &wishes)
{
	const File file(wishes.files[0]);
	if (!file.problem().empty())
		return complain(file.problem(), EXIT_USAGE);
	Report report;
	const std::string why = read_json_report({file.bytes().data(), file.bytes().size()},
						 wishes.files[0], report);
	if (!why.empty())
		return complain(why, EXIT_USAGE);
	const Entry *wanted = find_wanted(wishes, report);
	if (!wanted)
		return complain(fmt::format("{}: there is no finding {}", wishes.files[0],
					    wishes.finding.empty() ? "in it" : wishes.finding),
				EXIT_USAGE);
	const Folder folder;
	if (folder.path().empty())
		return complain("no temporary folder can be made", EXIT_USAGE);
	return confirm(wishes, *wanted, folder.path());
}

} // namespace san::tool
