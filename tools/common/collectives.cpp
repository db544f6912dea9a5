// SPDX-License-Identifier: MIT
/**
 * DOC: Asking processes about communicators
 *
 * Each process reports its own ranks, and what its call log has recorded about the other ranks. The tool joins
 * the reports of one communicator by the communicator's id. A process that is stopped does not answer, so the
 * tool shows what the call logs of the other processes have recorded about its ranks.
 */
#include "collectives.h"

#include <algorithm>
#include <future>

#include <unistd.h>

#include "running_program.h"
#include "tool.h"

namespace tool {

static Json &communicator_of(Json &list, const Json &report)
{
	for (Json &each : list) {
		if (each["id"] == report["id"])
			return each;
	}
	list.push_back(
		{{"id", report["id"]}, {"name", report["name"]}, {"ranks", report["members"]}});
	return list.back();
}

static void add_report(Json &list, const Json &report, const std::string &program)
{
	Json &ranks = communicator_of(list, report)["ranks"];
	const auto number = report["rank"].get<size_t>();
	/* Two programs may report different sizes of one communicator, so the number may be too large. */
	if (number >= ranks.size())
		return;
	Json &rank = ranks[number];
	for (const char *key : {"calls", "pending", "failure", "trouble"})
		rank[key] = report[key];
	rank["program"] = program;
}

/* The limit applies to each process, and all processes are asked at once. So a process that does not answer
 * does not delay the others. */
static constexpr unsigned PATIENCE_MS = 1000;

static Program ask(uint64_t pid)
{
	Program program;
	const std::string state = process_state(pid);
	if (state.empty())
		return look_at_program(pid, PATIENCE_MS);
	program.code = EXIT_NO_DEVICE;
	program.why = fmt::format("process {} ({}) does not answer: it {}", pid, process_name(pid),
				  state);
	return program;
}

/* An abstract socket has no permissions, so the list of sockets also contains processes of other users. */
static bool is_named(const Json &list, uint64_t pid)
{
	for (const Json &each : list) {
		for (const Json &rank : each["ranks"]) {
			if (rank["process"] == pid)
				return true;
		}
	}
	return false;
}

static void add_silent(Json &list, uint64_t pid, const std::string &why)
{
	if (is_named(list, pid))
		return;
	list.push_back(
		{{"id", ""},
		 {"name", ""},
		 {"ranks", Json::array()},
		 {"silent", {{"process", pid}, {"program", process_name(pid)}, {"why", why}}}});
}

Json look_at_communicators(std::vector<uint64_t> pids)
{
	Json list = Json::array();
	const bool are_given = !pids.empty();
	if (!are_given)
		pids = listening_programs();
	std::vector<std::future<Program>> answers;
	for (const uint64_t pid : pids)
		answers.push_back(std::async(std::launch::async, ask, pid));
	std::vector<std::pair<uint64_t, std::string>> silent;
	for (size_t i = 0; i < pids.size(); i++) {
		const Program program = answers[i].get();
		if (program.code != EXIT_SHOWN &&
		    (are_given || geteuid() == 0 || is_own_process(pids[i])))
			silent.emplace_back(pids[i], program.why);
		if (program.code != EXIT_SHOWN || !program.told.contains("communicators"))
			continue;
		for (const Json &report : program.told["communicators"])
			add_report(list, report, program.told["program"].get<std::string>());
	}
	for (const auto &[pid, why] : silent)
		add_silent(list, pid, why);
	return list;
}

static std::string state_of(const Json &rank)
{
	if (rank["left"].get<bool>())
		return "has left";
	if (!rank.contains("pending") && !rank.value("here", true))
		return "is on " + rank["host"].get<std::string>();
	if (!rank.contains("pending")) {
		const std::string state = process_state(rank["process"].get<uint64_t>());
		return "its process " + (state.empty() ? "does not answer" : state);
	}
	if (!rank["failure"].get<std::string>().empty())
		return "has failed: " + rank["failure"].get<std::string>();
	for (const Json &call : rank["pending"]) {
		const auto number = call["number"].get<uint64_t>();
		if (call["reached"].get<bool>())
			return fmt::format("is in {}{}, stream {}",
					   number == 0 ? "" : fmt::format("call {}, ", number),
					   call["call"].get<std::string>(),
					   call["stream"].get<uint32_t>());
	}
	return rank["pending"].empty()
		       ? "idle"
		       : "has called " + rank["pending"][0]["call"].get<std::string>() +
				 ", and its stream is at earlier tasks";
}

static std::string trouble_of(const Json &rank)
{
	const std::string text = rank.value("trouble", std::string());
	return text.empty() ? "" : fmt::format("    {}\n", text);
}

std::string communicators(const Json &list)
{
	std::string text;
	for (const Json &each : list) {
		if (each.contains("silent")) {
			text += each["silent"]["why"].get<std::string>() + "\n";
			continue;
		}
		text += fmt::format("communicator {}, {} ranks\n", each["name"].get<std::string>(),
				    each["ranks"].size());
		for (const Json &rank : each["ranks"])
			text += fmt::format(
				"  rank {:<2} process {} ({}), device {}, {} calls, {}\n{}",
				rank["rank"].get<uint32_t>(), rank["process"].get<uint64_t>(),
				rank.value("program", std::string("?")),
				rank["device"].get<uint32_t>(), rank["calls"].get<uint64_t>(),
				state_of(rank), trouble_of(rank));
	}
	return text.empty() ? "no communicators\n" : text;
}

} // namespace tool
