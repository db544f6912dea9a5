// SPDX-License-Identifier: MIT
/**
 * DOC: reports: what programs rely on in them
 */
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "record_program.h"
#include "san/formats/html.h"
#include "san/formats/json.h"
#include "san/formats/sarif.h"
#include "san/formats/text.h"
#include "san/report/report.h"
#include "san/report/suppressions.h"
#include "san/report/timeline.h"
#include "san/trace/encoding.h"

using namespace san;
using namespace san::test;
using nlohmann::json;

namespace {

/* A trace of B05: the event is recorded before the copy; @turns times. */
std::string early_record(int turns = 1)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	p.site("/src/app/init.cc:8 main");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	const uint64_t ready = p.event("ready");
	for (int i = 0; i < turns; i++) {
		p.site("/src/app/loader.cc:45 prefetch\n/src/app/main.cc:30 main");
		p.record(ready, copies);
		p.site("/src/app/loader.cc:47 prefetch\n/src/app/main.cc:30 main");
		p.copy(copies, "copy", input, source);
		p.site("/src/app/model.cc:211 step\n/src/app/main.cc:31 main");
		p.wait(compute, ready);
		p.op(compute, "matmul", {reads(input)});
	}
	return p.trace();
}

Report report_of(const std::string &trace, const Report::Drop &drop = nullptr)
{
	Report report;
	Resolver resolver;
	report.set_drop(drop);
	EXPECT_EQ(report.add_trace(trace, "trace", resolver, {}), "");
	return report;
}

const Entry *find(const Report &report, const std::string &rule)
{
	for (const Entry *entry : report.entries()) {
		if (entry->rule == rule)
			return entry;
	}
	return nullptr;
}

std::vector<std::string> lines_of(const std::string &text)
{
	std::vector<std::string> lines;
	std::istringstream stream(text);
	for (std::string line; std::getline(stream, line);)
		lines.push_back(line);
	return lines;
}

/* The text of a field of the first entry, as "hint". */
std::string field_of(const std::string &text, const std::string &name)
{
	for (const std::string &line : lines_of(text)) {
		if (line.rfind("  " + name + " ", 0) == 0)
			return line.substr(line.find_first_not_of(' ', name.size() + 2));
	}
	return "";
}

} // namespace

TEST(Report, text_names_both_calls_the_memory_and_the_edge)
{
	const Report report = report_of(early_record());
	const std::string text = text_report(report);
	const std::string first = lines_of(text)[0];
	EXPECT_EQ(first.rfind("unpu-san F1 error RACE-RAW  matmul reads memory that copy may still "
			      "be writing  [",
			      0),
		  0u)
		<< first;
	EXPECT_NE(field_of(text, "later")
			  .find("stream 2 (compute), reads, at step() model.cc:211 <- "
				"main() main.cc:31"),
		  std::string::npos)
		<< text;
	EXPECT_NE(field_of(text, "earlier")
			  .find("stream 1 (copies), writes, at prefetch() loader.cc:47"),
		  std::string::npos)
		<< text;
	EXPECT_EQ(field_of(text, "memory"),
		  "\"input\", 4 KiB at 0x20000, 4 KiB of it from byte 0 on, allocated at main() "
		  "init.cc:8");
	EXPECT_NE(field_of(text, "order").find("nothing orders stream 1 (copies) before stream 2"),
		  std::string::npos)
		<< text;
	EXPECT_NE(field_of(text, "hint")
			  .find("event \"ready\" was recorded at prefetch() "
				"loader.cc:45, BEFORE copy at prefetch() loader.cc:47"),
		  std::string::npos)
		<< text;
	EXPECT_NE(field_of(text, "timeline").find("record event \"ready\""), std::string::npos)
		<< text;
}

TEST(Report, repeats_are_counted_once)
{
	const Report report = report_of(early_record(1000));
	const Entry *race = find(report, "RACE-RAW");
	ASSERT_NE(race, nullptr);
	EXPECT_EQ(race->count, 1000u);
	size_t raw = 0;
	for (const Entry *entry : report.entries())
		raw += entry->rule == "RACE-RAW";
	EXPECT_EQ(raw, 1u);
	EXPECT_EQ(report.totals().commands, 2000u);
}

TEST(Report, parts_of_the_program_that_made_the_later_call)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	const char *const parts[] = {"", "second", "third", "third", "fourth", "fifth"};
	for (const char *part : parts) {
		p.mark(part);
		p.copy(copies, "copy", input, source);
		/* What another process marks says nothing of this one. */
		p.client(1, Profile::ASCENDCL);
		p.mark("other");
		p.client(0, Profile::ASCENDCL);
		p.op(compute, "matmul", {reads(input)});
		p.sync_device();
	}
	Report report = report_of(p.trace());
	const Entry *race = find(report, "RACE-RAW");
	ASSERT_NE(race, nullptr);
	EXPECT_EQ(race->count, std::size(parts));
	EXPECT_EQ(race->during, (std::vector<std::string>{"second", "third", "fourth", "fifth"}));
	EXPECT_EQ(field_of(text_report(report), "during"), "second, third, fourth, and 1 more");
	EXPECT_NE(html_report(report).find("fifth"), std::string::npos);
	const std::string text = json_report(report);
	EXPECT_EQ(json::parse(lines_of(text)[1])["during"], json(race->during));
	Report again;
	EXPECT_EQ(read_json_report(text, "report", again), "");
	EXPECT_EQ(json_report(again), text);
	/* Reports that are merged name each part once. */
	EXPECT_EQ(read_json_report(text, "report", again), "");
	EXPECT_EQ(find(again, "RACE-RAW")->during, race->during);
}

TEST(Report, parts_of_the_program_as_entries_of_their_own)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	for (const char *part : {"first", "second", "second", "", "third"}) {
		p.mark(part);
		/* The first part calls from elsewhere, the others repeat each other. */
		p.site(part == std::string("first") ? "a.cc:1 step" : "b.cc:2 step");
		p.copy(copies, "copy", input, source);
		p.op(compute, "matmul", {reads(input)});
		p.sync_device();
	}
	Report report;
	Resolver resolver;
	report.set_by_part(true);
	EXPECT_EQ(report.add_trace(p.trace(), "trace", resolver, {}), "");
	Report again;
	again.set_by_part(true);
	EXPECT_EQ(read_json_report(json_report(report), "report", again), "");
	EXPECT_EQ(json_report(again), json_report(report));
	std::map<std::string, const Entry *> of_part;
	for (const Entry *entry : again.entries()) {
		if (entry->rule != "RACE-RAW")
			continue;
		ASSERT_LE(entry->during.size(), 1u);
		of_part[entry->during.empty() ? "" : entry->during[0]] = entry;
	}
	ASSERT_EQ(of_part.size(), 3u);
	EXPECT_EQ(of_part["first"]->count, 1u);
	EXPECT_EQ(of_part["first"]->later.stack[0].file, "a.cc");
	/* Calls outside of a part count where they were first. */
	EXPECT_EQ(of_part["second"]->count, 3u);
	EXPECT_EQ(of_part["second"]->later.stack[0].file, "b.cc");
	EXPECT_EQ(of_part["third"]->count, 1u);
	EXPECT_EQ(of_part["third"]->later.stack[0].line, 2u);
	EXPECT_EQ(of_part["third"]->fingerprint, of_part["second"]->fingerprint);
	EXPECT_NE(of_part["third"]->fingerprint, of_part["first"]->fingerprint);
}

TEST(Report, stacks_end_where_the_program_begins)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	p.site("/src/app/test_it.py:4 test_it\n/usr/lib/python3/_pytest/python.py:195 "
	       "pytest_pyfunc_call\n"
	       "/usr/lib/python3/pluggy/_callers.py:39 _multicall");
	p.copy(copies, "copy", input, source);
	p.site("/src/app/loader.cc:47 main\n__libc_start_main\n_start");
	p.op(compute, "matmul", {reads(input)});
	const Report report = report_of(p.trace());
	const Entry *race = find(report, "RACE-RAW");
	ASSERT_NE(race, nullptr);
	ASSERT_EQ(race->earlier.stack.size(), 1u);
	EXPECT_EQ(race->earlier.stack[0].function, "test_it");
	ASSERT_EQ(race->later.stack.size(), 1u);
	EXPECT_EQ(race->later.stack[0].function, "main");
}

/* The C library may have lines where the program has none. */
TEST(Report, hints_name_the_program_and_not_its_start)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	const std::string start =
		"\n/src/libc/libc_start_call_main.h:58 __libc_start_call_main\n_start";
	p.site("/app/prog+0x1234" + start);
	p.copy(copies, "copy", input, source);
	p.site("/app/prog+0x5678" + start);
	p.op(compute, "matmul", {reads(input)});
	const std::string text = text_report(report_of(p.trace()));
	EXPECT_NE(field_of(text, "hint").find("after copy at prog+0x1234"), std::string::npos)
		<< text;
	EXPECT_EQ(text.find("__libc_start"), std::string::npos) << text;
}

TEST(Report, tasks_have_the_numbers_of_errors)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	p.copy(copies, "copy", input, source);
	p.task(7);
	p.op(compute, "matmul", {reads(input)});
	p.task(0);
	const Report report = report_of(p.trace());
	const std::string text = text_report(report);
	EXPECT_EQ(field_of(text, "later"), "matmul, task 0 of stream 2 (compute), reads") << text;
	EXPECT_EQ(field_of(text, "earlier"), "copy, task 7 of stream 1 (copies), writes") << text;
	EXPECT_NE(html_report(report).find(">copy, task 7</text>"), std::string::npos);
	Report again;
	EXPECT_EQ(read_json_report(json_report(report), "report", again), "");
	EXPECT_EQ(text_report(again), text);
}

TEST(Report, summary_is_there_without_findings)
{
	Program p(Profile::ASCENDCL);
	const uint32_t stream = p.stream("main");
	const Bytes memory = p.memory("memory", 64);
	p.op(stream, "fill", {writes(memory)});
	const Report report = report_of(p.trace());
	EXPECT_EQ(summary_line(report),
		  "unpu-san: 0 findings (armed, 1 command checked, 0 undecided, 0 suppressed)\n");
	EXPECT_EQ(text_report(report), "");
	EXPECT_EQ(summary_line(Report()), "unpu-san: 0 findings (not armed: there is no trace)\n");
}

TEST(Report, traces_that_could_not_grow_say_so)
{
	Record lost;
	lost.kind = Kind::LOST;
	std::string trace;
	append_head(trace);
	append_record(trace, lost);
	trace += early_record().substr(HEAD_BYTES);
	Report report;
	Resolver resolver;
	EXPECT_EQ(report.add_trace(trace, "full", resolver, {}), "");
	EXPECT_EQ(report.totals().cut, 1u);
	EXPECT_NE(problem_lines(report).find("cut off"), std::string::npos);
	EXPECT_NE(find(report, "RACE-RAW"), nullptr);
}

TEST(Report, traces_that_are_cut_or_wrong_say_so)
{
	std::string trace = early_record();
	Report report;
	Resolver resolver;
	EXPECT_EQ(report.add_trace(std::string_view(trace).substr(0, trace.size() - 8), "cut",
				   resolver, {}),
		  "");
	EXPECT_EQ(report.totals().cut, 1u);
	EXPECT_NE(problem_lines(report).find("cut off"), std::string::npos);
	EXPECT_NE(report.add_trace(std::string_view("no trace at all"), "text", resolver, {}), "");
	/* A record of no kind in the middle: what is before it counts. */
	trace += std::string(RECORD_BYTES, '\x7f');
	EXPECT_EQ(report.add_trace(trace, "wrong", resolver, {}), "");
	EXPECT_NE(problem_lines(report).find("wrong: record "), std::string::npos);
	EXPECT_NE(find(report, "RACE-RAW"), nullptr);
}

TEST(Report, fingerprints_survive_other_lines_and_numbers)
{
	auto fingerprint_of = [](const std::string &later, const std::string &op) {
		Program p(Profile::ASCENDCL);
		const uint32_t a = p.stream("a"), b = p.stream("b");
		const Bytes memory = p.memory("memory", 64);
		p.site("/src/x.cc:1 write");
		p.op(a, op, {writes(memory)});
		p.site(later);
		p.op(b, "read", {reads(memory)});
		return find(report_of(p.trace()), "RACE-RAW")->fingerprint;
	};
	const std::string one = fingerprint_of("/src/y.cc:10 use", "fill");
	EXPECT_EQ(fingerprint_of("/other/y.cc:99 use", "fill"), one);
	EXPECT_NE(fingerprint_of("/src/y.cc:10 other", "fill"), one);
	EXPECT_NE(fingerprint_of("/src/y.cc:10 use", "copy"), one);
}

/* Two mistakes of one kind in one function are two findings, a mistake in a loop is one. */
/* Two mistakes of one function, of which the first can be fixed. @shift: digits behind all lines */
static Report two_mistakes(bool is_first_fixed, const std::string &shift = "")
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	for (int turn = 0; turn < 3; turn++) {
		for (const std::string line : {"10", "20"}) {
			const Bytes memory = p.memory("memory", 64);
			p.site("/src/x.cc:" + line + shift + " main");
			p.op(a, "fill", {writes(memory)});
			if (is_first_fixed && line == "10")
				p.sync(a);
			p.site("/src/x.cc:" + line + "1" + shift + " main");
			p.op(b, "copy", {reads(memory)});
			p.sync(a);
			p.sync(b);
		}
	}
	return report_of(p.trace());
}

TEST(Report, mistakes_at_two_lines_of_one_function)
{
	const Report both = two_mistakes(false);
	const Report second = two_mistakes(true);
	ASSERT_EQ(both.entries().size(), 2u);
	EXPECT_EQ(both.entries()[0]->count, 3u);
	EXPECT_EQ(both.entries()[1]->count, 3u);
	EXPECT_EQ(both.entries()[1]->later.stack.front().line, 201u);
	EXPECT_NE(both.entries()[0]->fingerprint, both.entries()[1]->fingerprint);
	ASSERT_EQ(second.entries().size(), 1u);
	EXPECT_EQ(second.entries()[0]->fingerprint, both.entries()[0]->fingerprint);
}

/* What is new is the mistake at the line that the baseline has not, whichever was found first. */
TEST(Report, baseline_counts_the_mistakes_of_a_function)
{
	const Report second = two_mistakes(true);
	Report both = two_mistakes(false);
	both.mark_known(second);
	EXPECT_FALSE(both.entries()[0]->is_known);
	EXPECT_TRUE(both.entries()[1]->is_known);
	/* Where all lines have moved, one of the two is known. */
	both = two_mistakes(false, "0");
	both.mark_known(second);
	EXPECT_EQ(both.count(Severity::ERROR), 1u);
	both.mark_known(two_mistakes(false));
	EXPECT_EQ(both.count(Severity::ERROR), 0u);
}

TEST(Report, json_is_read_as_it_was_written)
{
	Report report = report_of(early_record(3));
	const std::string text = json_report(report);
	const std::vector<std::string> lines = lines_of(text);
	EXPECT_EQ(json::parse(lines[0]), (json{{"kind", "unpu-san"}, {"version", JSON_VERSION}}));
	const json first = json::parse(lines[1]);
	EXPECT_EQ(first["rule"], "RACE-RAW");
	EXPECT_EQ(first["severity"], "error");
	EXPECT_EQ(first["count"], 3);
	EXPECT_EQ(first["later"]["stack"][0]["file"], "/src/app/model.cc");
	EXPECT_EQ(first["later"]["stack"][0]["line"], 211);
	EXPECT_EQ(first["hints"][0]["code"], "record-too-early");
	EXPECT_EQ(json::parse(lines.back())["kind"], "summary");
	Report again;
	EXPECT_EQ(read_json_report(text, "report", again), "");
	EXPECT_EQ(json_report(again), text);
	EXPECT_EQ(text_report(again), text_report(report));
	/* Twice the same is one entry, seen twice as often. */
	EXPECT_EQ(read_json_report(text, "report", again), "");
	EXPECT_EQ(find(again, "RACE-RAW")->count, 6u);
	EXPECT_EQ(find(again, "RACE-RAW")->traces, 2u);
	EXPECT_EQ(again.totals().traces, 2u);
}

TEST(Report, json_of_anyone_is_refused_or_harmless)
{
	Report report;
	EXPECT_NE(read_json_report("", "r", report), "");
	EXPECT_NE(read_json_report("{\"kind\":\"unpu-san\",\"version\":2}\n", "r", report), "");
	EXPECT_NE(read_json_report("[1]\n", "r", report), "");
	const std::string head = "{\"kind\":\"unpu-san\",\"version\":1}\n";
	EXPECT_NE(read_json_report(head + "{broken\n", "r", report), "");
	EXPECT_EQ(read_json_report(
			  head + "{\"kind\":\"finding\",\"rule\":7,\"later\":[1],\"hints\":"
				 "{\"a\":1},\"steps\":[null],\"memory\":true,\"circle\":[4]}\n"
				 "{\"kind\":\"of the future\"}\n",
			  "r", report),
		  "");
	EXPECT_EQ(report.entries().size(), 1u);
	EXPECT_NE(text_report(report), "");
	EXPECT_NE(html_report(report), "");
}

TEST(Report, sarif_has_what_code_hosts_ask_for)
{
	const json log = json::parse(sarif_report(report_of(early_record()), "/src/app"));
	EXPECT_EQ(log["version"], "2.1.0");
	const json &run = log["runs"][0];
	EXPECT_EQ(run["tool"]["driver"]["name"], "unpu-san");
	std::set<std::string> rules;
	for (const json &rule : run["tool"]["driver"]["rules"]) {
		EXPECT_TRUE(rule["shortDescription"]["text"].is_string());
		rules.insert(rule["id"]);
	}
	ASSERT_GE(run["results"].size(), 1u);
	for (const json &result : run["results"]) {
		EXPECT_TRUE(rules.contains(result["ruleId"]));
		EXPECT_TRUE((std::set<std::string>{"error", "warning", "note"})
				    .contains(result["level"]));
		EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
		EXPECT_EQ(result["partialFingerprints"]["unpuSan/v1"].get<std::string>().size(),
			  16u);
		const json &place = result["locations"][0]["physicalLocation"];
		EXPECT_EQ(place["artifactLocation"]["uri"].get<std::string>()[0], 'm');
		EXPECT_GE(place["region"]["startLine"].get<int>(), 1);
	}
	const json &race = run["results"][0];
	EXPECT_EQ(race["ruleId"], "RACE-RAW");
	EXPECT_EQ(race["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "model.cc");
	/* The earlier call, the allocation, and the record of the hint. */
	ASSERT_EQ(race["relatedLocations"].size(), 3u);
	EXPECT_EQ(race["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 47);
	EXPECT_EQ(race["relatedLocations"][1]["physicalLocation"]["region"]["startLine"], 8);
	EXPECT_EQ(race["relatedLocations"][2]["physicalLocation"]["region"]["startLine"], 45);
	ASSERT_EQ(race["codeFlows"][0]["threadFlows"].size(), 2u);
	for (const json &flow : race["codeFlows"][0]["threadFlows"])
		EXPECT_GE(flow["locations"].size(), 1u);
}

TEST(Report, sarif_outside_of_the_sources_is_a_notification)
{
	const json log = json::parse(sarif_report(report_of(early_record()), "/elsewhere"));
	const json &run = log["runs"][0];
	EXPECT_TRUE(run["results"].empty());
	EXPECT_GE(run["invocations"][0]["toolExecutionNotifications"].size(), 1u);
}

TEST(Report, github_annotations_are_one_line_each)
{
	const std::string text = github_report(report_of(early_record()), "/src/app");
	const std::string first = lines_of(text)[0];
	EXPECT_EQ(
		first.rfind("::error file=model.cc,line=211,title=unpu-san RACE-RAW::matmul reads",
			    0),
		0u)
		<< first;
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes memory = p.memory("memory", 64);
	p.op(a, "50%\nof,it:", {writes(memory)});
	p.op(b, "read", {reads(memory)});
	for (const std::string &line : lines_of(github_report(report_of(p.trace()), "/src")))
		EXPECT_EQ(line.rfind("::", 0), 0u) << line;
}

TEST(Report, page_needs_nothing_else_and_escapes_texts)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("<script>alert(1)</script>"), b = p.stream("b & \"c\"");
	const Bytes memory = p.memory("<img src=x>", 64);
	const uint64_t event = p.event("ready");
	p.record(event, a);
	p.op(a, "write", {writes(memory)});
	p.wait(b, event);
	p.op(b, "read", {reads(memory)});
	const std::string page = html_report(report_of(p.trace()));
	EXPECT_EQ(page.find("<script"), std::string::npos);
	EXPECT_EQ(page.find("<img"), std::string::npos);
	EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
	for (const char *outside : {"http:", "https:", "<link", "href=", "@import", "//"})
		EXPECT_EQ(page.find(outside), std::string::npos) << outside;
	/* The arrow from the record to the wait, and both calls in red. */
	EXPECT_NE(page.find("marker-end"), std::string::npos);
	size_t red = 0;
	for (size_t at = page.find("#fde3e1"); at != std::string::npos;
	     at = page.find("#fde3e1", at + 1))
		red++;
	EXPECT_EQ(red, 2u);
}

TEST(Report, timeline_has_both_calls_in_order)
{
	const Report report = report_of(early_record());
	const std::vector<std::string> rows = draw_timeline(*find(report, "RACE-RAW"));
	ASSERT_EQ(rows.size(), 2u);
	EXPECT_EQ(rows[0].size(), rows[1].size());
	EXPECT_LT(rows[0].find("(record"), rows[0].find("[copy"));
	EXPECT_LT(rows[0].find("[copy"), rows[1].find("(wait"));
	EXPECT_LT(rows[1].find("(wait"), rows[1].find("[matmul"));
}

/* Streams stand in the order of their numbers, whichever of them the later call is on, and labels are whole. */
TEST(Report, pictures_have_streams_in_order_and_whole_labels)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream_of(7, 0), b = p.stream_of(10, 0);
	const Bytes memory = p.memory("memory", 64);
	const uint64_t event = p.event_of(0x5328b7bc70000020);
	p.record(event, b);
	p.op(b, "write", {writes(memory)});
	p.wait(a, event);
	p.op(a, "read", {reads(memory)});
	const Report report = report_of(p.trace());
	const std::vector<std::string> rows = draw_timeline(*find(report, "RACE-RAW"));
	ASSERT_EQ(rows.size(), 2u);
	EXPECT_EQ(rows[0].rfind("stream 7 ", 0), 0u) << rows[0];
	EXPECT_EQ(rows[1].rfind("stream 10 ", 0), 0u) << rows[1];
	const std::string page = html_report(report);
	EXPECT_LT(page.find(">stream 10</text>"), page.size());
	auto y_of = [&](const std::string &name) {
		const size_t begin = page.rfind("y=\"", page.find(">" + name + "</text>")) + 3;
		return std::stoi(page.substr(begin));
	};
	EXPECT_LT(y_of("stream 7"), y_of("stream 10"));
	EXPECT_NE(page.find(">wait event</text>"), std::string::npos);
	EXPECT_NE(page.find(">0x5328b7bc70000020</text>"), std::string::npos);
}

TEST(Report, suppressions_match_what_stays)
{
	const struct {
		const char *line;
		bool matches;
	} cases[] = {{"RACE-RAW", true},
		     {"RACE-*", true},
		     {"race-raw", false},
		     {"* function=prefetch", true},
		     {"* function=main", true},
		     {"* top=main", false},
		     {"* top=step", true},
		     {"* file=*/loader.cc op=copy", true},
		     {"* file=*/loader.cc op=fill", false},
		     {"* stream=*compute*", true},
		     {"* memory=in?ut", true},
		     {"* memory=other", false},
		     {"* module=*", false},
		     {"# RACE-RAW", false},
		     {"", false}};
	for (const auto &each : cases) {
		Suppressions suppressions;
		ASSERT_EQ(suppressions.read(std::string("# known\n") + each.line, "file"), "");
		const Report report = report_of(early_record(5), [&](const Entry &entry) {
			return suppressions.matches(entry);
		});
		EXPECT_EQ(find(report, "RACE-RAW") == nullptr, each.matches) << each.line;
		EXPECT_EQ(report.totals().suppressed >= 5, each.matches) << each.line;
	}
}

TEST(Report, suppressions_that_are_wrong_or_unused_say_so)
{
	Suppressions suppressions;
	EXPECT_EQ(suppressions.read("UAF # known\n\nRACE-RAW # known", "file"), "");
	(void)report_of(early_record(),
			[&](const Entry &entry) { return suppressions.matches(entry); });
	EXPECT_EQ(suppressions.unused(), std::vector<std::string>{"file:1"});
	EXPECT_NE(suppressions.read("RACE-RAW colour=red", "file").find("none of the keys"),
		  std::string::npos);
	EXPECT_NE(suppressions.read("RACE-RAW function", "file"), "");
}

TEST(Report, baseline_leaves_only_what_is_new)
{
	Report report = report_of(early_record());
	EXPECT_EQ(report.count(Severity::ERROR), 1u);
	report.mark_known(report_of(early_record()));
	EXPECT_EQ(report.count(Severity::ERROR), 0u);
	EXPECT_EQ(text_report(report).find("RACE-RAW"), std::string::npos);
	EXPECT_NE(summary_line(report).find("1 in the baseline"), std::string::npos);
}
