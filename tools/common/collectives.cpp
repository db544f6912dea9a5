// SPDX-License-Identifier: MIT
/**
 * DOC: A look at communicators
 *
 * Each process tells of its own ranks, and what the ledger has about the others. The parts of a communicator are put
 * together by its id.
 */
#include "collectives.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <signal.h>

#include "program.h"
#include "tool.h"

namespace tool {

/* The processes that listen, by their names in the abstract namespace. */
static std::vector<uint64_t> listening()
{
	static constexpr const char *NAME = "@unpu-look-";
	std::vector<uint64_t> pids;
	std::ifstream table("/proc/net/unix");
	for (std::string line; std::getline(table, line);) {
		const size_t at = line.find(NAME);
		if (at != std::string::npos)
			pids.push_back(strtoull(line.c_str() + at + strlen(NAME), nullptr, 10));
	}
	std::sort(pids.begin(), pids.end());
	pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
	return pids;
}

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
	Json &rank = communicator_of(list, report)["ranks"][report["rank"].get<size_t>()];
	for (const char *key : {"calls", "pending", "failure", "trouble"})
		rank[key] = report[key];
	rank["program"] = program;
}

Json look_at_communicators(std::vector<uint64_t> pids)
{
	Json list = Json::array();
	if (pids.empty())
		pids = listening();
	for (const uint64_t pid : pids) {
		const Program program = look_at_program(pid);
		if (program.code != EXIT_SHOWN || !program.told.contains("communicators"))
			continue;
		for (const Json &report : program.told["communicators"])
			add_report(list, report, program.told["program"].get<std::string>());
	}
	return list;
}

static std::string state_of(const Json &rank)
{
	if (rank["left"].get<bool>())
		return "has left";
	if (!rank.contains("pending") && !rank.value("here", true))
		return "is on " + rank["host"].get<std::string>();
	if (!rank.contains("pending"))
		return kill(rank["process"].get<pid_t>(), 0) == 0 ? "its process does not answer"
								  : "its process has ended";
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
