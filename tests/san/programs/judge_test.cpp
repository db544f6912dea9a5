// SPDX-License-Identifier: MIT
/**
 * DOC: judges the traces of the programs
 *
 * Each program runs in a process of its own, with UNPU_SANITIZE set. Its trace then has to have just the
 * findings that the program names, and the repaired variant none. It runs once more with the contents of host memory
 * compared, and with its commands as late as it allows, so that what is wrong in flight is seen.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "abilities.h"
#include "folder.h"
#include "program.h"
#include "san/judge/judge.h"
#include "san/trace/merge.h"

namespace {

using Rules = std::set<std::string>;

struct Case {
	std::string executable;
	std::string name;
	Rules wanted; /* and hints */
	bool fixed;
	bool compares = false;
};

/* What a judge says of a trace. */
struct Verdict {
	Rules rules;
	Rules hints;
	std::string text;
	uint64_t records = 0;
	uint64_t holes = 0;
	uint64_t sites = 0; /* findings of which both sides name a place in the program */
};

} // namespace

static std::string output_of(const std::string &command)
{
	std::string text;
	const std::unique_ptr<FILE, int (*)(FILE *)> pipe(popen(command.c_str(), "r"), pclose);
	for (int letter; pipe && (letter = fgetc(pipe.get())) != EOF;)
		text += static_cast<char>(letter);
	return text;
}

/* The rules that a run has to find: those with a '+' only where contents are compared. */
static Rules rules_of(const Case &one)
{
	Rules rules;
	for (const std::string &rule : one.wanted) {
		const bool by_contents = rule.back() == '+';
		if (!by_contents || one.compares)
			rules.insert(by_contents ? rule.substr(0, rule.size() - 1) : rule);
	}
	return rules;
}

/* Adds the program, and its repaired variant if it has mistakes. */
static void add_cases(std::vector<Case> &cases, Case one)
{
	const Rules wanted = one.wanted;
	for (const bool compares : {false, true}) {
		one.compares = compares;
		one.fixed = false;
		one.wanted = wanted;
		one.wanted = rules_of(one);
		cases.push_back(one);
		one.wanted.clear();
		one.fixed = true;
		if (!wanted.empty())
			cases.push_back(one);
	}
}

static std::vector<Case> all_cases()
{
	std::vector<Case> cases;
	std::istringstream executables(UNPU_SAN_PROGRAMS);
	for (std::string executable; std::getline(executables, executable, ':');) {
		std::istringstream lines(output_of(executable));
		for (std::string line; std::getline(lines, line);) {
			std::istringstream words(line);
			Case one{executable, "", {}, false};
			words >> one.name;
			one.wanted = {std::istream_iterator<std::string>(words), {}};
			one.wanted.erase("SHOWS");
			add_cases(cases, one);
		}
	}
	return cases;
}

static std::string read_file(const std::filesystem::path &path)
{
	std::ifstream file(path, std::ios::binary);
	return {std::istreambuf_iterator<char>(file), {}};
}

static void describe(Verdict &verdict, const san::Finding &finding)
{
	verdict.rules.insert(san::rule_text(finding.rule));
	verdict.text += std::string(san::rule_text(finding.rule)) + ": " + finding.later.label +
			" in " + finding.later.stream + " at " + finding.later.site + " / " +
			finding.earlier.label + " in " + finding.earlier.stream + " at " +
			finding.earlier.site + "\n";
	for (const san::Hint &hint : finding.hints) {
		verdict.hints.insert(std::string(san::rule_text(finding.rule)) + ":" + hint.code);
		verdict.text += hint.text + "\n";
	}
	verdict.sites += finding.later.site.find("+0x") != std::string::npos;
}

static Verdict judge(const Folder &folder)
{
	Verdict verdict;
	san::Judge judge({}, [&](const san::Finding &finding) { describe(verdict, finding); });
	std::vector<std::string> traces;
	for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
		traces.push_back(read_file(entry.path()));
	san::Merger merger;
	for (const std::string &trace : traces)
		EXPECT_TRUE(merger.add(trace));
	for (san::Record record; merger.next(record);)
		judge.take(record);
	for (size_t i = 0; i < merger.count(); i++) {
		EXPECT_EQ(merger.reader(i).problem(), "");
		EXPECT_FALSE(merger.reader(i).is_cut());
		verdict.records += merger.reader(i).count();
		verdict.holes += merger.reader(i).holes();
	}
	judge.finish();
	EXPECT_EQ(judge.summary().problem, "");
	return verdict;
}

/* What is expected of a run: a rule with a '?' behind it only if it was found. */
static Rules expected(const Case &one, const Verdict &verdict)
{
	Rules rules;
	for (const std::string &rule : one.wanted) {
		if (rule.find(':') != rule.npos)
			continue;
		const std::string name = rule.substr(0, rule.find('?'));
		if (name == rule || verdict.rules.contains(name))
			rules.insert(name);
	}
	return rules;
}

namespace {

class Programs : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Corpus, Programs, testing::ValuesIn(all_cases()), [](const auto &which) {
	return which.param.name + (which.param.fixed ? "_fixed" : "") +
	       (which.param.compares ? "_by_contents" : "");
});

} // namespace

/* A firmware that a program starts by itself has no schedule. */
static std::string variables_of(const Case &one)
{
	if (!one.compares)
		return "";
	const bool has_schedule = !one.executable.ends_with("_pair");
	return std::string("UNPU_SANITIZE_HOST=digest+late ") +
	       (has_schedule ? "UNPU_SCHEDULE=lazy " : "");
}

TEST_P(Programs, are_judged_by_their_traces)
{
	const Folder folder;
	const Case &one = GetParam();
	if (one.executable.ends_with("unpu_san_kernels")) {
		SKIP_WITHOUT_WORKERS();
	}
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	const std::string command = variables_of(one) + one.executable + " " + one.name +
				    (one.fixed ? " fixed" : " bug");
	const int ended = WEXITSTATUS(std::system(command.c_str()));
	/* A result may be wrong in any order of the commands that is possible. */
	ASSERT_TRUE(ended == 0 || (ended == programs::WRONG && !one.fixed)) << ended;
	const Verdict verdict = judge(folder);
	EXPECT_GT(verdict.records, 0u);
	EXPECT_EQ(verdict.rules, expected(one, verdict)) << verdict.text;
	for (const std::string &hint : one.wanted)
		EXPECT_EQ(verdict.hints.contains(hint), hint.find(':') != hint.npos) << hint;
	/* A finding without its place in the program helps nobody. */
	EXPECT_EQ(verdict.sites > 0, !one.wanted.empty()) << verdict.text;
}

/* What the host reads too early is the same by luck; with the pattern it is not. */
TEST(Late, a_target_that_is_read_too_early_has_a_pattern)
{
	const std::string executables = UNPU_SAN_PROGRAMS;
	const Folder folder;
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	for (const std::string name :
	     {" H05_target_is_read_too_early", " H19_target_behind_a_task_is_read_too_early"}) {
		const std::string program = executables.substr(0, executables.find(':')) + name;
		auto run = [&](const std::string &variables, const std::string &variant) {
			return WEXITSTATUS(std::system((variables + program + variant).c_str()));
		};
		EXPECT_EQ(run("", " bug"), 0) << name;
		EXPECT_EQ(run("UNPU_SCHEDULE=lazy ", " bug"), 0) << name;
		EXPECT_EQ(run("UNPU_SANITIZE_HOST=late UNPU_SCHEDULE=lazy ", " bug"),
			  programs::WRONG)
			<< name;
		EXPECT_EQ(run("UNPU_SANITIZE_HOST=late UNPU_SCHEDULE=lazy ", " fixed"), 0) << name;
	}
}

TEST(Kernels, are_known_by_their_names)
{
	const std::string executables = UNPU_SAN_PROGRAMS;
	const std::string kernels = executables.substr(executables.rfind(':') + 1);
	if (!kernels.ends_with("unpu_san_kernels"))
		GTEST_SKIP() << "kernels are not built with sanitizers";
	SKIP_WITHOUT_WORKERS();
	const Folder folder;
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	for (const std::string program : {" K02_halves_that_overlap", " K13_branches_of_a_graph"}) {
		/* Both race, so that a result may be wrong. */
		const int status = std::system((kernels + program).c_str());
		ASSERT_TRUE(WIFEXITED(status));
		ASSERT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == programs::WRONG);
	}
	const std::string text = judge(folder).text;
	EXPECT_NE(text.find("RACE-WAW: kernel double_part in "), std::string::npos) << text;
	EXPECT_NE(text.find("GRAPH-RACE: kernel double_part in "), std::string::npos) << text;
}

/* The report names the call that the program lacks, and its two streams. */
TEST(Reported, hints_name_the_call_to_add)
{
	const std::string executables = UNPU_SAN_PROGRAMS;
	const size_t begin = executables.find(':') + 1;
	const std::string cuda = executables.substr(begin, executables.find(':', begin) - begin);
	const std::pair<const char *, std::vector<const char *>> cases[] = {
		{" R01_next_input_while_the_last_graph_reads_it",
		 {"call cuEventRecord on stream ", " after cuGraphLaunch at ",
		  ", and cuStreamWaitEvent on stream ",
		  " for that event before cuMemcpyHtoDAsync"}},
		{" R02_buffer_of_a_pool_on_another_stream",
		 {"call cuEventRecord on stream ", " after cuMemcpyDtoDAsync at ",
		  ", and cuStreamWaitEvent on stream ", " for that event before cuMemsetD8Async"}},
		{" R03_side_stream_that_joins_too_late",
		 {"let cuMemcpyDtoDAsync at ", " depend on cuMemsetD8Async at ",
		  "call cuEventRecord after ",
		  "cuStreamWaitEvent for that event on the other stream before "}},
	};
	for (const auto &[program, parts] : cases) {
		const Folder folder;
		ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
		const int status = std::system((cuda + program + " bug").c_str());
		ASSERT_TRUE(WIFEXITED(status));
		const std::string text = judge(folder).text;
		for (const char *part : parts)
			EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
	}
}

/* An id that another stream had before says so, as both would be one otherwise. */
TEST(Names, are_those_that_the_api_tells)
{
	const std::string executables = UNPU_SAN_PROGRAMS;
	const Folder folder;
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	const std::string told =
		output_of(executables.substr(0, executables.find(':')) + " B41_ids_of_the_api bug");
	int reader = -1, writer = -1;
	uint64_t event = 0;
	ASSERT_EQ(std::sscanf(told.c_str(), "stream %d, stream %d, event %lx", &reader, &writer,
			      &event),
		  3)
		<< told;
	ASSERT_LT(reader, writer);
	const std::string text = judge(folder).text;
	for (const std::string &part :
	     {fmt::format(" in stream {} (the 2nd of this id) at ", reader),
	      fmt::format(" in stream {} at ", writer),
	      fmt::format("event {:#x} was recorded", event)})
		EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Lost, a_trace_that_can_not_grow_says_so_in_front)
{
	const Folder folder;
	const std::string executables = UNPU_SAN_PROGRAMS;
	const std::string command =
		executables.substr(0, executables.find(':')) + " W21_a_limit_of_the_trace";
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	ASSERT_EQ(std::system(command.c_str()), 0);
	for (const auto &entry : std::filesystem::directory_iterator(folder.path())) {
		const std::string trace = read_file(entry.path());
		san::Reader reader(trace);
		san::Record record;
		ASSERT_TRUE(reader.next(record));
		EXPECT_EQ(record.kind, san::Kind::LOST);
	}
}

/* What another thread submits during a wait is not covered, so the trace has the begin of each wait. */
TEST(Waits, have_a_begin_and_an_end)
{
	const Folder folder;
	const std::string executables = UNPU_SAN_PROGRAMS;
	const std::string command =
		executables.substr(0, executables.find(':')) + " W23_model_that_is_waited_for";
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	ASSERT_EQ(std::system(command.c_str()), 0);
	size_t ends = 0;
	for (const auto &entry : std::filesystem::directory_iterator(folder.path())) {
		const std::string trace = read_file(entry.path());
		san::Reader reader(trace);
		uint32_t begun = san::HOST;
		for (san::Record record; reader.next(record);) {
			if (record.kind == san::Kind::BLOCKED)
				begun = record.stream;
			if (record.kind != san::Kind::STREAM_SYNC)
				continue;
			EXPECT_EQ(begun, record.stream) << ends;
			begun = san::HOST;
			ends++;
		}
	}
	EXPECT_EQ(ends, 2u);
}

/* The stacks of the commands, in their order. */
static std::vector<std::string> stacks_of(const Folder &folder)
{
	std::map<uint32_t, std::string> texts;
	std::vector<std::string> stacks;
	for (const auto &entry : std::filesystem::directory_iterator(folder.path())) {
		const std::string trace = read_file(entry.path());
		san::Reader reader(trace);
		for (san::Record record; reader.next(record);) {
			if (record.kind == san::Kind::STRING)
				texts[static_cast<uint32_t>(record.object)] = record.text;
			if (record.kind == san::Kind::COMMAND)
				stacks.push_back(texts[record.site]);
		}
	}
	return stacks;
}

/* A thread keeps the walks that it has made: calls that differ far from the innermost frame are not the same. */
TEST(Stacks, differ_by_each_frame)
{
	const Folder folder;
	const std::string executables = UNPU_SAN_PROGRAMS;
	const std::string command =
		executables.substr(0, executables.find(':')) + " W12_two_places";
	ASSERT_EQ(setenv("UNPU_SANITIZE", folder.path().c_str(), 1), 0);
	ASSERT_EQ(std::system(command.c_str()), 0);
	const std::vector<std::string> stacks = stacks_of(folder);
	ASSERT_EQ(stacks.size(), 100u);
	EXPECT_NE(stacks[0], stacks[1]);
	EXPECT_EQ(stacks[0].substr(0, stacks[0].find('\n')),
		  stacks[1].substr(0, stacks[1].find('\n')));
	for (size_t i = 2; i < stacks.size(); i++)
		EXPECT_EQ(stacks[i], stacks[i - 2]) << i;
}

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
