// SPDX-License-Identifier: MIT
/**
 * DOC: the critical path, the gaps, and what ran at the same time
 */
#include <algorithm>
#include <map>
#include <tuple>

#include "answer.h"

namespace timing {

Answer answer_of(Graph graph, const Profile &profile, const std::vector<Speed> &speeds)
{
	Answer answer;
	answer.profile = profile;
	const std::vector<Cost> costs = costs_of(graph, profile, speeds);
	answer.bound = bound_of(graph, costs);
	answer.schedule = schedule_of(graph, costs, answer.profile);
	answer.graph = std::move(graph);
	return answer;
}

std::string Answer::site(const Vertex &vertex) const
{
	const std::string text = graph.text(vertex.site);
	if (place)
		return place(text);
	return text.substr(0, text.find('\n'));
}

std::vector<Segment> path_of(const Timeline &line)
{
	std::vector<Segment> path;
	for (Id id = line.final; id != NO_VERTEX && line.slots[id].end != 0;) {
		const Slot *slot = &line.slots[id];
		if (slot->begin != slot->end)
			path.push_back({slot->begin, slot->end, id, false});
		while (slot->why == Why::LAUNCH) {
			const Slot &other = line.slots[slot->cause];
			path.push_back({other.begin, slot->begin, slot->cause, true});
			slot = &other;
		}
		id = slot->begin == 0 ? NO_VERTEX : slot->cause;
	}
	std::reverse(path.begin(), path.end());
	return path;
}

/* The step of another line, or of the host, for whose end the task was not ready earlier. */
static Id origin_of(const Answer &answer, Id task)
{
	const uint32_t line = answer.graph.vertices[task].line;
	Id id = answer.schedule.slots[task].last;
	while (id != NO_VERTEX) {
		const Vertex &vertex = answer.graph.vertices[id];
		const bool is_own = vertex.line == line && vertex.step != Step::COMMAND;
		const bool is_other = vertex.step == Step::JOIN || vertex.step == Step::RECORD ||
				      vertex.step == Step::LAUNCHED || vertex.step == Step::OTHER;
		if (vertex.step == Step::FUNCTION || (!is_own && !is_other))
			return id;
		id = answer.schedule.slots[id].last;
	}
	return NO_VERTEX;
}

static Reason reason_of(const Graph &graph, Id task, Id origin)
{
	if (origin == NO_VERTEX)
		return Reason::OWN;
	const Vertex &vertex = graph.vertices[origin];
	if (vertex.step == Step::FUNCTION)
		return Reason::FUNCTION;
	if (vertex.line == HOST_LINE)
		return Reason::HOST;
	return vertex.line == graph.vertices[task].line ? Reason::OWN : Reason::STREAM;
}

std::vector<Gap> gaps_of(const Answer &answer)
{
	std::map<uint32_t, std::vector<Id>> tasks; /* by line */
	for (Id id = 0; id < answer.graph.vertices.size(); id++) {
		if (answer.graph.vertices[id].step == Step::COMMAND)
			tasks[answer.graph.vertices[id].line].push_back(id);
	}
	std::vector<Gap> gaps;
	for (auto &[line, ids] : tasks) {
		std::sort(ids.begin(), ids.end(), [&](Id a, Id b) {
			const Slot &left = answer.schedule.slots[a];
			const Slot &right = answer.schedule.slots[b];
			return std::tie(left.begin, a) < std::tie(right.begin, b);
		});
		Picoseconds end = 0;
		for (const Id id : ids) {
			const Slot &slot = answer.schedule.slots[id];
			if (slot.ready > end) {
				const Id origin = origin_of(answer, id);
				gaps.push_back({end, slot.ready, id,
						reason_of(answer.graph, id, origin), origin});
			}
			const Picoseconds ready = std::max(end, slot.ready);
			if (slot.begin > ready)
				gaps.push_back(
					{ready, slot.begin, id,
					 slot.why == Why::ENGINE ? Reason::ENGINE : Reason::LAUNCH,
					 slot.cause});
			end = std::max(end, slot.end);
		}
	}
	std::stable_sort(gaps.begin(), gaps.end(), [](const Gap &a, const Gap &b) {
		return a.end - a.begin > b.end - b.begin;
	});
	return gaps;
}

std::vector<Use> uses_of(const Answer &answer)
{
	std::map<std::tuple<uint32_t, uint32_t, Engine>, Use> uses;
	for (Id id = 0; id < answer.graph.vertices.size(); id++) {
		const Cost &cost = answer.schedule.costs[id];
		const uint32_t index = answer.graph.vertices[id].line;
		if (cost.engine == Engine::NONE || index >= answer.graph.lines.size())
			continue;
		const Line &line = answer.graph.lines[index];
		Use &use = uses[{line.client, line.device, cost.engine}];
		use.client = line.client;
		use.device = line.device;
		use.engine = cost.engine;
		use.units = units_of(cost.engine, answer.profile);
		const Slot &slot = answer.schedule.slots[id];
		use.busy += static_cast<unsigned __int128>(slot.end - slot.begin) * cost.units;
	}
	std::vector<Use> list;
	for (const auto &[key, use] : uses)
		list.push_back(use);
	return list;
}

namespace {

/* struct Span - a time in which something runs. */
struct Span {
	Picoseconds begin;
	Picoseconds end;
};

} // namespace

/* The times in which steps run, without overlaps, the first one first. */
static std::vector<Span> spans_of(const Answer &answer, const Selector &steps)
{
	std::vector<Span> spans;
	for (Id id = 0; id < answer.graph.vertices.size(); id++) {
		const Slot &slot = answer.schedule.slots[id];
		if (slot.begin != slot.end && steps.has(answer.graph, answer.graph.vertices[id]))
			spans.push_back({slot.begin, slot.end});
	}
	std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) {
		return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
	});
	std::vector<Span> apart;
	for (const Span &span : spans) {
		if (!apart.empty() && span.begin <= apart.back().end)
			apart.back().end = std::max(apart.back().end, span.end);
		else
			apart.push_back(span);
	}
	return apart;
}

Picoseconds busy_time(const Answer &answer, const Selector &steps)
{
	Picoseconds sum = 0;
	for (const Span &span : spans_of(answer, steps))
		sum += span.end - span.begin;
	return sum;
}

Picoseconds both_time(const Answer &answer, const Selector &first, const Selector &second)
{
	const std::vector<Span> left = spans_of(answer, first);
	const std::vector<Span> right = spans_of(answer, second);
	Picoseconds sum = 0;
	for (size_t i = 0, k = 0; i < left.size() && k < right.size();) {
		const Picoseconds begin = std::max(left[i].begin, right[k].begin);
		const Picoseconds end = std::min(left[i].end, right[k].end);
		sum += end > begin ? end - begin : 0;
		left[i].end < right[k].end ? i++ : k++;
	}
	return sum;
}

} // namespace timing
