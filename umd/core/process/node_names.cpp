// SPDX-License-Identifier: MIT
/**
 * DOC: Names of nodes
 *
 * The device tells a node of a graph by a number. For nodes of models the number of their program is beside it, and
 * here are the names.
 */
#include "node_names.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "hal/trace.h"

namespace umd {

NodeName name_of_node(const std::string &text)
{
	const size_t blank = text.find(' '), end = text.rfind(" (opset ");
	if (end == std::string::npos || blank >= end)
		return {"Result", text};
	return {text.substr(0, blank), text.substr(blank + 1, end - blank - 1)};
}

uint8_t NodeNames::add(std::shared_ptr<const NodeTexts> texts)
{
	const std::lock_guard lock(mutex_);
	/* A program may ask for a failure after the unload of the model. So a number is free for as long as possible
	 * before another program has it, and is told as a node of that one. */
	for (size_t k = 1; k < places_.size(); k++) {
		last_ = last_ % (places_.size() - 1) + 1;
		if (!places_[last_].is_used) {
			places_[last_] = {true, base::now_ns(), std::move(texts)};
			return static_cast<uint8_t>(last_);
		}
	}
	return 0;
}

void NodeNames::remove(uint8_t number)
{
	const std::lock_guard lock(mutex_);
	Place &place = places_[number];
	const auto texts = place.texts;
	place.is_used = false;
	if (!hal::trace::on())
		place.texts.reset();
	std::erase_if(runs_, [&](const Run &run) { return run.texts == texts; });
}

std::string NodeNames::text(uint8_t number, uint32_t node)
{
	const std::lock_guard lock(mutex_);
	const auto &texts = places_[number].texts;
	return texts ? texts->text(node) : std::string();
}

std::vector<base::TraceProgram> NodeNames::for_trace()
{
	std::vector<base::TraceProgram> programs;
	const std::lock_guard lock(mutex_);
	for (size_t number = 1; number < places_.size(); number++) {
		const Place &place = places_[number];
		if (!place.texts)
			continue;
		const NodeTexts &texts = *place.texts;
		std::vector<std::string> names;
		for (uint32_t task = 0; task <= texts.of_tasks.size(); task++) {
			const NodeName name = name_of_node(texts.nodes[texts.node_of(task)]);
			names.push_back(name.type + " " + name.name);
		}
		programs.push_back(
			{place.since_ns, static_cast<uint8_t>(number), std::move(names)});
	}
	return programs;
}

void NodeNames::add_run(uint64_t stream, std::vector<uint64_t> tasks,
			std::shared_ptr<const NodeTexts> texts)
{
	constexpr size_t MOST = 64;
	const std::lock_guard lock(mutex_);
	if (runs_.size() == MOST)
		runs_.pop_front();
	runs_.push_back({stream, std::move(tasks), std::move(texts)});
}

std::string NodeNames::task_text(uint64_t stream, uint64_t task)
{
	const std::lock_guard lock(mutex_);
	for (const Run &run : runs_) {
		const auto at = std::ranges::find(run.tasks, task);
		if (run.stream == stream && at != run.tasks.end())
			return run.texts->text(static_cast<uint32_t>(at - run.tasks.begin()));
	}
	return {};
}

} // namespace umd
