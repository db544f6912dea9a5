// SPDX-License-Identifier: MIT
/**
 * DOC: answers for Perfetto
 *
 * The form is that of Chrome's traces, which Perfetto shows, too: a process for each program, a thread for each stream
 * and one for the host, and arrows along the critical path. Times are microseconds with six digits behind the point,
 * which is a picosecond.
 */
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "answer.h"
#include "base/json/text.h"

namespace timing {

static std::string quoted(const std::string &text)
{
	return base::write_json(nlohmann::json(text));
}

static std::string micros(Picoseconds time)
{
	return fmt::format("{}.{:06}", time / US, time % US);
}

/* Where a step is shown: the process and the thread. The host's calls are thread 0 of the first program. */
static std::string place_of(const Answer &answer, const Vertex &vertex)
{
	if (vertex.line >= answer.graph.lines.size())
		return "\"pid\":1,\"tid\":0";
	return fmt::format("\"pid\":{},\"tid\":{}", answer.graph.lines[vertex.line].client + 1,
			   vertex.line + 1);
}

static void add_names(std::string &text, const Answer &answer)
{
	const auto add = [&](const char *what, const std::string &place, const std::string &name) {
		text += fmt::format(
			"{{\"ph\":\"M\",\"name\":\"{}\",{},\"args\":{{\"name\":{}}}}},\n", what,
			place, quoted(name));
	};
	Vertex vertex;
	const std::string model =
		fmt::format("modelled by profile {}, not measured", answer.profile.name());
	add("process_name", place_of(answer, vertex), model);
	add("thread_name", place_of(answer, vertex), "host");
	for (uint32_t line = 0; line < answer.graph.lines.size(); line++) {
		vertex.line = line;
		const std::string name = answer.graph.text(answer.graph.lines[line].label);
		add("process_name", place_of(answer, vertex), model);
		add("thread_name", place_of(answer, vertex),
		    fmt::format("stream {}{}{}", line + 1, name.empty() ? "" : " ", name));
	}
}

static void add_steps(std::string &text, const Answer &answer)
{
	for (Id id = 0; id < answer.graph.vertices.size(); id++) {
		const Vertex &vertex = answer.graph.vertices[id];
		const Slot &slot = answer.schedule.slots[id];
		if (slot.begin == slot.end)
			continue;
		text += fmt::format("{{\"ph\":\"X\",\"name\":{},{},\"ts\":{},\"dur\":{},\"args\":{{"
				    "\"call\":{},\"site\":{}}}}},\n",
				    quoted(kind_of(answer.graph, vertex)), place_of(answer, vertex),
				    micros(slot.begin), micros(slot.end - slot.begin),
				    quoted(answer.graph.text(vertex.label)),
				    quoted(answer.site(vertex)));
	}
}

/* An arrow from each step of the path to the next one. */
static void add_path(std::string &text, const Answer &answer)
{
	const std::vector<Segment> path = path_of(answer.schedule);
	for (size_t i = 1; i < path.size(); i++) {
		const auto add = [&](const char *phase, const Segment &segment, Picoseconds at) {
			text += fmt::format(
				"{{\"ph\":\"{}\",\"name\":\"critical path\",\"cat\":\"path\","
				"\"id\":{},{},\"ts\":{}}},\n",
				phase, i, place_of(answer, answer.graph.vertices[segment.step]),
				micros(at));
		};
		add("s", path[i - 1], path[i - 1].begin);
		add("f", path[i], path[i].begin);
	}
}

std::string perfetto_of(const Answer &answer)
{
	std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
	add_names(text, answer);
	add_steps(text, answer);
	add_path(text, answer);
	text.resize(text.size() - 2);
	return text + "\n]}\n";
}

} // namespace timing
