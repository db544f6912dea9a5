// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs of a device that explores
 *
 * Each line that can run is a choice, and a turn runs one node of it.
 */
#include <algorithm>

#include "firmware_sim/explore/choice.h"
#include "firmware_sim/explore/suspect.h"
#include "graph.h"

namespace fw {

/* More than the nodes of any graph: storing the first cells is no decision. */
static constexpr int64_t WHOLE_COST = INT64_MAX / 2;

bool Graph::is_suspect(const Line &line) const
{
	const base::SchedulePlan &plan = *client_.core.config.schedule;
	return looks_for_suspects(plan) &&
	       touches_suspect(plan, nodes_.packet(line.at), nodes_.descriptor(line.at));
}

bool Graph::offer(std::vector<Choice> &choices) const
{
	if (!running() || client_.broken() || !has_started_)
		return false;
	for (const std::vector<uint32_t> *lines : {&ready_, &rested_}) {
		for (uint32_t index : *lines) {
			const Line &line = lines_[index];
			Choice choice;
			choice.stream = stream_;
			choice.line = index;
			choice.kind = KIND_END;
			if (!line.stand && line.at != line.end) {
				choice.kind = kind_of(nodes_.opcode(line.at));
				choice.is_suspect = is_suspect(line);
			}
			choices.push_back(choice);
		}
	}
	return true;
}

Progress Graph::advance_one(uint32_t line)
{
	if (!running() || client_.broken())
		return Progress::BLOCKED;
	check_places();
	if (!has_started_) {
		budget_ = WHOLE_COST;
		(void)begin_lines();
	} else if (line != NO_LINE) {
		std::erase(ready_, line);
		std::erase(rested_, line);
		budget_ = 1;
		if (run_line(line))
			rested_.push_back(line);
	}
	if (!ready_.empty() || !rested_.empty())
		return Progress::MORE;
	if (regions_[0].open == 0)
		finish();
	return Progress::BLOCKED;
}

} // namespace fw
