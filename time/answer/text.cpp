// SPDX-License-Identifier: MIT
/**
 * DOC: answers as text and as JSON
 */
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "answer.h"
#include "base/json/controls.h"
#include "base/json/text.h"

namespace timing {

namespace {

/* struct Share - a part of the critical path, and how many steps it has. */
struct Share {
	std::string name;
	Picoseconds time = 0;
	size_t steps = 0;
};

} // namespace

static std::string percent(unsigned __int128 part, unsigned __int128 whole)
{
	const auto tenths = static_cast<uint64_t>(whole == 0 ? 0 : part * 1000 / whole);
	return fmt::format("{:>3}.{} %", tenths / 10, tenths % 10);
}

std::string headline(const Answer &answer)
{
	const Missing &missing = answer.graph.missing;
	std::string text =
		fmt::format("modelled by profile {}, not measured: a clock for tests, no "
			    "prediction of a chip\n",
			    answer.profile.name());
	const auto add = [&](uint64_t count, const char *what) {
		if (count != 0)
			text += fmt::format("not known: {} {}\n", count, what);
	};
	add(missing.works, "commands have no record of their work, and count by their bytes");
	add(missing.costs, "kernels count by their bytes, without their operations");
	add(missing.functions, "host functions count by a constant");
	add(missing.problems, "records of the trace are impossible, and were left out");
	if (missing.is_lost)
		text += "not known: the trace could not grow, and its end is missing\n";
	return text;
}

static std::vector<Share> shares_of(const Answer &answer, bool by_site)
{
	std::map<std::string, Share> shares;
	for (const Segment &segment : path_of(answer.schedule)) {
		const Vertex &vertex = answer.graph.vertices[segment.step];
		std::string name = segment.is_start ? "start of tasks"
				   : by_site	    ? answer.site(vertex)
						    : kind_of(answer.graph, vertex);
		if (name.empty())
			name = "no call site";
		Share &share = shares[name];
		share.name = name;
		share.time += segment.end - segment.begin;
		share.steps++;
	}
	std::vector<Share> sorted;
	for (const auto &[name, share] : shares)
		sorted.push_back(share);
	std::stable_sort(sorted.begin(), sorted.end(),
			 [](const Share &a, const Share &b) { return a.time > b.time; });
	return sorted;
}

static std::string stream_text(const Answer &answer, uint32_t line)
{
	std::string text = fmt::format("stream {}", line + 1);
	if (line < answer.graph.lines.size() && answer.graph.lines[line].label != 0)
		text += fmt::format(" ({})", answer.graph.text(answer.graph.lines[line].label));
	return text;
}

static std::string step_text(const Answer &answer, Id id)
{
	const Vertex &vertex = answer.graph.vertices[id];
	const std::string site = answer.site(vertex);
	return fmt::format("{}{}{}", kind_of(answer.graph, vertex), site.empty() ? "" : " at ",
			   site);
}

static std::string reason_text(const Answer &answer, const Gap &gap)
{
	const std::string step = gap.cause == NO_VERTEX ? "" : step_text(answer, gap.cause);
	switch (gap.reason) {
	case Reason::HOST:
		return "the host is late";
	case Reason::STREAM:
		return fmt::format("waits for {}: {}",
				   stream_text(answer, answer.graph.vertices[gap.cause].line),
				   step);
	case Reason::OWN:
		return "events and launches of its own";
	case Reason::FUNCTION:
		return "waits for a host function";
	case Reason::ENGINE:
		return fmt::format("{} are taken by {}",
				   engine_name(answer.schedule.costs[gap.task].engine), step);
	case Reason::LAUNCH:
		break;
	}
	return "the device starts another task";
}

static void add_shares(std::string &text, const Answer &answer, bool by_site)
{
	constexpr size_t MOST = 20;
	const std::vector<Share> shares = shares_of(answer, by_site);
	for (size_t i = 0; i < std::min(shares.size(), MOST); i++)
		text += fmt::format("  {} {:>14} {:>6} steps  {}\n",
				    percent(shares[i].time, answer.schedule.total),
				    time_text(shares[i].time), shares[i].steps, shares[i].name);
}

std::string text_of(const Answer &answer, size_t most_gaps)
{
	std::string text = headline(answer);
	text += fmt::format("total {:>16}\nbound {:>16}, with any number of engines\n",
			    time_text(answer.schedule.total), time_text(answer.bound.total));
	text += "utilisation\n";
	for (const Use &use : uses_of(answer))
		text += fmt::format(
			"  {} program {} device {}, {}\n",
			percent(use.busy,
				static_cast<unsigned __int128>(answer.schedule.total) * use.units),
			use.client + 1, use.device, engine_name(use.engine));
	text += "critical path by kind\n";
	add_shares(text, answer, false);
	text += "critical path by call site\n";
	add_shares(text, answer, true);
	const std::vector<Gap> gaps = gaps_of(answer);
	text += fmt::format("gaps, {}, the longest first\n", gaps.size());
	for (size_t i = 0; i < std::min(gaps.size(), most_gaps); i++) {
		const Gap &gap = gaps[i];
		const Vertex &task = answer.graph.vertices[gap.task];
		text += fmt::format("  {:>14} from {:>14} {} before {}: {}\n",
				    time_text(gap.end - gap.begin), time_text(gap.begin),
				    stream_text(answer, task.line), step_text(answer, gap.task),
				    reason_text(answer, gap));
	}
	std::string safe;
	for (size_t at = 0; at < text.size();) {
		const size_t end = std::min(text.find('\n', at), text.size());
		safe += base::without_controls(text.substr(at, end - at)) + "\n";
		at = end + 1;
	}
	return safe;
}

static nlohmann::ordered_json step_json(const Answer &answer, Id id)
{
	const Vertex &vertex = answer.graph.vertices[id];
	const Slot &slot = answer.schedule.slots[id];
	return {{"stream", vertex.line + 1},
		{"kind", kind_of(answer.graph, vertex)},
		{"call", answer.graph.text(vertex.label)},
		{"site", answer.site(vertex)},
		{"begin_ps", slot.begin},
		{"end_ps", slot.end}};
}

std::string json_of(const Answer &answer)
{
	const Missing &missing = answer.graph.missing;
	nlohmann::ordered_json json{{"kind", "unpu-time"},
				    {"version", 1},
				    {"profile", answer.profile.name()},
				    {"measured", false},
				    {"total_ps", answer.schedule.total},
				    {"bound_ps", answer.bound.total},
				    {"missing",
				     {{"works", missing.works},
				      {"costs", missing.costs},
				      {"functions", missing.functions},
				      {"problems", missing.problems},
				      {"is_lost", missing.is_lost}}}};
	for (const char *list : {"uses", "path", "tasks", "gaps"})
		json[list] = nlohmann::ordered_json::array();
	for (const Use &use : uses_of(answer))
		json["uses"].push_back({{"program", use.client + 1},
					{"device", use.device},
					{"engine", engine_name(use.engine)},
					{"units", use.units},
					{"busy_ps", static_cast<uint64_t>(use.busy / use.units)}});
	for (const bool by_site : {false, true}) {
		for (const Share &share : shares_of(answer, by_site))
			json["path"].push_back({{by_site ? "site" : "kind", share.name},
						{"time_ps", share.time},
						{"steps", share.steps}});
	}
	for (Id id = 0; id < answer.graph.vertices.size(); id++) {
		if (answer.graph.vertices[id].step == Step::COMMAND)
			json["tasks"].push_back(step_json(answer, id));
	}
	for (const Gap &gap : gaps_of(answer))
		json["gaps"].push_back({{"stream", answer.graph.vertices[gap.task].line + 1},
					{"begin_ps", gap.begin},
					{"end_ps", gap.end},
					{"reason", reason_text(answer, gap)}});
	return base::write_json(json) + "\n";
}

} // namespace timing
